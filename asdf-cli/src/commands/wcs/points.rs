//! Points in CSV files.

use std::fs;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use asdf_core::{Error, Result};
use csv::{ByteRecord, Reader};

use super::{Conversion, coordinate};
use crate::context::Context;
use crate::outcome::output;
use crate::printable::document;
use crate::standard_streams::{STDIN, is_std};
use crate::value_text;

/// The number of points that are converted at once.
const POINTS: usize = 1 << 16;

/// Converts the points of a CSV file, and prints CSV. The file is read in pieces.
pub(super) fn run(
    conversion: &Conversion<'_>,
    path: &Path,
    context: &Context,
    out: &mut dyn Write,
) -> Result<()> {
    if is_std(path) {
        return convert(conversion, context.stdin.open()?, out).map_err(|error| error.at_file(STDIN));
    }
    let file = fs::File::open(path).map_err(|error| Error::io("opening the points", error).at_file(path))?;
    convert(conversion, file, out).map_err(|error| match error.kind() {
        asdf_core::error::Kind::Io if error.message() == "writing the output" => error,
        _ => error.at_file(path),
    })
}

fn convert(conversion: &Conversion<'_>, input: impl Read, out: &mut dyn Write) -> Result<()> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).buffer_capacity(1 << 18).from_reader(input);
    let positions = columns(conversion, &mut reader)?;
    let mut out = BufWriter::with_capacity(1 << 18, out);
    let header: Vec<String> =
        conversion.output_names().iter().map(|name| document(name).into_owned()).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).map_err(|error| Error::io("writing the output", error.into()))?;
    let header = writer.into_inner().map_err(|error| output(error.into_error()))?;
    out.write_all(&header).map_err(output)?;
    let mut points: Vec<Vec<f64>> = vec![Vec::with_capacity(POINTS); positions.len()];
    let mut results = vec![vec![f64::NAN; POINTS]; conversion.transform.outputs()];
    let mut record = ByteRecord::new();
    let mut text = String::new();
    loop {
        points.iter_mut().for_each(Vec::clear);
        let mut count = 0;
        while count < POINTS && reader.read_byte_record(&mut record).map_err(unreadable)? {
            for ((column, &position), axis) in points.iter_mut().zip(&positions).zip(0..) {
                let cell =
                    std::str::from_utf8(record.get(position).unwrap_or_default()).unwrap_or("\u{fffd}");
                column.push(number(cell, conversion, axis, &record)?);
            }
            count += 1;
        }
        if count == 0 {
            return out.flush().map_err(output);
        }
        let inputs: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let mut outputs: Vec<&mut [f64]> =
            results.iter_mut().map(|column| column.get_mut(..count).unwrap_or_default()).collect();
        conversion.transform.columns_into(&inputs, &mut outputs)?;
        for point in 0..count {
            text.clear();
            for (number, column) in results.iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                text.push_str(&value_text::float(column.get(point).copied().unwrap_or(f64::NAN)));
            }
            text.push('\n');
            out.write_all(text.as_bytes()).map_err(output)?;
        }
    }
}

/// Returns the positions of the coordinates among the columns of the file.
fn columns<R: Read>(conversion: &Conversion<'_>, reader: &mut Reader<R>) -> Result<Vec<usize>> {
    let header = reader.byte_headers().map_err(unreadable)?;
    let names = conversion.input_names();
    let named = |name: &String| header.iter().position(|cell| cell == name.as_bytes());
    let by_name: Option<Vec<usize>> = names.iter().map(named).collect();
    match by_name {
        Some(positions) => Ok(positions),
        None if header.len() >= names.len() => Ok((0..names.len()).collect()),
        None => {
            let message =
                format!("expected {} columns ({}), found {}", names.len(), names.join(", "), header.len());
            Err(Error::usage(message))
        }
    }
}

/// Reads the number in a cell. An empty cell is NaN.
fn number(cell: &str, conversion: &Conversion<'_>, axis: usize, record: &ByteRecord) -> Result<f64> {
    match cell.parse() {
        Ok(number) => Ok(number),
        Err(_) if cell.is_empty() => Ok(f64::NAN),
        Err(_) => coordinate::read(cell, conversion.from.axes().get(axis)).map_err(|error| {
            let line = record.position().map_or(0, csv::Position::line);
            error.at_position(u32::try_from(line).unwrap_or(u32::MAX), 1)
        }),
    }
}

fn unreadable(error: csv::Error) -> Error {
    let line = error.position().map(csv::Position::line);
    let found = match error.into_kind() {
        csv::ErrorKind::Io(error) => return Error::io("reading the points", error),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Error::usage(format!("expected {expected_len} columns as in the header, found {len}"))
        }
        _ => Error::usage("the points are not CSV"),
    };
    match line.and_then(|line| u32::try_from(line).ok()) {
        Some(line) => found.at_position(line, 1),
        None => found,
    }
}

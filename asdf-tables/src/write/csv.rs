//! Writes comma-separated values.

use std::borrow::Cow;
use std::io::Write;

use asdf_core::array::{Elements, Value};
use asdf_core::{Datatype, Error, NdArray, Result};

use super::{output, plain};
use crate::advice::Advice;
use crate::{Column, Columns};

/// The maximum number of cells in a row. Spreadsheets do not open wider tables.
const MAX_WIDTH: u64 = 1 << 14;

/// Returns a cell that spreadsheets do not calculate: with a leading `'` if it begins like a formula.
///
/// Numbers are left unchanged. A formula begins with `=`, `+`, `-` or `@`, also as fullwidth characters, or after a tab, carriage return or line
/// feed.
///
/// # Examples
/// ```
/// use asdf_tables::safe_cell;
///
/// assert_eq!(safe_cell("=1+1"), "'=1+1");
/// assert_eq!(safe_cell("-1.5"), "-1.5");
/// ```
#[must_use]
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    let begins = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    match begins && text.parse::<f64>().is_err() {
        true => format!("'{text}").into(),
        false => text.into(),
    }
}

/// Returns an element as a cell.
fn cell(value: &Value, datatype: &Datatype, safe: bool) -> String {
    let text = plain(value, datatype);
    match value {
        Value::Text(_) if safe => safe_cell(&text).into_owned(),
        _ => text,
    }
}

/// Writes an array without a header: one element per line, or one row of an image per line.
pub(super) fn array(array: &NdArray, safe: bool, out: &mut dyn Write) -> Result<()> {
    if let Datatype::Struct(_) = array.datatype() {
        return Err(Error::unsupported("a record without axes has no rows"));
    }
    let mut writer = csv::Writer::from_writer(out);
    let width = match *array.shape() {
        [] | [_] => 1,
        [_, width] => width,
        _ => {
            return Err(Error::usage(format!("cannot write an array of shape {:?} as rows", array.shape()))
                .with_hint(Advice::Axes));
        }
    };
    let datatype = array.datatype();
    let mut lines = |piece: &NdArray| {
        let mut elements = piece.elements()?;
        while elements.len() > 0 {
            let row = elements.by_ref().take(usize::try_from(width).unwrap_or(usize::MAX));
            writer.write_record(row.map(|value| cell(&value, datatype, safe))).map_err(failed)?;
        }
        Ok(())
    };
    if array.shape().is_empty() {
        lines(array)?;
    } else {
        const PIECE: u64 = 1 << 18;
        for piece in array.rows((PIECE / width.max(1)).max(1))? {
            lines(&piece?)?;
        }
    }
    writer.flush().map_err(output)
}

/// Writes a table with the names of its columns. A cell that is an array takes one column for each element.
pub(super) fn table(columns: &Columns, safe: bool, out: &mut dyn Write) -> Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let mut names = Vec::new();
    for column in columns.as_slice() {
        header(column, &mut names)?;
    }
    if names.len() as u64 > MAX_WIDTH {
        let count = names.len();
        return Err(Error::unsupported(format!(
            "found {count} cells per row, expected at most {MAX_WIDTH} for csv"
        ))
        .with_hint("write parquet or arrow, which support arrays as cells"));
    }
    if safe {
        names.iter_mut().for_each(|name| *name = safe_cell(name).into_owned());
    }
    writer.write_record(&names).map_err(failed)?;
    for piece in columns.pieces(columns.rows_at_once()?) {
        let piece = piece?;
        let mut cells: Vec<(Elements, usize, &Datatype)> = Vec::new();
        for column in piece.as_slice() {
            let elements = column.array.elements().map_err(|error| error.under(&column.name))?;
            let width = usize::try_from(column.cell().iter().product::<u64>()).unwrap_or(usize::MAX);
            cells.push((elements, width, column.array.datatype()));
        }
        for _ in 0..piece.rows() {
            for (elements, width, datatype) in &mut cells {
                for value in elements.by_ref().take(*width) {
                    writer.write_field(cell(&value, datatype, safe)).map_err(failed)?;
                }
            }
            writer.write_record(None::<&[u8]>).map_err(failed)?;
        }
    }
    writer.flush().map_err(output)
}

/// Adds the names for a column: `pair[0]`, `pair[1]` and so on if its cells are arrays, else its name.
fn header(column: &Column, names: &mut Vec<String>) -> Result<()> {
    let shape = column.cell();
    let count =
        shape.iter().try_fold(1_u64, |all, &n| all.checked_mul(n)).filter(|&count| count <= MAX_WIDTH);
    let count = count.ok_or_else(|| {
        Error::unsupported(format!("csv does not support cells of shape {shape:?}"))
            .with_hint("write parquet or arrow, which support arrays as cells")
            .under(&column.name)
    })?;
    for place in 0..count {
        let mut rest = place;
        let mut index: Vec<u64> = shape
            .iter()
            .rev()
            .map(|&n| {
                let at = rest % n;
                rest /= n;
                at
            })
            .collect();
        index.reverse();
        let index: String = index.iter().map(|at| format!("[{at}]")).collect();
        names.push(format!("{}{index}", column.name));
    }
    Ok(())
}

fn failed(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => output(error),
        other => Error::unsupported(format!("cannot write the rows as csv: {other:?}")),
    }
}

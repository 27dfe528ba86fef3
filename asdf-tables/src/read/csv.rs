//! Reads tables from comma-separated values.

use asdf_core::array::{ByteOrder, Mask};
use asdf_core::{Error, NdArray, Result};
use asdf_schemas::table::{Column, Table};
use csv::{ReaderBuilder, StringRecord};

use super::inferred::{Inferred, Type};
use crate::advice::Advice;

/// The maximum ratio of the size of a table to that of its file, for tables larger than [`ALLOWED`]. Tables grow
/// because texts are padded to the longest, and by cells without a value.
const GROWTH: usize = 64;
const ALLOWED: usize = 1 << 28;

/// Returns whether a table takes too much memory for the size of its file. Both sizes are in bytes.
pub(super) fn is_excessive(size: usize, bytes: usize) -> bool {
    size > ALLOWED && size / GROWTH > bytes
}

/// Returns the table of a file. The file is read twice: to infer the datatypes, and to fill the columns.
pub(super) fn table(bytes: &[u8], delimiter: u8, has_header: bool) -> Result<Table> {
    let mut builder = ReaderBuilder::new();
    let builder = builder.delimiter(delimiter).has_headers(has_header);
    let mut reader = builder.from_reader(bytes);
    let first = if has_header { reader.headers().map_err(located)?.clone() } else { StringRecord::new() };
    let mut inferred = vec![Inferred::new(); first.len()];
    let mut rows = 0_usize;
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(located)? {
        if inferred.is_empty() {
            inferred = vec![Inferred::new(); record.len()];
        }
        inferred.iter_mut().zip(&record).for_each(|(column, value)| column.meet(value));
        rows += 1;
    }
    let names = names(&first, inferred.len());
    let types: Vec<Type> = inferred.iter().map(Inferred::decided).collect();
    for (name, own) in names.iter().zip(&types) {
        let size = usize::try_from(own.datatype().size()?).unwrap_or(usize::MAX).saturating_mul(rows);
        if is_excessive(size, bytes.len()) {
            return Err(Error::limit(format!(
                "the texts of the column '{}' would take {size} bytes when padded to the length of the longest",
                name.escape_debug()
            ))
            .with_hint("shorten the longest texts first"));
        }
    }
    let mut columns = vec![(Vec::new(), Vec::new()); types.len()];
    let mut reader = builder.from_reader(bytes);
    while reader.read_record(&mut record).map_err(located)? {
        for ((own, value), (bytes, flags)) in types.iter().zip(&record).zip(&mut columns) {
            own.store(value, bytes)?;
            flags.push(u8::from(value.trim().is_empty()));
        }
    }
    let mut list = Vec::new();
    for ((name, own), (inferred, (bytes, flags))) in
        names.iter().zip(&types).zip(inferred.iter().zip(columns))
    {
        let shape = [rows as u64];
        let mut array = NdArray::from_bytes(own.datatype(), ByteOrder::Little, &shape, bytes)?;
        if inferred.gaps && own.needs_mask() {
            let flags = NdArray::from_bytes(asdf_core::Datatype::Bool8, ByteOrder::Little, &shape, flags)?;
            array = array.with_mask(Mask::Array(Box::new(flags)))?;
        }
        list.push(Column::from_array(name, array)?);
    }
    Table::from_columns(list)
}

fn names(header: &StringRecord, count: usize) -> Vec<String> {
    (0..count).map(|index| column_name(header.get(index).unwrap_or_default(), index)).collect()
}

/// Returns a valid name for a column: one with at least one letter.
pub(super) fn column_name(name: &str, index: usize) -> String {
    match name.trim() {
        "" => format!("column{}", index + 1),
        name if name.contains(|c: char| c.is_ascii_alphabetic() || c == '_') => name.to_owned(),
        name => format!("_{name}"),
    }
}

/// Converts an error of the CSV reader, and adds the line.
pub(super) fn located(error: csv::Error) -> Error {
    let place = error.position().map(|position| (position.line(), position.byte()));
    let failure = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Error::malformed(format!("found a row of {len} values, expected {expected_len}"))
                .with_hint(Advice::Delimiter)
        }
        csv::ErrorKind::Utf8 { err, .. } => {
            Error::malformed(format!("value {} of the row is not UTF-8", err.field() + 1))
                .with_hint("convert the file first, as in iconv -f latin1 -t utf8")
        }
        other => Error::malformed(format!("cannot read the rows: {other:?}")),
    };
    match place.and_then(|(line, byte)| Some((u32::try_from(line).ok()?, byte))) {
        Some((line, byte)) => failure.at_position(line, 1).at_offset(byte),
        None => failure,
    }
}

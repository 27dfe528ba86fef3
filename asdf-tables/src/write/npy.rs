//! Writes npy files, the format of `numpy.save`: a header in Python's syntax, then the elements.

use std::io::Write;

use asdf_core::{Datatype, Error, NdArray, Result};

use super::output;
use super::raw;
use crate::Columns;
use crate::fill::Fill;

/// Writes an array, in version 1.0 of the format if the header allows that.
pub(super) fn array(array: &NdArray, fill: Option<Fill>, out: &mut dyn Write) -> Result<()> {
    let description = description(array.datatype())?;
    header(&description, array.shape(), out)?;
    raw::elements(array, fill, out)
}

/// Writes a table as an array of records.
pub(super) fn table(columns: &Columns, fill: Option<Fill>, out: &mut dyn Write) -> Result<()> {
    let mut fields = Vec::new();
    for column in columns.as_slice() {
        let own = description(column.array.datatype()).map_err(|error| error.under(&column.name))?;
        fields.push(field(&column.name, &own, column.cell()));
    }
    header(&format!("[{}]", fields.join(", ")), &[columns.rows()], out)?;
    raw::rows(columns, fill, out)
}

fn header(description: &str, shape: &[u64], out: &mut dyn Write) -> Result<()> {
    const ALIGNMENT: usize = 64;
    let shape = tuple(shape);
    let text = format!("{{'descr': {description}, 'fortran_order': False, 'shape': {shape}, }}");
    // Version 1.0 has a length of 16 bits and text in Latin-1; version 3.0 has 32 bits and UTF-8.
    let simple = text.is_ascii() && text.len() < usize::from(u16::MAX) - ALIGNMENT;
    let before = if simple { 10 } else { 12 };
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let mut bytes = b"\x93NUMPY".to_vec();
    if simple {
        bytes.extend([1, 0]);
        bytes.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    } else {
        let length = u32::try_from(length).map_err(|_| Error::limit("the header is too long for npy"))?;
        bytes.extend([3, 0]);
        bytes.extend(length.to_le_bytes());
    }
    bytes.extend(text.bytes());
    bytes.resize(before + length - 1, b' ');
    bytes.push(b'\n');
    out.write_all(&bytes).map_err(output)
}

/// Describes a datatype as numpy does.
fn description(datatype: &Datatype) -> Result<String> {
    let code = match datatype {
        Datatype::Bool8 => "|b1",
        Datatype::Int8 => "|i1",
        Datatype::Uint8 => "|u1",
        Datatype::Int16 => "<i2",
        Datatype::Uint16 => "<u2",
        Datatype::Int32 => "<i4",
        Datatype::Uint32 => "<u4",
        Datatype::Int64 => "<i8",
        Datatype::Uint64 => "<u8",
        Datatype::Float16 => "<f2",
        Datatype::Float32 => "<f4",
        Datatype::Float64 => "<f8",
        Datatype::Complex64 => "<c8",
        Datatype::Complex128 => "<c16",
        Datatype::Ascii(length) => return Ok(format!("'|S{length}'")),
        Datatype::Ucs4(length) => return Ok(format!("'<U{length}'")),
        Datatype::Struct(fields) => {
            let mut all = Vec::new();
            for (index, own) in fields.iter().enumerate() {
                let name = own.name.clone().unwrap_or_else(|| format!("f{index}"));
                let inner = description(&own.datatype).map_err(|error| error.under(&name))?;
                all.push(field(&name, &inner, &own.shape));
            }
            return Ok(format!("[{}]", all.join(", ")));
        }
        other => return Err(Error::unsupported(format!("numpy does not support {other}"))),
    };
    Ok(format!("'{code}'"))
}

fn field(name: &str, description: &str, shape: &[u64]) -> String {
    match shape {
        [] => format!("({}, {description})", quoted(name)),
        _ => format!("({}, {description}, {})", quoted(name), tuple(shape)),
    }
}

/// Returns a text as a Python string literal.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for character in text.chars() {
        match character {
            '\'' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => out.push_str(&format!("\\U{:08x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

fn tuple(shape: &[u64]) -> String {
    let axes: Vec<String> = shape.iter().map(u64::to_string).collect();
    match axes.as_slice() {
        [one] => format!("({one},)"),
        axes => format!("({})", axes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_aligned_and_their_length_is_right() {
        for (name, version) in [("a", 1), ("naïve 'ünits'", 3), ("x\\\n", 1), (&"long".repeat(20_000), 3)] {
            let mut out = Vec::new();
            header(&format!("[{}]", field(name, "'<f4'", &[2])), &[7], &mut out).unwrap();
            assert_eq!((out.len() % 64, out[6], out.last()), (0, version, Some(&b'\n')), "{name}");
            let length = match version {
                1 => usize::from(u16::from_le_bytes([out[8], out[9]])) + 10,
                _ => u32::from_le_bytes([out[8], out[9], out[10], out[11]]) as usize + 12,
            };
            assert_eq!(length, out.len());
        }
        assert_eq!((tuple(&[]), tuple(&[1]), tuple(&[1, 2])), ("()".into(), "(1,)".into(), "(1, 2)".into()));
        assert_eq!(quoted("a'b\\c\n\u{1}"), "'a\\'b\\\\c\\n\\U00000001'");
    }
}

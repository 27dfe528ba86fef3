//! Writes enhanced comma-separated values: CSV after a header in YAML, with datatypes, units and descriptions.
//! <https://docs.astropy.org/en/stable/io/ascii/ecsv.html>

use std::io::Write;

use asdf_core::array::Value;
use asdf_core::{Datatype, Error, Result};
use serde_json::Value as Json;

use super::cells::{Cell, rows};
use super::output;
use super::plain;
use crate::{Column, Columns};

/// Writes a table and its metadata.
pub(super) fn table(columns: &Columns, meta: Option<&Json>, out: &mut dyn Write) -> Result<()> {
    let mut header = "# %ECSV 1.0\n# ---\n# delimiter: ','\n".to_owned();
    for line in described(columns, meta)?.lines() {
        header.push_str(&format!("# {line}\n"));
    }
    header.push_str("# schema: astropy-2.0\n");
    out.write_all(header.as_bytes()).map_err(output)?;
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns.as_slice().iter().map(|column| &column.name)).map_err(failed)?;
    rows(columns, |cells| {
        for cell in cells {
            writer.write_field(written(cell)?).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)
    })?;
    writer.flush().map_err(output)
}

/// Describes the columns and the metadata of a table in YAML, as astropy does.
pub(super) fn described(columns: &Columns, meta: Option<&Json>) -> Result<String> {
    let mut yaml = "datatype:\n".to_owned();
    for column in columns.as_slice() {
        yaml.push_str(&format!("- {{{}}}\n", attributes(column)?));
    }
    if let Some(meta) = meta.filter(|meta| meta.as_object().is_some_and(|meta| !meta.is_empty())) {
        // JSON is also YAML, and fits on one line.
        yaml.push_str(&format!("meta: {meta}\n"));
    }
    Ok(yaml)
}

/// Describes a column: `name: "flux", datatype: float32, unit: "Jy"`.
fn attributes(column: &Column) -> Result<String> {
    let quoted = |text: &str| Json::from(text).to_string();
    let own = datatype(column.array.datatype()).map_err(|error| error.under(&column.name))?;
    let mut yaml = format!("name: {}", quoted(&column.name));
    match column.cell() {
        [] => yaml.push_str(&format!(", datatype: {own}")),
        cell => {
            let cell: Vec<String> = cell.iter().map(u64::to_string).collect();
            let subtype = format!("{own}[{}]", cell.join(","));
            yaml.push_str(&format!(", datatype: string, subtype: {}", quoted(&subtype)));
        }
    }
    for (key, value) in [("unit", &column.unit), ("description", &column.description)] {
        if let Some(value) = value {
            yaml.push_str(&format!(", {key}: {}", quoted(value)));
        }
    }
    if !column.metadata.is_empty() {
        yaml.push_str(&format!(", meta: {}", serde_json::json!(column.metadata)));
    }
    Ok(yaml)
}

fn datatype(datatype: &Datatype) -> Result<&'static str> {
    Ok(match datatype {
        Datatype::Bool8 => "bool",
        Datatype::Int8 => "int8",
        Datatype::Int16 => "int16",
        Datatype::Int32 => "int32",
        Datatype::Int64 => "int64",
        Datatype::Uint8 => "uint8",
        Datatype::Uint16 => "uint16",
        Datatype::Uint32 => "uint32",
        Datatype::Uint64 => "uint64",
        Datatype::Float16 => "float16",
        Datatype::Float32 => "float32",
        Datatype::Float64 => "float64",
        Datatype::Complex32 | Datatype::Complex64 => "complex64",
        Datatype::Complex128 => "complex128",
        Datatype::Ascii(_) | Datatype::Ucs4(_) => "string",
        other => return Err(Error::unsupported(format!("ECSV does not support {other}"))),
    })
}

fn written(cell: &Cell<'_>) -> Result<String> {
    let datatype = cell.column.array.datatype();
    match (cell.column.cell(), cell.values.as_slice()) {
        ([], [value]) => Ok(match value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            value => plain(value, datatype),
        }),
        (shape, values) => {
            let texts: Result<Vec<String>> = values.iter().map(|value| item(value, datatype)).collect();
            let mut texts = texts.map_err(|error| error.under(&cell.column.name))?.into_iter();
            Ok(listed(&mut texts, shape))
        }
    }
}

/// Formats an element of a cell that is an array, in JSON as Python writes it.
fn item(value: &Value, datatype: &Datatype) -> Result<String> {
    Ok(match value {
        Value::Missing => "null".to_owned(),
        Value::Float(number) if number.is_infinite() => {
            if *number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
        }
        Value::Text(text) => Json::from(text.as_str()).to_string(),
        Value::Complex(_) => {
            return Err(Error::unsupported("ECSV does not support cells of several complex numbers"));
        }
        value => plain(value, datatype),
    })
}

fn listed(texts: &mut dyn Iterator<Item = String>, shape: &[u64]) -> String {
    match shape.split_first() {
        None => texts.next().unwrap_or_default(),
        Some((&count, rest)) => {
            let parts: Vec<String> = (0..count).map(|_| listed(texts, rest)).collect();
            format!("[{}]", parts.join(","))
        }
    }
}

fn failed(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => output(error),
        other => Error::unsupported(format!("cannot write the rows as ECSV: {other:?}")),
    }
}

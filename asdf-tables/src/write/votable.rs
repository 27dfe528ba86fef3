//! Writes VOTable 1.4, the table format of the Virtual Observatory, with cells as text (TABLEDATA).
//! <https://www.ivoa.net/documents/VOTable/>

use std::io::Write;

use asdf_core::array::Value;
use asdf_core::{Datatype, Error, Result};

use super::cells::{Cell, rows};
use super::output;
use super::plain;
use crate::{Column, Columns};

/// Writes a table. Integer datatypes that VOTable does not support become wider ones.
pub(super) fn table(name: &str, columns: &Columns, out: &mut dyn Write) -> Result<()> {
    let mut head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n <RESOURCE>\n"
        .to_owned();
    head.push_str(&format!("  <TABLE name=\"{}\" nrows=\"{}\">\n", escaped(name)?, columns.rows()));
    for column in columns.as_slice() {
        head.push_str(&field(column).map_err(|error| error.under(&column.name))?);
    }
    head.push_str("   <DATA>\n    <TABLEDATA>\n");
    out.write_all(head.as_bytes()).map_err(output)?;
    let mut line = String::new();
    rows(columns, |cells| {
        line.clear();
        line.push_str("     <TR>");
        for cell in cells {
            let text = written(cell).map_err(|error| error.under(&cell.column.name))?;
            line.push_str(&format!("<TD>{text}</TD>"));
        }
        line.push_str("</TR>\n");
        out.write_all(line.as_bytes()).map_err(output)
    })?;
    out.write_all(b"    </TABLEDATA>\n   </DATA>\n  </TABLE>\n </RESOURCE>\n</VOTABLE>\n").map_err(output)
}

fn field(column: &Column) -> Result<String> {
    let datatype = datatype(column.array.datatype())?;
    let is_text = matches!(column.array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_));
    let size = match (column.cell(), is_text) {
        ([], false) => String::new(),
        ([], true) => " arraysize=\"*\"".to_owned(),
        (cell, false) => {
            // The first number is the length of the axis that varies fastest.
            let cell: Vec<String> = cell.iter().rev().map(u64::to_string).collect();
            format!(" arraysize=\"{}\"", cell.join("x"))
        }
        (_, true) => {
            return Err(Error::unsupported(
                "VOTable does not support cells with several texts of one length",
            ));
        }
    };
    let unit = match &column.unit {
        Some(unit) => format!(" unit=\"{}\"", escaped(unit)?),
        None => String::new(),
    };
    let name = escaped(&column.name)?;
    let field = format!("   <FIELD name=\"{name}\" datatype=\"{datatype}\"{size}{unit}");
    Ok(match &column.description {
        Some(text) => format!("{field}>\n    <DESCRIPTION>{}</DESCRIPTION>\n   </FIELD>\n", escaped(text)?),
        None => format!("{field}/>\n"),
    })
}

fn datatype(datatype: &Datatype) -> Result<&'static str> {
    Ok(match datatype {
        Datatype::Bool8 => "boolean",
        Datatype::Uint8 => "unsignedByte",
        Datatype::Int8 | Datatype::Int16 => "short",
        Datatype::Uint16 | Datatype::Int32 => "int",
        Datatype::Uint32 | Datatype::Int64 | Datatype::Uint64 => "long",
        Datatype::Float16 | Datatype::Float32 => "float",
        Datatype::Float64 => "double",
        Datatype::Complex32 | Datatype::Complex64 => "floatComplex",
        Datatype::Complex128 => "doubleComplex",
        Datatype::Ascii(_) => "char",
        Datatype::Ucs4(_) => "unicodeChar",
        other => return Err(Error::unsupported(format!("VOTable does not support {other}"))),
    })
}

fn written(cell: &Cell<'_>) -> Result<String> {
    let datatype = cell.column.array.datatype();
    // Only a cell of one value can be empty.
    let single = cell.column.cell().is_empty();
    let texts: Result<Vec<String>> = cell.values.iter().map(|value| item(value, datatype, single)).collect();
    Ok(texts?.join(" "))
}

fn item(value: &Value, datatype: &Datatype, single: bool) -> Result<String> {
    let float = |number: f64| match number {
        _ if number == f64::INFINITY => "+Inf".to_owned(),
        _ if number == f64::NEG_INFINITY => "-Inf".to_owned(),
        _ => plain(&Value::Float(number), datatype),
    };
    Ok(match (value, datatype) {
        (Value::Missing, Datatype::Bool8) => "?".to_owned(),
        (Value::Missing, Datatype::Float16 | Datatype::Float32 | Datatype::Float64) if !single => {
            "NaN".to_owned()
        }
        (Value::Missing, _) if single => String::new(),
        (Value::Missing, _) => {
            return Err(Error::unsupported(
                "VOTable does not support missing elements in cells of several integers",
            ));
        }
        (Value::Bool(flag), _) => if *flag { "T" } else { "F" }.to_owned(),
        (Value::Int(number), Datatype::Uint64) if i64::try_from(*number).is_err() => {
            return Err(Error::unsupported(format!("the integer {number} is too large for VOTable")));
        }
        (Value::Float(number), _) => float(*number),
        (Value::Complex(number), _) => format!("{} {}", float(number.re), float(number.im)),
        (Value::Text(text), _) => escaped(text)?,
        (value, _) => plain(value, datatype),
    })
}

/// Escapes a text for XML, which does not allow most control characters.
fn escaped(text: &str) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML parsers replace these characters by spaces unless they are escaped.
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(character))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                return Err(Error::unsupported(format!(
                    "XML does not allow the character {}",
                    character.escape_default()
                )));
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

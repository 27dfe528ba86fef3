//! Reads tables from enhanced comma-separated values, with the datatypes, units and descriptions of the header.

use asdf_core::tree::NodeRef;
use asdf_core::yaml::{self, ParseOptions};
use asdf_core::{Datatype, Error, Node, Result, error};
use asdf_schemas::table::Table;
use csv::{ReaderBuilder, StringRecord};
use serde_json::Value as Json;

use super::csv::located;
use crate::filled::{Filled, Kind};

/// The key of `meta` that describes the file, not the table.
const OWN: &str = "__serialized_columns__";

/// Returns the table of a file, and its metadata if it has any.
pub(super) fn table(bytes: &[u8], limits: ParseOptions) -> Result<(Table, Option<Node>)> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Error::malformed("the file is not UTF-8").at_offset(error.valid_up_to() as u64))?;
    let mut header = String::new();
    // For each line of the header: its line in the file, and the number of characters before the text.
    let mut origins: Vec<(u32, u32)> = Vec::new();
    for (number, line) in (1..).zip(text.lines().map_while(|line| line.strip_prefix('#'))) {
        let indented = line.strip_prefix(' ');
        // Lines that start with `##` are comments for people.
        match indented.unwrap_or(line) {
            line if line.starts_with("%ECSV") || line.starts_with('#') => {}
            line => {
                header.push_str(&format!("{line}\n"));
                origins.push((number, 1 + u32::from(indented.is_some())));
            }
        }
    }
    let in_header = |error: Error| {
        let message = format!("the ECSV header: {}", error.message());
        error.with_kind(error::Kind::Malformed).with_message(message).map_position(|line, column| {
            let (number, before) = origins.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
            Some((*number, column + before))
        })
    };
    let tree = yaml::parse_with(header.into(), limits).map_err(in_header)?;
    let root = tree.at("").map_err(in_header)?;
    let delimiter = match root.get("delimiter").and_then(NodeRef::as_str) {
        None => b' ',
        Some(text) => text.bytes().next().filter(|_| text.len() == 1).ok_or_else(|| {
            Error::malformed(format!("found the delimiter '{}', expected one character", text.escape_debug()))
        })?,
    };
    let list = root.get("datatype").ok_or_else(|| Error::malformed("the ECSV header has no `datatype`"))?;
    let mut columns = Vec::new();
    for item in list.items() {
        columns.push(column(item).map_err(in_header)?);
    }
    let rows = fill(text.as_bytes(), delimiter, &mut columns)?;
    let columns: Result<Vec<_>> = columns.into_iter().map(|(filled, _)| filled.finish(rows)).collect();
    let meta = match root.get("meta") {
        None => None,
        Some(meta) => metadata(meta)?,
    };
    Ok((Table::from_columns(columns?)?, meta))
}

/// The syntax of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cells {
    Plain,
    /// Lists of one shape, in JSON.
    Lists,
}

fn column(node: NodeRef<'_>) -> Result<(Filled, Cells)> {
    let text = |key: &str| node.get(key).and_then(NodeRef::text);
    let name = text("name").ok_or_else(|| node.error("a column has no name"))?;
    let own = text("datatype").ok_or_else(|| node.error(format!("the column '{name}' has no datatype")))?;
    let subtype = text("subtype").and_then(|subtype| subtype.strip_suffix(']')?.split_once('['));
    let (kind, cell, cells) = match subtype {
        // Lists of different lengths stay texts.
        Some((own, shape)) => {
            match shape.split(',').map(|n| n.trim().parse().ok()).collect::<Option<Vec<u64>>>() {
                Some(shape) => (kind(own), shape, Cells::Lists),
                None => (Some(Kind::Text), Vec::new(), Cells::Plain),
            }
        }
        None => (kind(own), Vec::new(), Cells::Plain),
    };
    let kind = kind.ok_or_else(|| {
        node.error(format!("the column '{name}' has the unknown datatype '{}'", own.escape_debug()))
    })?;
    let mut filled = Filled::new(name.to_owned(), kind, cell);
    filled.unit = text("unit").map(str::to_owned);
    filled.description = text("description").map(str::to_owned);
    Ok((filled, cells))
}

fn kind(name: &str) -> Option<Kind> {
    Some(Kind::Number(match name {
        "string" => return Some(Kind::Text),
        "bool" => Datatype::Bool8,
        "int8" => Datatype::Int8,
        "int16" => Datatype::Int16,
        "int32" => Datatype::Int32,
        "int64" => Datatype::Int64,
        "uint8" => Datatype::Uint8,
        "uint16" => Datatype::Uint16,
        "uint32" => Datatype::Uint32,
        "uint64" => Datatype::Uint64,
        "float16" => Datatype::Float16,
        "float32" => Datatype::Float32,
        // ASDF has no float128.
        "float64" | "float128" => Datatype::Float64,
        "complex64" => Datatype::Complex64,
        "complex128" | "complex256" => Datatype::Complex128,
        _ => return None,
    }))
}

/// Reads the rows, and returns their number.
fn fill(bytes: &[u8], delimiter: u8, columns: &mut [(Filled, Cells)]) -> Result<u64> {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.delimiter(delimiter).comment(Some(b'#')).from_reader(bytes);
    let names = reader.headers().map_err(located)?;
    let expected: Vec<&str> = columns.iter().map(|(filled, _)| filled.name.as_str()).collect();
    if !names.iter().eq(expected.iter().copied()) {
        return Err(Error::malformed("the names in the first row differ from those in the ECSV header"));
    }
    let mut record = StringRecord::new();
    let mut rows = 0;
    while reader.read_record(&mut record).map_err(located)? {
        for ((filled, cells), value) in columns.iter_mut().zip(&record) {
            match cells {
                Cells::Lists => list(filled, value)?,
                Cells::Plain if value.is_empty() && filled.kind != Kind::Text => filled.skip()?,
                Cells::Plain => filled.push(value)?,
            }
        }
        rows += 1;
    }
    Ok(rows)
}

/// Adds the values of a cell that holds lists.
fn list(filled: &mut Filled, text: &str) -> Result<()> {
    let width = filled.width()?;
    if text.is_empty() {
        return (0..width).try_for_each(|_| filled.skip());
    }
    // Python writes NaN and infinity, which JSON does not allow.
    let plain =
        text.replace("-Infinity", "\"-inf\"").replace("Infinity", "\"inf\"").replace("NaN", "\"nan\"");
    let values = match filled.kind {
        Kind::Text => serde_json::from_str::<Json>(text),
        Kind::Number(_) => serde_json::from_str(&plain),
    };
    let values =
        values.map_err(|error| Error::malformed(format!("found a cell that is not JSON: {error}")))?;
    let before = filled.cell.len();
    let count = push_all(filled, &values, before)?;
    if count != width {
        return Err(Error::malformed(format!(
            "found a cell of {count} values in the column '{}', expected {width}",
            filled.name.escape_debug()
        )));
    }
    Ok(())
}

fn push_all(filled: &mut Filled, value: &Json, levels: usize) -> Result<usize> {
    match value {
        Json::Array(values) if levels > 0 => {
            values.iter().try_fold(0_usize, |sum, value| Ok(sum + push_all(filled, value, levels - 1)?))
        }
        Json::Null => filled.skip().map(|()| 1),
        Json::String(text) => filled.push(text).map(|()| 1),
        other => filled.push(&other.to_string()).map(|()| 1),
    }
}

/// Returns the metadata without the keys that describe the file. An `!!omap`, a list of mappings with one key each,
/// becomes a mapping.
fn metadata(meta: NodeRef<'_>) -> Result<Option<Node>> {
    let list = match meta.kind() {
        asdf_core::tree::Kind::Sequence => meta.items().collect(),
        _ => vec![meta],
    };
    let mut any = false;
    let node = Node::from_fn(|tree| {
        let mapping = tree.add_mapping([]);
        for (key, value) in list.iter().flat_map(|node| node.entries()) {
            let Some(key) = key.text().filter(|key| *key != OWN) else { continue };
            let value = tree.graft(value)?;
            tree.insert(mapping, key, value);
            any = true;
        }
        Ok(mapping)
    })?;
    Ok(any.then_some(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_the_header_have_their_place_in_the_file() {
        let text = "# %ECSV 1.0\n# ---\n## a comment\n# datatype:\n#  - {name: a, datatype: odd}\na\n1\n";
        let error = table(text.as_bytes(), ParseOptions::default()).unwrap_err();
        assert_eq!((error.kind(), error.line(), error.column()), (error::Kind::Malformed, Some(5), Some(6)));
        assert!(error.message().starts_with("the ECSV header: the column 'a'"), "{error}");
    }
}

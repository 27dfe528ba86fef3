//! Reads the first table of a VOTable: TABLEDATA, BINARY or BINARY2, with units and descriptions.

use asdf_core::{Datatype, Error, Result};
use asdf_schemas::table::Table;
use base64::Engine as _;
use roxmltree::{Document, Node};

use crate::filled::{Filled, Kind};

/// Returns the first table of a file.
pub(super) fn table(bytes: &[u8]) -> Result<Table> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Error::malformed("the file is not UTF-8").at_offset(error.valid_up_to() as u64))?;
    let document =
        Document::parse(text).map_err(|error| Error::malformed(format!("the file is not XML: {error}")))?;
    if !document.root_element().has_tag_name_of("VOTABLE") {
        return Err(Error::malformed("the file is XML, but not a VOTable"));
    }
    let table = document.descendants().find(|node| node.has_tag_name_of("TABLE"));
    let table = table.ok_or_else(|| Error::malformed("the VOTable has no table"))?;
    let mut fields = Vec::new();
    for node in table.children().filter(|node| node.has_tag_name_of("FIELD")) {
        fields.push(Field::of(node)?);
    }
    let rows = match child(table, "DATA").and_then(|data| data.children().find(Node::is_element)) {
        None => 0,
        Some(data) => match data.tag_name().name() {
            "TABLEDATA" => cells(data, &mut fields)?,
            name @ ("BINARY" | "BINARY2") => binary(&bytes_of(data)?, name == "BINARY2", &mut fields)?,
            name => {
                return Err(Error::unsupported(format!(
                    "found rows in the form {name}, expected one of TABLEDATA, BINARY or BINARY2"
                )));
            }
        },
    };
    let columns: Result<Vec<_>> = fields.into_iter().map(|field| field.filled.finish(rows)).collect();
    Table::from_columns(columns?)
}

/// Names without the namespace. Old files have other namespaces, or none.
trait Named {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Named for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.tag_name().name() == name
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|node| node.has_tag_name_of(name))
}

/// The number of values in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    /// The number in the column's shape.
    Fixed,
    /// Any number; each cell has its own.
    Any,
}

struct Field {
    filled: Filled,
    count: Count,
    /// The maximum number of characters of a text; `None` for any number.
    characters: Option<u64>,
    /// The text of a missing integer.
    null: Option<String>,
    /// Whether characters have two bytes.
    wide: bool,
    /// Whether the values are bits, eight in a byte.
    bits: bool,
}

impl Field {
    fn of(node: Node<'_, '_>) -> Result<Self> {
        let name = node.attribute("name").or(node.attribute("ID")).unwrap_or_default();
        let wrong = |what: String| Error::unsupported(format!("the column '{}' {what}", name.escape_debug()));
        let own = node.attribute("datatype").unwrap_or_default();
        let (wide, bits) = (own == "unicodeChar", own == "bit");
        let kind =
            kind(own).ok_or_else(|| wrong(format!("has the unknown datatype '{}'", own.escape_debug())))?;
        let size = node.attribute("arraysize").unwrap_or_default();
        let mut cell = Vec::new();
        let mut any = false;
        for part in size.split('x').filter(|part| !part.is_empty()) {
            any |= part.ends_with('*');
            match part.trim_end_matches('*') {
                "" => {}
                number => cell.push(
                    number
                        .parse()
                        .map_err(|_| wrong(format!("has the invalid arraysize '{}'", size.escape_debug())))?,
                ),
            }
        }
        let mut characters = None;
        if kind == Kind::Text {
            if size.contains('x') {
                return Err(wrong("has arrays of texts as cells, which are not supported".to_owned()));
            }
            // Without a size, a text has one character.
            characters = if any { None } else { Some(cell.first().copied().unwrap_or(1)) };
            cell.clear();
        } else if any {
            return Err(wrong("has cells of different lengths, which are not supported".to_owned()));
        }
        if size == "1" {
            cell.clear();
        }
        // The first axis in a VOTable varies fastest.
        cell.reverse();
        let mut filled = Filled::new(name.to_owned(), kind, cell);
        filled.unit = node.attribute("unit").map(str::to_owned);
        let description = child(node, "DESCRIPTION").and_then(|node| node.text());
        filled.description = description.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let null = child(node, "VALUES").and_then(|node| node.attribute("null")).map(str::to_owned);
        let count = if any { Count::Any } else { Count::Fixed };
        Ok(Self { filled, count, characters, null, wide, bits })
    }

    /// Adds a cell from its text.
    fn push(&mut self, text: &str) -> Result<()> {
        let datatype = match &self.filled.kind {
            Kind::Text => return self.filled.push(text),
            Kind::Number(datatype) => datatype.clone(),
        };
        let width = self.filled.width()?;
        // Bits can be written without spaces between them.
        let spread: String;
        let text = match self.bits {
            true => {
                spread = text.chars().flat_map(|bit| [bit, ' ']).collect();
                spread.as_str()
            }
            false => text,
        };
        let mut words = text.split_whitespace();
        let parts = if matches!(datatype, Datatype::Complex64 | Datatype::Complex128) { 2 } else { 1 };
        if words.clone().next().is_none() {
            return (0..width).try_for_each(|_| self.filled.skip());
        }
        for _ in 0..width {
            let word: Vec<&str> = words.by_ref().take(parts).collect();
            let word = word.join(" ");
            match word.as_str() {
                "" => {
                    return Err(Error::malformed(format!(
                        "a cell of the column '{}' has fewer than {width} values",
                        self.filled.name.escape_debug()
                    )));
                }
                "?" if datatype == Datatype::Bool8 => self.filled.skip()?,
                word if self.null.as_deref() == Some(word) => self.filled.skip()?,
                word => match word.strip_prefix("0x") {
                    Some(hex) if parts == 1 => {
                        let number = u64::from_str_radix(hex, 16).map(|number| number.to_string());
                        self.filled.push(number.as_deref().unwrap_or(word))?;
                    }
                    _ => self.filled.push(word)?,
                },
            }
        }
        Ok(())
    }

    /// Adds a cell from a stream of bytes, big-endian.
    fn take(&mut self, bytes: &mut &[u8], missing: bool) -> Result<()> {
        if self.filled.kind == Kind::Text {
            let count = match (self.count, self.characters) {
                (Count::Fixed, Some(count)) => usize::try_from(count).unwrap_or(usize::MAX),
                _ => u32::from_be_bytes(fixed(bytes)?) as usize,
            };
            let size = if self.wide { 2 } else { 1 };
            let found = next(bytes, count.saturating_mul(size))?;
            let text = match self.wide {
                true => {
                    let units = found.chunks_exact(2).filter_map(|pair| pair.first_chunk());
                    String::from_utf16_lossy(&units.map(|pair| u16::from_be_bytes(*pair)).collect::<Vec<_>>())
                }
                false => String::from_utf8_lossy(found).into_owned(),
            };
            // A zero ends a shorter text.
            let text = text.split('\0').next().unwrap_or_default().to_owned();
            return if missing { self.filled.skip() } else { self.filled.push(&text) };
        }
        let Kind::Number(datatype) = self.filled.kind.clone() else { return Ok(()) };
        if self.bits {
            let width = self.filled.width()?;
            let found = next(bytes, width.div_ceil(8))?;
            for number in 0..width {
                // The first bit is the highest. For a single bit astropy sets another one.
                let place = if width == 1 { 0xff } else { 0x80 >> (number % 8) };
                let bit = found.get(number / 8).is_some_and(|byte| byte & place != 0);
                self.filled.push_bytes([u8::from(bit)], missing);
            }
            return Ok(());
        }
        let size = usize::try_from(datatype.size()?).unwrap_or(1);
        let parts = if matches!(datatype, Datatype::Complex64 | Datatype::Complex128) { 2 } else { 1 };
        for _ in 0..self.filled.width()? {
            let found = next(bytes, size)?;
            if datatype == Datatype::Bool8 {
                match found {
                    b"T" | b"t" | b"1" => self.filled.push_bytes([1], missing),
                    b"F" | b"f" | b"0" => self.filled.push_bytes([0], missing),
                    _ => self.filled.push_bytes([0], true),
                }
                continue;
            }
            let little = found.chunks_exact(size / parts).flat_map(|part| part.iter().rev().copied());
            let is_null =
                self.null.as_deref().is_some_and(|null| integer(found, &datatype) == null.parse().ok());
            self.filled.push_bytes(little, missing || is_null);
        }
        Ok(())
    }
}

/// Returns an integer from its bytes, big-endian.
fn integer(bytes: &[u8], datatype: &Datatype) -> Option<i64> {
    Some(match datatype {
        Datatype::Uint8 => i64::from(*bytes.first()?),
        Datatype::Int16 => i64::from(i16::from_be_bytes(*bytes.first_chunk()?)),
        Datatype::Int32 => i64::from(i32::from_be_bytes(*bytes.first_chunk()?)),
        Datatype::Int64 => i64::from_be_bytes(*bytes.first_chunk()?),
        _ => return None,
    })
}

fn kind(name: &str) -> Option<Kind> {
    Some(Kind::Number(match name {
        "char" | "unicodeChar" => return Some(Kind::Text),
        "boolean" | "bit" => Datatype::Bool8,
        "unsignedByte" => Datatype::Uint8,
        "short" => Datatype::Int16,
        "int" => Datatype::Int32,
        "long" => Datatype::Int64,
        "float" => Datatype::Float32,
        "double" => Datatype::Float64,
        "floatComplex" => Datatype::Complex64,
        "doubleComplex" => Datatype::Complex128,
        _ => return None,
    }))
}

/// Reads rows of text, and returns their number.
fn cells(data: Node<'_, '_>, fields: &mut [Field]) -> Result<u64> {
    let mut rows = 0;
    for row in data.children().filter(|node| node.has_tag_name_of("TR")) {
        let mut cells = row.children().filter(|node| node.has_tag_name_of("TD"));
        for field in &mut *fields {
            let cell = cells.next().ok_or_else(|| {
                Error::malformed(format!("row {rows} has fewer cells than the table has columns"))
            })?;
            let text: String = cell.children().filter_map(|node| node.text()).collect();
            field.push(&text)?;
        }
        rows += 1;
    }
    Ok(rows)
}

/// Returns the decoded bytes of a stream.
fn bytes_of(data: Node<'_, '_>) -> Result<Vec<u8>> {
    let stream = child(data, "STREAM").ok_or_else(|| Error::malformed("the binary rows have no STREAM"))?;
    if stream.attribute("href").is_some() || stream.attribute("encoding") != Some("base64") {
        return Err(Error::unsupported("only binary rows that are base64 in the file itself are supported"));
    }
    let text: String = stream.children().filter_map(|node| node.text()).collect();
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|error| Error::malformed(format!("the rows are not base64: {error}")))
}

/// Reads rows of bytes, and returns their number. A row of BINARY2 starts with one bit for each cell, set if the cell
/// is missing.
fn binary(mut bytes: &[u8], flags: bool, fields: &mut [Field]) -> Result<u64> {
    let mut rows = 0;
    // The rows of a table without columns have no bytes and cannot be counted.
    while !bytes.is_empty() && !fields.is_empty() {
        let missing = if flags { next(&mut bytes, fields.len().div_ceil(8))? } else { &[] };
        for (number, field) in fields.iter_mut().enumerate() {
            let bit = missing.get(number / 8).is_some_and(|byte| byte & (0x80 >> (number % 8)) != 0);
            field.take(&mut bytes, bit)?;
        }
        rows += 1;
    }
    Ok(rows)
}

fn next<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8]> {
    let (found, rest) =
        bytes.split_at_checked(count).ok_or_else(|| Error::malformed("the binary rows end inside a row"))?;
    *bytes = rest;
    Ok(found)
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    next(bytes, N)?.first_chunk().copied().ok_or_else(|| Error::malformed("the binary rows are truncated"))
}

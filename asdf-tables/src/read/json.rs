//! Reads rows from JSON: an array of rows, or one row per line.

use std::collections::BTreeMap;
use std::fmt;

use asdf_core::{Datatype, Error, NdArray, Result};
use asdf_schemas::table::Table;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::csv::{column_name, is_excessive};
use crate::advice::Advice;
use crate::filled::{Filled, Kind};

/// The value of all rows: objects make a table; numbers, texts and lists make an array.
#[derive(Debug)]
pub(super) enum Rows {
    Table(Table),
    Array(Box<NdArray>),
}

/// Reads the rows of a file.
pub(super) fn rows(bytes: &[u8], lines: bool) -> Result<Rows> {
    let rows = match lines {
        true => {
            let values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
            values.collect::<std::result::Result<Vec<Value>, _>>().map_err(located)?
        }
        false => match serde_json::from_slice(bytes).map_err(located)? {
            Value::List(rows) => rows,
            Value::Object(_) => {
                return Err(Error::malformed("found an object, expected an array of rows")
                    .with_hint(Advice::JsonLines));
            }
            one => return Err(Error::malformed(format!("found {}, expected an array of rows", one.kind()))),
        },
    };
    if rows.is_empty() {
        return Err(Error::malformed("the file has no rows"));
    }
    match rows.iter().any(|row| matches!(row, Value::Object(_))) {
        true => table(rows, bytes.len()).map(Rows::Table),
        false => {
            let count = rows.len() as u64;
            column("data", rows)?.into_array(count).map(Box::new).map(Rows::Array)
        }
    }
}

/// Makes a table from rows. `bytes` is the size of their file.
fn table(rows: Vec<Value>, bytes: usize) -> Result<Table> {
    let count = rows.len();
    let mut cells_made = 0_usize;
    let mut names: Vec<String> = Vec::new();
    let mut columns: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (index, row) in rows.into_iter().enumerate() {
        let Value::Object(entries) = row else {
            let found = row.kind();
            return Err(Error::malformed(format!(
                "row {index}: found {found}, expected an object as in other rows"
            )));
        };
        for (name, value) in flattened(entries, "") {
            let cells = columns.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                Vec::new()
            });
            cells_made = cells_made.saturating_add(1 + index.saturating_sub(cells.len()));
            // If a key occurs twice, the last value counts, as in JavaScript and Python.
            cells.resize_with(index, || Value::Null);
            cells.push(value);
        }
        check_growth(cells_made, bytes)?;
    }
    check_growth(count.saturating_mul(names.len()), bytes)?;
    let mut list = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let mut cells = columns.remove(name).unwrap_or_default();
        cells.resize_with(count, || Value::Null);
        list.push(column(&column_name(name, index), cells)?.finish(count as u64)?);
    }
    Table::from_columns(list)
}

/// Refuses a table that is much larger than its file because most rows lack most keys.
fn check_growth(cells: usize, bytes: usize) -> Result<()> {
    if is_excessive(cells.saturating_mul(size_of::<Value>()), bytes) {
        return Err(Error::limit(format!(
            "the table would have more than {cells} cells, most of them empty"
        ))
        .with_hint("select rows with the same keys, or write each kind of row to its own file"));
    }
    Ok(())
}

/// Returns the values of an object by the names of their columns. Names in a nested object are prefixed with its name
/// and a dot.
fn flattened(entries: Vec<(String, Value)>, before: &str) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (name, value) in entries {
        let name = format!("{before}{name}");
        match value {
            Value::Object(inner) if complex(&inner).is_none() => {
                flat.extend(flattened(inner, &format!("{name}.")));
            }
            value => flat.push((name, value)),
        }
    }
    flat
}

/// Returns the parts of a complex number; `None` if the object is not one.
fn complex(entries: &[(String, Value)]) -> Option<(f64, f64)> {
    match entries {
        [(re, one), (im, other)] if re == "re" && im == "im" => Some((one.float()?, other.float()?)),
        _ => None,
    }
}

/// Makes a column from cells of one shape, in the narrowest of bool8, int64, uint64, float64, complex128 and text.
fn column(name: &str, cells: Vec<Value>) -> Result<Filled> {
    let located = |index: usize, found: &Value, expected: &str| {
        let name = name.escape_debug();
        Error::malformed(format!("column '{name}', row {index}: found {}, expected {expected}", found.kind()))
    };
    let shape = cells.iter().find(|cell| !matches!(cell, Value::Null)).map(Value::shape).unwrap_or_default();
    let mut kinds = Kinds::default();
    let mut wrong = None;
    for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| !matches!(cell, Value::Null)) {
        let fits = cell.visit(&shape, &mut |value| {
            let before = kinds;
            kinds.meet(value);
            if kinds.datatype().is_none() && wrong.is_none() {
                wrong = Some(located(index, value, before.expected()));
            }
        });
        if !fits {
            return Err(located(index, cell, &format!("a list of shape {shape:?} as in other rows")));
        }
        if let Some(error) = wrong {
            return Err(error);
        }
    }
    let kind = kinds.datatype().unwrap_or(Kind::Number(Datatype::Float64));
    let mut filled = Filled::new(name.to_owned(), kind.clone(), shape.clone());
    let width = filled.width()?;
    for cell in &cells {
        if matches!(cell, Value::Null) {
            (0..width).try_for_each(|_| filled.skip())?;
            continue;
        }
        let mut result = Ok(());
        cell.visit(&shape, &mut |value| {
            if result.is_ok() {
                result = put(&mut filled, &kind, value);
            }
        });
        result?;
    }
    Ok(filled)
}

#[allow(clippy::cast_precision_loss, reason = "integers among floats become floats, as in JavaScript")]
fn put(filled: &mut Filled, kind: &Kind, value: &Value) -> Result<()> {
    match (kind, value) {
        (_, Value::Null) => filled.skip()?,
        (Kind::Text, Value::Text(text)) => filled.push(text)?,
        (Kind::Number(Datatype::Int64), Value::Int(number)) => {
            filled.push_bytes(i64::try_from(*number).unwrap_or_default().to_le_bytes(), false);
        }
        (Kind::Number(Datatype::Uint64), Value::Int(number)) => {
            filled.push_bytes(u64::try_from(*number).unwrap_or_default().to_le_bytes(), false);
        }
        (_, Value::Bool(flag)) => filled.push_bytes([u8::from(*flag)], false),
        (_, Value::Object(entries)) => {
            let (re, im) = complex(entries).unwrap_or((f64::NAN, f64::NAN));
            filled.push_bytes([re, im].into_iter().flat_map(f64::to_le_bytes), false);
        }
        (_, number) => filled.push_bytes(number.float().unwrap_or(f64::NAN).to_le_bytes(), false),
    }
    Ok(())
}

/// The kinds of values that occur in a column.
#[derive(Debug, Clone, Copy, Default)]
struct Kinds {
    bool: bool,
    negative: bool,
    /// An integer beyond int64.
    large: bool,
    int: bool,
    float: bool,
    /// `"NaN"` and similar texts, which can also be just text.
    float_text: bool,
    text: bool,
    complex: bool,
    other: bool,
}

impl Kinds {
    fn meet(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::Bool(_) => self.bool = true,
            Value::Int(number) => {
                self.int = true;
                self.negative |= *number < 0;
                self.large |= i64::try_from(*number).is_err();
            }
            Value::Float(_) => self.float = true,
            Value::Text(_) if value.float().is_some() => self.float_text = true,
            Value::Text(_) => self.text = true,
            Value::Object(entries) if complex(entries).is_some() => self.complex = true,
            Value::Object(_) | Value::List(_) => self.other = true,
        }
    }

    /// Returns the datatype for all values; `None` if no datatype fits all.
    fn datatype(self) -> Option<Kind> {
        let number = self.int || self.float;
        Some(match self {
            Self { other: true, .. } => return None,
            Self { text: true, .. } if !(self.bool || number || self.complex) => Kind::Text,
            Self { text: true, .. } => return None,
            Self { complex: true, .. } if !(self.bool || number || self.float_text) => {
                Kind::Number(Datatype::Complex128)
            }
            Self { complex: true, .. } => return None,
            Self { bool: true, .. } if !(number || self.float_text) => Kind::Number(Datatype::Bool8),
            Self { bool: true, .. } => return None,
            Self { int: true, float: false, float_text: false, large: false, .. } => {
                Kind::Number(Datatype::Int64)
            }
            Self { int: true, float: false, float_text: false, negative: false, .. } => {
                Kind::Number(Datatype::Uint64)
            }
            _ => Kind::Number(Datatype::Float64),
        })
    }

    fn expected(self) -> &'static str {
        match self {
            Self { text: true, .. } => "a text as in other rows",
            Self { complex: true, .. } => "a complex number as in other rows",
            Self { bool: true, .. } => "true or false as in other rows",
            _ => "a number as in other rows",
        }
    }
}

/// A JSON value whose objects keep the order of their keys.
#[derive(Debug)]
enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns a number, also NaN and infinity, which JSON has only as text.
    #[allow(clippy::cast_precision_loss, reason = "integers among floats become floats, as in JavaScript")]
    fn float(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Text(text) => match text.as_str() {
                "NaN" => Some(f64::NAN),
                "Infinity" => Some(f64::INFINITY),
                "-Infinity" => Some(f64::NEG_INFINITY),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the shape of nested lists.
    fn shape(&self) -> Vec<u64> {
        match self {
            Self::List(items) => {
                let inner = items.iter().find(|item| !matches!(item, Self::Null)).map(Self::shape);
                std::iter::once(items.len() as u64).chain(inner.unwrap_or_default()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Calls a function with each value of nested lists. Returns whether the lists have this shape.
    fn visit(&self, shape: &[u64], each: &mut dyn FnMut(&Self)) -> bool {
        match (self, shape.split_first()) {
            (Self::List(items), Some((&length, rest))) => {
                items.len() as u64 == length && items.iter().all(|item| item.visit(rest, each))
            }
            (Self::List(_), None) | (_, Some(_)) => false,
            (value, None) => {
                each(value);
                true
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(Json)
    }
}

struct Json;

impl<'de> Visitor<'de> for Json {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Value, E> {
        Ok(Value::Int(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Value, E> {
        Ok(Value::Int(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            list.push(entry);
        }
        Ok(Value::Object(list))
    }
}

fn located(error: serde_json::Error) -> Error {
    let text = error.to_string();
    // The position is stored separately.
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
    let error_at = Error::malformed(format!("the file is not JSON: {message}"));
    match (u32::try_from(error.line()), u32::try_from(error.column())) {
        (Ok(line), Ok(column)) if line > 0 => error_at.at_position(line, column.max(1)),
        _ => error_at,
    }
}

#[cfg(test)]
mod tests {
    use asdf_core::error;

    use super::*;

    #[test]
    fn rows_that_share_no_keys_are_refused_before_they_fill_the_memory() {
        let lines = |count: usize| (0..count).map(|row| format!("{{\"k{row}\": 1}}\n")).collect::<String>();
        let error = rows(lines(6_000).as_bytes(), true).unwrap_err();
        assert_eq!(error.kind(), error::Kind::Limit);
        assert!(error.message().contains("most of them empty"), "{error}");
        assert!(
            matches!(rows(lines(100).as_bytes(), true), Ok(Rows::Table(table)) if table.columns.len() == 100)
        );
    }
}

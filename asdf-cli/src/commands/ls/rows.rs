//! Printing rows of values.

use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal as _, Result, Write};

use asdf_core::NdArray;
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_tables::json::Printable;
use asdf_tables::{Column, json, safe_cell};
use serde_json::{Map, Value as Json, json};
use unicode_width::UnicodeWidthStr as _;

use super::Format;
use crate::colour::Colours;
use crate::outcome::output;
use crate::printable::{document, line, name, short};
use crate::quantity::Quantity;
use crate::value_text;

/// The most characters of a value in a table on a terminal.
const CHARACTERS: usize = 60;

/// The format of the rows, and whether texts in CSV are safe in a spreadsheet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) safe: bool,
}

/// A file and its values.
pub(super) struct Row {
    pub(super) file: OsString,
    pub(super) size: Option<u64>,
    pub(super) date: Option<String>,
    pub(super) cells: Vec<Cell>,
    /// The sort key.
    pub(super) key: Option<Cell>,
}

impl Row {
    /// Compares two rows by their sort keys: numbers, then texts. `reverse` turns this around, but rows without a
    /// value are always last.
    pub(super) fn compare(&self, other: &Self, reverse: bool) -> Ordering {
        let key = |row: &Self| {
            row.key.as_ref().filter(|key| key.is_there()).map(|key| (key.number, key.text.clone()))
        };
        let order = |a: &(Option<f64>, String), b: &(Option<f64>, String)| match (a.0, b.0) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => a.1.cmp(&b.1),
        };
        match (key(self), key(other)) {
            (Some(a), Some(b)) if reverse => order(&b, &a),
            (Some(a), Some(b)) => order(&a, &b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    /// Returns the texts between the name and the values: size and date.
    fn long(&self) -> [String; 2] {
        [self.size.map(|size| size.to_string()).unwrap_or_default(), self.date.clone().unwrap_or_default()]
    }
}

/// A value as text and as JSON.
pub(super) struct Cell {
    text: String,
    value: Json,
    /// The number to sort by.
    number: Option<f64>,
}

impl Cell {
    pub(super) fn text(text: String) -> Self {
        Self { value: text.as_str().into(), text, number: None }
    }

    pub(super) fn number(number: u64) -> Self {
        let value = Json::from(number);
        Self { text: number.to_string(), number: value.as_f64(), value }
    }

    /// Returns whether the path exists.
    pub(super) fn is_there(&self) -> bool {
        !(self.text.is_empty() && self.value.is_null())
    }

    /// Returns the cell of a node; an empty one for `None`.
    pub(super) fn of(node: Option<NodeRef<'_>>) -> Self {
        let Some(node) = node else { return Self { text: String::new(), value: Json::Null, number: None } };
        let value = json::node(node);
        let mut number = value.as_f64();
        let text = if let Some(quantity) = Quantity::of(node) {
            number = quantity.number();
            quantity.text()
        } else if node.kind().is_scalar() {
            value_text::scalar(node).into_owned()
        } else if node.tag().is_some_and(NdArray::accepts_tag) {
            match NdArray::from_node(node) {
                Ok(array) => described(&array, None),
                Err(error) => error.message().to_owned(),
            }
        } else {
            match Column::from_node(node) {
                Some(column) => described(&column.array, column.unit.as_deref()),
                None => value.to_string(),
            }
        };
        Self { text, value, number }
    }
}

/// Describes an array, as in `float64 [5] in Jy`.
fn described(array: &NdArray, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" in {unit}")).unwrap_or_default();
    format!("{} {:?}{unit}", array.datatype(), array.shape())
}

/// Prints rows: CSV and JSON at once, and a table at the end, when all widths are known.
pub(super) struct Rows<'a> {
    style: Style,
    names: Vec<String>,
    long: bool,
    terminal: bool,
    colours: Colours,
    out: &'a mut dyn Write,
    table: Vec<Vec<Vec<u8>>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        style: Style,
        fields: &[String],
        long: bool,
        colours: Colours,
        out: &'a mut dyn Write,
    ) -> asdf_core::Result<Self> {
        let names: Vec<String> = match fields {
            [] => ["standard", "keys"].map(str::to_owned).to_vec(),
            fields => fields.to_vec(),
        };
        let terminal = std::io::stdout().is_terminal();
        let mut rows = Self { style, names, long, terminal, colours, out, table: Vec::new() };
        let between = if long { ["size", "date"].as_slice() } else { &[] };
        let head = std::iter::once("file").chain(between.iter().copied());
        let head: Vec<String> =
            head.chain(rows.names.iter().map(String::as_str)).map(str::to_owned).collect();
        match style.format {
            Format::Csv => {
                let head: Vec<Vec<u8>> = head.into_iter().map(|name| rows.cell(&name, usize::MAX)).collect();
                rows.csv(&head).map_err(output)?;
            }
            Format::Table => {
                let head = head.iter().map(|name| rows.cell(name, CHARACTERS)).collect();
                rows.table.push(head);
            }
            Format::Jsonl => {}
        }
        Ok(rows)
    }

    /// Returns a text on one line, cut to `most` characters on a terminal.
    fn cell(&self, text: &str, most: usize) -> Vec<u8> {
        match (self.style.format, self.terminal) {
            (Format::Csv, _) if self.style.safe => document(&safe_cell(text)).into_owned().into_bytes(),
            (Format::Csv, _) => document(text).into_owned().into_bytes(),
            (_, true) => short(text, most).into_bytes(),
            (_, false) => line(text).into_bytes(),
        }
    }

    /// Returns the name of a file. CSV for programs has the exact bytes that the system uses.
    fn file(&self, file: &OsStr) -> Vec<u8> {
        match (self.style.format, file.to_str()) {
            (Format::Csv, Some(text)) => self.cell(text, usize::MAX),
            (Format::Csv, None) if !self.terminal => file.as_encoded_bytes().to_vec(),
            _ => name(file),
        }
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        if self.style.format == Format::Jsonl {
            let values = row.cells.iter().map(|cell| cell.value.clone());
            let fields: Map<String, Json> = self.names.iter().cloned().zip(values).collect();
            let file = row.file.to_string_lossy();
            let mut report = json!({"asdf_ls": 1, "file": file, "fields": fields});
            if let Some(report) = report.as_object_mut().filter(|_| self.long) {
                report.insert("size".to_owned(), row.size.into());
                report.insert("date".to_owned(), row.date.clone().into());
            }
            return writeln!(self.out, "{}", Printable(&report));
        }
        let mut cells = vec![self.file(&row.file)];
        if self.long {
            cells.extend(row.long().map(String::into_bytes));
        }
        cells.extend(row.cells.iter().map(|cell| self.cell(&cell.text, CHARACTERS)));
        match self.style.format {
            Format::Csv => self.csv(&cells)?,
            _ => self.table.push(cells),
        }
        Ok(())
    }

    fn csv(&mut self, cells: &[Vec<u8>]) -> Result<()> {
        let mut writer = csv::Writer::from_writer(&mut *self.out);
        writer.write_record(cells)?;
        writer.flush()
    }

    /// Prints the rows of a table.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.table.len() < 2 {
            return Ok(());
        }
        let columns = self.table.first().map_or(0, Vec::len);
        let wide = |cell: &[u8]| String::from_utf8_lossy(cell).width();
        let width = |column: usize| {
            self.table.iter().filter_map(|row| row.get(column)).map(|cell| wide(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.table.iter().enumerate() {
            let mut text = Vec::new();
            for (cell, width) in row.iter().zip(&widths) {
                text.extend_from_slice(cell);
                text.extend(std::iter::repeat_n(b' ', width.saturating_sub(wide(cell)) + 2));
            }
            let text = text.trim_ascii_end();
            if number == 0 {
                writeln!(self.out, "{}", self.colours.bold(String::from_utf8_lossy(text)))?;
            } else {
                self.out.write_all(text)?;
                writeln!(self.out)?;
            }
        }
        Ok(())
    }
}

//! Rows of values, printed.

use std::io::{Result, Write};

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Kind, NdArray};
use serde_json::{Map, Value as Json, json};
use unicode_width::UnicodeWidthStr as _;

use super::Format;
use crate::canonical;
use crate::colour::bold;
use crate::commands::output;
use crate::printable::{document, short};

/// How many characters of a value a table shows.
const CHARACTERS: usize = 60;

/// A file with the values that are shown of it.
pub(super) struct Row {
    pub(super) file: String,
    pub(super) cells: Vec<Cell>,
}

/// A value, for people and for programs.
pub(super) struct Cell {
    text: String,
    value: Json,
}

impl Cell {
    pub(super) fn text(text: String) -> Self {
        Self { value: text.as_str().into(), text }
    }

    /// The value of a node; nothing where there is none.
    pub(super) fn of(node: Option<NodeRef<'_>>) -> Self {
        let Some(node) = node else { return Self { text: String::new(), value: Json::Null } };
        let text = match (node.kind(), node.tag()) {
            (Kind::Mapping | Kind::Sequence, Some(tag)) if NdArray::accepts_tag(tag) => {
                match NdArray::from_node(node) {
                    Ok(array) => format!("{} {:?}", array.datatype(), array.shape()),
                    Err(error) => error.message().to_owned(),
                }
            }
            (Kind::Mapping | Kind::Sequence, _) => canonical::value(node).to_string(),
            _ => node.text().unwrap_or_default().to_owned(),
        };
        Self { text, value: canonical::value(node) }
    }
}

/// What prints rows: CSV and JSON as they come, a table when all of its widths are known.
pub(super) struct Rows<'a> {
    format: Format,
    names: Vec<String>,
    out: &'a mut dyn Write,
    table: Vec<Vec<String>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(format: Format, fields: &[String], out: &'a mut dyn Write) -> asdf_core::Result<Self> {
        let names: Vec<String> = match fields {
            [] => ["standard", "keys"].map(str::to_owned).to_vec(),
            fields => fields.to_vec(),
        };
        let head: Vec<String> = std::iter::once("file".to_owned()).chain(names.iter().cloned()).collect();
        let mut rows = Self { format, names, out, table: Vec::new() };
        match format {
            Format::Csv => rows.csv(&head).map_err(output)?,
            Format::Table => rows.table.push(head.iter().map(|name| short(name, CHARACTERS)).collect()),
            Format::Jsonl => {}
        }
        Ok(rows)
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        match self.format {
            Format::Table => {
                let cells = row.cells.iter().map(|cell| short(&cell.text, CHARACTERS));
                self.table.push(std::iter::once(short(&row.file, usize::MAX)).chain(cells).collect());
                Ok(())
            }
            Format::Csv => {
                let texts: Vec<String> = std::iter::once(&row.file)
                    .chain(row.cells.iter().map(|cell| &cell.text))
                    .cloned()
                    .collect();
                self.csv(&texts)
            }
            Format::Jsonl => {
                let values = row.cells.iter().map(|cell| cell.value.clone());
                let fields: Map<String, Json> = self.names.iter().cloned().zip(values).collect();
                writeln!(self.out, "{}", json!({"asdf_ls": 1, "file": row.file, "fields": fields}))
            }
        }
    }

    fn csv(&mut self, texts: &[String]) -> Result<()> {
        let mut writer = csv::Writer::from_writer(&mut *self.out);
        writer.write_record(texts.iter().map(|text| document(text).into_owned()))?;
        writer.flush()
    }

    /// Prints what was held back.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.table.len() < 2 {
            return Ok(());
        }
        let columns = self.names.len() + 1;
        let width = |column: usize| {
            self.table.iter().filter_map(|row| row.get(column)).map(|text| text.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.table.iter().enumerate() {
            let mut text = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                text.push_str(cell);
                text.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width()) + 2));
            }
            let text = text.trim_end();
            if number == 0 { writeln!(self.out, "{}", bold(text)) } else { writeln!(self.out, "{text}") }?;
        }
        Ok(())
    }
}

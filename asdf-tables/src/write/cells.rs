//! Reads the rows of a table cell by cell, for text formats.

use asdf_core::array::Value;
use asdf_core::{Datatype, Result};
use serde_json::Value as Json;

use super::plain;
use crate::json::{element, float, nested};
use crate::{Column, Columns};

/// A cell of a column: its elements in C order.
pub(super) struct Cell<'c> {
    pub(super) column: &'c Column,
    pub(super) values: Vec<Value>,
}

impl Cell<'_> {
    /// Returns the cell as JSON: nested lists for an array, null for a missing value.
    pub(super) fn json(&self) -> Json {
        let datatype = self.column.array.datatype();
        nested(&mut self.values.iter().map(|value| json(value, datatype)), self.column.cell())
    }
}

/// Calls a function with the cells of each row.
pub(super) fn rows(columns: &Columns, mut row: impl FnMut(&[Cell<'_>]) -> Result<()>) -> Result<()> {
    for piece in columns.pieces(columns.rows_at_once()?) {
        let piece = piece?;
        let mut all = Vec::new();
        for column in piece.as_slice() {
            let elements = column.array.elements().map_err(|error| error.under(&column.name))?;
            let width = usize::try_from(column.cell().iter().product::<u64>()).unwrap_or(usize::MAX);
            all.push((column, elements, width));
        }
        for _ in 0..piece.rows() {
            let mut cells: Vec<Cell<'_>> = Vec::with_capacity(all.len());
            for (column, elements, width) in &mut all {
                cells.push(Cell { column, values: elements.by_ref().take(*width).collect() });
            }
            row(&cells)?;
        }
    }
    Ok(())
}

/// Converts an element to JSON, with as few digits as its datatype needs.
pub(super) fn json(value: &Value, datatype: &Datatype) -> Json {
    match value {
        Value::Float(number) if number.is_finite() => {
            float(plain(value, datatype).parse().unwrap_or(*number))
        }
        other => element(other),
    }
}

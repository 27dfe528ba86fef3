//! `Batch`: rows as a record batch.

use arrow_array::RecordBatch;
use asdf_core::{Error, Result};

use super::arrays::{array, failed};
use super::tally::Tally;
use super::value::Value;
use super::{Kind, Layout, Own, Row};

/// Rows as a record batch, with the problems of all of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The rows.
    pub rows: RecordBatch,
    /// Why values are missing, each with its file.
    pub problems: Vec<Error>,
}

impl Layout {
    /// Converts rows to a record batch, with texts as dictionaries.
    ///
    /// Columns without a type are texts, so [`settle`](Self::settle) the layout first.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if the lists of a column have more than 2^31 items.
    pub fn batch(&self, rows: Vec<Row>) -> Result<Batch> {
        self.batch_of(rows, true)
    }

    /// Converts rows to a record batch with plain texts, for query engines.
    ///
    /// Its schema is [`arrow_schema(false)`](Self::arrow_schema). In batches of few rows, dictionaries would take more time and
    /// memory than the texts.
    ///
    /// # Errors
    /// The errors of [`batch`](Self::batch).
    pub fn plain_batch(&self, rows: Vec<Row>) -> Result<Batch> {
        self.batch_of(rows, false)
    }

    /// Finds the types of columns without one: the type that holds at least four fifths of the values of these rows, or JSON.
    ///
    /// Integers and floats become floats. A column without values becomes one of texts.
    pub fn settle(&mut self, rows: &[Row]) {
        for (column, field) in self.fields.iter_mut().enumerate() {
            if field.kind.is_some() {
                continue;
            }
            let values = || rows.iter().filter_map(|row| row.values.get(column));
            let mut tally = Tally::default();
            values().filter_map(Value::kind).for_each(|kind| tally.add(kind));
            let kind = tally.kind();
            // A list without items fits no other type.
            let is_empty = || values().all(|value| *value == Value::Null);
            field.kind = Some(kind.unwrap_or_else(|| if is_empty() { Kind::String } else { Kind::Json }));
            let units = values().filter_map(|value| match value {
                Value::Quantity(_, unit) => Some(unit),
                _ => None,
            });
            if let Some(unit) = units.into_iter().next() {
                field.metadata.entry("unit".to_owned()).or_insert_with(|| unit.clone());
            }
        }
    }

    /// Fits rows to the types of the columns, and fills in their problems.
    pub(super) fn fit(&self, rows: &mut [Row]) {
        for row in rows {
            for column in std::mem::take(&mut row.untyped) {
                if let Some(field) = self.fields.get(column) {
                    row.settle(column, field, field.kind.as_ref().unwrap_or(&Kind::String));
                }
            }
            let column = self.fields.iter().position(|field| field.own() == Some(Own::Problems));
            let texts = row.problem_texts();
            if let Some(value) = column.and_then(|column| row.values.get_mut(column)) {
                *value = texts;
            }
        }
    }

    pub(super) fn batch_of(&self, mut rows: Vec<Row>, are_dictionaries: bool) -> Result<Batch> {
        self.fit(&mut rows);
        let mut arrays = Vec::new();
        for (column, field) in self.fields.iter().enumerate() {
            let values: Vec<&Value> =
                rows.iter().map(|row| row.values.get(column).unwrap_or(&Value::Null)).collect();
            let kind = field.kind.as_ref().unwrap_or(&Kind::String);
            let is_dictionary = are_dictionaries && field.own() != Some(Own::File);
            arrays.push(array(kind, is_dictionary, &values).map_err(|error| error.under(&field.name))?);
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let schema = self.arrow_schema(are_dictionaries);
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options).map_err(failed)?;
        Ok(Batch { rows: batch, problems: rows.into_iter().flat_map(|row| row.problems).collect() })
    }
}

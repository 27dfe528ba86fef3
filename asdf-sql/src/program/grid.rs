//! Results as columns for people. A cell can have several lines, as the plans of `explain`.

use std::io::{self, Write};

use asdf_core::printable::{line, lines};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use unicode_width::UnicodeWidthStr as _;

/// The rows whose widths are those of the columns. A later cell can be wider than its column.
pub(crate) const ROWS: usize = 10_000;

/// Columns for people: as wide as the widest of the first rows.
pub(crate) struct Grid {
    schema: SchemaRef,
    widths: Vec<usize>,
    /// Rows that are not yet written, since the widths are not known.
    first: Option<Vec<Vec<String>>>,
}

impl Grid {
    pub(crate) fn new(schema: SchemaRef) -> Self {
        Self { schema, widths: Vec::new(), first: Some(Vec::new()) }
    }

    /// Writes the rows of a batch, or keeps them until the widths are known.
    pub(crate) fn write(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> io::Result<()> {
        let rows = cells(batch).map_err(|error| io::Error::other(error.to_string()))?;
        match &mut self.first {
            Some(first) => {
                first.extend(rows);
                if first.len() >= ROWS {
                    self.begin(out)?;
                }
            }
            None => rows.iter().try_for_each(|row| self.row(row, out))?,
        }
        Ok(())
    }

    /// Writes the rows that are left.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(first) = self.first.take() else { return Ok(()) };
        let names: Vec<String> = self.schema.fields().iter().map(|field| line(field.name())).collect();
        let cells = |at: usize| first.iter().filter_map(move |row| row.get(at));
        let column = |at: usize| cells(at).flat_map(|cell| cell.split('\n')).map(|line| line.width());
        let width = |(at, name): (usize, &String)| column(at).max().unwrap_or(0).max(name.width());
        self.widths = names.iter().enumerate().map(width).collect();
        let header: Vec<String> =
            names.iter().zip(&self.widths).map(|(name, width)| padded(name, *width, false)).collect();
        writeln!(out, " {}", header.join(" | ").trim_end())?;
        let rule: Vec<String> = self.widths.iter().map(|width| "-".repeat(width + 2)).collect();
        writeln!(out, "{}", rule.join("+"))?;
        first.iter().try_for_each(|row| self.row(row, out))
    }

    fn row(&self, row: &[String], out: &mut dyn Write) -> io::Result<()> {
        let mut cells: Vec<_> = row.iter().map(|cell| cell.split('\n')).collect();
        let height = row.iter().map(|cell| cell.split('\n').count()).max().unwrap_or(0);
        for _ in 0..height {
            let fields = self.schema.fields().iter();
            let parts = cells.iter_mut().zip(&self.widths).zip(fields).map(|((cell, width), field)| {
                padded(cell.next().unwrap_or_default(), *width, is_number(field.data_type()))
            });
            writeln!(out, " {}", parts.collect::<Vec<_>>().join(" | ").trim_end())?;
        }
        Ok(())
    }
}

/// The cells of a batch as text without control characters other than line ends.
fn cells(batch: &RecordBatch) -> Result<Vec<Vec<String>>, ArrowError> {
    let options = FormatOptions::default().with_display_error(true);
    let columns: Vec<ArrayFormatter<'_>> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
        .collect::<Result<_, _>>()?;
    let text = |cell: String| lines(cell.trim_end_matches('\n'));
    let cell = |row: usize| columns.iter().map(|column| text(column.value(row).to_string())).collect();
    Ok((0..batch.num_rows()).map(cell).collect())
}

fn is_number(kind: &DataType) -> bool {
    kind.is_numeric()
}

fn padded(text: &str, width: usize, right: bool) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    if right { format!("{space}{text}") } else { format!("{text}{space}") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    #[test]
    fn columns_are_aligned() {
        let names: ArrayRef = Arc::new(StringArray::from(vec![Some("a\u{1b}[2J"), None, Some("b\nc\n")]));
        let counts: ArrayRef = Arc::new(Int64Array::from(vec![7, 123, 8]));
        let batch = RecordBatch::try_from_iter([("name", names), ("n", counts)]).unwrap();
        let mut grid = Grid::new(batch.schema());
        let mut out = Vec::new();
        grid.write(&batch, &mut out).unwrap();
        grid.finish(&mut out).unwrap();
        let expected = " name       | n\n------------+-----\n a\\u{1b}[2J |   7\n            | 123\n b          |   8\n c          |\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

//! Drawing tables in a terminal.

use std::io::Write;

use asdf_core::array::{Slice, Value};
use asdf_core::{Datatype, Result};
use asdf_tables::{Column, Columns};
use unicode_width::UnicodeWidthStr as _;

use super::Window;
use crate::colour::Colours;
use crate::outcome::output;
use crate::place;
use crate::printable::{line, short};
use crate::value_text;

/// The most characters of a cell.
const LONGEST: usize = 40;
/// The most elements to show of a cell that is an array.
const MOST: usize = 3;

/// Prints the first rows, with the columns that fit into a window. Numbers are aligned right, texts left.
pub(crate) fn print(
    columns: &Columns,
    path: &str,
    rows: u64,
    window: &Window,
    colours: Colours,
    out: &mut dyn Write,
) -> Result<()> {
    let rows = columns.rows().min(rows);
    let end = i64::try_from(rows).unwrap_or(i64::MAX);
    let part = columns.slice(Slice::Range { start: None, end: Some(end), step: 1 })?;
    let names: Vec<String> = part.as_slice().iter().map(|column| short(&column.name, LONGEST)).collect();
    let units: Vec<String> = part
        .as_slice()
        .iter()
        .map(|column| short(column.unit.as_deref().unwrap_or_default(), LONGEST))
        .collect();
    let has_units = units.iter().any(|unit| !unit.is_empty());
    let mut shown: Vec<(Vec<String>, usize, bool)> = Vec::new();
    let mut used = 0;
    for (column, (name, unit)) in part.as_slice().iter().zip(names.iter().zip(&units)) {
        let mut words = vec![name.clone()];
        if has_units {
            words.push(unit.clone());
        }
        words.extend(cells(column).map_err(|error| error.under(&column.name))?);
        let width = words.iter().map(|word| word.width()).max().unwrap_or(0);
        used += width + 2;
        if used > window.columns.saturating_add(2) && !shown.is_empty() {
            break;
        }
        let is_text = matches!(column.array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_));
        shown.push((words, width, is_text || !column.cell().is_empty()));
    }
    let count = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let all = part.as_slice().len() as u64;
    let title = format!("{}, {}", count(columns.rows(), "row"), count(all, "column"));
    writeln!(out, "{}: {title}", line(place::shown(path))).map_err(output)?;
    let lines = shown.first().map_or(0, |(words, ..)| words.len());
    for at in 0..lines {
        let mut text = String::new();
        for (words, width, to_left) in &shown {
            let word = words.get(at).map(String::as_str).unwrap_or_default();
            let gap = " ".repeat(width.saturating_sub(word.width()));
            let (first, second) = if *to_left { (word, gap.as_str()) } else { (gap.as_str(), word) };
            text.push_str(first);
            text.push_str(second);
            text.push_str("  ");
        }
        let text = text.trim_end();
        if at == 0 { writeln!(out, "{}", colours.bold(text)) } else { writeln!(out, "{text}") }
            .map_err(output)?;
    }
    if columns.rows() > rows {
        writeln!(out, "… {} more", count(columns.rows() - rows, "row")).map_err(output)?;
    }
    let hidden: Vec<&str> = names.iter().skip(shown.len()).map(String::as_str).collect();
    if !hidden.is_empty() {
        writeln!(out, "… and {}: {}", count(hidden.len() as u64, "column"), hidden.join(", "))
            .map_err(output)?;
    }
    let left_out = columns
        .left_out()
        .iter()
        .map(|left_out| format!("{} ({})", line(&left_out.name), line(&left_out.kind)));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        writeln!(out, "… without {}", left_out.join(", ")).map_err(output)?;
    }
    Ok(())
}

/// Returns the texts of a column's cells; missing ones are `--`.
fn cells(column: &Column) -> Result<Vec<String>> {
    let datatype = column.array.datatype();
    let one = |value: &Value| short(&value_text::shown(value, datatype), LONGEST);
    let width = column.cell().iter().product::<u64>();
    let rows = column.array.shape().first().copied().unwrap_or(0);
    if column.cell().is_empty() {
        return Ok(column.array.elements()?.map(|value| one(&value)).collect());
    }
    let mut cells = Vec::new();
    for row in 0..rows {
        let row = column.array.slice(&[Slice::Index(i64::try_from(row).unwrap_or(i64::MAX))])?;
        let values: Vec<String> = row.elements()?.take(MOST).map(|value| one(&value)).collect();
        let more = if width > MOST as u64 { ", …" } else { "" };
        cells.push(format!("[{}{more}]", values.join(", ")));
    }
    Ok(cells)
}

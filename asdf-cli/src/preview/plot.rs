//! Lines in a terminal.

use std::io::Write;

use asdf_core::{NdArray, Result};
use unicode_width::UnicodeWidthStr as _;

use crate::commands::output;
use crate::picture::{Look, label};
use crate::terminal::{Window, lines};

/// The highest that a line is drawn, in characters.
const HIGHEST: usize = 16;

/// Draws an array of one axis, with its limits at the left and the first and last index below.
pub(super) fn draw(look: &Look, array: &NdArray, window: &Window, out: &mut dyn Write) -> Result<()> {
    let rows = window.rows.saturating_sub(4).clamp(1, HIGHEST);
    let curve = look.curve(array, window.columns * 2)?;
    let Some((low, high)) = curve.range() else {
        return writeln!(out, "no element is a number").map_err(output);
    };
    let (low, high) = (label(low), label(high));
    let margin = low.width().max(high.width());
    let columns = window.columns.saturating_sub(margin + 2).max(1);
    let drawn = lines(&curve.drawn(columns * 2, rows * 4));
    for (row, line) in drawn.iter().enumerate() {
        let word = match row {
            0 => &high,
            _ if row + 1 == rows => &low,
            _ => "",
        };
        writeln!(out, "{word:>margin$} │{}", line.trim_end()).map_err(output)?;
    }
    let last = curve.count.saturating_sub(1).to_string();
    writeln!(out, "{:margin$} └{}", "", "─".repeat(columns)).map_err(output)?;
    writeln!(out, "{:margin$}  0{last:>width$}", "", width = columns.saturating_sub(1)).map_err(output)
}

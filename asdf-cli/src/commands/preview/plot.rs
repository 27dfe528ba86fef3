//! Line plots in a terminal.

use std::io::Write;

use asdf_core::Result;
use asdf_picture::{Curve, Labels, number_label};
use unicode_width::UnicodeWidthStr as _;

use crate::outcome::output;
use crate::terminal::{Window, lines};

/// The greatest height of a plot, in characters.
const HIGHEST: usize = 16;

/// Draws an array with one axis. The numbers at both axes are the limits, and round numbers between them.
pub(super) fn draw(curve: &Curve, labels: &Labels, window: &Window, out: &mut dyn Write) -> Result<()> {
    let Some(range) = curve.range() else {
        return writeln!(out, "no element is a number").map_err(output);
    };
    let rows = window.rows.saturating_sub(4).clamp(1, HIGHEST);
    let beside = beside(curve, range, rows);
    let margin = beside.iter().map(|(word, _)| word.width()).max().unwrap_or(0);
    let columns = window.columns.saturating_sub(margin + 2).max(1);
    for ((word, is_tick), line) in beside.iter().zip(lines(&curve.drawn(columns * 2, rows * 4))) {
        let axis = if *is_tick { '┤' } else { '│' };
        writeln!(out, "{}", format!("{word:>margin$} {axis}{line}").trim_end()).map_err(output)?;
    }
    let (axis, words) = below(curve, columns);
    writeln!(out, "{:margin$} └{axis}", "").map_err(output)?;
    writeln!(out, "{:margin$}  {words}", "").map_err(output)?;
    let Some(name) = &labels.x else { return Ok(()) };
    let left = columns.saturating_sub(name.width()) / 2;
    writeln!(out, "{:margin$}  {:left$}{name}", "", "").map_err(output)
}

/// Returns the number at each row of the vertical axis, and whether the row has a tick.
fn beside(curve: &Curve, (low, high): (f64, f64), rows: usize) -> Vec<(String, bool)> {
    let mut words = vec![(String::new(), false); rows];
    for (place, tick) in curve.y_ticks((rows / 3).max(1)) {
        // The first and the last row have the limits.
        let row = cell(1.0 - place, rows);
        let is_free = low == high || (row > 0 && row + 1 < rows);
        if let Some(word) = words.get_mut(row).filter(|_| is_free) {
            *word = (tick.label, true);
        }
    }
    if low == high {
        return words;
    }
    if let Some(last) = words.last_mut() {
        last.0 = number_label(low);
    }
    if let Some(first) = words.first_mut() {
        first.0 = number_label(high);
    }
    words
}

/// Returns the horizontal axis with its ticks, and the numbers below it: the first, the last and round ones between.
fn below(curve: &Curve, columns: usize) -> (String, String) {
    let (low, high) = curve.span();
    let mut axis = vec!['─'; columns];
    let mut words = vec![' '; columns];
    let (first, last) = match curve.has_indices() {
        true => (format!("{low}"), format!("{high}")),
        false => (number_label(low), number_label(high)),
    };
    let end = columns.saturating_sub(last.width());
    if low < high {
        put(&mut words, 0, &first);
    }
    let mut free = first.width() + 2;
    for (place, tick) in curve.x_ticks((columns / 12).max(1)) {
        let (column, width) = (cell(place, columns), tick.label.width());
        let left = column.saturating_sub(width / 2);
        if left >= free && left + width + 2 <= end {
            put(&mut words, left, &tick.label);
            if let Some(axis) = axis.get_mut(column) {
                *axis = '┬';
            }
            free = left + width + 2;
        }
    }
    put(&mut words, if low < high { end } else { 0 }, &last);
    (axis.into_iter().collect(), words.into_iter().collect::<String>().trim_end().to_owned())
}

fn put(words: &mut [char], at: usize, text: &str) {
    for (place, character) in words.iter_mut().skip(at).zip(text.chars()) {
        *place = character;
    }
}

/// Returns the character for a position from 0 to 1.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "from 0 to the number of characters"
)]
fn cell(place: f64, count: usize) -> usize {
    (place * count.saturating_sub(1) as f64).round() as usize
}

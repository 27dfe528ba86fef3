//! Warnings about the nodes of a file, with equal ones as one.

use std::io::{Result, Write};
use std::sync::LazyLock;

use asdf_core::Error;
use regex::Regex;

use crate::colour::{blue, bold, yellow};
use crate::printable::line;

/// A line and a column that a message names.
static POSITION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b\d+:\d+: ").ok());

/// Prints warnings in the order of their first places. Equal ones are one line, with the number of their places.
pub(crate) fn tell<'e>(
    file: &str,
    warnings: impl IntoIterator<Item = &'e Error>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut groups: Vec<(String, &Error, usize)> = Vec::new();
    for warning in warnings {
        let key = key(warning);
        match groups.iter_mut().find(|(other, ..)| *other == key) {
            Some((.., count)) => *count += 1,
            None => groups.push((key, warning, 1)),
        }
    }
    groups.into_iter().try_for_each(|(_, first, count)| one(file, first, count, out))
}

/// What equal warnings share: everything but the positions.
fn key(warning: &Error) -> String {
    let text = format!("{}\n{}", warning.message(), warning.hint().unwrap_or_default());
    POSITION.as_ref().map_or_else(|| text.clone(), |position| position.replace_all(&text, "").into_owned())
}

fn one(file: &str, warning: &Error, count: usize, out: &mut dyn Write) -> Result<()> {
    let place = match (warning.line(), warning.column()) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        _ => file.to_owned(),
    };
    let path = match warning.path() {
        Some("") => "/: ".to_owned(),
        Some(path) => format!("{path}: "),
        None => String::new(),
    };
    let text = line(&format!("{path}{}", warning.message()));
    let places = if count > 1 { format!(" ({count} nodes)") } else { String::new() };
    writeln!(out, "{}: {} {text}{places}", bold(place), yellow("warning:"))?;
    match warning.hint() {
        Some(hint) => writeln!(out, "  {} {}", blue("hint:"), line(hint)),
        None => Ok(()),
    }
}

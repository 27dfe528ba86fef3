//! Warnings about the nodes of a file, with equal ones grouped.

use std::collections::HashMap;
use std::io::{Result, Write};

use asdf_core::Error;
use asdf_core::error::Hint;

use crate::colour::Colours;
use crate::hint::Words;
use crate::printable::line;

/// Prints warnings in the order of their first occurrence. Warnings with the same message and hint are printed once,
/// with the number of nodes.
pub(crate) fn tell<'e>(
    file: &str,
    warnings: impl IntoIterator<Item = &'e Error>,
    colours: Colours,
    out: &mut dyn Write,
) -> Result<()> {
    let mut groups: Vec<(&Error, usize)> = Vec::new();
    let mut known: HashMap<(&str, Option<&Hint>), usize> = HashMap::new();
    for warning in warnings {
        let group = *known.entry((warning.message(), warning.hint())).or_insert(groups.len());
        match groups.get_mut(group) {
            Some((_, count)) => *count += 1,
            None => groups.push((warning, 1)),
        }
    }
    groups.into_iter().try_for_each(|(first, count)| one(file, first, count, colours, out))
}

fn one(file: &str, warning: &Error, count: usize, colours: Colours, out: &mut dyn Write) -> Result<()> {
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
    writeln!(out, "{}: {} {text}{places}", colours.bold(line(&place)), colours.yellow("warning:"))?;
    match warning.hint() {
        Some(hint) => writeln!(out, "  {} {}", colours.blue("hint:"), line(&Words(hint).to_string())),
        None => Ok(()),
    }
}

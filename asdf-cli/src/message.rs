//! Errors and warnings as they stand on standard error.

use asdf_core::Error;

use crate::colour::{blue, bold};
use crate::printable::lines;

/// The lines of an error: its place and the word `hint:` in colour, if standard error has colours.
pub(crate) fn text(error: &Error) -> String {
    let text = lines(&error.to_string());
    let place = match (error.file(), error.line(), error.column()) {
        (Some(file), Some(line), Some(column)) => format!("{}:{line}:{column}", file.display()),
        (Some(file), ..) => file.display().to_string(),
        (None, ..) => String::new(),
    };
    let place = lines(&place);
    let (place, rest) = text.split_at(if text.starts_with(&place) { place.len() } else { 0 });
    let place = if place.is_empty() { String::new() } else { bold(place).for_messages().to_string() };
    let hint = format!("\n  {} ", blue("hint:").for_messages());
    place + &rest.replace("\n  hint: ", &hint)
}

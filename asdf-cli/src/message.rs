//! The text of errors and warnings on standard error.

use std::iter;

use asdf_core::Error;

use crate::colour::Colours;
use crate::hint::Words;
use crate::place;
use crate::printable::lines;

/// Returns the lines of an error and of those that follow it.
pub(crate) fn text(error: &Error, colours: Colours) -> String {
    let errors: Vec<String> =
        iter::once(error).chain(error.others()).map(|error| one(error, colours)).collect();
    errors.join("\n")
}

fn one(error: &Error, colours: Colours) -> String {
    let position = error.line().zip(error.column());
    let place = match (error.file(), position) {
        (Some(file), Some((line, column))) => {
            Some(colours.bold(lines(&format!("{}:{line}:{column}", file.display()))).to_string())
        }
        (Some(file), None) => Some(colours.bold(lines(&file.display().to_string())).to_string()),
        (None, Some((line, column))) => Some(format!("line {line}, column {column}")),
        (None, None) => None,
    };
    let offset = error.offset().filter(|_| position.is_none()).map(|offset| format!("at byte {offset}"));
    let path = error.path().map(|path| lines(place::shown(path)));
    let parts: Vec<String> =
        [place, offset, path, Some(lines(error.message()))].into_iter().flatten().collect();
    let text = parts.join(": ");
    match error.hint() {
        Some(hint) => {
            format!("{text}\n  {} {}", colours.blue("hint:"), lines(&Words(hint).to_string()))
        }
        None => text,
    }
}

//! The text of errors and warnings on standard error.

use std::iter;

use asdf_core::Error;

use crate::colour::Colours;
use crate::hint::Words;
use crate::place;
use crate::printable::line;
use crate::program_name::ProgramName;

/// Returns the lines of an error and of those that follow it.
pub(crate) fn text(error: &Error, colours: Colours, name: ProgramName) -> String {
    let errors: Vec<String> =
        iter::once(error).chain(error.others()).map(|error| one(error, colours, name)).collect();
    errors.join("\n")
}

fn one(error: &Error, colours: Colours, name: ProgramName) -> String {
    let position = error.line().zip(error.column());
    let place = match (error.file(), position) {
        (Some(file), Some((row, column))) => {
            Some(colours.bold(line(&format!("{}:{row}:{column}", file.display()))).to_string())
        }
        (Some(file), None) => Some(colours.bold(line(&file.display().to_string())).to_string()),
        (None, Some((row, column))) => Some(format!("line {row}, column {column}")),
        (None, None) => None,
    };
    let offset = error.offset().filter(|_| position.is_none()).map(|offset| format!("at byte {offset}"));
    let path = error.path().map(|path| line(place::shown(path)));
    let parts: Vec<String> =
        [place, offset, path, Some(line(error.message()))].into_iter().flatten().collect();
    let text = parts.join(": ");
    match error.hint() {
        Some(hint) => {
            let words = name.in_text(&Words(hint).to_string());
            format!("{text}\n  {} {}", colours.blue("hint:"), line(&words))
        }
        None => text,
    }
}

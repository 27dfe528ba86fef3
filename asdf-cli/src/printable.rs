//! Text of files for standard output: escaped for people, unchanged for programs.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{IsTerminal as _, Write};

use asdf_core::printable;
pub(crate) use asdf_core::printable::{is_plain, line, lines, short};

/// Escapes a document if standard output is a terminal; else leaves it unchanged for programs.
pub(crate) fn document(text: &str) -> Cow<'_, str> {
    match std::io::stdout().is_terminal() {
        true => printable::controls(text),
        false => text.into(),
    }
}

/// Calls a function with an output for a document: standard output, escaped like [`document`].
pub(crate) fn to_document<T>(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> asdf_core::Result<T>,
) -> asdf_core::Result<T> {
    if !std::io::stdout().is_terminal() {
        return write(out);
    }
    let mut escaped = printable::Writer::new(out);
    let result = write(&mut escaped)?;
    escaped.flush().map_err(crate::outcome::output)?;
    Ok(result)
}

/// Returns a file name for one line of text. Bytes that are not UTF-8 become U+FFFD on a terminal, and are unchanged for
/// programs.
pub(crate) fn name(file: &OsStr) -> Vec<u8> {
    let is_terminal = std::io::stdout().is_terminal();
    let mut shown = Vec::new();
    for part in file.as_encoded_bytes().utf8_chunks() {
        shown.extend_from_slice(line(part.valid()).as_bytes());
        match is_terminal && !part.invalid().is_empty() {
            true => shown.extend_from_slice("\u{fffd}".as_bytes()),
            false => shown.extend_from_slice(part.invalid()),
        }
    }
    shown
}

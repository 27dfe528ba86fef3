//! Escaping, so that text of a file cannot control the terminal.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::IsTerminal;

/// Escapes control characters and those that change the direction of writing.
pub(crate) fn line(text: &str) -> String {
    escape(text, |_| false)
}

/// Escapes like [`line()`], but keeps line breaks.
pub(crate) fn lines(text: &str) -> String {
    escape(text, |c| c == '\n')
}

/// Escapes a document like [`lines()`] if standard output is a terminal; else leaves it unchanged for programs.
pub(crate) fn document(text: &str) -> Cow<'_, str> {
    match std::io::stdout().is_terminal() {
        true => lines(text).into(),
        false => text.into(),
    }
}

/// Returns the bytes of a file name: escaped if standard output is a terminal, else as the system has them.
pub(crate) fn name(file: &OsStr) -> Vec<u8> {
    match std::io::stdout().is_terminal() {
        true => line(&file.to_string_lossy()).into_bytes(),
        false => file.as_encoded_bytes().to_vec(),
    }
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let harmless = !c.is_control()
            && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if keep(c) || harmless {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    out
}

/// Returns at most `most` characters of a text, on one line.
pub(crate) fn short(text: &str, most: usize) -> String {
    let mut shown = line(&text.chars().take(most).collect::<String>());
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_not_controlled() {
        assert_eq!(line("a\x1b[2J\u{202e}é\n"), "a\\u{1b}[2J\\u{202e}é\\n");
        assert_eq!(lines("a\nb\r"), "a\nb\\r");
        assert_eq!(short("abc", 2), "ab…");
    }
}

//! How a scalar is spelled: plain where it reads back as what it is, in quotes where not.

use crate::tree::{Kind, resolve};

/// Where a scalar stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Inside `[...]` or `{...}`, where commas and brackets end a plain scalar.
    pub(super) flow: bool,
    /// As a mapping's key, which has to stay on one line.
    pub(super) key: bool,
}

/// Whether a string may be written without quotes: it must resolve to a string and must not
/// contain what YAML 1.1 (or 1.2) takes for an indicator there.
pub(super) fn is_plain_string(text: &str, place: Place) -> bool {
    resolve(text) == Kind::String && !matches!(text, "<<" | "=") && is_plain_text(text, place)
}

/// Whether a text survives without quotes, whatever it resolves to.
pub(super) fn is_plain_text(text: &str, place: Place) -> bool {
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else { return false };
    let last = text.chars().next_back().unwrap_or(first);
    let blank_follows = second.is_none_or(|c| c == ' ');
    let starts_well = match first {
        '-' => !blank_follows,
        '?' | ':' => !blank_follows && !place.flow,
        ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`'
        | ' ' => false,
        _ => true,
    };
    starts_well
        && last != ' '
        && last != ':'
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.contains(": ")
        && !text.contains(" #")
        && text.chars().all(|c| c != '\n' && c != '\t' && is_printable(c))
        && !(place.flow && text.contains([',', '[', ']', '{', '}', ':', '?']))
}

/// Whether a character may stand unescaped. Line breaks of YAML 1.1 that YAML 1.2 dropped (NEL, LS,
/// PS) and the byte order mark never do: readers disagree about them.
pub(super) fn is_printable(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => true,
        '\u{a0}'..='\u{d7ff}' => !matches!(c, '\u{2028}' | '\u{2029}'),
        '\u{e000}'..='\u{fffd}' => c != '\u{feff}',
        '\u{10000}'..='\u{10ffff}' => true,
        _ => false,
    }
}

/// Whether a string can be a literal block (`|`), where nothing is escaped.
pub(super) fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && text.chars().all(is_printable)
        && !text.lines().any(|line| !line.is_empty() && line.trim_matches([' ', '\t']).is_empty())
}

/// A string in quotes: single ones where nothing has to be escaped.
pub(super) fn quoted(text: &str, prefer_double: bool) -> String {
    let simple = text.chars().all(|c| c != '\n' && c != '\t' && is_printable(c));
    if simple && !prefer_double { format!("'{}'", text.replace('\'', "''")) } else { double_quoted(text) }
}

fn double_quoted(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let escape = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\0' => "\\0",
            '\x07' => "\\a",
            '\x08' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\x0b' => "\\v",
            '\x0c' => "\\f",
            '\r' => "\\r",
            '\x1b' => "\\e",
            '\u{85}' => "\\N",
            '\u{a0}' => "\\_",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            c if is_printable(c) => {
                out.push(c);
                continue;
            }
            c => {
                let code = u32::from(c);
                // Writing to a string cannot fail.
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
                continue;
            }
        };
        out.push_str(escape);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Place = Place { flow: false, key: false };
    const FLOW: Place = Place { flow: true, key: false };

    #[test]
    fn strings_that_would_be_something_else_are_not_plain() {
        for text in [
            "",
            "5",
            "yes",
            "1:30",
            "null",
            "~",
            "2001-01-01",
            "<<",
            "=",
            "- a",
            "-",
            "a: b",
            "a #b",
            "a:",
            "---",
            "...",
            " a",
            "a ",
            "@x",
            "%x",
            "!x",
            "*x",
            "'",
            "a\nb",
            "a\tb",
            "\u{85}",
            "\u{feff}x",
            "#",
        ] {
            assert!(!is_plain_string(text, BLOCK), "{text:?}");
        }
        for text in ["a", "a b", "-a", "1e3", "a#b", "http://x", "é😀", "/a", "a'b", "?x", "a,b", "(1+2j)"]
        {
            assert!(is_plain_string(text, BLOCK), "{text:?}");
        }
        for text in ["?x", "a,b", "http://x", "a]", "{", ":x"] {
            assert!(!is_plain_string(text, FLOW), "{text:?}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(quoted("it's", false), "'it''s'");
        assert_eq!(quoted("it's", true), "\"it's\"");
        assert_eq!(quoted("\0\x07\u{85}\u{2028}\u{1}\u{feff}\n\"", false), r#""\0\a\N\L\x01\ufeff\n\"""#);
    }
}

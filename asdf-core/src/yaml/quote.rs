//! Choosing the spelling of a scalar: plain if it reads back equal, quoted otherwise.

use crate::tree::{Kind, resolve};

/// The context of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Inside `[...]` or `{...}`, in which commas and brackets end a plain scalar.
    pub(super) flow: bool,
    /// A mapping's key, which must stay on one line.
    pub(super) key: bool,
}

/// The union of the classes of a text's bytes, which is all that most texts need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes(u8);

/// `:`, which ends plain text if a blank follows.
const COLON: u8 = 1;
/// `#`, which begins a comment after a blank.
const HASH: u8 = 2;
/// Indicators in flow collections, except for `:`.
const FLOW: u8 = 4;
/// Tabs and control characters, which are never plain.
const CONTROL: u8 = 8;
/// Part of a character outside ASCII.
const WIDE: u8 = 16;
const SINGLE: u8 = 32;
const NEWLINE: u8 = 64;
/// `"` and `\`, which must be escaped in double quotes.
const DOUBLE: u8 = 128;

/// The classes that a plain text can contain without further checks, outside flow collections.
const HARMLESS: u8 = FLOW | SINGLE | DOUBLE;
/// The same classes inside flow collections.
const HARMLESS_IN_FLOW: u8 = SINGLE | DOUBLE;

static CLASSES: [u8; 256] = classes();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed while compiling: the index is a byte"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b':' => COLON,
            b'#' => HASH,
            b',' | b'[' | b']' | b'{' | b'}' | b'?' => FLOW,
            b'\'' => SINGLE,
            b'"' | b'\\' => DOUBLE,
            b'\n' => NEWLINE,
            0..=0x1f | 0x7f => CONTROL,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Letters that do not begin any word with a special meaning.
static LETTERS: [bool; 256] = letters();

#[allow(clippy::indexing_slicing, reason = "computed while compiling: the index is a letter")]
const fn letters() -> [bool; 256] {
    let mut table = [false; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        let word = matches!(letter, b'y' | b'n' | b't' | b'f' | b'o');
        table[letter as usize] = !word;
        table[letter.to_ascii_uppercase() as usize] = !word;
        letter += 1;
    }
    table
}

#[inline]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(CONTROL)
}

impl Bytes {
    #[inline]
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().fold(0, |all, byte| all | class(byte)))
    }

    #[inline]
    fn any(self, classes: u8) -> bool {
        self.0 & classes != 0
    }

    /// Returns whether the text has a line break.
    #[inline]
    pub(super) fn has_newline(self) -> bool {
        self.any(NEWLINE)
    }
}

/// Returns whether a string can be written without quotes.
///
/// It must resolve to a string and must not contain anything that is an indicator in YAML 1.1 or 1.2.
#[inline]
pub(super) fn is_plain_string(text: &str, bytes: Bytes, place: Place) -> bool {
    is_word(text, bytes, place) || is_certainly_plain(text, bytes, place)
}

/// Returns whether a text begins with a letter and has no special bytes, which is the most common case.
#[inline]
fn is_word(text: &str, bytes: Bytes, place: Place) -> bool {
    let harmless = if place.flow { HARMLESS_IN_FLOW } else { HARMLESS };
    let begins = text.as_bytes().first().and_then(|&first| LETTERS.get(usize::from(first)));
    begins == Some(&true) && !bytes.any(!harmless) && text.as_bytes().last() != Some(&b' ')
}

fn is_certainly_plain(text: &str, bytes: Bytes, place: Place) -> bool {
    is_plain_text(text, bytes, place) && resolve(text) == Kind::String && !matches!(text, "<<" | "=")
}

/// Returns whether a text reads back unchanged without quotes, whatever it resolves to.
pub(super) fn is_plain_text(text: &str, bytes: Bytes, place: Place) -> bool {
    let never = if place.flow { CONTROL | NEWLINE | FLOW | COLON } else { CONTROL | NEWLINE };
    let marked = (bytes.any(COLON) && text.contains(": ")) || (bytes.any(HASH) && text.contains(" #"));
    let shown = !bytes.any(WIDE) || text.chars().all(is_printable);
    !bytes.any(never) && has_plain_ends(text.as_bytes()) && !marked && shown
}

#[inline]
fn has_plain_ends(text: &[u8]) -> bool {
    let begins = match text {
        // `---` ends a document. For clarity, quote everything that begins like it.
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => false,
        [b'-' | b'?' | b':', rest @ ..] => !matches!(rest, [] | [b' ', ..]),
        [
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%'
            | b'@' | b'`' | b' ',
            ..,
        ] => false,
        _ => true,
    };
    begins && !matches!(text, [] | [.., b' ' | b':'])
}

/// Returns whether a character can be unescaped.
///
/// Line breaks of YAML 1.1 that YAML 1.2 dropped (NEL, LS, PS) and the byte order mark cannot: readers
/// disagree about them.
fn is_printable(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => true,
        '\u{a0}'..='\u{d7ff}' => !matches!(c, '\u{2028}' | '\u{2029}'),
        '\u{e000}'..='\u{fffd}' => c != '\u{feff}',
        '\u{10000}'..='\u{10ffff}' => true,
        _ => false,
    }
}

/// Returns whether a string can be a block scalar (`|` or `>`), in which nothing is escaped.
///
/// Lines with only blanks would be possible, but are invisible to people.
pub(super) fn is_block(text: &str) -> bool {
    text.chars().all(is_printable)
        && text.bytes().any(|byte| byte != b'\n')
        && !text.split('\n').any(|line| !line.is_empty() && line.trim_matches([' ', '\t']).is_empty())
}

/// Writes a string in quotes: single ones if nothing needs escaping.
pub(super) fn quote(text: &str, bytes: Bytes, prefer_double: bool, out: &mut String) {
    let escapes = bytes.any(CONTROL | NEWLINE) || (bytes.any(WIDE) && !text.chars().all(is_printable));
    if escapes || prefer_double {
        double_quote(text, out);
        return;
    }
    out.push('\'');
    let mut parts = text.split('\'');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str("''");
        out.push_str(part);
    }
    out.push('\'');
}

fn double_quote(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    let mut rest = text;
    loop {
        let escapes = |byte: u8| class(byte) & (CONTROL | NEWLINE | DOUBLE | WIDE) != 0;
        let run = rest.bytes().position(escapes).unwrap_or(rest.len());
        let (safe, tail) = rest.split_at_checked(run).unwrap_or((rest, ""));
        out.push_str(safe);
        let mut chars = tail.chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
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
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Place = Place { flow: false, key: false };
    const FLOW: Place = Place { flow: true, key: false };

    fn is_plain_string(text: &str, place: Place) -> bool {
        super::is_plain_string(text, Bytes::of(text), place)
    }

    fn quoted(text: &str, prefer_double: bool) -> String {
        let mut out = String::new();
        quote(text, Bytes::of(text), prefer_double, &mut out);
        out
    }

    #[test]
    fn strings_that_resolve_to_other_kinds_are_not_plain() {
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
            "a\u{2028}",
            "\u{2029}b",
            "\u{feff}x",
            "\u{9f}",
            "\u{fffe}",
            "\u{7f}",
            "#",
            "?",
            "? x",
        ] {
            assert!(!is_plain_string(text, BLOCK), "{text:?}");
        }
        for text in [
            "a", "a b", "-a", "1e3", "a#b", "http://x", "é😀", "/a", "a'b", "?x", "a,b", "(1+2j)", "a\u{a0}b",
        ] {
            assert!(is_plain_string(text, BLOCK), "{text:?}");
        }
        for text in ["?x", "a?b", "a,b", "http://x", "a]", "{", ":x"] {
            assert!(!is_plain_string(text, FLOW), "{text:?}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(quoted("it's", false), "'it''s'");
        assert_eq!(quoted("it's", true), "\"it's\"");
        assert_eq!(quoted("\0\x07\u{85}\u{2028}\u{1}\u{feff}\n\"", false), r#""\0\a\N\L\x01\ufeff\n\"""#);
        assert_eq!(quoted("é\u{80}\u{9f}\u{2029}\u{fffe}😀\u{7f}x", false), r#""é\x80\x9f\P\ufffe😀\x7fx""#);
        assert_eq!(quoted("''", false), "''''''");
        assert_eq!(quoted("", false), "''");
    }

    #[test]
    fn blocks_have_only_visible_characters() {
        for text in ["a", "a\n", " a\nb", "\n\na", "\ta", "a \nb", "é\n\n"] {
            assert!(is_block(text), "{text:?}");
        }
        for text in ["", "\n", "a\n \nb", "a\n\t", "\r\n", "a\u{85}b", "\u{feff}"] {
            assert!(!is_block(text), "{text:?}");
        }
    }
}

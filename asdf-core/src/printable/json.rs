use std::borrow::Cow;
use std::fmt::Write as _;

use super::{acts, begins_command};

/// Escapes the strings of a JSON text, as in `\u009b`. The text still has the same value.
///
/// The text must be valid JSON, or a part of it that does not end inside a string. C0 control characters are left
/// unchanged, because JSON escapes them in strings.
///
/// # Examples
/// ```
/// use asdf_core::printable::json;
///
/// assert_eq!(json("{\"a\u{9b}\": \"\u{e0041}\"}"), r#"{"a\u009b": "\udb40\udc41"}"#);
/// ```
#[must_use]
pub fn json(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte < 0x7f && byte != b'#') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let escapes = match c {
            '#' => text.get(at..).is_some_and(begins_command),
            '\u{7f}'.. => acts(c),
            _ => false,
        };
        if escapes {
            out.push_str(text.get(done..at).unwrap_or_default());
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
            done = at + c.len_utf8();
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_and_the_rest_is_not() {
        assert_eq!(json("{\n  \"é\u{7f}\": \"\\\\\u{202e}\"\n}"), "{\n  \"é\\u007f\": \"\\\\\\u202e\"\n}");
        assert_eq!(json("\"##[x] # ##vso[\""), "\"\\u0023#[x] # \\u0023#vso[\"");
        assert_eq!(json("\"\u{e0041}\""), "\"\\udb40\\udc41\"");
        assert!(matches!(json("{\"é\": 1}"), Cow::Borrowed(_)));
    }
}

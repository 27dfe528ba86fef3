//! Regular expressions in the syntax of schemas.

use std::iter::Peekable;
use std::str::Chars;
use std::sync::OnceLock;

use regex::Regex;

/// A regular expression that matches anywhere in a text, like Python's `re.search`.
///
/// It is compiled on first use and then cached, so put it into a `static`. It supports everything in the
/// `regex` crate, in time linear in the text. It therefore has no look-around and no back references. As in
/// Python:
///
/// - `$` also matches before a line break at the end of the text, and `\Z` only at the very end;
/// - a `{` that does not begin a repetition is a brace;
/// - `[`, `&&` and `~~` have no special meaning between brackets.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    /// Creates a pattern that is not compiled yet.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Returns the source text of the pattern.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// Returns the fault of a text that does not match, or of a pattern that is not valid.
    pub(super) fn fault(&self, text: &str) -> Option<String> {
        let compiled = self.compiled.get_or_init(|| {
            Regex::new(&translate(self.source)).map_err(|error| {
                let text = error.to_string();
                text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            })
        });
        match compiled {
            Ok(regex) if regex.is_match(text) => None,
            Ok(_) => Some(format!("a match of the pattern '{}'", self.source)),
            Err(error) => {
                Some(format!("a match of the pattern '{}', which is not valid ({error})", self.source))
            }
        }
    }
}

/// Translates Python's syntax to that of the `regex` crate.
fn translate(python: &str) -> String {
    let lines = is_multi_line(python);
    let mut rust = String::with_capacity(python.len() + 8);
    let mut rest = python.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' => escape(&mut rest, &mut rust),
            '[' => class(&mut rest, &mut rust),
            '{' => brace(&mut rest, &mut rust),
            '$' if !lines => rust.push_str(r"(?:\n?\z)"),
            other => rust.push(other),
        }
    }
    rust
}

/// Returns whether a flag changes the meaning of `$`: `(?m)`, `(?im:...)`.
fn is_multi_line(python: &str) -> bool {
    python.split("(?").skip(1).any(|group| {
        let flags: &str = group.split([')', ':', '-']).next().unwrap_or_default();
        flags.contains('m') && flags.chars().all(|flag| flag.is_ascii_lowercase())
    })
}

fn escape(rest: &mut Peekable<Chars<'_>>, rust: &mut String) {
    match rest.next() {
        Some('Z') => rust.push_str(r"\z"),
        // The `regex` crate uses these for the ends of words.
        Some(plain @ ('<' | '>')) => rust.push(plain),
        Some(plain) if !plain.is_ascii() => rust.push(plain),
        Some(escaped) => rust.extend(['\\', escaped]),
        None => rust.push('\\'),
    }
}

/// Translates what follows `[`, up to `]`.
fn class(rest: &mut Peekable<Chars<'_>>, rust: &mut String) {
    rust.push('[');
    if let Some(caret) = rest.next_if_eq(&'^') {
        rust.push(caret);
    }
    if rest.next_if_eq(&']').is_some() {
        rust.push_str(r"\]");
    }
    let mut last = None;
    while let Some(next) = rest.next() {
        match next {
            '\\' => escape(rest, rust),
            '[' | '&' | '~' => rust.extend(['\\', next]),
            '-' if last == Some('-') => rust.push_str(r"\-"),
            other => rust.push(other),
        }
        if next == ']' {
            return;
        }
        last = Some(next);
    }
}

/// Translates what follows `{`: a repetition up to `}`, or text.
fn brace(rest: &mut Peekable<Chars<'_>>, rust: &mut String) {
    let ahead: String = rest.clone().take_while(|&c| c.is_ascii_digit() || c == ',').collect();
    let closed = rest.clone().nth(ahead.len()) == Some('}');
    let commas = ahead.matches(',').count();
    if !closed || ahead.is_empty() || commas > 1 {
        rust.push_str(r"\{");
        return;
    }
    rust.push('{');
    if ahead.starts_with(',') {
        rust.push('0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &'static str, text: &str) -> bool {
        Pattern::new(pattern).fault(text).is_none()
    }

    #[test]
    fn patterns_are_searched_as_in_python() {
        // Each line was verified with `re.search` of Python 3.11.
        for (pattern, text, expected) in [
            ("b", "abc", true),
            ("^b", "abc", false),
            ("^abc$", "abc", true),
            ("^abc$", "abc\n", true),
            ("^abc$", "abc\n\n", false),
            ("(?m)^b$", "a\nb\nc", true),
            (r"abc\Z", "abc\n", false),
            (r"abc\Z", "abc", true),
            ("^a{,2}$", "aa", true),
            ("^a{,2}$", "aaa", false),
            ("^a{2}$", "aa", true),
            ("a{x}", "a{x}", true),
            ("a{,,}", "a{,,}", true),
            ("{", "{", true),
            ("^[[]$", "[", true),
            ("^[]a]+$", "]a", true),
            ("^[^]a]$", "]", false),
            ("^[a&&b]+$", "a&b", true),
            ("^[a~~b]+$", "a~b", true),
            ("^[+--]+$", "+,-", true),
            (r"^[\]$]$", "$", true),
            (r"^\<x\>$", "<x>", true),
            (r"^\d$", "\u{0665}", true),
            (r"^\$$", "$", true),
            ("^.$", "\n", false),
            ("(?i)ABC", "xabcx", true),
        ] {
            assert_eq!(found(pattern, text), expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn faults_name_the_pattern() {
        let pattern = Pattern::new("^x");
        assert_eq!(pattern.fault("ax").unwrap(), "a match of the pattern '^x'");
        let broken = Pattern::new("(?=x)");
        assert_eq!(
            broken.fault("x").unwrap(),
            "a match of the pattern '(?=x)', which is not valid \
             (look-around, including look-ahead and look-behind, is not supported)"
        );
    }
}

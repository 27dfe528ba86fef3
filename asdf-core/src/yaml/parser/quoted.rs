//! Quoted scalars.

use super::Parser;
use super::build::{Scalar, Text};
use super::run;
use crate::error::Result;
use crate::tree::Style;

impl Parser<'_> {
    pub(super) fn single_quoted(&mut self, min: usize) -> Result<Scalar> {
        let open = self.at;
        self.at += 1;
        let (mut start, mut cooked) = (self.at, false);
        loop {
            self.at = run::single_quoted(self.bytes, self.at);
            match self.here() {
                b'\'' if self.byte(self.at + 1) == b'\'' => {
                    self.cook(&mut cooked, start, self.at + 1);
                    self.at += 2;
                }
                b'\'' => break,
                b'\t' => {
                    self.at += 1;
                    continue;
                }
                0 => return Err(self.unclosed(open)),
                _ => self.quoted_break(&mut cooked, start, open, min)?,
            }
            start = self.at;
        }
        Ok(self.quoted(Style::SingleQuoted, open, start, cooked))
    }

    pub(super) fn double_quoted(&mut self, min: usize) -> Result<Scalar> {
        let open = self.at;
        self.at += 1;
        let (mut start, mut cooked) = (self.at, false);
        loop {
            self.at = run::double_quoted(self.bytes, self.at);
            match self.here() {
                b'"' => break,
                b'\\' => {
                    self.cook(&mut cooked, start, self.at);
                    self.escape()?;
                }
                b'\t' => {
                    self.at += 1;
                    continue;
                }
                0 => return Err(self.unclosed(open)),
                _ => self.quoted_break(&mut cooked, start, open, min)?,
            }
            start = self.at;
        }
        Ok(self.quoted(Style::DoubleQuoted, open, start, cooked))
    }

    /// Ends a quoted scalar at its quote. Text from `start` on was not copied yet.
    fn quoted(&mut self, style: Style, open: usize, start: usize, mut cooked: bool) -> Scalar {
        let end = self.at;
        if cooked {
            self.cook(&mut cooked, start, end);
        }
        self.at += 1;
        self.json = self.at;
        let text = if cooked { Text::Scratch } else { Text::Inside };
        Scalar { start: open, end: self.at, style, text }
    }

    /// Copies a part to the scratch buffer.
    fn cook(&mut self, cooked: &mut bool, start: usize, end: usize) {
        if !std::mem::replace(cooked, true) {
            self.scratch.clear();
        }
        self.scratch.push_str(self.text.get(start..end).unwrap_or_default());
    }

    /// Folds the line breaks here, together with the blanks around them.
    fn quoted_break(&mut self, cooked: &mut bool, start: usize, open: usize, min: usize) -> Result<()> {
        let line = self.slice(start, self.at).trim_end_matches([' ', '\t']);
        self.cook(cooked, start, start + line.len());
        let from = self.at;
        let breaks = self.quoted_lines()?;
        let spaces = self.spaces_before();
        let tabs = self.line + spaces < self.at;
        let here = self.here();
        let closed = here == self.byte(open) && !tabs;
        // After NEL, LS and PS, PyYAML does not always indent.
        let separated = self.marked && self.breaks_since(from).iter().any(|&c| c != '\n');
        if here != 0 && !closed && !separated && spaces < min && (self.flows == 0 || tabs) {
            let found = if tabs { "a tab in the indentation".into() } else { self.found() };
            return Err(self.error(
                self.at,
                format!("found {found}, expected text in quotes to be indented by {min} or more spaces"),
            ));
        }
        self.fold(from, breaks);
        Ok(())
    }

    /// Moves to the next line with text inside quotes, and returns the number of breaks.
    fn quoted_lines(&mut self) -> Result<usize> {
        let breaks = self.blank_lines();
        if self.marker(self.at) {
            return Err(self.expected("the closing quote"));
        }
        Ok(breaks)
    }

    fn unclosed(&self, open: usize) -> crate::error::Error {
        let quote = self.slice(open, open + 1);
        self.error(open, format!("found {quote} and then the end of the text, expected the closing {quote}"))
    }

    /// Decodes an escape in double quotes.
    fn escape(&mut self) -> Result<()> {
        let start = self.at;
        let char = match self.byte(start + 1) {
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b't' | b'\t' => '\t',
            b'n' => '\n',
            b'v' => '\u{B}',
            b'f' => '\u{C}',
            b'r' => '\r',
            b'e' => '\u{1B}',
            byte @ (b' ' | b'"' | b'/' | b'\\') => char::from(byte),
            b'N' => '\u{85}',
            b'_' => '\u{A0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            b'x' => self.hexadecimal(start, 2)?,
            b'u' => self.hexadecimal(start, 4)?,
            b'U' => self.hexadecimal(start, 8)?,
            b'\n' | b'\r' => {
                self.at += 1;
                let from = self.at;
                let breaks = self.quoted_lines()?;
                self.keep_breaks(from, breaks, 1);
                return Ok(());
            }
            _ => {
                self.at += 1;
                let found = self.found();
                return Err(self.error(
                    start,
                    format!(
                        "found {found} after '\\' in double quotes, expected an escape such as \\n or \\\\"
                    ),
                ));
            }
        };
        self.at += 2;
        self.at += match self.byte(start + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        self.scratch.push(char);
        Ok(())
    }

    fn hexadecimal(&self, start: usize, digits: usize) -> Result<char> {
        let text = self.slice(start + 2, start + 2 + digits);
        let whole = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = if whole { u32::from_str_radix(text, 16).ok() } else { None };
        code.and_then(char::from_u32).ok_or_else(|| {
            self.error(
                start,
                format!(
                    "found an invalid escape, expected {digits} hexadecimal digits of a Unicode character"
                ),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::yaml::parse;

    #[test]
    fn separators_in_single_quotes_are_kept() {
        for (written, value) in [
            ("'a\u{2028}  b'", "a\u{2028}b"),
            ("'a\u{2029}b'", "a\u{2029}b"),
            ("'a \t\u{2028}\t b '", "a\u{2028}b "),
            ("' \u{2028}'", "\u{2028}"),
            ("'it''s\u{2028}  it''s'", "it's\u{2028}it's"),
            ("'a\n  \u{2028}  b'", "a\u{2028}b"),
            ("'a\n\n\u{2028}  b'", "a\n\u{2028}b"),
            ("'a\u{2028}\n  b'", "a\u{2028}\nb"),
            ("'a\u{2028}\u{2029}  b\n  c\n\n  d'", "a\u{2028}\u{2029}b c\nd"),
            ("'a\u{2028}\r\n\r  b\r\n  c'", "a\u{2028}\n\nb c"),
            ("\"a\u{2028}  b\"", "a\u{2028}b"),
            ("'a\n\u{85}  b'", "a\nb"),
            ("'\u{2014}  b'", "\u{2014}  b"),
        ] {
            for text in [written.to_owned(), format!("[{written}]"), format!("- {written}\n")] {
                let tree = parse(&text).unwrap();
                let root = tree.root().unwrap();
                assert_eq!(root.item(0).unwrap_or(root).as_str(), Some(value), "{text:?}");
            }
        }
    }
}

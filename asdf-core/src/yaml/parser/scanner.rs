//! Bytes, blanks, lines and comments.

use super::Parser;
use super::class::{self, BLANK, BREAK};
use super::run;
use crate::error::{Code, Error, Result};
use crate::tree::Span;

/// Converts a byte offset to the tree's type. The text was checked before to be smaller than 4 GiB.
#[inline]
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl<'t> Parser<'t> {
    /// Returns a byte of the text, or 0 after its end. NUL does not occur in a text.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn here(&self) -> u8 {
        self.byte(self.at)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn span_text(&self, span: Span) -> &'t str {
        self.slice(span.start as usize, span.end as usize)
    }

    /// Returns whether there is a blank, a line break or the end of the text at a position.
    #[inline]
    pub(super) fn gap(&self, at: usize) -> bool {
        let byte = self.byte(at);
        class::is(byte, BLANK | BREAK) || byte == 0
    }

    /// Returns whether `---` or `...` is at the beginning of a line and on its own.
    pub(super) fn marker(&self, at: usize) -> bool {
        matches!(self.byte(at), b'-' | b'.')
            && at == self.line
            && matches!(self.bytes.get(at..at + 3), Some(b"---" | b"..."))
            && self.gap(at + 3)
    }

    /// Skips the spaces that begin a line, and returns their number.
    #[inline]
    pub(super) fn spaces(&mut self) -> usize {
        self.at = run::spaces(self.bytes, self.at);
        self.at - self.line
    }

    /// Skips blanks within a line.
    #[inline]
    pub(super) fn blanks(&mut self) {
        loop {
            match self.here() {
                b' ' => {}
                b'\t' => self.tabbed = true,
                _ => break,
            }
            self.at += 1;
        }
    }

    /// Moves to the next content, past blanks, comments and line breaks. Returns `false` at the end of the
    /// text or at a document marker.
    #[inline]
    pub(super) fn next_content(&mut self) -> Result<bool> {
        loop {
            match self.here() {
                b' ' | b'\t' => self.blanks(),
                b'\n' | b'\r' => {
                    self.newline();
                    self.indent = self.spaces();
                    self.tabbed = false;
                    if self.here() == b'\t' {
                        self.blanks();
                    }
                    self.content = self.at;
                    if self.indent == 0 && self.marker(self.at) {
                        return Ok(false);
                    }
                }
                b'#' if self.apart() => self.comment(),
                b'#' => {
                    return Err(self.error(
                        self.at,
                        "found '#' right after other text, expected a space before the comment",
                    ));
                }
                0 => return Ok(false),
                _ => return Ok(true),
            }
        }
    }

    /// Returns whether a blank or the beginning of a line is directly before.
    #[inline]
    pub(super) fn apart(&self) -> bool {
        self.at == self.line || class::is(self.byte(self.at - 1), BLANK)
    }

    fn comment(&mut self) {
        let start = self.at;
        self.line_end();
        self.tree.add_comment(Span { start: offset(start), end: offset(self.at) });
    }

    /// Moves to the end of the line.
    pub(super) fn line_end(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    /// Returns whether only blanks are between the beginning of the line and here.
    #[inline]
    pub(super) fn fresh(&self) -> bool {
        self.at == self.content
    }

    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let (line, column) = self.tree.position(offset(at));
        let message: String = message.into();
        Error::malformed(format!("the tree is not YAML: {message}"))
            .with_code(Code::Yaml)
            .at_position(line, column)
    }

    /// Creates the error `found X, expected Y` at this position.
    pub(super) fn expected(&self, what: &str) -> Error {
        if self.fresh() && self.tabbed {
            return self.error(
                self.at,
                format!("found a tab in the indentation before {}, expected spaces", self.found()),
            );
        }
        self.error(self.at, format!("found {}, expected {what}", self.found()))
    }

    /// Describes what is here, for messages.
    pub(super) fn found(&self) -> String {
        if self.marker(self.at) {
            return format!("the document marker '{}'", self.slice(self.at, self.at + 3));
        }
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the end of the text".into(),
            Some('\n' | '\r') => "the end of the line".into(),
            Some('\t') => "a tab".into(),
            Some(char) => format!("'{}'", char.escape_debug()),
        }
    }
}

/// Returns the first character that YAML does not allow in a text, with its offset.
pub(super) fn unprintable(text: &str) -> Option<(usize, char)> {
    const CHUNK: usize = 64;
    let odd = |byte: &u8| {
        // Control characters, DEL, and the first byte of C1 controls, U+FFFE and U+FFFF.
        (*byte < 0x20) & (*byte != b'\n') & (*byte != b'\t') & (*byte != b'\r')
            | (*byte == 0x7F)
            | (*byte == 0xC2)
            | (*byte == 0xEF)
    };
    // Nearly all text is printable ASCII and line feeds, which two comparisons recognize.
    let plain = |byte: &u8| (byte.wrapping_sub(0x20) < 0x5F) | (*byte == b'\n');
    let bytes = text.as_bytes();
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        // No early exit, so that the compiler can vectorize the loop.
        if chunk.iter().fold(true, |all, byte| all & plain(byte)) {
            continue;
        }
        for (inner, _) in chunk.iter().enumerate().filter(|(_, byte)| odd(byte)) {
            let at = index * CHUNK + inner;
            let Some(char) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
            if matches!(char, '\0'..='\u{1F}' | '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
            {
                return Some((at, char));
            }
        }
    }
    None
}

//! Plain scalars.

use super::Parser;
use super::build::{Scalar, Text};
use super::class::{self, BLANK, BREAK, FLOW, WORD};
use super::run;
use crate::error::Result;
use crate::tree::Style;

impl Parser<'_> {
    /// Reads a plain scalar of one or several lines.
    #[inline(always)]
    pub(super) fn plain(&mut self, min: usize, flow: bool) -> Result<Scalar> {
        let start = self.at;
        if !class::is(self.here(), WORD) {
            self.plain_start(flow)?;
        }
        let mut end = self.plain_line(flow);
        let mut folded = false;
        // The position to return to if the next line is not part of the scalar.
        let (mut at, mut line) = (self.at, self.line);
        while class::is(self.here(), BREAK) && (flow || self.can_continue(min)) {
            let breaks = self.blank_lines();
            let spaces = self.spaces_before();
            let outside = if flow { spaces < min && self.line + spaces < self.at } else { spaces < min };
            if outside || matches!(self.here(), 0 | b'#') || self.marker(self.at) {
                break;
            }
            let more = self.at;
            let more_end = self.plain_line(flow);
            if more == more_end {
                break;
            }
            if !folded {
                folded = true;
                self.scratch.clear();
                self.scratch.push_str(self.text.get(start..end).unwrap_or_default());
            }
            self.fold(at, breaks);
            self.scratch.push_str(self.text.get(more..more_end).unwrap_or_default());
            (end, at, line) = (more_end, self.at, self.line);
        }
        (self.at, self.line) = (at, line);
        let text = if folded { Text::Scratch } else { Text::Whole };
        Ok(Scalar { start, end, style: Style::Plain, text })
    }

    /// Returns whether the line after this break could belong to the scalar, judging by its indentation. For
    /// nearly all lines it does not.
    #[inline]
    fn can_continue(&self, min: usize) -> bool {
        let line = self.at + self.break_len(self.at);
        let at = run::spaces(self.bytes, line);
        at - line >= min || class::is(self.byte(at), BREAK | BLANK)
    }

    /// Checks that a plain scalar can begin here.
    #[inline]
    fn plain_start(&self, flow: bool) -> Result<()> {
        match self.here() {
            b'-' | b'?' | b':' => {
                let next = self.byte(self.at + 1);
                if self.gap(self.at + 1) || (flow && matches!(next, b',' | b'[' | b']' | b'{' | b'}')) {
                    return Err(self.expected("a value"));
                }
                Ok(())
            }
            0 | b'\n' | b'\r' => Err(self.expected("a value")),
            b'%' | b'@' | b'`' | b'|' | b'>' | b'#' | b'&' | b'*' | b'!' | b',' | b'[' | b']' | b'{'
            | b'}' => Err(self.expected("a value; text that begins like this needs quotes")),
            0xEF if self.slice(self.at, self.at + 3) == "\u{FEFF}" => Err(self.error(
                self.at,
                "found a byte order mark, expected it at the beginning of the text or in quotes",
            )),
            _ => Ok(()),
        }
    }

    /// Skips plain text on one line and the blanks after it, and returns the end of the text.
    #[inline]
    fn plain_line(&mut self, flow: bool) -> usize {
        let start = self.at;
        let mut at = start;
        loop {
            at = if flow { run::flow(self.bytes, at) } else { run::plain(self.bytes, at) };
            let ends = match self.byte(at) {
                b':' => self.gap(at + 1) || (flow && class::is(self.byte(at + 1), FLOW)),
                b'#' => at > start && class::is(self.byte(at - 1), BLANK),
                b'\t' => false,
                _ => true,
            };
            if ends {
                break;
            }
            at += 1;
        }
        self.at = at;
        let mut end = at;
        while end > start && class::is(self.byte(end - 1), BLANK) {
            end -= 1;
        }
        end
    }

    /// Skips line breaks, blank lines and the blanks that begin the next line. Returns the number of breaks.
    pub(super) fn blank_lines(&mut self) -> usize {
        let mut breaks = 0;
        while class::is(self.here(), BREAK) {
            self.newline();
            breaks += 1;
            while matches!(self.here(), b' ' | b'\t') {
                self.at += 1;
            }
        }
        breaks
    }

    /// Returns the number of spaces that begin the line.
    pub(super) fn spaces_before(&self) -> usize {
        let before = self.bytes.get(self.line..self.at).unwrap_or_default();
        before.iter().position(|&byte| byte != b' ').unwrap_or(before.len())
    }
}

//! Block scalars: literal (`|`) and folded (`>`).

use super::Parser;
use super::build::{Scalar, Text};
use super::class::{self, BREAK};
use super::scanner::offset;
use crate::error::Result;
use crate::tree::{Span, Style};

/// The treatment of line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

impl Parser<'_> {
    /// Reads a block scalar. Its span begins at the indicator and ends before its last line break.
    pub(super) fn block_scalar(&mut self, min: usize) -> Result<Scalar> {
        let start = self.at;
        let folded = self.here() == b'>';
        self.at += 1;
        let (chomping, indentation) = self.block_header()?;
        self.scratch.clear();
        self.end = self.at;
        // Breaks not written yet: the following text decides whether they are kept.
        let mut breaks = 0;
        if class::is(self.here(), BREAK) {
            self.newline();
        }
        // The start of those breaks.
        let mut from = self.at;
        let indent = match indentation {
            Some(more) => min.saturating_sub(1) + more,
            None => self.block_indentation(min, &mut breaks)?,
        };
        let mut first = true;
        let mut before_indented = false;
        let mut ended = false;
        loop {
            let line = self.at;
            while self.at - line < indent && self.here() == b' ' {
                self.at += 1;
            }
            if class::is(self.here(), BREAK) {
                breaks += 1;
                if chomping == Chomping::Keep {
                    self.end = self.at;
                }
                self.newline();
                continue;
            }
            if self.here() == 0 || self.at - line < indent || self.marker(self.at) {
                // The search for the next content begins at the start of its line.
                self.at = line;
                break;
            }
            let text = self.at;
            self.line_end();
            let indented = matches!(self.byte(text), b' ' | b'\t');
            if folded && !first && !indented && !before_indented {
                self.fold(from, breaks);
            } else {
                self.keep_breaks(from, breaks, 0);
            }
            self.scratch.push_str(self.text.get(text..self.at).unwrap_or_default());
            self.end = self.at;
            from = self.at;
            (first, before_indented, breaks) = (false, indented, 0);
            if self.here() == 0 {
                ended = true;
                break;
            }
            breaks = 1;
            self.newline();
        }
        match chomping {
            Chomping::Keep => self.keep_breaks(from, breaks, 0),
            Chomping::Clip if !first && breaks > 0 => {
                let last = if self.marked { self.breaks_since(from).first().copied() } else { None };
                self.scratch.push(last.unwrap_or('\n'));
            }
            _ => {}
        }
        if !ended {
            self.line_begun();
        }
        let style = if folded { Style::Folded } else { Style::Literal };
        Ok(Scalar { start, end: self.end, style, text: Text::Scratch })
    }

    /// Sets the state at the beginning of a line as `next_content` would.
    fn line_begun(&mut self) {
        if self.at != self.line {
            return;
        }
        self.indent = self.spaces();
        self.tabbed = false;
        self.blanks();
        self.content = self.at;
    }

    /// Reads what follows `|` or `>` on the line.
    fn block_header(&mut self) -> Result<(Chomping, Option<usize>)> {
        let (mut chomping, mut indentation) = (None, None);
        loop {
            match self.here() {
                b'+' if chomping.is_none() => chomping = Some(Chomping::Keep),
                b'-' if chomping.is_none() => chomping = Some(Chomping::Strip),
                digit @ b'1'..=b'9' if indentation.is_none() => indentation = Some(usize::from(digit - b'0')),
                _ => break,
            }
            self.at += 1;
        }
        let header = self.at;
        self.blanks();
        if self.here() == b'#' && self.at > header {
            let start = self.at;
            self.line_end();
            self.tree.add_comment(Span { start: offset(start), end: offset(self.at) });
        }
        if self.here() != 0 && !class::is(self.here(), BREAK) {
            return Err(
                self.expected("'+', '-', a digit from 1 to 9 or the end of the line after '|' or '>'")
            );
        }
        Ok((chomping.unwrap_or(Chomping::Clip), indentation))
    }

    /// Finds the indentation from the first line that is not blank, and skips the lines before it.
    fn block_indentation(&mut self, min: usize, breaks: &mut usize) -> Result<usize> {
        let mut widest = 0;
        let (mut begin, mut begin_breaks) = (self.at, 0);
        loop {
            let spaces = self.spaces();
            match self.here() {
                b'\n' | b'\r' => {
                    widest = widest.max(spaces);
                    *breaks += 1;
                    self.newline();
                    (begin, begin_breaks) = (self.at, *breaks);
                }
                b'\t' if spaces < min.max(1) => {
                    return Err(self.error(
                        self.at,
                        "found a tab in the indentation of a block scalar, expected spaces",
                    ));
                }
                0 => {
                    (self.at, *breaks) = (begin, begin_breaks);
                    return Ok(widest.max(spaces).max(min));
                }
                // A comment outside all collections ends a scalar outside all collections.
                b'#' if spaces == 0 && widest > 0 => {
                    (self.at, *breaks) = (begin, begin_breaks);
                    return Ok(widest.max(min));
                }
                _ => {
                    if spaces >= min && widest > spaces && !self.marker(self.at) {
                        return Err(self.error(
                            self.at,
                            "found text with less indentation than the blank lines before it, expected an indentation indicator after '|' or '>'",
                        ));
                    }
                    (self.at, *breaks) = (begin, begin_breaks);
                    return Ok(spaces.max(min));
                }
            }
        }
    }
}

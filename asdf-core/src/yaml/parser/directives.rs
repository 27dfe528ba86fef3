//! What comes before and after the document: `%YAML`, `%TAG`, `---`, `...`.

use super::class::{self, BREAK, TAG, URI};
use super::properties::MAX_PREFIX;
use super::{Parser, Wanted};
use crate::error::{Code, Error, Result};
use crate::printable::short;

impl<'t> Parser<'t> {
    /// Moves to the beginning of the document. Returns `None` if there is none.
    pub(super) fn prologue(&mut self) -> Result<Option<Wanted>> {
        if self.text.starts_with('\u{FEFF}') {
            (self.at, self.line, self.content) = (3, 3, 3);
        }
        self.indent = self.spaces();
        self.blanks();
        self.content = self.at;
        let root = |compact| Some(Wanted::new(0, compact, false));
        let (mut directives, mut version, mut handles) = (false, false, Vec::new());
        loop {
            let more = if self.marker(self.at) { false } else { self.next_content()? };
            if more && self.here() == b'%' && self.at == self.line {
                directives = true;
                self.directive(&mut version, &mut handles)?;
                continue;
            }
            let start_marker = self.marker(self.at) && self.here() == b'-';
            if directives && !start_marker {
                return Err(self.expected("'---' after the directives"));
            }
            if start_marker {
                self.at += 3;
                self.end = self.at;
                self.tabbed = false;
                self.tree.set_handles(handles);
                return Ok(root(false));
            }
            if self.marker(self.at) {
                // `...` ends a document that has not begun.
                self.document_end()?;
                continue;
            }
            return Ok(if more { root(true) } else { None });
        }
    }

    fn directive(&mut self, version: &mut bool, handles: &mut Vec<(String, String)>) -> Result<()> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        match name {
            "" => return Err(self.expected("the name of a directive")),
            "YAML" => {
                if std::mem::replace(version, true) {
                    return Err(self.error(start, "found a second %YAML line, expected at most one"));
                }
                self.blanks();
                let at = self.at;
                let number = self.word();
                if !matches!(number, "1.1" | "1.2") {
                    return Err(self.error(
                        at,
                        format!("found the YAML version '{}', expected 1.1 or 1.2", short(number, 40)),
                    ));
                }
            }
            "TAG" => {
                let (handle, prefix) = self.tag_directive()?;
                if self.tags.handles.contains_key(handle) {
                    return Err(self.error(
                        start,
                        format!("found a second %TAG line for '{}', expected at most one", short(handle, 40)),
                    ));
                }
                let meant = self.unescape(start, prefix)?.into_owned();
                self.tags.handles.insert(handle, meant);
                handles.push((handle.to_owned(), prefix.to_owned()));
            }
            // A reserved directive, which YAML says to ignore.
            _ => {
                let mut word = name;
                loop {
                    if word.contains('\u{FEFF}') {
                        return Err(self.error(start, "found a byte order mark in a directive"));
                    }
                    self.blanks();
                    let comment = self.here() == b'#' && self.apart();
                    if class::is(self.here(), BREAK) || self.here() == 0 || comment {
                        break;
                    }
                    word = self.word();
                }
            }
        }
        self.line_done("the end of the line")
    }

    fn tag_directive(&mut self) -> Result<(&'t str, &'t str)> {
        self.blanks();
        let start = self.at;
        let handle = self.word();
        let name = handle.strip_prefix('!').map(|rest| rest.strip_suffix('!').unwrap_or(rest));
        let closed = handle == "!" || (handle.len() >= 2 && handle.ends_with('!'));
        if !closed
            || !name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)))
        {
            return Err(self.error(start, "expected a tag handle like '!' or '!name!' after %TAG"));
        }
        self.blanks();
        let start = self.at;
        let prefix = self.word();
        if prefix.len() > MAX_PREFIX {
            let (line, column) = self.tree.position(super::scanner::offset(start));
            return Err(Error::limit(format!(
                "the tag prefix of {} bytes is larger than the limit of {MAX_PREFIX} bytes",
                prefix.len()
            ))
            .at_position(line, column));
        }
        let first = prefix.bytes().next().unwrap_or(0);
        if !(first == b'!' || class::is(first, TAG)) || !prefix.bytes().all(|byte| class::is(byte, URI)) {
            return Err(self.error(start, "expected the prefix of a tag, a URI or '!', after the handle"));
        }
        Ok((handle, prefix))
    }

    /// Reads up to a blank or the end of the line.
    fn word(&mut self) -> &'t str {
        let start = self.at;
        while !self.gap(self.at) {
            self.at += 1;
        }
        self.slice(start, self.at)
    }

    /// Checks that only a comment follows on the line.
    fn line_done(&mut self, expected: &str) -> Result<()> {
        self.blanks();
        match self.here() {
            0 | b'\n' | b'\r' => Ok(()),
            b'#' if self.apart() => Ok(()),
            _ => Err(self.expected(expected)),
        }
    }

    fn document_end(&mut self) -> Result<()> {
        self.at += 3;
        self.content = usize::MAX;
        self.line_done("the end of the line after '...'")
    }

    /// Checks that nothing follows the document.
    pub(super) fn epilogue(&mut self) -> Result<()> {
        let mut ended = false;
        loop {
            let more = if self.marker(self.at) { false } else { self.next_content()? };
            if !more && self.here() == 0 {
                return Ok(());
            }
            if !more && self.here() == b'.' {
                self.document_end()?;
                ended = true;
                continue;
            }
            // The byte order mark of an optional next document.
            if ended && self.at == self.line && self.slice(self.at, self.at + 3) == "\u{FEFF}" {
                self.at += 3;
                (self.line, self.content) = (self.at, self.at);
                continue;
            }
            if ended || !more {
                let (line, column) = self.tree.position(super::scanner::offset(self.at));
                return Err(Error::malformed("found a second YAML document, expected only one")
                    .with_code(Code::Yaml)
                    .at_position(line, column));
            }
            return Err(self.expected("the end of the document"));
        }
    }
}

//! Block collections and the nodes inside them.

use super::build::Scalar;
use super::class::{self, BREAK, WORD};
use super::properties::Properties;
use super::run;
use super::scanner::offset;
use super::{Next, Parser, Place, Shape, State, Wanted};
use crate::error::Result;
use crate::tree::{NodeId, Span, Style, resolve};

/// The maximum length in characters of a key without `?`, as in libyaml.
const MAX_KEY: usize = 1024;

impl<'t> Parser<'t> {
    /// Reads the next item of a block sequence, or its end.
    pub(super) fn block_item(&mut self) -> Result<Next> {
        let Some(column) = self.entry_line("the next '-' of the sequence, or less indentation")? else {
            return Ok(None);
        };
        if self.here() == b'-' && self.gap(self.at + 1) {
            self.indicator();
            return Ok(Some(Wanted::new(column + 1, true, false)));
        }
        // A sequence at the same column as its parent mapping ends at the next key.
        let parent = self.frames.len().checked_sub(2).and_then(|at| self.frames.get(at));
        if parent.is_some_and(|parent| parent.shape == Shape::BlockMapping && parent.column == column) {
            self.block_end();
            return Ok(None);
        }
        Err(self.expected("'- ' for the next item of the sequence"))
    }

    /// Reads the next key of a block mapping, the value of a key after `?`, or the mapping's end.
    pub(super) fn block_entry(&mut self) -> Result<Next> {
        if self.frames.last().is_some_and(|frame| frame.state == State::Colon) {
            return self.explicit_value();
        }
        let Some(column) = self.entry_line("a key at the column of the keys before, or less indentation")?
        else {
            return Ok(None);
        };
        let value = Wanted::new(column + 1, true, true);
        match self.here() {
            b'?' if self.gap(self.at + 1) => {
                self.indicator();
                self.set_state(State::Colon);
                Ok(Some(value))
            }
            b':' if self.gap(self.at + 1) => {
                let empty = self.add_empty(self.at, Properties::default());
                self.attach(empty);
                self.indicator();
                Ok(Some(value))
            }
            _ => {
                if let Some(key) = self.word_before_colon() {
                    self.children.push(key);
                    self.indicator();
                    return Ok(Some(Wanted::new(column + 1, false, true)));
                }
                let place = Place { start: self.at, key: true, min: column + 1, ..Place::default() };
                let properties = self.properties()?;
                self.content_at(place, properties)
            }
        }
    }

    /// Reads a key that is one word directly followed by `:`, as nearly all keys are.
    #[inline]
    fn word_before_colon(&mut self) -> Option<NodeId> {
        let start = self.at;
        if !class::is(self.here(), WORD) {
            return None;
        }
        let end = run::word(self.bytes, start);
        if end - start > MAX_KEY || self.byte(end) != b':' || !self.gap(end + 1) {
            return None;
        }
        (self.at, self.end) = (end, end);
        let span = Span { start: offset(start), end: offset(end) };
        let kind = resolve(self.slice(start, end));
        Some(self.tree.add_borrowed(kind, Style::Plain, span, span))
    }

    /// Reads what follows a key after `?`: its value after `:`, or nothing.
    fn explicit_value(&mut self) -> Result<Next> {
        let more = self.next_content()?;
        self.set_state(State::Entry);
        let column = self.frames.last().map_or(0, |frame| frame.column);
        if more && self.fresh() && !self.tabbed && self.indent == column && self.value_here() {
            self.indicator();
            return Ok(Some(Wanted::new(column + 1, true, true)));
        }
        let empty = self.add_empty(self.end, Properties::default());
        self.attach(empty);
        Ok(None)
    }

    /// Moves to the line of the next entry of the innermost collection and returns its column.
    ///
    /// Returns `None` if the collection ended instead.
    #[inline]
    fn entry_line(&mut self, expected: &str) -> Result<Option<usize>> {
        let more = if self.marker(self.at) { false } else { self.next_content()? };
        if !more {
            self.block_end();
            return Ok(None);
        }
        let Some(frame) = self.frames.last() else { return Ok(None) };
        let column = frame.column;
        if !self.fresh() {
            // The first entry of a collection can begin after other indicators on its line.
            if self.at == frame.entry && self.children.len() == frame.first {
                return Ok(Some(column));
            }
            return Err(self.expected("the end of the line after a value"));
        }
        if self.indent < column {
            self.block_end();
            return Ok(None);
        }
        if self.tabbed || self.indent > column {
            return Err(self.expected(expected));
        }
        Ok(Some(column))
    }

    fn block_end(&mut self) {
        if let Some(id) = self.close() {
            self.attach(id);
        }
    }

    /// Skips `-`, `?` or `:`.
    fn indicator(&mut self) {
        self.at += 1;
        self.end = self.at;
        self.tabbed = false;
    }

    fn value_here(&self) -> bool {
        self.here() == b':' && self.gap(self.at + 1)
    }

    /// Reads a node of a block: after an indicator, a key, `---`, or at the beginning.
    pub(super) fn block_node(&mut self, wanted: Wanted) -> Result<Next> {
        let (min, mut compact, indentless) = (wanted.min(), wanted.compact(), wanted.indentless());
        let mut outer = Properties::default();
        loop {
            self.blanks();
            if class::is(self.here(), BREAK) || matches!(self.here(), 0 | b'#') {
                let more = self.next_content()?;
                let entry = indentless && self.here() == b'-' && self.gap(self.at + 1);
                let inside = self.indent >= min || (entry && self.indent + 1 == min);
                if !more || !inside {
                    let id = self.add_empty(self.end, outer);
                    self.attach(id);
                    return Ok(None);
                }
                compact = true;
            }
            let start = self.at;
            let column = start - self.line;
            if self.gap(start + 1) && matches!(self.here(), b'-' | b'?' | b':') {
                return self.block_begin(compact, column, outer);
            }
            let tabbed = self.tabbed;
            if class::is(self.here(), WORD) {
                // Most values: no properties can come before them.
                let scalar = self.plain(min, false)?;
                self.end = scalar.end;
                let compact = compact && !tabbed;
                let place = Place { start, compact, min, outer, ..Place::default() };
                return self.scalar_done(place, Properties::default(), scalar);
            }
            let inner = self.properties()?;
            if !inner.is_empty() {
                if class::is(self.here(), BREAK) || matches!(self.here(), 0 | b'#') {
                    outer = self.join(start, outer, inner)?;
                    continue;
                }
                if self.gap(self.at + 1) && matches!(self.here(), b'-' | b'?') {
                    return Err(self.expected("a block collection to begin on the line after its properties"));
                }
            }
            let compact = compact && !tabbed;
            // Aliases inside the content can refer to the mapping of which the content is a key.
            let reserved = match (outer.anchor, self.here()) {
                (Some(name), b'*' | b'[' | b'{') if compact => {
                    let id = self.tree.add_null();
                    self.anchors.insert(self.span_text(name.span()), id);
                    Some(id)
                }
                _ => None,
            };
            let place = Place { start, compact, min, outer, reserved, ..Place::default() };
            return self.content_at(place, inner);
        }
    }

    /// Opens a block collection at an indicator.
    fn block_begin(&mut self, compact: bool, column: usize, outer: Properties) -> Result<Next> {
        if self.tabbed {
            return Err(self.error(
                self.at,
                format!("found a tab in the indentation before {}, expected spaces", self.found()),
            ));
        }
        if !compact {
            return Err(self.expected("a block collection to begin on a line of its own"));
        }
        let shape = if self.here() == b'-' { Shape::BlockSequence } else { Shape::BlockMapping };
        self.open(shape, State::Entry, self.at, column, outer, None)?;
        Ok(None)
    }

    /// Reads a scalar or an alias, or opens a flow collection. It can be a key.
    fn content_at(&mut self, place: Place, inner: Properties) -> Result<Next> {
        let scalar = match self.here() {
            b'*' => {
                if !inner.is_empty() {
                    return Err(self.expected("a node's content; an alias cannot have an anchor or a tag"));
                }
                let id = self.alias()?;
                return self.content_done(place, id);
            }
            b'[' | b'{' => {
                let shape = if self.here() == b'[' { Shape::FlowSequence } else { Shape::FlowMapping };
                let properties = if place.outer.is_empty() || place.compact {
                    inner
                } else {
                    self.join(place.start, place.outer, inner)?
                };
                self.place = Place { tagged: inner.tag != 0, ..place };
                self.flow_begin(shape, place.min, properties)?;
                return Ok(None);
            }
            b'|' | b'>' if !place.key => {
                let properties = self.join(place.start, place.outer, inner)?;
                let scalar = self.block_scalar(place.min)?;
                let id = self.add_scalar(scalar, properties);
                self.attach(id);
                return Ok(None);
            }
            b'"' => self.double_quoted(place.min)?,
            b'\'' => self.single_quoted(place.min)?,
            b':' if self.gap(self.at + 1) && !inner.is_empty() => {
                let empty = self.add_empty(self.end, inner);
                return self.content_done(place, empty);
            }
            _ => self.plain(place.min, false)?,
        };
        self.end = scalar.end;
        self.scalar_done(place, inner, scalar)
    }

    fn scalar_done(&mut self, place: Place, inner: Properties, scalar: Scalar) -> Result<Next> {
        if self.here() == b' ' || self.here() == b'\t' {
            self.blanks_inside();
        }
        if self.value_here() {
            let id = self.add_scalar(scalar, inner);
            return self.key_done(place, id);
        }
        if place.key {
            return Err(self.no_colon(place));
        }
        let properties =
            if place.outer.is_empty() { inner } else { self.join(place.start, place.outer, inner)? };
        let id = self.add_scalar(scalar, properties);
        self.attach(id);
        Ok(None)
    }

    /// Skips blanks that are not indentation.
    fn blanks_inside(&mut self) {
        let tabbed = self.tabbed;
        self.blanks();
        self.tabbed = tabbed;
    }

    fn no_colon(&self, place: Place) -> crate::error::Error {
        let found = self.found();
        self.error(
            self.at,
            format!("found {found}, expected ':' after the key '{}'", self.excerpt(place.start)),
        )
    }

    fn excerpt(&self, start: usize) -> String {
        self.slice(start, self.end.max(start)).chars().take(40).flat_map(char::escape_debug).collect()
    }

    /// Completes an alias or a flow collection, which is a key if `:` follows.
    pub(super) fn content_done(&mut self, place: Place, id: NodeId) -> Result<Next> {
        self.blanks_inside();
        if self.value_here() {
            return self.key_done(place, id);
        }
        if place.key {
            return Err(self.no_colon(place));
        }
        if !place.outer.is_empty() && place.compact {
            self.adopt(place, id)?;
        }
        let id = place.reserved.unwrap_or(id);
        self.attach(id);
        Ok(None)
    }

    /// Gives a flow collection, which could have been a key, the properties of the previous lines.
    fn adopt(&mut self, place: Place, id: NodeId) -> Result<()> {
        let at = place.start;
        if self.byte(at) == b'*' {
            return Err(self.error(
                at,
                "found an alias, expected a node's content; an alias cannot have an anchor or a tag",
            ));
        }
        let node = self.tree.node(id);
        self.clash(at, place.outer, node.anchor().is_some(), place.tagged)?;
        match place.reserved {
            Some(reserved) => {
                self.tree.replace(reserved, id);
                self.label(reserved, place.outer);
            }
            None => self.apply(id, place.outer),
        }
        Ok(())
    }

    /// Checks that a key that ends here is not too long.
    #[inline]
    pub(super) fn measure_key(&self, start: usize) -> Result<()> {
        if self.at - start > MAX_KEY && self.slice(start, self.at).chars().count() > MAX_KEY {
            return Err(self.error(
                self.at,
                format!("found a key of more than {MAX_KEY} characters, expected '? ' before it"),
            ));
        }
        Ok(())
    }

    /// Completes a key at its `:`.
    fn key_done(&mut self, place: Place, key: NodeId) -> Result<Next> {
        if place.start < self.line {
            return Err(
                self.error(self.at, "found ':' after text of several lines, expected a key on one line")
            );
        }
        self.measure_key(place.start)?;
        let column = if place.key {
            place.min - 1
        } else {
            if !place.compact && self.slice(self.line, place.start).contains('\t') {
                return Err(
                    self.error(place.start, "found a tab in the indentation before a key, expected spaces")
                );
            }
            if !place.compact {
                return Err(self
                    .error(self.at, "found ':' inside a value, expected quotes around the value")
                    .with_hint("put the value into quotes, or begin the mapping on a line of its own"));
            }
            let column = place.start - self.line;
            self.open(Shape::BlockMapping, State::Entry, place.start, column, place.outer, place.reserved)?;
            column
        };
        self.children.push(key);
        self.indicator();
        Ok(Some(Wanted::new(column + 1, false, true)))
    }
}

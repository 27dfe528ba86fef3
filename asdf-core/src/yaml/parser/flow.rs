//! Flow collections, in brackets and braces.

use super::properties::Properties;
use super::scanner::offset;
use super::{Next, Parser, Shape, State};
use crate::error::{Error, Result};

impl<'t> Parser<'t> {
    /// Opens a flow collection at its bracket or brace.
    pub(super) fn flow_begin(&mut self, shape: Shape, min: usize, properties: Properties) -> Result<()> {
        self.open(shape, State::Entry, self.at, min, properties, None)?;
        self.flows += 1;
        self.at += 1;
        self.end = self.at;
        Ok(())
    }

    /// Moves to the next content inside a flow collection.
    #[inline]
    fn flow_content(&mut self, min: usize) -> Result<()> {
        if matches!(self.here(), b',' | b']' | b'}') {
            return Ok(());
        }
        if self.next_content()? {
            if self.fresh() && self.tabbed && self.indent < min {
                return Err(self.expected("content of the flow collection"));
            }
            return Ok(());
        }
        Err(self.unfinished())
    }

    /// Creates the error for a document that ends inside a flow collection.
    fn unfinished(&self) -> Error {
        if self.here() == 0 || self.marker(self.at) {
            let opened = self.frames.iter().rev().find(|frame| frame.shape != Shape::FlowPair);
            let (start, close) = match opened {
                Some(frame) if frame.shape == Shape::FlowMapping => (self.tree.span_start(frame.id), '}'),
                Some(frame) => (self.tree.span_start(frame.id), ']'),
                None => (self.at, ']'),
            };
            let open = self.slice(start, start + 1);
            return self.error(
                start,
                format!("found '{open}' and then the end of the document, expected '{close}'"),
            );
        }
        self.expected("the end of the flow collection before the document ends")
    }

    /// Adds the start of the enclosing flow collection to an error, if it is on another line.
    fn still_open(&self, error: Error) -> Error {
        let Some(frame) = self.frames.iter().rev().find(|frame| frame.shape != Shape::FlowPair) else {
            return error;
        };
        let start = self.tree.span_start(frame.id);
        let (line, column) = self.tree.position(offset(start));
        if error.line() == Some(line) {
            return error;
        }
        let open = self.slice(start, start + 1);
        error.with_hint(format!("close the '{open}' in line {line}, column {column}"))
    }

    /// Reads the items of a flow sequence, up to its end or to an item that is a collection.
    pub(super) fn flow_item(&mut self) -> Result<Next> {
        let Some(frame) = self.frames.last() else { return Ok(None) };
        let (min, mut state, mut entry) = (frame.column, frame.state, frame.entry);
        loop {
            self.flow_content(min)?;
            match (state, self.here()) {
                (_, b']') => return self.flow_end(),
                (State::Comma | State::End, b',') => {
                    self.at += 1;
                    self.end = self.at;
                    state = State::Entry;
                    continue;
                }
                (State::Comma, b':') if self.flow_value() => {
                    // The item just read is the key of a mapping without braces.
                    if entry < self.line {
                        let message = "found ':' on another line than its key, expected ',' or ']'";
                        return Err(self.still_open(self.error(self.at, message)));
                    }
                    self.measure_key(entry)?;
                    self.open(Shape::FlowPair, State::Value, entry, min, Properties::default(), None)?;
                    if let Some(pair) = self.frames.last_mut() {
                        pair.first = pair.first.saturating_sub(1);
                    }
                    self.at += 1;
                    self.end = self.at;
                    return Ok(None);
                }
                (State::Comma | State::End, _) => return Err(self.still_open(self.expected("',' or ']'"))),
                (_, b',') => return Err(self.expected("an item or ']'")),
                (_, b'?') if self.gap(self.at + 1) => {
                    self.set_state(State::Comma);
                    self.open(Shape::FlowPair, State::Entry, self.at, min, Properties::default(), None)?;
                    return Ok(None);
                }
                (_, b':') if self.flow_value() => {
                    self.set_state(State::Comma);
                    self.open(Shape::FlowPair, State::Colon, self.at, min, Properties::default(), None)?;
                    let empty = self.add_empty(self.at, Properties::default());
                    self.attach(empty);
                    return Ok(None);
                }
                _ => {}
            }
            (state, entry) = (State::Comma, self.at);
            let depth = self.frames.len();
            self.flow_node(min)?;
            if self.frames.len() > depth {
                // Continue after it later.
                let parent = depth.checked_sub(1).and_then(|at| self.frames.get_mut(at));
                if let Some(frame) = parent {
                    (frame.state, frame.entry) = (state, entry);
                }
                return Ok(None);
            }
        }
    }

    /// Reads the next part of a flow mapping, or of a single-entry mapping without braces.
    pub(super) fn flow_entry(&mut self) -> Result<Next> {
        let Some(frame) = self.frames.last() else { return Ok(None) };
        let (min, state, pair) = (frame.column, frame.state, frame.shape == Shape::FlowPair);
        self.flow_content(min)?;
        let here = self.here();
        let stop = here == b',' || here == if pair { b']' } else { b'}' };
        match state {
            State::Entry if here == b'}' && !pair => self.flow_end(),
            State::Entry if here == b',' && !pair => Err(self.expected("a key or '}'")),
            State::Entry if here == b'?' && self.gap(self.at + 1) => {
                self.at += 1;
                self.end = self.at;
                self.flow_content(min)?;
                self.set_state(State::Colon);
                if matches!(self.here(), b',' | b'}' | b']') || self.flow_value() {
                    let empty = self.add_empty(self.end, Properties::default());
                    self.attach(empty);
                    return Ok(None);
                }
                self.flow_node(min)?;
                Ok(None)
            }
            State::Entry => {
                self.set_state(State::Colon);
                if here == b':' && self.flow_value() {
                    let empty = self.add_empty(self.at, Properties::default());
                    self.attach(empty);
                    return Ok(None);
                }
                self.flow_node(min)?;
                Ok(None)
            }
            State::Colon if here == b':' && self.flow_value() => {
                if self.fresh() && self.indent < min {
                    return Err(self.expected("the ':' of a flow mapping to be indented"));
                }
                self.at += 1;
                self.end = self.at;
                self.set_state(State::Value);
                Ok(None)
            }
            State::Colon | State::Value if stop => {
                let empty = self.add_empty(self.end, Properties::default());
                self.attach(empty);
                self.set_state(State::Comma);
                Ok(None)
            }
            State::Colon => {
                let expected = if pair { "':', ',' or ']'" } else { "':', ',' or '}'" };
                Err(self.still_open(self.expected(expected)))
            }
            State::Value => {
                self.set_state(State::Comma);
                self.flow_node(min)?;
                Ok(None)
            }
            State::Comma if pair => {
                if let Some(id) = self.close() {
                    self.attach(id);
                }
                self.set_state(State::End);
                Ok(None)
            }
            State::Comma if here == b',' => {
                self.at += 1;
                self.end = self.at;
                self.set_state(State::Entry);
                Ok(None)
            }
            State::Comma if here == b'}' => self.flow_end(),
            State::Comma | State::End => Err(self.still_open(self.expected("',' or '}'"))),
        }
    }

    /// Returns whether the `:` here separates key and value.
    fn flow_value(&self) -> bool {
        self.here() == b':'
            && (self.gap(self.at + 1)
                || matches!(self.byte(self.at + 1), b',' | b'[' | b']' | b'{' | b'}')
                // After quotes or a bracket, `:` needs no blank after it, as in JSON.
                || (self.json == self.end && self.json > 0))
    }

    fn flow_end(&mut self) -> Result<Next> {
        self.at += 1;
        self.end = self.at;
        self.json = self.at;
        self.flows -= 1;
        let Some(id) = self.close() else { return Ok(None) };
        if self.flows > 0 {
            self.children.push(id);
            return Ok(None);
        }
        let place = self.place;
        self.content_done(place, id)
    }

    /// Reads a node of a flow collection.
    fn flow_node(&mut self, min: usize) -> Result<()> {
        let start = self.at;
        let mut properties = Properties::default();
        while matches!(self.here(), b'&' | b'!') {
            let more = self.properties()?;
            properties = self.join(start, properties, more)?;
            self.flow_content(min)?;
        }
        let scalar = match self.here() {
            b'[' => return self.flow_begin(Shape::FlowSequence, min, properties),
            b'{' => return self.flow_begin(Shape::FlowMapping, min, properties),
            b'*' => {
                if !properties.is_empty() {
                    return Err(self.expected("a node's content; an alias cannot have an anchor or a tag"));
                }
                let id = self.alias()?;
                self.children.push(id);
                return Ok(());
            }
            b',' | b']' | b'}' if !properties.is_empty() => {
                let id = self.add_empty(self.end, properties);
                self.children.push(id);
                return Ok(());
            }
            b':' if !properties.is_empty() && self.flow_value() => {
                let id = self.add_empty(self.end, properties);
                self.children.push(id);
                return Ok(());
            }
            b'"' => self.double_quoted(min)?,
            b'\'' => self.single_quoted(min)?,
            _ => self.plain(min, true)?,
        };
        self.end = scalar.end;
        let id = self.add_scalar(scalar, properties);
        self.children.push(id);
        Ok(())
    }
}

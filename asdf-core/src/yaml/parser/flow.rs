//! Collections in brackets and braces.

use super::block::MAX_KEY;
use super::properties::Properties;
use super::{Frame, Parser, Shape, State};
use crate::error::Result;

impl<'t> Parser<'t> {
    /// Begins a flow collection at its bracket or brace.
    pub(super) fn flow_begin(&mut self, shape: Shape, min: usize, properties: Properties<'t>) -> Result<()> {
        self.open(shape, State::Entry, self.at, min, properties, None)?;
        self.flows += 1;
        self.at += 1;
        self.end = self.at;
        Ok(())
    }

    /// Goes to the next content inside a flow collection.
    fn flow_content(&mut self, frame: Frame) -> Result<()> {
        if matches!(self.here(), b',' | b']' | b'}') {
            return Ok(());
        }
        if self.next_content()? {
            if self.fresh() && self.tabbed && self.indent < frame.column {
                return Err(self.expected("content of the flow collection"));
            }
            return Ok(());
        }
        if self.here() == 0 {
            let opened = self.frames.iter().rev().find(|frame| frame.shape != Shape::FlowPair);
            let (start, close) = match opened {
                Some(frame) if frame.shape == Shape::FlowMapping => (self.tree.span_start(frame.id), '}'),
                Some(frame) => (self.tree.span_start(frame.id), ']'),
                None => (self.at, ']'),
            };
            let open = self.slice(start, start + 1);
            return Err(self.error(start, format!("found '{open}' and then the end of the text, expected '{close}'")));
        }
        Err(self.expected("the end of the flow collection before the document ends"))
    }

    /// The next step in a flow sequence.
    pub(super) fn flow_item(&mut self, frame: Frame) -> Result<()> {
        self.flow_content(frame)?;
        match (frame.state, self.here()) {
            (_, b']') => self.flow_end(),
            (State::Comma | State::End, b',') => {
                self.at += 1;
                self.end = self.at;
                self.set_state(State::Entry);
                Ok(())
            }
            (State::Comma, b':') if self.flow_value() => {
                // What was taken for an item is the key of a mapping without braces.
                if frame.entry < self.line {
                    return Err(self.error(self.at, "found ':' on another line than its key, expected ',' or ']'"));
                }
                let length = self.at - frame.entry;
                if length > MAX_KEY && self.slice(frame.entry, self.at).chars().count() > MAX_KEY {
                    return Err(self.error(self.at, format!("found a key of more than {MAX_KEY} characters, expected '? ' before it")));
                }
                self.open(Shape::FlowPair, State::Value, frame.entry, frame.column, Properties::default(), None)?;
                if let Some(pair) = self.frames.last_mut() {
                    pair.first = pair.first.saturating_sub(1);
                }
                self.at += 1;
                self.end = self.at;
                Ok(())
            }
            (State::Comma | State::End, _) => Err(self.expected("',' or ']'")),
            (_, b',') => Err(self.expected("an item or ']'")),
            (_, b'?') if self.gap(self.at + 1) => {
                self.set_state(State::Comma);
                self.open(Shape::FlowPair, State::Entry, self.at, frame.column, Properties::default(), None)
            }
            (_, b':') if self.flow_value() => {
                self.set_state(State::Comma);
                self.open(Shape::FlowPair, State::Colon, self.at, frame.column, Properties::default(), None)?;
                let empty = self.add_empty(self.at, Properties::default());
                self.attach(empty);
                Ok(())
            }
            _ => {
                if let Some(frame) = self.frames.last_mut() {
                    (frame.entry, frame.state) = (self.at, State::Comma);
                }
                self.flow_node(frame)
            }
        }
    }

    /// The next step in a flow mapping, or in a mapping of one entry without braces.
    pub(super) fn flow_entry(&mut self, frame: Frame) -> Result<()> {
        self.flow_content(frame)?;
        let pair = frame.shape == Shape::FlowPair;
        let here = self.here();
        let stop = here == b',' || here == if pair { b']' } else { b'}' };
        match frame.state {
            State::Entry if here == b'}' && !pair => self.flow_end(),
            State::Entry if here == b',' && !pair => Err(self.expected("a key or '}'")),
            State::Entry if here == b'?' && self.gap(self.at + 1) => {
                self.at += 1;
                self.end = self.at;
                self.flow_content(frame)?;
                self.set_state(State::Colon);
                if matches!(self.here(), b',' | b'}' | b']') || self.flow_value() {
                    let empty = self.add_empty(self.end, Properties::default());
                    self.attach(empty);
                    return Ok(());
                }
                self.flow_node(frame)
            }
            State::Entry => {
                self.set_state(State::Colon);
                if here == b':' && self.flow_value() {
                    let empty = self.add_empty(self.at, Properties::default());
                    self.attach(empty);
                    return Ok(());
                }
                self.flow_node(frame)
            }
            State::Colon if here == b':' && self.flow_value() => {
                if self.fresh() && self.indent < frame.column {
                    return Err(self.expected("the ':' of a flow mapping to be indented"));
                }
                self.at += 1;
                self.end = self.at;
                self.set_state(State::Value);
                Ok(())
            }
            State::Colon | State::Value if stop => {
                let empty = self.add_empty(self.end, Properties::default());
                self.attach(empty);
                self.set_state(State::Comma);
                Ok(())
            }
            State::Colon => Err(self.expected(if pair { "':', ',' or ']'" } else { "':', ',' or '}'" })),
            State::Value => {
                self.set_state(State::Comma);
                self.flow_node(frame)
            }
            State::Comma if pair => {
                if let Some(id) = self.close() {
                    self.attach(id);
                }
                self.set_state(State::End);
                Ok(())
            }
            State::Comma if here == b',' => {
                self.at += 1;
                self.end = self.at;
                self.set_state(State::Entry);
                Ok(())
            }
            State::Comma if here == b'}' => self.flow_end(),
            State::Comma | State::End => Err(self.expected("',' or '}'")),
        }
    }

    /// Whether the `:` here is the one between key and value.
    fn flow_value(&self) -> bool {
        self.here() == b':'
            && (self.gap(self.at + 1)
                || matches!(self.byte(self.at + 1), b',' | b'[' | b']' | b'{' | b'}')
                // After quotes or a bracket it needs no blank behind it, as in JSON.
                || (self.json == self.end && self.json > 0))
    }

    fn flow_end(&mut self) -> Result<()> {
        self.at += 1;
        self.end = self.at;
        self.json = self.at;
        self.flows -= 1;
        let Some(id) = self.close() else { return Ok(()) };
        if self.flows > 0 {
            self.children.push(id);
            return Ok(());
        }
        let place = self.place;
        self.content_done(place, id)
    }

    /// A node of a flow collection.
    fn flow_node(&mut self, frame: Frame) -> Result<()> {
        let start = self.at;
        let mut properties = Properties::default();
        while matches!(self.here(), b'&' | b'!') {
            let more = self.properties()?;
            properties = self.join(start, properties, more)?;
            self.flow_content(frame)?;
        }
        let scalar = match self.here() {
            b'[' => return self.flow_begin(Shape::FlowSequence, frame.column, properties),
            b'{' => return self.flow_begin(Shape::FlowMapping, frame.column, properties),
            b'*' => {
                if !properties.is_empty() {
                    return Err(self.expected("a node's content; an alias has no properties of its own"));
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
            b'"' => self.double_quoted(frame.column)?,
            b'\'' => self.single_quoted(frame.column)?,
            _ => self.plain(frame.column, true)?,
        };
        self.end = scalar.span.end as usize;
        let id = self.add_scalar(scalar, properties);
        self.children.push(id);
        Ok(())
    }
}

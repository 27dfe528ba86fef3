//! Creating and attaching nodes.

use super::properties::{Properties, Tags};
use super::scanner::offset;
use super::{Frame, Parser, Shape, State};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::tree::{Kind, NodeId, Span, Style};

/// A scalar that was read but is not a node yet.
///
/// The fields are whole words. The value is used immediately, and a load of a word would have to wait for
/// stores to its parts.
#[derive(Clone, Copy)]
pub(super) struct Scalar {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) style: Style,
    pub(super) text: Text,
}

/// The location of a scalar's text.
#[derive(Clone, Copy)]
pub(super) enum Text {
    /// The text as written.
    Whole,
    /// The text between the quotes.
    Inside,
    /// The parser's scratch buffer.
    Scratch,
}

impl<'t> Parser<'t> {
    #[inline]
    pub(super) fn add_scalar(&mut self, scalar: Scalar, properties: Properties) -> NodeId {
        let span = Span { start: offset(scalar.start), end: offset(scalar.end) };
        let at = match scalar.text {
            Text::Whole => span,
            Text::Inside => Span { start: span.start + 1, end: span.end - 1 },
            Text::Scratch => {
                let kind = self.tags.kind(&self.scratch, scalar.style, properties.tag);
                let id = self.tree.add_scalar(kind, scalar.style, &self.scratch, span);
                self.apply(id, properties);
                return id;
            }
        };
        let kind = self.tags.kind(self.span_text(at), scalar.style, properties.tag);
        let id = self.tree.add_borrowed(kind, scalar.style, at, span);
        self.apply(id, properties);
        id
    }

    /// Adds a node that is absent from the text.
    pub(super) fn add_empty(&mut self, at: usize, properties: Properties) -> NodeId {
        self.add_scalar(Scalar { start: at, end: at, style: Style::Plain, text: Text::Whole }, properties)
    }

    /// Sets the properties of a node and makes it available to aliases.
    #[inline]
    pub(super) fn apply(&mut self, id: NodeId, properties: Properties) {
        self.label(id, properties);
        if let Some(name) = properties.anchor {
            self.anchors.insert(self.span_text(name.span()), id);
        }
    }

    /// Sets the properties of a node that is already available to aliases.
    #[inline]
    pub(super) fn label(&mut self, id: NodeId, properties: Properties) {
        if properties.tag != 0 {
            self.tree.set_tag_index(id, Tags::index(properties.tag));
        }
        if let Some(name) = properties.anchor {
            self.tree.set_anchor_at(id, name.span());
        }
    }

    pub(super) fn attach(&mut self, id: NodeId) {
        if self.frames.is_empty() {
            self.tree.set_root(id);
        } else {
            self.children.push(id);
        }
    }

    /// Opens a collection. `reserved` is a node that was created for it before.
    pub(super) fn open(
        &mut self,
        shape: Shape,
        state: State,
        start: usize,
        column: usize,
        properties: Properties,
        reserved: Option<NodeId>,
    ) -> Result<()> {
        if self.frames.len() >= self.max_depth {
            let (line, column) = self.tree.position(offset(start));
            return Err(Error::limit(format!("the tree nests deeper than {} levels", self.max_depth))
                .with_code(Code::Depth)
                .at_position(line, column)
                .with_hint(Hint::Raise {
                    limit: LimitName::TreeDepth,
                    from: self.max_depth as u64,
                    to: None,
                }));
        }
        let (kind, style) = match shape {
            Shape::BlockSequence => (Kind::Sequence, Style::Block),
            Shape::BlockMapping => (Kind::Mapping, Style::Block),
            Shape::FlowSequence => (Kind::Sequence, Style::Flow),
            Shape::FlowMapping | Shape::FlowPair => (Kind::Mapping, Style::Flow),
        };
        let made = self.tree.add_open(kind, style, offset(start));
        let id = match reserved {
            Some(id) => {
                self.tree.replace(id, made);
                self.label(id, properties);
                id
            }
            None => {
                self.apply(made, properties);
                made
            }
        };
        self.frames.push(Frame { shape, state, id, first: self.children.len(), column, entry: start });
        Ok(())
    }

    /// Closes the innermost collection, at the end of the last node or indicator.
    pub(super) fn close(&mut self) -> Option<NodeId> {
        let frame = self.frames.pop()?;
        let children = self.children.get(frame.first..).unwrap_or_default();
        self.tree.fill(frame.id, children, offset(self.end));
        self.children.truncate(frame.first);
        Some(frame.id)
    }
}

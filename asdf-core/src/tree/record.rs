//! What the arena keeps of a node: twenty bytes, since a tree has as many as its text has words.

use super::{Kind, Span, Style};

/// The most tags that a tree can tell apart.
pub(super) const MAX_TAGS: u32 = (1 << 24) - 1;

const KIND: u32 = 0b111;
const STYLE: u32 = 0b11_1000;
const SIDE: u32 = 1 << 6;
const GROWN: u32 = 1 << 7;
const STYLE_AT: u32 = 3;
const TAG_AT: u32 = 8;

/// What the arena keeps of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    /// Kind, style, the two flags, and the tag, from the lowest bit on.
    head: u32,
    /// The first byte of a scalar's text, or the first child.
    pub(super) start: u32,
    /// The length of a scalar's text, or the number of children; a mapping has two for each entry.
    pub(super) len: u32,
    pub(super) span: Span,
}

impl Record {
    /// A node without a tag. Its text, if it has one, is in the parsed text.
    #[inline]
    pub(super) fn new(kind: Kind, style: Style, start: u32, len: u32, span: Span) -> Self {
        Self { head: kind as u32 | (style as u32) << STYLE_AT, start, len, span }
    }

    /// The same, with the text in the tree's side buffer.
    pub(super) fn aside(self) -> Self {
        Self { head: self.head | SIDE, ..self }
    }

    #[inline]
    pub(super) fn kind(self) -> Kind {
        match self.head & KIND {
            0 => Kind::Null,
            1 => Kind::Bool,
            2 => Kind::Int,
            3 => Kind::Float,
            4 => Kind::String,
            5 => Kind::Timestamp,
            6 => Kind::Sequence,
            _ => Kind::Mapping,
        }
    }

    #[inline]
    pub(super) fn style(self) -> Style {
        match (self.head & STYLE) >> STYLE_AT {
            0 => Style::Any,
            1 => Style::Plain,
            2 => Style::SingleQuoted,
            3 => Style::DoubleQuoted,
            4 => Style::Literal,
            5 => Style::Folded,
            6 => Style::Block,
            _ => Style::Flow,
        }
    }

    pub(super) fn set_style(&mut self, style: Style) {
        self.head = self.head & !STYLE | (style as u32) << STYLE_AT;
    }

    /// Whether a scalar's text is in the tree's side buffer instead of the parsed text.
    #[inline]
    pub(super) fn side(self) -> bool {
        self.head & SIDE != 0
    }

    /// One more than the tag's index; zero for none.
    #[inline]
    pub(super) fn tag(self) -> u32 {
        self.head >> TAG_AT
    }

    /// Sets the tag: one more than its index, at most [`MAX_TAGS`].
    pub(super) fn set_tag(&mut self, tag: u32) {
        self.head = self.head & (KIND | STYLE | SIDE | GROWN) | tag << TAG_AT;
    }

    /// Whether the children were moved to where there is room behind them; how much is kept in the
    /// slot before the first.
    pub(super) fn grown(self) -> bool {
        self.head & GROWN != 0
    }

    /// Says where the children were moved to, with room behind them.
    pub(super) fn grow(&mut self, start: u32) {
        self.start = start;
        self.head |= GROWN;
    }

    /// The same with another place in the text.
    pub(super) fn with_span(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// Says where the children are, without room behind them.
    pub(super) fn place(&mut self, start: u32, len: u32) {
        (self.start, self.len) = (start, len);
        self.head &= !GROWN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small_and_keeps_everything() {
        assert_eq!(size_of::<Record>(), 20);
        let kinds = [
            Kind::Null,
            Kind::Bool,
            Kind::Int,
            Kind::Float,
            Kind::String,
            Kind::Timestamp,
            Kind::Sequence,
            Kind::Mapping,
        ];
        let styles = [
            Style::Any,
            Style::Plain,
            Style::SingleQuoted,
            Style::DoubleQuoted,
            Style::Literal,
            Style::Folded,
            Style::Block,
            Style::Flow,
        ];
        for kind in kinds {
            for style in styles {
                let mut record = Record::new(kind, Style::Any, 7, 3, Span { start: 1, end: 9 });
                record.set_tag(MAX_TAGS);
                record.set_style(style);
                assert_eq!((record.kind(), record.style(), record.tag()), (kind, style, MAX_TAGS));
                assert_eq!((record.side(), record.aside().side()), (false, true));
                record.grow(8);
                record.set_tag(5);
                assert_eq!((record.kind(), record.style(), record.tag()), (kind, style, 5));
                assert!(record.grown());
                record.place(1, 2);
                assert!(!record.grown());
            }
        }
    }
}

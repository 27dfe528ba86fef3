//! The arena's record of a node.
//!
//! A record has only twelve bytes, because a tree has about one node per word of its text. A node whose range
//! in the text differs from its content needs twelve more.

use super::{Kind, Span, Style};

/// The maximum number of tags in a tree.
pub(super) const MAX_TAGS: u32 = (1 << 22) - 1;

const KIND: u32 = 0b111;
const STYLE: u32 = 0b111 << STYLE_AT;
const FORM: u32 = 0b11 << FORM_AT;
/// A scalar's content is in the tree's side buffer instead of the parsed text.
const SIDE: u32 = 1 << 8;
/// There is unused room after the children.
const GROWN: u32 = 1 << 9;
const STYLE_AT: u32 = 3;
const FORM_AT: u32 = 6;
const TAG_AT: u32 = 10;

/// The meaning of the two numbers of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A range of the text that equals the content.
    Written,
    /// A range of the text that begins and ends with a quote. The content is between the quotes.
    Quoted,
    /// The start and length of the content. The node is not part of the text.
    Made,
    /// The number of a [`Place`], and the length of the content.
    Placed,
}

/// A node in the arena.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    /// Kind, style, form, flags and tag, starting at the lowest bit.
    head: u32,
    first: u32,
    second: u32,
}

/// The range of a node in the text, and the start of its content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    start: u32,
    span: Span,
}

/// The location of a node's content: a scalar's bytes or a collection's children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Record {
    fn new(kind: Kind, style: Style, form: Form, first: u32, second: u32) -> Self {
        let head = kind as u32 | (style as u32) << STYLE_AT | (form as u32) << FORM_AT;
        Self { head, first, second }
    }

    /// Creates a node with its content at `start` of the parsed text, the side buffer or the children.
    ///
    /// `span` is its range in the text. A node made by a program has none.
    pub(super) fn at(
        kind: Kind,
        style: Style,
        (start, len): (u32, u32),
        span: Option<Span>,
        places: &mut Vec<Place>,
    ) -> Self {
        let Some(span) = span else { return Self::new(kind, style, Form::Made, start, len) };
        // Places are fewer than nodes, and the number of nodes is limited.
        let place = u32::try_from(places.len()).unwrap_or(u32::MAX);
        places.push(Place { start, span });
        Self::new(kind, style, Form::Placed, place, len)
    }

    /// Creates a scalar whose content is a range of the parsed text.
    #[inline]
    pub(super) fn written(kind: Kind, style: Style, text: Span, span: Span, places: &mut Vec<Place>) -> Self {
        if text == span {
            Self::new(kind, style, Form::Written, span.start, span.end)
        } else if text.start == span.start + 1 && text.end + 1 == span.end {
            Self::new(kind, style, Form::Quoted, span.start, span.end)
        } else {
            Self::at(kind, style, (text.start, text.end - text.start), Some(span), places)
        }
    }

    /// Returns the record with its content in the tree's side buffer.
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

    #[inline]
    fn form(self) -> Form {
        match (self.head & FORM) >> FORM_AT {
            0 => Form::Written,
            1 => Form::Quoted,
            2 => Form::Made,
            _ => Form::Placed,
        }
    }

    /// Returns whether a scalar's content is in the tree's side buffer instead of the parsed text.
    #[inline]
    pub(super) fn side(self) -> bool {
        self.head & SIDE != 0
    }

    /// Returns the tag's index plus one; zero for none.
    #[inline]
    pub(super) fn tag(self) -> u32 {
        self.head >> TAG_AT
    }

    /// Sets the tag's index plus one, at most [`MAX_TAGS`].
    pub(super) fn set_tag(&mut self, tag: u32) {
        self.head = self.head & ((1 << TAG_AT) - 1) | tag << TAG_AT;
    }

    fn place(self, places: &[Place]) -> Place {
        let none = Place { start: 0, span: Span::default() };
        places.get(self.first as usize).copied().unwrap_or(none)
    }

    /// Returns the node's range in the text; empty for a node made by a program.
    #[inline]
    pub(super) fn span(self, places: &[Place]) -> Span {
        match self.form() {
            Form::Written | Form::Quoted => Span { start: self.first, end: self.second },
            Form::Made => Span::default(),
            Form::Placed => self.place(places).span,
        }
    }

    /// Returns the range of a scalar's bytes or of a collection's children.
    #[inline]
    pub(super) fn content(self, places: &[Place]) -> Content {
        let (start, len) = match self.form() {
            Form::Written => (self.first, self.second - self.first),
            Form::Quoted => (self.first + 1, self.second - self.first - 2),
            Form::Made => (self.first, self.second),
            Form::Placed => (self.place(places).start, self.second),
        };
        Content { start: start as usize, len: len as usize }
    }

    /// Returns the number of a collection's children. A mapping has two for each entry.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.second as usize
    }

    /// Sets the number of a collection's children.
    pub(super) fn set_len(&mut self, len: usize) {
        self.second = u32::try_from(len).unwrap_or(u32::MAX);
    }

    /// Returns whether there is unused room after a collection's children. The slot before the first child
    /// holds the amount.
    pub(super) fn grown(self) -> bool {
        self.head & GROWN != 0
    }

    /// Sets the start of a collection's children, and whether there is unused room after them.
    pub(super) fn set_start(&mut self, start: u32, grown: bool, places: &mut [Place]) {
        match self.form() {
            Form::Placed => {
                if let Some(place) = places.get_mut(self.first as usize) {
                    place.start = start;
                }
            }
            _ => self.first = start,
        }
        self.head = if grown { self.head | GROWN } else { self.head & !GROWN };
    }

    /// Sets the end of a collection in the text.
    pub(super) fn set_end(self, end: u32, places: &mut [Place]) {
        if let (Form::Placed, Some(place)) = (self.form(), places.get_mut(self.first as usize)) {
            place.span.end = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { start: 10, end: 20 };

    #[test]
    fn a_record_is_small_and_keeps_everything() {
        assert_eq!((size_of::<Record>(), size_of::<Place>()), (12, 12));
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
        for kind in Kind::ALL {
            for style in styles {
                let mut places = Vec::new();
                let mut record = Record::at(kind, Style::Any, (7, 3), Some(SPAN), &mut places).aside();
                record.set_start(9, true, &mut places);
                record.set_end(30, &mut places);
                record.set_tag(MAX_TAGS);
                record.set_style(style);
                assert_eq!((record.kind(), record.style(), record.tag()), (kind, style, MAX_TAGS));
                record.set_tag(5);
                assert_eq!((record.kind(), record.style(), record.tag()), (kind, style, 5));
                assert_eq!(record.content(&places), Content { start: 9, len: 3 });
                assert_eq!(record.span(&places), Span { start: 10, end: 30 });
                assert!(record.side() && record.grown());
            }
        }
    }

    #[test]
    fn a_scalar_that_is_its_text_needs_no_place() {
        let mut places = Vec::new();
        let mut add = |text| Record::written(Kind::String, Style::Any, text, SPAN, &mut places);
        let plain = add(SPAN);
        let mut quoted = add(Span { start: 11, end: 19 });
        let odd = add(Span { start: 12, end: 19 });
        // The content is between the quotes, whatever the style.
        quoted.set_style(Style::Plain);
        assert_eq!(places.len(), 1);
        for (record, start, len) in [(plain, 10, 10), (quoted, 11, 8), (odd, 12, 7)] {
            assert_eq!(record.content(&places), Content { start, len });
            assert_eq!(record.span(&places), SPAN);
        }
        let made = Record::at(Kind::Int, Style::Any, (3, 4), None, &mut places).aside();
        assert_eq!(
            (made.content(&places), made.span(&places)),
            (Content { start: 3, len: 4 }, Span::default())
        );
    }
}

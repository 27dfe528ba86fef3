//! The reference parser in tests: composes the same trees from the events of granit-parser.

use std::collections::HashMap;
use std::sync::Arc;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle, Tag};

use super::ParseOptions;
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::tree::{Kind, NodeId, Span, Style, Tree, YAML_TAG, has_int, resolve, to_bool, to_f64};

/// Reads a document like `yaml::parse_with`.
pub(crate) fn parse_with(text: Arc<str>, options: ParseOptions) -> Result<Tree> {
    let mut composer = Composer {
        tree: Tree::over(text.clone(), options.origin),
        text: &text,
        anchors: HashMap::new(),
        open: Vec::new(),
        children: Vec::new(),
        last: None,
        documents: 0,
    };
    let settings = granit_parser::options! {
        emit_anchor_events: true,
        flow_nesting_limit: options.max_depth,
        block_nesting_limit: options.max_depth,
    };
    let mut parser = Parser::new_from_str_with_options(&text, settings);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let line = u32::try_from(error.marker().line()).unwrap_or(u32::MAX);
            let column = u32::try_from(error.marker().col()).unwrap_or(u32::MAX);
            let kind = match error.kind() {
                granit_parser::ErrorKind::RecursionLimitExceeded => ErrorKind::Limit,
                _ => ErrorKind::Malformed,
            };
            Error::new(kind, format!("the tree is not YAML: {}", error.info())).at_position(
                options.origin.line.saturating_add(line.saturating_sub(1)),
                column.saturating_add(1),
            )
        })?;
        composer.take(event, Span { start: offset(&span.start), end: offset(&span.end) })?;
    }
    let mut tree = composer.tree;
    tree.set_handles(handles(&text));
    Ok(tree)
}

fn offset(marker: &granit_parser::Marker) -> u32 {
    marker.byte_offset().and_then(|byte| u32::try_from(byte).ok()).unwrap_or(0)
}

/// A collection that has not ended yet.
struct Open {
    id: NodeId,
    /// The start of its children in the composer's stack.
    first: usize,
}

struct Composer<'t> {
    tree: Tree,
    text: &'t str,
    anchors: HashMap<usize, NodeId>,
    open: Vec<Open>,
    children: Vec<NodeId>,
    /// The node to which an anchor event refers.
    last: Option<NodeId>,
    documents: usize,
}

impl Composer<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<()> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let (line, column) = self.tree.position(span.start);
                    return Err(Error::malformed("found a second YAML document, expected only one")
                        .at_position(line, column));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let id = self.scalar(&text, style, tag.as_deref(), span);
                self.place(id, anchor);
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.begin(Kind::Sequence, style, anchor, tag.as_deref(), span)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.begin(Kind::Mapping, style, anchor, tag.as_deref(), span)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    let children = self.children.get(open.first..).unwrap_or_default();
                    self.tree.fill(open.id, children, span.end);
                    self.children.truncate(open.first);
                    self.attach(open.id);
                }
            }
            Event::Alias(anchor) => {
                if let Some(&id) = self.anchors.get(&anchor) {
                    self.attach(id);
                }
            }
            Event::Anchor(_, name) => {
                if let Some(id) = self.last {
                    self.tree.set_anchor(id, Some(&name));
                }
            }
            Event::Comment(..) => self.tree.add_comment(span),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, kind: Kind, style: StructureStyle, anchor: usize, tag: Option<&Tag>, span: Span) {
        let style = match style {
            StructureStyle::Flow => Style::Flow,
            StructureStyle::Block => Style::Block,
        };
        let id = self.tree.add_collection(kind, style, [], Some(span));
        self.tag(id, tag);
        self.last = Some(id);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.open.push(Open { id, first: self.children.len() });
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> NodeId {
        // A node that is absent from the text is reported as a plain `~` without a position.
        let absent = style == ScalarStyle::Plain && span.start == span.end;
        let text = if absent { "" } else { text };
        let plain = style == ScalarStyle::Plain;
        let kind = kind_of(text, plain, tag);
        let style = match style {
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
            _ => Style::Plain,
        };
        let id = match self.borrowed(text) {
            Some(at) => self.tree.add_borrowed(kind, style, at, span),
            None => self.tree.add_scalar(kind, style, text, span),
        };
        self.tag(id, tag);
        id
    }

    /// Returns the range of a scalar in the text, if the library returned a slice of it.
    fn borrowed(&self, text: &str) -> Option<Span> {
        let start = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let end = start.checked_add(text.len())?;
        let lent = end <= self.text.len() && !text.is_empty();
        lent.then_some(Span { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? })
    }

    fn tag(&mut self, id: NodeId, tag: Option<&Tag>) {
        if let Some(tag) = tag.filter(|tag| !non_specific(tag)) {
            self.tree.set_tag(id, Some(&format!("{}{}", tag.handle(), tag.suffix())));
        }
    }

    fn place(&mut self, id: NodeId, anchor: usize) {
        self.last = Some(id);
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.attach(id);
    }

    fn attach(&mut self, id: NodeId) {
        if self.open.is_empty() {
            self.tree.set_root(id);
        } else {
            self.children.push(id);
        }
    }
}

/// Returns whether a tag is only `!`: then the scalar resolves as if it were plain, whatever its quotes, as
/// in PyYAML.
///
/// libyaml writes timestamps in flow mappings like this.
fn non_specific(tag: &Tag) -> bool {
    tag.handle().is_empty() && tag.suffix() == "!"
}

fn kind_of(text: &str, plain: bool, tag: Option<&Tag>) -> Kind {
    let Some(tag) = tag else {
        return if plain { resolve(text) } else { Kind::String };
    };
    if non_specific(tag) {
        return resolve(text);
    }
    let core = tag.suffix_in_namespace(YAML_TAG);
    match core.as_deref() {
        Some("null") => Kind::Null,
        Some("int") if has_int(text) => Kind::Int,
        Some("float") if to_f64(text).is_some() => Kind::Float,
        Some("bool") if to_bool(text).is_some() => Kind::Bool,
        Some("timestamp") if resolve(text) == Kind::Timestamp => Kind::Timestamp,
        Some(_) => Kind::String,
        None if plain => resolve(text),
        None => Kind::String,
    }
}

/// Returns the `%TAG` lines before the document, for writing. The parser itself resolves tags.
fn handles(text: &str) -> Vec<(String, String)> {
    let mut handles = Vec::new();
    for line in text.lines() {
        if line.starts_with("---") {
            break;
        }
        let mut words = line.split_whitespace();
        if let (Some("%TAG"), Some(handle), Some(prefix)) = (words.next(), words.next(), words.next()) {
            handles.push((handle.to_owned(), prefix.to_owned()));
        } else if !(line.starts_with(['%', '#']) || line.trim().is_empty()) {
            break;
        }
    }
    handles
}

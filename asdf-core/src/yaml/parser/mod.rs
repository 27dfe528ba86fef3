//! The parser: one pass over the text, directly into the tree's memory.
//!
//! Scalars whose text is their content are ranges of the text. Only folded and escaped ones are copied. Open
//! collections are kept in a stack of frames, so nesting needs no call stack. A key is recognized at its `:`,
//! after its node was created, so no text is scanned twice. Line and column are computed on demand.
//!
//! The grammar follows YAML 1.2 if it is stricter or clearer than 1.1 (both give the same trees). The meaning
//! of scalars follows YAML 1.1. If the two disagree:
//!
//! - NEL, LS and PS are line breaks, as in YAML 1.1 (see `breaks`). Our emitter escapes them.
//! - In a flow collection, `?x` is text. An anchor's name can contain other characters than letters, digits,
//!   `_` and `-`.
//! - Directives that YAML does not define are ignored. A `%YAML` version other than 1.1 and 1.2 is an error.
//! - As in libyaml, the lines of a flow collection need no indentation, and a tab before a key or a dash is
//!   an error. A block scalar truncated by the end of the text has no line break at its end.

mod anchors;
mod block;
mod breaks;
mod build;
mod class;
mod directives;
mod flow;
mod literal;
mod plain;
mod properties;
mod quoted;
mod run;
mod scanner;

use std::num::NonZeroU64;
use std::sync::Arc;

use super::ParseOptions;
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::tree::{NodeId, Tree};
use anchors::Anchors;
use properties::{Properties, Tags};

/// Reads one document.
pub(super) fn parse(text: Arc<str>, options: ParseOptions) -> Result<Tree> {
    let mut tree = Tree::over(text.clone(), options.origin);
    if let Some((at, char)) = scanner::unprintable(&text) {
        let (line, column) = tree.position(scanner::offset(at));
        return Err(Error::malformed(format!(
            "the tree is not YAML: found the character U+{:04X}, which YAML does not allow",
            u32::from(char)
        ))
        .with_code(Code::Yaml)
        .at_position(line, column));
    }
    tree.make_room(text.len());
    let marked = breaks::marked(&text);
    let source = marked.as_deref().unwrap_or(&text);
    let mut parser = Parser {
        text: source,
        bytes: source.as_bytes(),
        marked: marked.is_some(),
        tree,
        at: 0,
        line: 0,
        indent: 0,
        content: 0,
        end: 0,
        json: 0,
        tabbed: false,
        frames: Vec::new(),
        flows: 0,
        place: Place::default(),
        children: Vec::new(),
        scratch: String::new(),
        anchors: Anchors::default(),
        tags: Tags::default(),
        max_depth: options.max_depth,
        max_nodes: options.max_nodes,
        max_tag_bytes: options.max_tag_bytes.unwrap_or(text.len().saturating_mul(16).saturating_add(1 << 20)),
    };
    parser.document()?;
    if parser.tree.is_full() {
        return Err(
            Error::limit("the tree has 2^32 or more nodes, tags or bytes of text").with_code(Code::TreeSize)
        );
    }
    Ok(parser.tree)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Whether `text` is a copy with marked line breaks.
    marked: bool,
    tree: Tree,
    /// The position of the next byte to read.
    at: usize,
    /// The start of the line of that byte.
    line: usize,
    /// The number of spaces at the start of that line.
    indent: usize,
    /// The start of that line's content, if `next_content` reached the line.
    content: usize,
    /// The end of the last node or indicator.
    end: usize,
    /// The end of the last node in a form that JSON has too: quoted or in brackets.
    json: usize,
    /// Whether a tab was skipped since the start of the line or the last indicator of a block collection.
    tabbed: bool,
    frames: Vec<Frame>,
    /// The number of open flow collections.
    flows: usize,
    /// The place of the outermost open flow collection, which could be a key.
    place: Place,
    /// The children of all open collections.
    children: Vec<NodeId>,
    /// A buffer for folded and unescaped text.
    scratch: String,
    anchors: Anchors<'t>,
    tags: Tags<'t>,
    max_depth: usize,
    max_nodes: usize,
    max_tag_bytes: usize,
}

/// A collection that has not ended yet.
struct Frame {
    shape: Shape,
    state: State,
    id: NodeId,
    /// The start of its children in the parser's stack.
    first: usize,
    /// The column of a block collection's entries, or the minimum column of a flow collection's lines.
    column: usize,
    /// The start of the current entry of a flow collection.
    entry: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
    /// A mapping of one entry without braces, in a flow sequence.
    FlowPair,
}

/// What a collection expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// An entry, or the end.
    Entry,
    /// `:`, after a key announced by `?`, or after any key in a flow mapping.
    Colon,
    /// A value in a flow collection.
    Value,
    /// `,` or the end of a flow collection.
    Comma,
    /// `,` or the end, after an item that cannot be a key.
    End,
}

/// What to read next: a block node, or what the innermost open collection expects.
type Next = Option<Wanted>;

/// A block node to read, packed into one word that fits a register.
#[derive(Clone, Copy)]
struct Wanted(NonZeroU64);

impl Wanted {
    /// Packs the minimum column of the node's lines and two flags.
    ///
    /// `compact` says that a block collection can begin on this line. `indentless` says that a sequence can
    /// be at the column of the mapping whose value it is.
    fn new(min: usize, compact: bool, indentless: bool) -> Self {
        let word = (min as u64) << 2 | u64::from(compact) << 1 | u64::from(indentless);
        Self(NonZeroU64::MIN.saturating_add(word))
    }

    fn min(self) -> usize {
        usize::try_from((self.0.get() - 1) >> 2).unwrap_or(usize::MAX)
    }

    fn compact(self) -> bool {
        (self.0.get() - 1) & 2 != 0
    }

    fn indentless(self) -> bool {
        (self.0.get() - 1) & 1 != 0
    }
}

/// The position of content in a block, and what it can be.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The start of the content, including properties on the same line.
    start: usize,
    /// Whether it can be the first key of a new block mapping.
    compact: bool,
    /// Whether it must be a key of the open mapping.
    key: bool,
    /// The minimum column of its further lines.
    min: usize,
    /// The properties on the previous lines. If this is a key, they belong to the mapping.
    outer: Properties,
    /// Whether a flow collection has a tag of its own, even if that is only `!`.
    tagged: bool,
    /// The node created for the outer properties, so that aliases inside can refer to it.
    reserved: Option<NodeId>,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<()> {
        let Some(wanted) = self.prologue()? else { return Ok(()) };
        let mut next = Some(wanted);
        loop {
            // A frame returns the node that it expects next, and that node can expect another one (a key its
            // value).
            while let Some(wanted) = next {
                next = self.block_node(wanted)?;
            }
            if self.tree.len() > self.max_nodes {
                return Err(self.too_many_nodes());
            }
            next = match self.frames.last().map(|frame| frame.shape) {
                Some(Shape::BlockSequence) => self.block_item()?,
                Some(Shape::BlockMapping) => self.block_entry()?,
                Some(Shape::FlowSequence) => self.flow_item()?,
                Some(Shape::FlowMapping | Shape::FlowPair) => self.flow_entry()?,
                None => return self.epilogue(),
            }
        }
    }

    #[cold]
    fn too_many_nodes(&self) -> Error {
        let (line, column) = self.tree.position(scanner::offset(self.at));
        Error::limit(format!("the tree has more than {} nodes", self.max_nodes))
            .with_code(Code::TreeSize)
            .at_position(line, column)
            .with_hint(Hint::Raise { limit: LimitName::TreeNodes, from: self.max_nodes as u64, to: None })
    }

    fn set_state(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }
}

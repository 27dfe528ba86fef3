//! The parser: one pass over the text, straight into the arena.
//!
//! Scalars that are written as they mean are ranges of the text; only folded and escaped ones are
//! copied. What is open stands on a stack of frames, so nesting costs no stack of the thread, and
//! keys are recognised when their `:` is met, after the key's node was made, so nothing is looked at
//! twice. Line and column are computed when somebody asks.
//!
//! The grammar is YAML 1.2's where it is stricter or clearer than 1.1 (the two read the same trees);
//! what a scalar means is YAML 1.1's. Where the two disagree:
//!
//! - NEL, LS and PS are line breaks, as in YAML 1.1 (see `breaks`). Our emitter escapes them.
//! - `?x` in a flow collection is text, as is an anchor's name with other characters than letters, digits,
//!   `_` and `-`.
//! - Directives that YAML does not know are ignored; `%YAML` other than 1.1 and 1.2 is an error.
//! - As in libyaml, the lines of a flow collection need no indentation, a block scalar that the end of
//!   the text cuts off has no line break at its end, and a tab before a key or a dash is an error.

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
            "the tree is not YAML: found the character U+{:04X}, which no YAML text may hold",
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
        return Err(Error::limit("the tree has more nodes, tags or text than 32-bit numbers can count")
            .with_code(Code::TreeSize));
    }
    Ok(parser.tree)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Whether `text` is a copy with marked line breaks.
    marked: bool,
    tree: Tree,
    /// The next byte to look at.
    at: usize,
    /// Where the line of that byte begins.
    line: usize,
    /// How many spaces begin that line.
    indent: usize,
    /// Where that line's content begins, if `next_content` came to the line.
    content: usize,
    /// Where the last node or indicator ended.
    end: usize,
    /// Where the last node that JSON knows too, quoted or in brackets, ended.
    json: usize,
    /// Whether a tab was skipped since the line or the last indicator of a block collection.
    tabbed: bool,
    frames: Vec<Frame>,
    /// How many flow collections are open.
    flows: usize,
    /// Where the outermost open flow collection stands: it may turn out to be a key.
    place: Place,
    /// The children of all open collections.
    children: Vec<NodeId>,
    /// Where folded and escaped text is put together.
    scratch: String,
    anchors: Anchors<'t>,
    tags: Tags<'t>,
    max_depth: usize,
    max_nodes: usize,
    max_tag_bytes: usize,
}

/// A collection whose end has not come yet.
struct Frame {
    shape: Shape,
    state: State,
    id: NodeId,
    /// Where its children begin in the parser's stack.
    first: usize,
    /// The column of a block collection's entries; the least column of a flow collection's lines.
    column: usize,
    /// Where the current entry of a flow collection begins.
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

/// What a collection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// An entry, or the end.
    Entry,
    /// `:`, after a key that `?` announced; or after any key in a flow mapping.
    Colon,
    /// A value in a flow collection.
    Value,
    /// `,` or the end of a flow collection.
    Comma,
    /// The same, after an item that cannot be a key.
    End,
}

/// What to read next: a block node, or what the innermost open collection waits for.
type Next = Option<Wanted>;

/// A block node that is to be read, in one word, so that it travels in a register.
#[derive(Clone, Copy)]
struct Wanted(NonZeroU64);

impl Wanted {
    /// The least column of its lines; whether a block collection may begin on this line; whether a
    /// sequence may stand at the column of the mapping that it is a value of.
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

/// Where content of a block stands, and what it may be.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Where it begins, its properties on the same line included.
    start: usize,
    /// Whether it may be the first key of a new block mapping.
    compact: bool,
    /// Whether it has to be a key of the mapping that is open.
    key: bool,
    /// The least column of its further lines.
    min: usize,
    /// The properties on lines before: those of the mapping, if this is a key.
    outer: Properties,
    /// Whether a flow collection has a tag of its own, be it `!` alone.
    tagged: bool,
    /// The node that was made for the outer properties, so that aliases inside find it.
    reserved: Option<NodeId>,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<()> {
        let Some(wanted) = self.prologue()? else { return Ok(()) };
        let mut next = Some(wanted);
        loop {
            // A frame says which node it wants, and that node which one it wants (a key its value).
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

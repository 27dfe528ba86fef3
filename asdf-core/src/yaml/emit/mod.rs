//! Writing trees as text.

mod anchors;
mod flow;
mod fragments;
mod handles;
mod scalar;
mod survey;

pub(super) use fragments::Fragments;

use anchors::Anchors;
use handles::Handles;
use scalar::is_blank;
use survey::Survey;

use super::quote::{Bytes, Place};
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeRef, Style, Tree, YAML_TAG};

/// Options of [`emit`].
///
/// # Examples
/// ```
/// use asdf_core::yaml::{EmitOptions, emit, parse};
///
/// let tree = parse("[1, 2]")?;
/// assert_eq!(emit(&tree, EmitOptions::new().directives(false))?, "[1, 2]\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmitOptions {
    pub(super) width: usize,
    pub(super) directives: bool,
    pub(super) handles: bool,
}

impl Default for EmitOptions {
    fn default() -> Self {
        Self { width: 80, directives: true, handles: true }
    }
}

impl EmitOptions {
    /// Creates the default options: 80 columns, with directives, and with handles for frequent tags.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the column after which flow collections continue on a new line, and text is folded.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns;
        self
    }

    /// Sets whether to write `%YAML`, `%TAG` and `---` at the start, and `...` at the end.
    ///
    /// An ASDF file requires them.
    #[must_use]
    pub fn directives(mut self, yes: bool) -> Self {
        self.directives = yes;
        self
    }

    /// Sets whether frequent tags get a `%TAG` handle if the tree has none for them.
    ///
    /// Otherwise such tags are written in full. This has no effect without [`directives`](Self::directives).
    #[must_use]
    pub fn handles(mut self, yes: bool) -> Self {
        self.handles = yes;
        self
    }
}

/// Deeper trees are an error, as in [`parse`](super::parse), so that all output can be read back.
const MAX_DEPTH: usize = 512;

/// Keys of more bytes are written as `? key`.
///
/// Readers look for the colon of a simple key in 1024 characters, which include escapes, tag and anchor.
const LONGEST_KEY: usize = 120;

/// Writes a tree as YAML 1.1.
///
/// - Keys are written in the tree's order.
/// - Shared collections become anchors and aliases.
/// - Collections without a style are written in flow style if they contain only scalars.
/// - Floats are written as PyYAML reads them.
///
/// Tags are written with the `%TAG` handles of the tree ([`Tree::set_handles`]). If it has none, the
/// standard's tags get `!`. A prefix that three or more of the written tags share gets a handle with a
/// similar name: `%TAG !gwcs! tag:stsci.edu:gwcs/`. [`EmitOptions::handles`] turns that off.
///
/// # Errors
/// - [`Limit`](crate::error::Kind::Limit) if the tree nests deeper than 512 levels or [is
///   full](Tree::is_full).
/// - [`Usage`](crate::error::Kind::Usage) if a handle or a tag that a program set cannot be written.
///
/// # Examples
/// ```
/// use asdf_core::yaml::{EmitOptions, emit, parse};
///
/// let tree = parse("name: M31\nz: -0.001\n")?;
/// assert_eq!(emit(&tree, EmitOptions::new())?, "%YAML 1.1\n---\nname: M31\nz: -0.001\n...\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "dump")]
#[doc(alias = "to_yaml")]
#[doc(alias = "serialize")]
pub fn emit(tree: &Tree, options: EmitOptions) -> Result<String> {
    let mut emitter = Emitter::new(tree, options)?;
    emitter.out.reserve(tree.text().len().max(tree.len() * 6) + 256);
    if options.directives {
        emitter.out.push_str("%YAML 1.1\n");
        for (handle, prefix) in emitter.handles.declared() {
            for piece in ["%TAG ", handle, " ", prefix, "\n"] {
                emitter.out.push_str(piece);
            }
        }
        emitter.out.push_str("---");
    }
    if let Some(root) = tree.root() {
        emitter.line_start = emitter.out.len().saturating_sub(3);
        emitter.value(root, 0, 0, options.directives)?;
    }
    if !emitter.out.is_empty() {
        emitter.out.push('\n');
    }
    if options.directives {
        emitter.out.push_str("...\n");
    }
    Ok(emitter.out)
}

#[derive(Debug)]
struct Emitter<'t> {
    tree: &'t Tree,
    options: EmitOptions,
    out: String,
    /// The start of the current line in `out`.
    line_start: usize,
    survey: Survey,
    handles: Handles,
    anchors: Anchors<'t>,
    /// Whether one of YAML's tags can have given a scalar a kind that its text does not resolve to.
    forced: bool,
}

impl<'t> Emitter<'t> {
    fn new(tree: &'t Tree, options: EmitOptions) -> Result<Self> {
        if tree.is_full() {
            return Err(Error::limit("cannot write the tree: it is larger than the limit of 4 GiB"));
        }
        let survey = Survey::new(tree);
        let handles = Handles::new(tree, &survey, options)?;
        let forced = tree.tags().iter().any(|tag| tag.starts_with(YAML_TAG));
        let anchors = Anchors::new(tree, &survey);
        Ok(Self { tree, options, out: String::new(), line_start: 0, survey, handles, anchors, forced })
    }

    /// Writes a node without tag and anchor on one line.
    fn content(&mut self, node: NodeRef<'t>, place: Place) -> Result<()> {
        if node.kind().is_scalar() {
            // A replacement for another scalar must stay on one line.
            self.scalar(node, 0, Place { flow: place.flow, key: true });
            return Ok(());
        }
        self.options.width = usize::MAX;
        self.flow(node, 0, 0)
    }

    fn newline(&mut self, indent: usize) {
        const LINE: &str = "\n                                ";
        let start = self.out.len() + 1;
        match LINE.get(..=indent) {
            Some(line) => self.out.push_str(line),
            None => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
        }
        self.line_start = start;
    }

    fn column(&self) -> usize {
        self.out.len() - self.line_start
    }

    /// Writes a node, with its block children at `indent`. `after` says that the line already has other
    /// content.
    fn value(&mut self, node: NodeRef<'t>, indent: usize, depth: usize, after: bool) -> Result<()> {
        let flow = self.is_flow(node, depth);
        self.formed(node, flow, indent, depth, after)
    }

    /// Same as [`value`](Self::value), for a node that is known to be a flow collection or not.
    fn formed(
        &mut self,
        node: NodeRef<'t>,
        flow: bool,
        indent: usize,
        depth: usize,
        after: bool,
    ) -> Result<()> {
        if depth >= MAX_DEPTH && !node.kind().is_scalar() {
            return Err(too_deep());
        }
        let shared = self.survey.is_shared(node.id());
        if shared && self.alias(node, after) {
            return Ok(());
        }
        let after = self.properties(node, shared, after);
        if node.kind().is_scalar() || flow {
            if after && !is_blank(node) {
                self.out.push(' ');
            }
            if flow {
                return self.flow(node, indent, depth);
            }
            self.scalar(node, indent, Place { flow: false, key: false });
            return Ok(());
        }
        if after {
            self.newline(indent);
        }
        self.block(node, indent, depth)
    }

    fn block(&mut self, node: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        for (index, item) in node.items().enumerate() {
            if index > 0 {
                self.newline(indent);
            }
            self.out.push('-');
            self.item(item, indent + 2, depth + 1)?;
        }
        for (index, (key, value)) in node.entries().enumerate() {
            if index > 0 {
                self.newline(indent);
            }
            self.entry(key, value, indent, depth)?;
        }
        Ok(())
    }

    /// Writes an entry of a block mapping.
    fn entry(&mut self, key: NodeRef<'t>, value: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        if self.key(key, indent, depth, false)? {
            self.newline(indent);
        }
        self.out.push(':');
        let flow = self.is_flow(value, depth + 1);
        // A sequence below a key needs no extra indentation, and this is the usual form.
        let tight = !flow && value.kind() == Kind::Sequence;
        let below = if tight { indent } else { indent + 2 };
        self.formed(value, flow, below, depth + 1, true)
    }

    /// Writes an item after its `-`, or a key after its `?`. Block collections without tag or anchor begin on
    /// the same line.
    fn item(&mut self, item: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        let flow = self.is_flow(item, depth);
        let bare = !flow
            && !item.kind().is_scalar()
            && item.tag_index().is_none()
            && !self.survey.is_shared(item.id());
        if bare {
            self.out.push(' ');
        }
        self.formed(item, flow, indent, depth, !bare)
    }

    /// Writes a key. Returns `true` for an explicit one (`? key`), whose value goes on its own line.
    fn key(&mut self, key: NodeRef<'t>, indent: usize, depth: usize, flow: bool) -> Result<bool> {
        let tag = key.tag_index().map_or(0, |index| self.handles.short(index).len());
        let simple = key.text().filter(|text| text.len() <= LONGEST_KEY && tag <= 3 * LONGEST_KEY);
        let bytes = simple.map(|text| (text, Bytes::of(text)));
        if let Some((text, bytes)) = bytes.filter(|(_, bytes)| !bytes.has_newline()) {
            let shared = self.survey.is_shared(key.id());
            if shared && self.alias(key, false) {
                self.out.push(' ');
                return Ok(false);
            }
            if self.properties(key, shared, false) {
                self.out.push(' ');
            }
            let place = Place { flow, key: true };
            if key.kind() == Kind::String {
                self.string(key, text, bytes, indent, place);
            } else {
                self.scalar(key, indent, place);
            }
            return Ok(false);
        }
        self.out.push('?');
        if flow {
            self.out.push(' ');
            self.flow_value(key, indent, depth + 1)?;
            self.out.push(' ');
            return Ok(false);
        }
        self.item(key, indent + 2, depth + 1)?;
        Ok(true)
    }

    /// Returns whether a node is a collection that is written in flow style.
    fn is_flow(&self, node: NodeRef<'_>, depth: usize) -> bool {
        if node.kind().is_scalar() {
            return false;
        }
        match node.style() {
            _ if node.is_empty() => true,
            Style::Flow => true,
            Style::Block => false,
            _ => depth > 0 && self.survey.is_leaf(node.id()),
        }
    }

    /// Writes `*name` if the node was already written.
    fn alias(&mut self, node: NodeRef<'_>, after: bool) -> bool {
        let Some(name) = self.anchors.written(node.id()) else { return false };
        self.out.push_str(if after { " *" } else { "*" });
        self.out.push_str(name);
        true
    }

    /// Writes anchor and tag, separated by a blank from each other and from earlier content. Returns whether
    /// the line has content now.
    #[inline]
    fn properties(&mut self, node: NodeRef<'_>, shared: bool, after: bool) -> bool {
        let tag = node.tag_index();
        if !shared && tag.is_none() { after } else { self.some_properties(node, shared, tag, after) }
    }

    fn some_properties(
        &mut self,
        node: NodeRef<'_>,
        shared: bool,
        tag: Option<usize>,
        mut after: bool,
    ) -> bool {
        if shared {
            self.out.push_str(if after { " &" } else { "&" });
            self.out.push_str(self.anchors.write(node.id()));
            after = true;
        }
        if let Some(index) = tag {
            if after {
                self.out.push(' ');
            }
            self.out.push_str(self.handles.short(index));
            after = true;
        }
        after
    }
}

fn too_deep() -> Error {
    Error::limit(format!("the tree nests deeper than {MAX_DEPTH} levels"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    fn again(text: &str) -> String {
        let tree = parse(text).unwrap();
        let out = emit(&tree, EmitOptions::default()).unwrap();
        let back = parse(&out).unwrap_or_else(|error| panic!("{error}\n{out}"));
        assert!(tree.root() == back.root(), "{out}");
        assert_eq!(emit(&back, EmitOptions::default()).unwrap(), out, "emitting again changes the text");
        out
    }

    #[test]
    fn the_form_that_python_writes_is_kept() {
        let text = "%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
asdf_library: !core/software-1.0.0 {author: The ASDF Developers, homepage: 'http://github.com/asdf-format/asdf',
  name: asdf, version: 6.0.0}
history:
  extensions:
  - !core/extension_metadata-1.0.0
    extension_class: asdf.extension._manifest.ManifestExtension
    software: !core/software-1.0.0 {name: asdf, version: 6.0.0}
a: !<asdf://example.com/tags/x-1.0.0>
- - 1
  - x: 1.0e-05
    y: &n {p: 2}
- *n
b: |
  two
  lines
'c ': !!binary aGk=
? [1, 2]
: e
...
";
        assert_eq!(again(text), text);
    }

    #[test]
    fn hard_ones_read_back_equal() {
        for body in [
            "a: \"x\\n\\n\"\nb: 1\n",
            "a: |+\n  x\n\nb: 1\n",
            "- |+\n  x\n\n",
            "a: >-\n  x\n  y\n",
            "a: ''\nb:\nc: ~\n? |\n  k\n  l\n: v\n",
            "- !x\n  a: 1\n- !y [a, {b: 'c,d'}]\n- &a\n  - *a\n",
            "a: 2001-01-01 00:00:00\nb: {t: ! '2001-01-01 00:00:00', '<<': 1, <<: {x: 1}}\n",
            "{a: [], b: {}, c: '', d: \" \\t\", ? [x] : y}\n",
            "&r\na: *r\n",
            "a: &x 1\nb: *x\n*x : 2\n",
            "- &a [1]\n- &a [2]\n- *a\n",
            "'a: b': '- x'\n\"#\": '@'\n",
            "5\n",
            "x\n",
        ] {
            again(&format!("%YAML 1.1\n%TAG !e! tag:e/\n---\n{body}...\n"));
        }
    }

    #[test]
    fn made_trees_are_readable() {
        let mut tree = Tree::new();
        tree.set_handle("!", "tag:stsci.edu:asdf/");
        let root = tree.add_mapping([]);
        tree.set_tag(root, Some("tag:stsci.edu:asdf/core/asdf-1.1.0"));
        tree.set_root(root);
        let items: Vec<_> = (0..40).map(|i| tree.add_float(f64::from(i) / 8.0)).collect();
        let list = tree.add_sequence(items);
        let text = tree.add_str("first\nsecond");
        let inner = tree.add_mapping([]);
        tree.insert(inner, "list", list);
        tree.insert(inner, "yes", text);
        tree.insert(root, "a", inner);
        tree.insert(root, "b", inner);
        let out = emit(&tree, EmitOptions::default()).unwrap();
        let expected = "%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
a: &id001
  list: [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0, 1.125, 1.25, 1.375,
    1.5, 1.625, 1.75, 1.875, 2.0, 2.125, 2.25, 2.375, 2.5, 2.625, 2.75, 2.875, 3.0,
    3.125, 3.25, 3.375, 3.5, 3.625, 3.75, 3.875, 4.0, 4.125, 4.25, 4.375, 4.5, 4.625,
    4.75, 4.875]
  'yes': |-
    first
    second
b: *id001
...
";
        assert_eq!(out, expected);
        assert!(parse(&out).unwrap().root() == tree.root());
    }

    #[test]
    fn too_deep_is_an_error() {
        let mut tree = Tree::new();
        let mut node = tree.add_sequence([]);
        for _ in 0..100_000 {
            node = tree.add_sequence([node]);
        }
        tree.set_root(node);
        assert_eq!(emit(&tree, EmitOptions::default()).unwrap_err().kind(), crate::error::Kind::Limit);
    }
}

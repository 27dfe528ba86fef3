//! Tree to text.

use std::collections::{HashMap, HashSet};

use super::quote::{Place, is_literal, is_plain_string, is_plain_text, quoted};
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Style, Tree, YAML_TAG};

/// How a tree is written.
#[derive(Debug, Clone, Copy)]
pub struct EmitOptions {
    /// The column after which flow collections go on in a new line.
    pub width: usize,
    /// Whether `%YAML`, `%TAG` and `---` come first and `...` last, as an ASDF file needs.
    pub directives: bool,
}

impl Default for EmitOptions {
    fn default() -> Self {
        Self { width: 80, directives: true }
    }
}

/// Nesting beyond this is refused, like in [`parse`](super::parse): what is written can be read.
const MAX_DEPTH: usize = 512;

/// Writes a tree as YAML 1.1: keys in the tree's order, `%TAG` handles of the tree
/// ([`Tree::set_handles`]), shared collections as anchors and aliases, collections without a style
/// in flow form when they hold only scalars, floats as PyYAML reads them.
///
/// # Errors
/// [`Limit`](crate::ErrorKind::Limit) when the tree nests deeper than 512 or [is full](Tree::is_full).
pub fn emit(tree: &Tree, options: EmitOptions) -> Result<String> {
    if tree.is_full() {
        return Err(Error::limit("the tree is too large to be written: it holds more than 4 GiB of text"));
    }
    let mut emitter = Emitter::new(tree, options);
    emitter.out.reserve(tree.text().len() + 256);
    if options.directives {
        emitter.out.push_str("%YAML 1.1\n");
        for (handle, prefix) in tree.handles() {
            emitter.out.push_str(&format!("%TAG {handle} {prefix}\n"));
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

/// The nodes that need an anchor: collections met more than once, and scalars met more than once
/// that had an anchor when they were read.
fn shared(tree: &Tree) -> HashSet<NodeId> {
    let mut seen = HashSet::new();
    let mut shared = HashSet::new();
    let mut pending: Vec<NodeId> = tree.root().map(|root| root.id()).into_iter().collect();
    while let Some(id) = pending.pop() {
        let node = tree.node(id);
        let matters = !node.kind().is_scalar() || node.anchor().is_some();
        if !matters {
            continue;
        }
        if seen.insert(id) {
            pending.extend(node.child_ids());
        } else {
            shared.insert(id);
        }
    }
    shared
}

struct Emitter<'t> {
    tree: &'t Tree,
    options: EmitOptions,
    out: String,
    /// Where the current line begins in `out`.
    line_start: usize,
    shared: HashSet<NodeId>,
    /// The anchors given so far.
    written: HashMap<NodeId, String>,
    names: HashSet<String>,
    counter: usize,
}

/// Writes pieces of a tree, to be put into a text at a place of their own.
pub(super) struct Fragments<'t>(Emitter<'t>);

impl<'t> Fragments<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self(Emitter::new(tree, EmitOptions::default()))
    }

    /// A value in one line, with its tag.
    pub(super) fn inline(&mut self, node: NodeRef<'t>, place: Place) -> Result<Option<String>> {
        self.piece(&[node], |emitter| {
            let properties = emitter.properties(node);
            emitter.out.push_str(&properties);
            emitter.content(node, place)
        })
    }

    /// A value in one line, without tag and anchor: those of a node that stays are there already.
    pub(super) fn content(&mut self, node: NodeRef<'t>, place: Place, stays: bool) -> Result<Option<String>> {
        let nodes = if stays { &[] } else { std::slice::from_ref(&node) };
        self.piece(nodes, |emitter| emitter.content(node, place))
    }

    /// An entry of a block mapping whose keys stand at a column.
    pub(super) fn entry(
        &mut self,
        key: NodeRef<'t>,
        value: NodeRef<'t>,
        indent: usize,
    ) -> Result<Option<String>> {
        self.piece(&[key, value], |emitter| emitter.entry(key, value, indent, 1))
    }

    /// An entry of a flow mapping.
    pub(super) fn flow_entry(&mut self, key: NodeRef<'t>, value: NodeRef<'t>) -> Result<Option<String>> {
        self.piece(&[key, value], |emitter| {
            emitter.options.width = usize::MAX;
            emitter.key(key, 1, 1, true)?;
            emitter.out.push_str(": ");
            emitter.flow_value(value, 1, 1)
        })
    }

    /// An item of a block sequence whose dashes stand at a column.
    pub(super) fn item(&mut self, item: NodeRef<'t>, indent: usize) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.out.push('-');
            emitter.item(item, indent + 2, 1)
        })
    }

    /// An item of a flow sequence.
    pub(super) fn flow_item(&mut self, item: NodeRef<'t>) -> Result<Option<String>> {
        self.piece(&[item], |emitter| {
            emitter.options.width = usize::MAX;
            emitter.flow_value(item, 1, 1)
        })
    }

    /// `None` when the nodes are shared with others: a piece alone has no anchors.
    fn piece(
        &mut self,
        nodes: &[NodeRef<'t>],
        write: impl FnOnce(&mut Emitter<'t>) -> Result<()>,
    ) -> Result<Option<String>> {
        // Keys too, which a walk does not visit.
        let mut met = HashSet::new();
        let mut pending: Vec<NodeId> = nodes.iter().map(|node| node.id()).collect();
        while let Some(id) = pending.pop() {
            if self.0.shared.contains(&id) {
                return Ok(None);
            }
            let below = self.0.tree.node(id).child_ids();
            if !below.is_empty() && met.insert(id) {
                pending.extend(below);
            }
        }
        self.0.out.clear();
        self.0.line_start = 0;
        let width = self.0.options.width;
        write(&mut self.0)?;
        self.0.options.width = width;
        Ok(Some(self.0.out.clone()))
    }
}

impl<'t> Emitter<'t> {
    fn new(tree: &'t Tree, options: EmitOptions) -> Self {
        Self {
            tree,
            options,
            out: String::new(),
            line_start: 0,
            shared: shared(tree),
            written: HashMap::new(),
            names: HashSet::new(),
            counter: 0,
        }
    }

    /// A node without tag and anchor in one line.
    fn content(&mut self, node: NodeRef<'t>, place: Place) -> Result<()> {
        if node.kind().is_scalar() {
            // In the place of another scalar nothing may take more than a line.
            self.scalar(node, 0, Place { flow: place.flow, key: true });
            return Ok(());
        }
        self.options.width = usize::MAX;
        self.flow(node, 0, 0)
    }

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.line_start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn column(&self) -> usize {
        self.out.len() - self.line_start
    }

    /// Writes a node, its block children at `indent`; `after` says that something stands before it
    /// in the line.
    fn value(&mut self, node: NodeRef<'t>, indent: usize, depth: usize, after: bool) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Error::limit(format!("the tree nests deeper than {MAX_DEPTH} levels")));
        }
        let blank = if after { " " } else { "" };
        if self.alias(node, blank) {
            return Ok(());
        }
        let properties = self.properties(node);
        if node.kind().is_scalar() {
            self.out.push_str(blank);
            self.out.push_str(&properties);
            self.scalar(node, indent, Place { flow: false, key: false });
        } else if self.is_flow(node, depth) {
            self.out.push_str(blank);
            self.out.push_str(&properties);
            self.flow(node, indent, depth)?;
        } else {
            if !properties.is_empty() {
                self.out.push_str(blank);
                self.out.push_str(properties.trim_end());
            }
            if after || !properties.is_empty() {
                self.newline(indent);
            }
            self.block(node, indent, depth)?;
        }
        Ok(())
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

    /// An entry of a block mapping.
    fn entry(&mut self, key: NodeRef<'t>, value: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        if self.key(key, indent, depth, false)? {
            self.newline(indent);
        }
        self.out.push(':');
        // A sequence below a key needs no indentation of its own; people know it like this.
        let tight = value.kind() == Kind::Sequence && !self.is_flow(value, depth + 1);
        let below = if tight { indent } else { indent + 2 };
        self.value(value, below, depth + 1, true)
    }

    /// An item after its `-`: block collections without tag or anchor begin in the same line.
    fn item(&mut self, item: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        let bare = !item.kind().is_scalar()
            && !self.is_flow(item, depth)
            && item.tag().is_none()
            && !self.shared.contains(&item.id());
        if bare {
            self.out.push(' ');
            return self.value(item, indent, depth, false);
        }
        self.value(item, indent, depth, true)
    }

    /// Writes a key; true when it was an explicit one (`? key`), whose value has its own line.
    fn key(&mut self, key: NodeRef<'t>, indent: usize, depth: usize, flow: bool) -> Result<bool> {
        const LONGEST: usize = 120;
        let simple = match key.text() {
            Some(text) => text.len() <= LONGEST && !text.contains('\n'),
            None => false,
        };
        if simple {
            if self.alias(key, "") {
                self.out.push(' ');
                return Ok(false);
            }
            let properties = self.properties(key);
            self.out.push_str(&properties);
            self.scalar(key, indent, Place { flow, key: true });
            return Ok(false);
        }
        self.out.push('?');
        if flow {
            self.out.push(' ');
            self.flow_value(key, indent, depth + 1)?;
            self.out.push(' ');
            return Ok(false);
        }
        self.value(key, indent + 2, depth + 1, true)?;
        Ok(true)
    }

    fn flow(&mut self, node: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        let sequence = node.kind() == Kind::Sequence;
        self.out.push(if sequence { '[' } else { '{' });
        let indent = indent.max(1);
        for (index, item) in node.items().enumerate() {
            self.separate(index, indent);
            self.flow_value(item, indent, depth + 1)?;
        }
        for (index, (key, value)) in node.entries().enumerate() {
            self.separate(index, indent);
            self.key(key, indent, depth, true)?;
            self.out.push_str(": ");
            self.flow_value(value, indent, depth + 1)?;
        }
        self.out.push(if sequence { ']' } else { '}' });
        Ok(())
    }

    fn separate(&mut self, index: usize, indent: usize) {
        if index > 0 {
            self.out.push(',');
            if self.column() > self.options.width {
                self.newline(indent);
            } else {
                self.out.push(' ');
            }
        }
    }

    fn flow_value(&mut self, node: NodeRef<'t>, indent: usize, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Error::limit(format!("the tree nests deeper than {MAX_DEPTH} levels")));
        }
        if self.alias(node, "") {
            return Ok(());
        }
        let properties = self.properties(node);
        self.out.push_str(&properties);
        if node.kind().is_scalar() {
            self.scalar(node, indent, Place { flow: true, key: false });
            return Ok(());
        }
        self.flow(node, indent, depth)
    }

    fn is_flow(&self, node: NodeRef<'_>, depth: usize) -> bool {
        match node.style() {
            _ if node.is_empty() => true,
            Style::Flow => true,
            Style::Block => false,
            _ if depth == 0 => false,
            _ => node
                .child_ids()
                .iter()
                .all(|&id| self.tree.node(id).text().is_some_and(|t| !t.contains('\n'))),
        }
    }

    /// Writes `*name` when the node stands earlier in the text.
    fn alias(&mut self, node: NodeRef<'_>, before: &str) -> bool {
        let Some(name) = self.written.get(&node.id()) else { return false };
        self.out.push_str(before);
        self.out.push('*');
        self.out.push_str(name);
        true
    }

    /// Anchor and tag, each with a blank behind it.
    fn properties(&mut self, node: NodeRef<'_>) -> String {
        let mut properties = String::new();
        if self.shared.contains(&node.id()) {
            let name = self.name(node);
            properties = format!("&{name} ");
            self.written.insert(node.id(), name);
        }
        if let Some(tag) = node.tag() {
            properties.push_str(&self.short_tag(tag));
            properties.push(' ');
        }
        properties
    }

    /// The anchor's own name when every reader takes it and no other node has it.
    fn name(&mut self, node: NodeRef<'_>) -> String {
        let own = node.anchor().filter(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        });
        if let Some(name) = own {
            if self.names.insert(name.to_owned()) {
                return name.to_owned();
            }
        }
        loop {
            self.counter += 1;
            let name = format!("id{:03}", self.counter);
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A tag through the longest handle that fits, or verbatim.
    fn short_tag(&self, tag: &str) -> String {
        let best = self
            .tree
            .handles()
            .iter()
            .filter_map(|(handle, prefix)| Some((handle, tag.strip_prefix(prefix.as_str())?)))
            .filter(|(_, suffix)| !suffix.is_empty() && suffix.bytes().all(is_tag_byte))
            .min_by_key(|(_, suffix)| suffix.len());
        if let Some((handle, suffix)) = best {
            return format!("{handle}{suffix}");
        }
        let own_handle = |handle: &str| self.tree.handles().iter().any(|(name, _)| name == handle);
        if let Some(suffix) = tag.strip_prefix(YAML_TAG).filter(|_| !own_handle("!!")) {
            if !suffix.is_empty() && suffix.bytes().all(is_tag_byte) {
                return format!("!!{suffix}");
            }
        }
        if let Some(suffix) = tag.strip_prefix('!').filter(|_| !own_handle("!")) {
            if !suffix.is_empty() && suffix.bytes().all(is_tag_byte) {
                return tag.to_owned();
            }
        }
        let mut uri = String::new();
        for byte in tag.bytes() {
            if is_tag_byte(byte) || matches!(byte, b'!' | b',' | b'[' | b']' | b'%') {
                uri.push(char::from(byte));
            } else {
                uri.push_str(&format!("%{byte:02X}"));
            }
        }
        format!("!<{uri}>")
    }

    fn scalar(&mut self, node: NodeRef<'_>, indent: usize, place: Place) {
        let text = node.text().unwrap_or_default();
        if node.kind() != Kind::String {
            // The text is plain already, or a YAML tag says what it is.
            match text {
                "" => self.out.push_str("null"),
                _ if is_plain_text(text, Place { flow: false, key: place.key }) => self.out.push_str(text),
                _ => self.out.push_str(&quoted(text, false)),
            }
            return;
        }
        let style = node.style();
        let merge = style == Style::Plain && matches!(text, "<<" | "=");
        let by_tag = node.tag().is_some_and(|tag| tag.starts_with(YAML_TAG)) && is_plain_text(text, place);
        match style {
            _ if merge => self.out.push_str(text),
            Style::Any | Style::Plain if by_tag || is_plain_string(text, place) => self.out.push_str(text),
            Style::Any | Style::Literal | Style::Folded if !place.flow && !place.key && is_literal(text) => {
                self.literal(text, indent);
            }
            _ => self.out.push_str(&quoted(text, style == Style::DoubleQuoted)),
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        let body = text.trim_end_matches('\n');
        self.out.push_str(match text.len() - body.len() {
            0 => "|-",
            1 => "|",
            _ => "|+",
        });
        let lines = text.strip_suffix('\n').unwrap_or(text);
        for line in lines.split('\n') {
            self.newline(if line.is_empty() { 0 } else { indent.max(2) });
            self.out.push_str(line);
        }
    }
}

/// What may stand unescaped in a tag's suffix, in flow collections too.
fn is_tag_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-;/?:@&=+$_.~*'()".contains(&byte)
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
    fn the_form_that_python_writes_stays_as_it_is() {
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
        assert_eq!(emit(&tree, EmitOptions::default()).unwrap_err().kind(), crate::ErrorKind::Limit);
    }
}

//! Values on their way from Python to a tree.

use asdf_core::array::{Complex, Integer};
use asdf_core::value::ToNode as _;
use asdf_core::{NdArray, Node, NodeId, Result, Tree};
use num_bigint::BigInt;

/// The number of a value among the [`Built`] ones.
pub(crate) type Number = usize;

/// One value. Collections refer to their items by number, so that values can be shared and cyclic.
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer that is too large for a literal.
    Large(BigInt),
    Float(f64),
    Complex(f64, f64),
    Text(String),
    TaggedText(String, String),
    Bytes(Vec<u8>),
    Timestamp(String),
    Array(Box<NdArray>),
    /// A copy of a node of another file.
    Copied(Box<Node>),
    /// A node of the tree that the values are for.
    Own(NodeId),
    Mapping(Vec<(Number, Number)>, Option<String>),
    Sequence(Vec<Number>, Option<String>),
    Set(Vec<Number>),
}

/// Values that were converted from Python. Python is not needed any more to put them into a tree, so that the lock of the
/// file can be held.
#[derive(Default)]
pub(crate) struct Built {
    values: Vec<Value>,
}

impl Built {
    /// A single value.
    pub(crate) fn of(value: Value) -> Self {
        Self { values: vec![value] }
    }

    /// Whether the root is a node that is in the tree already.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.values.first(), Some(Value::Own(_)))
    }

    /// Adds a value, and returns its number. The first one is the root.
    pub(crate) fn add(&mut self, value: Value) -> Number {
        self.values.push(value);
        self.values.len() - 1
    }

    /// Fills in a collection whose items are known now.
    pub(crate) fn fill(&mut self, number: Number, value: Value) {
        if let Some(slot) = self.values.get_mut(number) {
            *slot = value;
        }
    }

    /// Adds the values to a tree, and returns the node of the root. It is not attached anywhere yet.
    pub(crate) fn put(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut nodes: Vec<Option<NodeId>> = vec![None; self.values.len()];
        let mut open = vec![false; self.values.len()];
        // Collections that are being filled, with the number of the next item. Nesting must not use the stack.
        let mut stack: Vec<(Number, usize)> = vec![(0, 0)];
        while let Some((number, next)) = stack.pop() {
            let Some(value) = self.values.get(number) else { continue };
            if next == 0 && is_known(&nodes, number) {
                continue;
            }
            if let Some(child) = value.child(next) {
                stack.push((number, next + 1));
                set(&mut open, number, true);
                if is_known(&nodes, child) {
                    continue;
                }
                match open.get(child) {
                    // A cycle: the collection exists before its items do.
                    Some(true) => {
                        let empty = self.values.get(child).map(|value| value.empty(tree));
                        set(&mut nodes, child, empty);
                    }
                    _ => stack.push((child, 0)),
                }
                continue;
            }
            let node = match nodes.get(number).copied().flatten() {
                Some(node) => self.close(tree, node, value, &nodes),
                None => value.node(tree, &nodes)?,
            };
            set(&mut nodes, number, Some(node));
            set(&mut open, number, false);
        }
        Ok(nodes.first().copied().flatten().unwrap_or_else(|| tree.add_null()))
    }

    /// Fills a collection that is part of a cycle.
    fn close(&self, tree: &mut Tree, node: NodeId, value: &Value, nodes: &[Option<NodeId>]) -> NodeId {
        match value {
            Value::Mapping(entries, _) => {
                for (key, value) in entries {
                    if let (Some(key), Some(value)) = (known(nodes, *key), known(nodes, *value)) {
                        tree.insert_entry(node, key, value);
                    }
                }
            }
            Value::Sequence(items, _) => {
                items.iter().filter_map(|item| known(nodes, *item)).for_each(|item| tree.push(node, item));
            }
            _ => {}
        }
        node
    }
}

fn set<T>(all: &mut [T], at: usize, value: T) {
    if let Some(slot) = all.get_mut(at) {
        *slot = value;
    }
}

fn known(nodes: &[Option<NodeId>], number: Number) -> Option<NodeId> {
    nodes.get(number).copied().flatten()
}

fn is_known(nodes: &[Option<NodeId>], number: Number) -> bool {
    known(nodes, number).is_some()
}

impl Value {
    /// The keys and values, or the items, in their order.
    fn child(&self, at: usize) -> Option<Number> {
        match self {
            Self::Mapping(entries, _) => {
                let (key, value) = *entries.get(at / 2)?;
                Some(if at.is_multiple_of(2) { key } else { value })
            }
            Self::Sequence(items, _) | Self::Set(items) => items.get(at).copied(),
            _ => None,
        }
    }

    /// Adds a collection without its items.
    fn empty(&self, tree: &mut Tree) -> NodeId {
        let (node, tag) = match self {
            Self::Mapping(_, tag) => (tree.add_mapping([]), tag.as_deref()),
            Self::Sequence(_, tag) => (tree.add_sequence([]), tag.as_deref()),
            _ => (tree.add_null(), None),
        };
        tree.set_tag(node, tag);
        node
    }

    /// Adds a node. The nodes of its items exist.
    fn node(&self, tree: &mut Tree, nodes: &[Option<NodeId>]) -> Result<NodeId> {
        Ok(match self {
            Self::Null => tree.add_null(),
            Self::Bool(bool) => tree.add_bool(*bool),
            Self::Int(int) => tree.add_int(*int),
            Self::Large(int) => Integer::from(int.clone()).to_node(tree)?,
            Self::Float(float) => tree.add_float(*float),
            Self::Complex(re, im) => Complex::new(*re, *im).to_node(tree)?,
            Self::Text(text) => tree.add_str(text),
            Self::TaggedText(text, tag) => {
                let node = tree.add_str(text);
                tree.set_tag(node, Some(tag));
                node
            }
            Self::Bytes(bytes) => tree.add_bytes(bytes),
            Self::Timestamp(text) => tree.add_timestamp(text),
            Self::Array(array) => array.to_node(tree)?,
            Self::Copied(node) => tree.graft(node.view())?,
            Self::Own(id) => *id,
            Self::Mapping(entries, tag) => {
                let pair =
                    |(key, value): &(Number, Number)| Some((known(nodes, *key)?, known(nodes, *value)?));
                let node = tree.add_mapping(entries.iter().filter_map(pair));
                tree.set_tag(node, tag.as_deref());
                node
            }
            Self::Sequence(items, tag) => {
                let node = tree.add_sequence(items.iter().filter_map(|item| known(nodes, *item)));
                tree.set_tag(node, tag.as_deref());
                node
            }
            Self::Set(items) => {
                tree.add_set(items.iter().filter_map(|item| known(nodes, *item)).collect::<Vec<_>>())
            }
        })
    }
}

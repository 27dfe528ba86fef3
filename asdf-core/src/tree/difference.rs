//! What differs between two trees, and where.

use std::fmt;

use super::{NodeRef, Path};

/// What is different at one place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Only the first tree has it.
    Missing,
    /// Only the second tree has it.
    Added,
    /// The kinds of node differ.
    Kind,
    /// The tags differ; what they tag is compared all the same.
    Tag,
    /// Scalars of one kind differ.
    Value,
    /// Two mappings have the same keys in another order.
    Order,
    /// Two arrays differ in their datatype.
    Datatype(String, String),
    /// Two arrays differ in their shape, in C order.
    Shape(Vec<u64>, Vec<u64>),
    /// Two arrays of the same shape differ in elements.
    Elements(ElementsDifference),
}

/// How the elements of two arrays differ.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementsDifference {
    /// How many differ by more than the tolerance.
    pub different: u64,
    /// How many elements each array has.
    pub of: u64,
    /// The index of the first that differs, in C order.
    pub first: Vec<u64>,
    /// What the first array has there.
    pub left: String,
    /// What the second array has there.
    pub right: String,
    /// The largest distance between two numbers and the index where it is, unless no two finite
    /// numbers differ.
    pub largest: Option<(f64, Vec<u64>)>,
}

/// One difference: where, what, and the nodes.
#[derive(Debug, Clone)]
pub struct Difference<'a> {
    /// The place in both trees, or in the one that has it.
    pub path: Path,
    /// What differs.
    pub change: Change,
    /// The node of the first tree, unless it has none there.
    pub left: Option<NodeRef<'a>>,
    /// The node of the second tree, unless it has none there.
    pub right: Option<NodeRef<'a>>,
}

/// The differences between two nodes, in the order of the first tree's text, what was added to a
/// collection after what is in both.
///
/// `Display` prints one a line: `/meta/time: changed: the float 1.0 -> the float 1.5`.
#[derive(Debug, Clone, Default)]
pub struct Differences<'a> {
    pub(super) list: Vec<Difference<'a>>,
    pub(super) complete: bool,
}

impl<'a> Differences<'a> {
    /// Those of two trees of which one has no root at least.
    pub(crate) fn of_rootless(left: Option<NodeRef<'a>>, right: Option<NodeRef<'a>>) -> Self {
        let change = if left.is_some() { Change::Missing } else { Change::Added };
        let only = Difference { path: Path::root(), change, left, right };
        let differs = left.is_some() || right.is_some();
        Self { list: differs.then_some(only).into_iter().collect(), complete: true }
    }

    /// Whether there are none, and everything was compared.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.list.is_empty() && self.complete
    }

    /// Whether everything was compared; else a limit of [`DifferenceOptions`](super::DifferenceOptions) was reached.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The differences.
    pub fn iter(&self) -> std::slice::Iter<'_, Difference<'a>> {
        self.list.iter()
    }
}

impl<'a> IntoIterator for Differences<'a> {
    type Item = Difference<'a>;
    type IntoIter = std::vec::IntoIter<Difference<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a, 'b> IntoIterator for &'b Differences<'a> {
    type Item = &'b Difference<'a>;
    type IntoIter = std::slice::Iter<'b, Difference<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl fmt::Display for Difference<'_> {
    /// `/meta/time: changed: the float 1.0 -> the float 1.5`; the root is `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.as_str().is_empty() { "/" } else { self.path.as_str() };
        let path: String = path.escape_debug().collect();
        let left = self.left.map(NodeRef::describe).unwrap_or_default();
        let right = self.right.map(NodeRef::describe).unwrap_or_default();
        write!(f, "{path}: ")?;
        match &self.change {
            Change::Missing => write!(f, "missing: {left}"),
            Change::Added => write!(f, "added: {right}"),
            Change::Kind | Change::Value => write!(f, "changed: {left} -> {right}"),
            Change::Tag => {
                let name = |node: Option<NodeRef<'_>>| match node.and_then(NodeRef::tag) {
                    Some(tag) => tag.escape_debug().to_string(),
                    None => "none".to_owned(),
                };
                write!(f, "tag: {} -> {}", name(self.left), name(self.right))
            }
            Change::Order => write!(f, "the same keys in another order"),
            Change::Datatype(a, b) => write!(f, "datatype: {a} -> {b}"),
            Change::Shape(a, b) => write!(f, "shape: {a:?} -> {b:?}"),
            Change::Elements(elements) => write!(f, "{elements}"),
        }
    }
}

impl fmt::Display for ElementsDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { different, of, first, left, right, largest } = self;
        write!(f, "{different} of {of} elements differ, the first at {first:?}: {left} -> {right}")?;
        match largest {
            Some((distance, index)) => write!(f, ", by at most {distance:e} at {index:?}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Differences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.list {
            writeln!(f, "{difference}")?;
        }
        if self.complete { Ok(()) } else { writeln!(f, "not everything was compared: a limit was reached") }
    }
}

//! The differences between two trees.

use std::fmt;

use crate::tree::{Kind, NodeRef, Path};

/// The kind of a difference.
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "compare")]
#[non_exhaustive]
pub enum Change {
    /// Only the first tree has the node.
    Missing,
    /// Only the second tree has the node.
    Added,
    /// The kinds of node differ.
    Kind,
    /// The tags differ. The tagged values are compared as well.
    Tag,
    /// Scalars of one kind differ.
    Value,
    /// Two mappings have the same keys, or two tables the same columns, in another order.
    Order,
    /// Two arrays differ in their datatypes.
    Datatype(String, String),
    /// Two arrays differ in their shapes.
    Shape(ShapeDifference),
    /// Two tables differ in their numbers of rows.
    Rows(u64, u64),
    /// Two arrays differ in elements that both have.
    Elements(ElementsDifference),
}

impl Change {
    /// Returns the name of the change, such as `missing` or `elements`, for reports that programs read.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Added => "added",
            Self::Kind => "kind",
            Self::Tag => "tag",
            Self::Value => "value",
            Self::Order => "order",
            Self::Datatype(..) => "datatype",
            Self::Shape(_) => "shape",
            Self::Rows(..) => "rows",
            Self::Elements(_) => "elements",
        }
    }
}

/// A difference between two arrays, or between fields of their records.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ArrayDifference {
    /// The field, for arrays of records. Names of nested fields are joined with dots.
    pub field: Option<String>,
    /// What differs.
    pub change: Change,
}

impl ArrayDifference {
    /// Returns the same difference, in a field of this name.
    pub(crate) fn under(self, name: &str) -> Self {
        let field = match self.field {
            Some(inner) => format!("{name}.{inner}"),
            None => name.to_owned(),
        };
        Self { field: Some(field), ..self }
    }
}

impl From<Change> for ArrayDifference {
    fn from(change: Change) -> Self {
        Self { field: None, change }
    }
}

/// A difference in shape, with the result for the elements that both arrays have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShapeDifference {
    /// The shape of the first array, in C order.
    pub left: Vec<u64>,
    /// The shape of the second array.
    pub right: Vec<u64>,
    /// The shape of the part whose elements were compared, or `None` if no part was compared.
    ///
    /// The part has the first elements along each axis, or all elements in C order.
    pub compared: Option<Vec<u64>>,
    /// Whether the compared elements are equal. If not, a [`Change::Elements`] follows.
    pub equal: bool,
}

/// A difference in the elements of two arrays.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ElementsDifference {
    /// The number of elements that differ by more than the tolerance.
    pub different: u64,
    /// The number of elements of each array.
    pub of: u64,
    /// The index of the first difference, in C order.
    pub first: Vec<u64>,
    /// The element of the first array at that index.
    pub left: String,
    /// The element of the second array at that index.
    pub right: String,
    /// The largest distance between two numbers, and its index. `None` if no two finite numbers differ.
    pub largest: Option<(f64, Vec<u64>)>,
}

/// One difference: its path, its kind and the two nodes.
///
/// ```
/// use asdf_core::tree::{Change, DifferenceOptions};
/// use asdf_core::yaml;
///
/// let (before, after) = (yaml::parse("{gain: 2, mode: fast}")?, yaml::parse("{gain: 2.5, mode: fast}")?);
/// let differences = before.at("")?.differences(after.at("")?, &DifferenceOptions::new());
/// let [only] = differences.iter().as_slice() else { panic!("one difference") };
/// assert_eq!((only.path.as_str(), &only.change), ("/gain", &Change::Kind));
/// assert_eq!(only.to_string(), "/gain: changed: the integer 2 -> the float 2.5");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Difference<'a> {
    /// The path in both trees, or in the tree that has the node.
    pub path: Path,
    /// The column of a table that contains the difference.
    pub column: Option<String>,
    /// What differs.
    pub change: Change,
    /// The node of the first tree, if it exists there.
    pub left: Option<NodeRef<'a>>,
    /// The node of the second tree, if it exists there.
    pub right: Option<NodeRef<'a>>,
}

/// The differences between two nodes, in the order of the first tree's text.
///
/// Additions to a collection come after the differences in what both have.
///
/// `Display` prints one difference per line: `/meta/time: changed: the float 1.0 -> the float 1.5`.
#[derive(Debug, Clone, Default)]
pub struct Differences<'a> {
    pub(super) list: Vec<Difference<'a>>,
    pub(super) ignored: Vec<Path>,
    pub(super) complete: bool,
}

impl<'a> Differences<'a> {
    /// Returns the differences between two trees, at least one of which has no root.
    pub(crate) fn of_rootless(left: Option<NodeRef<'a>>, right: Option<NodeRef<'a>>) -> Self {
        let change = if left.is_some() { Change::Missing } else { Change::Added };
        let only = Difference { path: Path::root(), column: None, change, left, right };
        let differs = left.is_some() || right.is_some();
        Self { list: differs.then_some(only).into_iter().collect(), ignored: Vec::new(), complete: true }
    }

    /// Returns whether everything was compared and nothing differs.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.list.is_empty() && self.complete
    }

    /// Returns whether everything was compared.
    ///
    /// If not, a limit of [`DifferenceOptions`](crate::tree::DifferenceOptions) was reached.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the paths of ignored differences in the writing software.
    ///
    /// Empty unless [it does not count](crate::tree::DifferenceOptions::writer).
    #[must_use]
    pub fn ignored(&self) -> &[Path] {
        &self.ignored
    }

    /// Iterates over the differences.
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
    /// Writes a line such as `/meta/time: changed: the float 1.0 -> the float 1.5`. The root is `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.as_str().is_empty() { "/" } else { self.path.as_str() };
        let path: String = path.escape_debug().collect();
        let left = self.left.map(described).unwrap_or_default();
        let right = self.right.map(described).unwrap_or_default();
        match &self.column {
            Some(column) => write!(f, "{path} (column {}): ", column.escape_debug())?,
            None => write!(f, "{path}: ")?,
        }
        // A field of records has no node of its own.
        let is_field = self.left.is_some() && self.right.is_some();
        match &self.change {
            Change::Missing if is_field => write!(f, "missing"),
            Change::Added if is_field => write!(f, "added"),
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
            Change::Order if self.left.is_some_and(|node| node.kind() != Kind::Mapping || is_table(node)) => {
                write!(f, "the same columns in another order")
            }
            Change::Order => write!(f, "the same keys in another order"),
            Change::Datatype(a, b) => write!(f, "datatype: {a} -> {b}"),
            Change::Shape(shape) => write!(f, "{shape}"),
            Change::Rows(a, b) => write!(f, "rows: {a} -> {b}"),
            Change::Elements(elements) => elements.write(self.column.is_some(), f),
        }
    }
}

/// Describes a node, with NaN and infinity spelled as in elements of arrays.
fn described(node: NodeRef<'_>) -> String {
    let text = node.describe();
    match (node.kind(), node.text(), node.as_f64()) {
        (Kind::Float, Some(yaml), Some(number)) if !number.is_finite() => {
            text.replacen(yaml, &format!("{number:?}"), 1)
        }
        _ => text,
    }
}

impl fmt::Display for ElementsDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(false, f)
    }
}

impl ElementsDifference {
    /// Writes the difference. In a column, the first axis counts rows.
    fn write(&self, in_column: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { different, of, first, left, right, largest } = self;
        let place = |index: &[u64]| match index {
            [row] if in_column => format!("in row {row}"),
            [row, cell @ ..] if in_column => format!("in row {row} at {cell:?}"),
            _ => format!("at {index:?}"),
        };
        let what = if in_column && first.len() == 1 { "rows" } else { "elements" };
        write!(f, "{different} of {of} {what} differ, the first {}: {left} -> {right}", place(first))?;
        match largest {
            Some((distance, index)) => write!(f, ", by at most {distance:?} {}", place(index)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ShapeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, right, compared, equal } = self;
        write!(f, "shape: {left:?} -> {right:?}")?;
        match compared {
            Some(_) if *equal && left.len() != right.len() => {
                write!(f, ", the elements are equal in C order")
            }
            Some(part) if *equal => write!(f, ", equal in the common part {part:?}"),
            _ => Ok(()),
        }
    }
}

/// Returns whether a mapping is compared as a table or as an array of records.
fn is_table(node: NodeRef<'_>) -> bool {
    node.get("columns").is_some() || node.get("datatype").is_some()
}

impl fmt::Display for Differences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.list {
            writeln!(f, "{difference}")?;
        }
        if self.complete { Ok(()) } else { writeln!(f, "the rest was not compared: a limit was reached") }
    }
}

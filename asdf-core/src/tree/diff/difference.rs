//! What differs between two trees, and where.

use std::fmt;

use crate::tree::{Kind, NodeRef, Path};

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
    /// Two mappings have the same keys, or two tables the same columns, in another order.
    Order,
    /// Two arrays differ in their datatype.
    Datatype(String, String),
    /// Two arrays differ in their shape.
    Shape(ShapeDifference),
    /// Two tables differ in the number of their rows.
    Rows(u64, u64),
    /// Two arrays differ in elements that both have.
    Elements(ElementsDifference),
}

/// A difference between two arrays, or between fields of their records.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ArrayDifference {
    /// The field, if they are arrays of records: those of nested records are joined with dots.
    pub field: Option<String>,
    /// What differs.
    pub change: Change,
}

impl ArrayDifference {
    /// The same in a field of this name.
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

/// How the shapes of two arrays differ, and what became of the elements that both have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShapeDifference {
    /// The shape of the first array, in C order.
    pub left: Vec<u64>,
    /// The shape of the second array.
    pub right: Vec<u64>,
    /// The shape of the part whose elements were compared: the first ones along each axis, or all of them in
    /// C order. `None` if there is no such part.
    pub compared: Option<Vec<u64>>,
    /// Whether the elements that were compared are equal; else a [`Change::Elements`] follows.
    pub equal: bool,
}

/// How the elements of two arrays differ.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    /// The place in both trees, or in the one that has it.
    pub path: Path,
    /// The column of a table in which it differs.
    pub column: Option<String>,
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
    pub(super) ignored: Vec<Path>,
    pub(super) complete: bool,
}

impl<'a> Differences<'a> {
    /// Those of two trees of which one has no root at least.
    pub(crate) fn of_rootless(left: Option<NodeRef<'a>>, right: Option<NodeRef<'a>>) -> Self {
        let change = if left.is_some() { Change::Missing } else { Change::Added };
        let only = Difference { path: Path::root(), column: None, change, left, right };
        let differs = left.is_some() || right.is_some();
        Self { list: differs.then_some(only).into_iter().collect(), ignored: Vec::new(), complete: true }
    }

    /// Whether there are none, and everything was compared.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.list.is_empty() && self.complete
    }

    /// Whether everything was compared; else a limit of [`DifferenceOptions`](crate::tree::DifferenceOptions) was reached.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The places where the writing software differs, if
    /// [it does not count](crate::tree::DifferenceOptions::writer).
    #[must_use]
    pub fn ignored(&self) -> &[Path] {
        &self.ignored
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

/// A node in words, with NaN and infinity spelled as in the elements of arrays.
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
    /// Writes it down; in a column, the first axis is that of the rows.
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

/// Whether a mapping is compared as a table, or as an array of records.
fn is_table(node: NodeRef<'_>) -> bool {
    node.get("columns").is_some() || node.get("datatype").is_some()
}

impl fmt::Display for Differences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.list {
            writeln!(f, "{difference}")?;
        }
        if self.complete { Ok(()) } else { writeln!(f, "not everything was compared: a limit was reached") }
    }
}

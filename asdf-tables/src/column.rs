//! `Column`: the values of one thing for every row.

use std::collections::BTreeMap;

use asdf_core::NdArray;
use asdf_core::tree::NodeRef;
use asdf_schemas::Component;

/// The values of one thing for every row. Cloning copies no elements.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Column {
    /// The name.
    pub name: String,
    /// The unit, which can be any text.
    pub unit: Option<String>,
    /// What the values are, in words for people.
    pub description: Option<String>,
    /// What else is said of the values, such as `frame` or `scale`.
    pub metadata: BTreeMap<String, String>,
    /// The elements, with a mask where some are missing. The first axis runs over the rows; further ones make each cell
    /// an array.
    pub array: NdArray,
}

impl Column {
    /// Creates a column without unit, description and metadata.
    #[must_use]
    pub fn new(name: impl Into<String>, array: NdArray) -> Self {
        Self { name: name.into(), unit: None, description: None, metadata: BTreeMap::new(), array }
    }

    /// Creates a column of one of the arrays of a value.
    #[must_use]
    pub fn from_component(component: Component) -> Self {
        let Component { name, array, unit, description, metadata } = component;
        let unit = unit.map(|unit| unit.get().to_owned()).filter(|unit| !unit.is_empty());
        Self { name, unit, description, metadata, array }
    }

    /// Returns the array that a tagged value consists of: an array, a quantity, a time. `None` for other values and
    /// for those of several arrays. The column has no name.
    #[must_use]
    pub fn from_node(node: NodeRef<'_>) -> Option<Self> {
        match <[Component; 1]>::try_from(Component::all_of(node).ok()?) {
            Ok([one]) if one.name.is_empty() => Some(Self::from_component(one)),
            _ => None,
        }
    }

    /// Puts the name of a value before the column's own.
    pub(crate) fn under(self, name: &str) -> Self {
        let name = if self.name.is_empty() { name.to_owned() } else { format!("{name}.{}", self.name) };
        Self { name, ..self }
    }

    /// Whether the column is one of those of a value with this name.
    pub(crate) fn is_part_of(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Returns the shape of one cell: empty for a single value.
    #[must_use]
    pub fn cell(&self) -> &[u64] {
        self.array.shape().get(1..).unwrap_or_default()
    }
}

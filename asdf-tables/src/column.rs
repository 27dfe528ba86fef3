//! `Column`: a column of a table.

use std::collections::BTreeMap;

use asdf_core::NdArray;
use asdf_core::tree::NodeRef;
use asdf_schemas::Component;

/// A column of a table: a name, one value for each row, and properties of the values.
///
/// Cloning does not copy elements.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Column {
    /// The name.
    pub name: String,
    /// The unit, which can be any text.
    pub unit: Option<String>,
    /// The description of the values, for people.
    pub description: Option<String>,
    /// Other properties of the values, such as `frame` or `scale`.
    pub metadata: BTreeMap<String, String>,
    /// The elements, with a mask if some are missing.
    ///
    /// The first axis is that of the rows. If the array has more axes, each cell is an array.
    pub array: NdArray,
}

impl Column {
    /// Creates a column without a unit, description or metadata.
    #[must_use]
    pub fn new(name: impl Into<String>, array: NdArray) -> Self {
        Self { name: name.into(), unit: None, description: None, metadata: BTreeMap::new(), array }
    }

    /// Creates a column from one of the arrays of a value.
    #[must_use]
    pub fn from_component(component: Component) -> Self {
        let Component { name, array, unit, description, metadata } = component;
        let unit = unit.map(|unit| unit.get().to_owned()).filter(|unit| !unit.is_empty());
        Self { name, unit, description, metadata, array }
    }

    /// Creates a column without a name from a tagged value: an array, a quantity or a time.
    ///
    /// Returns `None` for other values, and for values with several arrays.
    #[must_use]
    pub fn from_node(node: NodeRef<'_>) -> Option<Self> {
        match <[Component; 1]>::try_from(Component::all_of(node).ok()?) {
            Ok([one]) if one.name.is_empty() => Some(Self::from_component(one)),
            _ => None,
        }
    }

    /// Prefixes the name of the column with the name of the value.
    pub(crate) fn under(self, name: &str) -> Self {
        let name = if self.name.is_empty() { name.to_owned() } else { format!("{name}.{}", self.name) };
        Self { name, ..self }
    }

    /// Returns whether the column belongs to a value with this name.
    pub(crate) fn is_part_of(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Returns the shape of one cell; empty if it is a single value.
    #[must_use]
    pub fn cell(&self) -> &[u64] {
        self.array.shape().get(1..).unwrap_or_default()
    }
}

//! What a schema says about the arrays that a tag brings.

use asdf_core::{Datatype, FromNode as _, NodeRef};

/// `ndim`, `max_ndim`, `datatype` and `exact_datatype`, which count next to the tag of an array only.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Elements {
    pub(crate) axes: Option<u64>,
    pub(crate) max_axes: Option<u64>,
    pub(crate) datatype: Option<Datatype>,
    /// Whether what casts to the datatype is refused.
    pub(crate) exact: bool,
}

impl Elements {
    /// Reads those of a schema.
    pub(crate) fn of(schema: NodeRef<'_>) -> Self {
        let mut elements = Self::default();
        for (key, value) in schema.entries() {
            elements.read(key.as_str().unwrap_or_default(), value);
        }
        elements
    }

    /// Takes a keyword if it is one of these and has a value that means something.
    pub(super) fn read(&mut self, keyword: &str, value: NodeRef<'_>) -> bool {
        match (keyword, value.as_u64()) {
            ("ndim", Some(axes)) => self.axes = Some(axes),
            ("max_ndim", Some(axes)) => self.max_axes = Some(axes),
            ("datatype", _) => match Datatype::from_node(value) {
                Ok(datatype) => self.datatype = Some(datatype),
                Err(_) => return false,
            },
            ("exact_datatype", _) => match value.as_bool() {
                Some(exact) => self.exact = exact,
                None => return false,
            },
            _ => return false,
        }
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What both say; of what they say differently, what this one does.
    pub(crate) fn and(self, other: &Self) -> Self {
        let max_axes = match (self.max_axes, other.max_axes) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let exact = match (&self.datatype, &other.datatype) {
            (Some(_), None) => self.exact,
            (None, Some(_)) => other.exact,
            _ => self.exact || other.exact,
        };
        Self {
            axes: self.axes.or(other.axes),
            max_axes,
            datatype: self.datatype.or_else(|| other.datatype.clone()),
            exact,
        }
    }

    /// Whether another says something that this one does not hold to.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        let differ = |a: Option<u64>, b: Option<u64>| a.is_some() && b.is_some() && a != b;
        differ(self.axes, other.axes)
            || (self.datatype.is_some() && other.datatype.is_some() && self.datatype != other.datatype)
    }
}

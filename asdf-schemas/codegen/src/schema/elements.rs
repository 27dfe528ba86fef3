//! The keywords of a schema for the elements of arrays.

use asdf_core::{Datatype, FromNode as _, NodeRef};

/// `ndim`, `max_ndim`, `datatype` and `exact_datatype`, which only have an effect beside the tag of an array.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Elements {
    pub(crate) axes: Option<u64>,
    pub(crate) max_axes: Option<u64>,
    pub(crate) datatype: Option<Datatype>,
    /// Whether datatypes that cast to the datatype are refused.
    pub(crate) exact: bool,
}

impl Elements {
    /// Reads the keywords of a schema.
    pub(crate) fn of(schema: NodeRef<'_>) -> Self {
        let mut elements = Self::default();
        for (key, value) in schema.entries() {
            elements.read(key.as_str().unwrap_or_default(), value);
        }
        elements
    }

    /// Reads a keyword. Returns whether it is one of these and has a valid value.
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

    /// Combines both. If they differ, this one takes precedence.
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

    /// Whether another requires something that this one does not satisfy.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        let differ = |a: Option<u64>, b: Option<u64>| a.is_some() && b.is_some() && a != b;
        differ(self.axes, other.axes)
            || (self.datatype.is_some() && other.datatype.is_some() && self.datatype != other.datatype)
    }
}

//! The properties of a transform in the tree.

use asdf_core::tree::Kind;
use asdf_core::{Error, NodeRef, Result};
use asdf_units::Unit;

use super::quantity::{Array, Quantity};

/// The mapping of a transform. Its methods read properties; their errors have the path below the transform.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    node: NodeRef<'a>,
    tag: &'a str,
}

impl<'a> Entry<'a> {
    /// Returns the properties of a node, which must be a mapping with a tag.
    pub(crate) fn open(node: NodeRef<'a>) -> Result<Self> {
        match node.own_tag() {
            Some(tag) if node.kind() == Kind::Mapping => Ok(Self { node, tag }),
            _ => Err(node.expected("a transform: a mapping with a tag")),
        }
    }

    /// Returns the node of the transform.
    pub(crate) fn node(&self) -> NodeRef<'a> {
        self.node
    }

    /// Returns the whole tag.
    pub(crate) fn tag(&self) -> &'a str {
        self.tag
    }

    /// Returns the name of the transform: its tag without authority and version.
    pub(crate) fn name(&self) -> &'a str {
        super::name::split(self.tag).map_or(self.tag, |(_, name)| name)
    }

    /// Makes an error at the transform.
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        self.node.error(message)
    }

    /// Makes an error at a property, or at the transform if the property is missing.
    pub(crate) fn error_at(&self, key: &str, message: impl Into<String>) -> Error {
        match self.get(key) {
            Some(node) => node.error(message).under(key),
            None => self.error(message),
        }
    }

    /// Adds the place of a property to an error.
    pub(crate) fn place_at(&self, key: &str, error: Error) -> Error {
        self.get(key).unwrap_or(self.node).place(error).under(key)
    }

    /// Returns a property; `None` if it is missing or null.
    pub(crate) fn get(&self, key: &str) -> Option<NodeRef<'a>> {
        self.node.get(key).filter(|node| !node.is_null())
    }

    /// Returns a property.
    pub(crate) fn require(&self, key: &str) -> Result<NodeRef<'a>> {
        self.get(key).ok_or_else(|| self.error(format!("the required property '{key}' is missing")))
    }

    /// Reads a property with a function.
    fn read<T>(&self, key: &str, read: impl FnOnce(NodeRef<'a>) -> Result<T>) -> Result<T> {
        let node = self.require(key)?;
        read(node).map_err(|error| node.place(error).under(key))
    }

    /// Reads a property with a function; `None` if it is missing or null.
    fn optional<T>(&self, key: &str, read: impl FnOnce(NodeRef<'a>) -> Result<T>) -> Result<Option<T>> {
        self.get(key).map(|_| self.read(key, read)).transpose()
    }

    /// Reads a number, or a number with a unit.
    pub(crate) fn quantity(&self, key: &str) -> Result<Quantity> {
        self.read(key, Quantity::read)
    }

    /// Reads a number, or a number with a unit; `None` if it is missing or null.
    pub(crate) fn optional_quantity(&self, key: &str) -> Result<Option<Quantity>> {
        self.optional(key, Quantity::read)
    }

    /// Reads a number in a unit. A number without a unit is in that unit already.
    pub(crate) fn number_in(&self, key: &str, unit: &Unit) -> Result<f64> {
        self.read(key, |node| Quantity::read(node)?.in_unit(unit))
    }

    /// Reads a number without a unit, or in the unit of plain numbers.
    pub(crate) fn number(&self, key: &str) -> Result<f64> {
        self.number_in(key, &Unit::one())
    }

    /// Reads a number without a unit; `absent` if it is missing or null.
    pub(crate) fn number_or(&self, key: &str, absent: f64) -> Result<f64> {
        self.get(key).map_or(Ok(absent), |_| self.number(key))
    }

    /// Reads an integer from 0 up to `most`.
    pub(crate) fn index(&self, key: &str, most: usize) -> Result<usize> {
        self.read(key, |node| read_index(node, most))
    }

    /// Reads an integer from 0 up to `most`; `None` if it is missing or null.
    pub(crate) fn optional_index(&self, key: &str, most: usize) -> Result<Option<usize>> {
        self.optional(key, |node| read_index(node, most))
    }

    /// Reads a list of integers from 0 up to `most`.
    pub(crate) fn indices(&self, key: &str, most: usize) -> Result<Vec<usize>> {
        self.list(key, "a list of integers", |node| read_index(node, most))
    }

    /// Reads the items of a list.
    pub(crate) fn list<T>(
        &self,
        key: &str,
        what: &str,
        mut read: impl FnMut(NodeRef<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.read(key, |node| {
            if node.kind() != Kind::Sequence {
                return Err(node.expected(what));
            }
            let items = node.items().enumerate();
            items.map(|(at, item)| read(item).map_err(|error| item.place(error).under(at))).collect()
        })
    }

    /// Reads a string.
    pub(crate) fn text(&self, key: &str) -> Result<&'a str> {
        self.read(key, |node| node.as_str().ok_or_else(|| node.expected("a string")))
    }

    /// Reads a string that is one of these, and returns its position.
    pub(crate) fn choice(&self, key: &str, names: &[&str]) -> Result<usize> {
        self.read(key, |node| {
            let found = node.as_str().and_then(|text| names.iter().position(|&name| name == text));
            found.ok_or_else(|| node.expected(format!("one of {}", names.join(", "))))
        })
    }

    /// Reads a list, an array, or a quantity with an array.
    pub(crate) fn array(&self, key: &str) -> Result<Array> {
        self.read(key, Array::read)
    }

    /// Reads a list, an array, or a quantity with an array; `None` if it is missing or null.
    pub(crate) fn optional_array(&self, key: &str) -> Result<Option<Array>> {
        self.optional(key, Array::read)
    }

    /// Reads a list of this many numbers.
    pub(crate) fn vector(&self, key: &str, length: usize) -> Result<Array> {
        self.read(key, |node| {
            let array = Array::read(node)?;
            match array.shape.as_slice() {
                &[found] if found == length => Ok(array),
                shape => Err(shape_error(node, shape, &format!("{length} numbers"))),
            }
        })
    }

    /// Reads an array of this many rows and columns.
    pub(crate) fn matrix(&self, key: &str, rows: usize, columns: usize) -> Result<Array> {
        self.read(key, |node| {
            let array = Array::read(node)?;
            match array.shape.as_slice() {
                &[r, c] if (r, c) == (rows, columns) => Ok(array),
                shape => Err(shape_error(node, shape, &format!("{rows} x {columns} numbers"))),
            }
        })
    }

    /// Reads the names of inputs or outputs, which must be as many as the default names.
    pub(crate) fn names(&self, key: &str, default: Vec<String>) -> Result<Vec<String>> {
        if self.get(key).is_none() {
            return Ok(default);
        }
        let names = self.list(key, "a list of names", read_name)?;
        if names.len() == default.len() {
            return Ok(names);
        }
        let message = format!("found {} names, but the transform has {} {key}", names.len(), default.len());
        Err(self.error_at(key, message))
    }

    /// Returns the number of items of a list; `None` if it is missing or not a list.
    pub(crate) fn count_of(&self, key: &str) -> Option<usize> {
        self.get(key).filter(|node| node.kind() == Kind::Sequence).map(NodeRef::len)
    }
}

fn shape_error(node: NodeRef<'_>, shape: &[usize], expected: &str) -> Error {
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let found = match lengths.as_slice() {
        [] => "one number".to_owned(),
        lengths => format!("{} numbers", lengths.join(" x ")),
    };
    node.error(format!("found {found}, expected {expected}"))
}

fn read_index(node: NodeRef<'_>, most: usize) -> Result<usize> {
    let index = node.as_u64().and_then(|value| usize::try_from(value).ok()).filter(|&value| value <= most);
    index.ok_or_else(|| node.expected(format!("an integer from 0 to {most}")))
}

pub(super) fn read_name(node: NodeRef<'_>) -> Result<String> {
    node.text().map(str::to_owned).ok_or_else(|| node.expected("a name"))
}

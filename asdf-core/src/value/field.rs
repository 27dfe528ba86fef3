//! Reading and writing fields in derived code, whether their types implement the traits or not.
//!
//! For a type that lacks a trait, the functions with the same names of [`FieldOfOther`] and
//! [`WrittenOfOther`] are chosen. They never run. The compiler therefore reports a wrong field type once,
//! where derived code requires the trait, and not at every use of the field.

use std::marker::PhantomData;

use super::derived::{Choice, Fields, FromFields, Items, MappingWriter, ToFields, properties};
use super::description::Property;
use super::{FromNode, Kinds, OwnTag, ToNode};
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, Tree};

/// Reads values of a type in derived code, and requires that they can be written too.
#[derive(Debug)]
pub struct Field<T>(PhantomData<T>);

impl<T: FromNode> Field<T> {
    /// `READS_ALL`, `TYPES` and `OWN_TAG` of the type.
    pub const CONSTANTS: (Kinds, Kinds, OwnTag) = (T::READS_ALL, T::TYPES, T::OWN_TAG);

    /// Reads a property: [`Fields::take`].
    pub fn take(fields: &mut Fields<'_>, key: &str) -> Option<T>
    where
        T: ToNode,
    {
        fields.take(key)
    }

    /// Reads a property that has a value if it is missing: [`Fields::take_or`].
    pub fn take_or(fields: &mut Fields<'_>, key: &str, absent: impl FnOnce() -> Option<T>) -> Option<T>
    where
        T: ToNode,
    {
        fields.take_or(key, absent)
    }

    /// Reads a property with a default in old files: [`Fields::take_old`].
    pub fn take_old(fields: &mut Fields<'_>, key: &str, make: impl FnOnce(&mut Tree) -> NodeId) -> Option<T>
    where
        T: ToNode,
    {
        fields.take_old(key, make)
    }

    /// Reads an item of a sequence: [`Items::take`].
    pub fn take_item(items: &mut Items<'_>, index: usize) -> Option<T>
    where
        T: ToNode,
    {
        items.take(index)
    }

    /// Reads the value of a variant: [`Choice::attempt`].
    pub fn attempt(choice: &mut Choice<'_>, variant: &'static str) -> Option<T>
    where
        T: ToNode,
    {
        choice.attempt(variant)
    }

    /// Returns the properties of a flattened struct.
    #[must_use]
    pub fn properties() -> Vec<Property> {
        properties(T::describe())
    }

    /// Requires that a type that is read can be written too.
    pub const fn require_written()
    where
        T: ToNode,
    {
    }
}

impl<T: FromFields> Field<T> {
    /// Reads the fields of a flattened struct: [`Fields::flatten`].
    pub fn flatten(fields: &mut Fields<'_>) -> Option<T>
    where
        T: ToFields,
    {
        fields.flatten()
    }
}

/// Replacements for the functions of a [`Field`] whose type lacks their trait.
///
/// They never run, because the compiler rejects such a type.
pub trait FieldOfOther {
    /// The type of the field.
    type Value;

    /// Replaces [`Field::CONSTANTS`].
    const CONSTANTS: (Kinds, Kinds, OwnTag) = (Kinds::NONE, Kinds::NONE, OwnTag::Unknown);

    /// Replaces [`Field::take`].
    #[must_use]
    fn take(_: &mut Fields<'_>, _: &str) -> Option<Self::Value> {
        None
    }

    /// Replaces [`Field::take_or`].
    #[must_use]
    fn take_or(_: &mut Fields<'_>, _: &str, _: impl FnOnce() -> Option<Self::Value>) -> Option<Self::Value> {
        None
    }

    /// Replaces [`Field::take_old`].
    #[must_use]
    fn take_old(_: &mut Fields<'_>, _: &str, _: impl FnOnce(&mut Tree) -> NodeId) -> Option<Self::Value> {
        None
    }

    /// Replaces [`Field::take_item`].
    #[must_use]
    fn take_item(_: &mut Items<'_>, _: usize) -> Option<Self::Value> {
        None
    }

    /// Replaces [`Field::attempt`].
    #[must_use]
    fn attempt(_: &mut Choice<'_>, _: &'static str) -> Option<Self::Value> {
        None
    }

    /// Replaces [`Field::properties`].
    #[must_use]
    fn properties() -> Vec<Property> {
        Vec::new()
    }

    /// Replaces [`Field::require_written`]. The compiler reports that the type cannot be read.
    fn require_written() {}

    /// Replaces [`Field::flatten`].
    #[must_use]
    fn flatten(_: &mut Fields<'_>) -> Option<Self::Value> {
        None
    }
}

impl<T> FieldOfOther for Field<T> {
    type Value = T;
}

/// A value that derived code writes.
#[derive(Debug)]
pub struct Written<'a, T: ?Sized>(pub &'a T);

impl<T: ToNode + ?Sized> Written<'_, T> {
    /// Writes the value: [`ToNode::to_node`].
    ///
    /// # Errors
    /// Returns an error if the value cannot be written.
    pub fn write(self, tree: &mut Tree) -> Result<NodeId> {
        self.0.to_node(tree)
    }

    /// Returns whether the property with this value is left out: [`ToNode::is_absent`].
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.0.is_absent()
    }

    /// Writes a property: [`MappingWriter::put`].
    pub fn put(self, mapping: &mut MappingWriter<'_>, key: &str) {
        mapping.put(key, self.0);
    }

    /// Creates a node of the value: [`Node::new`].
    ///
    /// # Errors
    /// Returns an error if the value cannot be written.
    pub fn node(self) -> Result<Node> {
        Node::new(self.0)
    }
}

impl<T: ToFields> Written<'_, T> {
    /// Writes the fields of a flattened struct: [`MappingWriter::flatten`].
    pub fn put_flattened(self, mapping: &mut MappingWriter<'_>) {
        mapping.flatten(self.0);
    }
}

/// Replacements for the functions of a [`Written`] value whose type lacks their trait.
///
/// They never run, because the compiler rejects such a type.
pub trait WrittenOfOther: Sized {
    /// Replaces [`Written::write`].
    ///
    /// # Errors
    /// Always.
    fn write(self, _: &mut Tree) -> Result<NodeId> {
        Err(refused())
    }

    /// Replaces [`Written::is_absent`].
    #[must_use]
    fn is_absent(&self) -> bool {
        true
    }

    /// Replaces [`Written::put`].
    fn put(self, _: &mut MappingWriter<'_>, _: &str) {}

    /// Replaces [`Written::node`].
    ///
    /// # Errors
    /// Always.
    fn node(self) -> Result<Node> {
        Err(refused())
    }

    /// Replaces [`Written::put_flattened`].
    fn put_flattened(self, _: &mut MappingWriter<'_>) {}
}

impl<T: ?Sized> WrittenOfOther for Written<'_, T> {}

fn refused() -> Error {
    Error::usage("the type of the field does not implement `ToNode`")
}

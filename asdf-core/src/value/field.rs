//! How derived code reads and writes the values of one type, whether it is a type of values or not.

use std::marker::PhantomData;

use super::derived::{Choice, Fields, FromFields, Items, MappingWriter, ToFields, properties};
use super::description::Property;
use super::{FromNode, ToNode};
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, Tree};

/// Reads and writes values of a type for derived code.
///
/// For a type that lacks a trait the functions of [`FieldOfOther`] with the same names are taken, which never run.
/// So the compiler says once what is wrong with the type of a field, where derived code asks for the trait, and
/// not wherever the field is used.
#[derive(Debug)]
pub struct Field<T>(PhantomData<T>);

impl<T: FromNode> Field<T> {
    /// Reads a property: [`Fields::take`].
    pub fn take(fields: &mut Fields<'_>, key: &str) -> Option<T> {
        fields.take(key)
    }

    /// Reads a property that has a value when it is not there: [`Fields::take_or`].
    pub fn take_or(fields: &mut Fields<'_>, key: &str, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        fields.take_or(key, absent)
    }

    /// Reads a property that has a default in old files: [`Fields::take_old`].
    pub fn take_old(fields: &mut Fields<'_>, key: &str, make: impl FnOnce(&mut Tree) -> NodeId) -> Option<T> {
        fields.take_old(key, make)
    }

    /// Reads an item of a sequence: [`Items::take`].
    pub fn take_item(items: &mut Items<'_>, index: usize) -> Option<T> {
        items.take(index)
    }

    /// Reads the value of a variant: [`Choice::attempt`].
    pub fn attempt(choice: &mut Choice<'_>, variant: &'static str) -> Option<T> {
        choice.attempt(variant)
    }

    /// The properties of a struct that is flattened.
    #[must_use]
    pub fn properties() -> Vec<Property> {
        properties(T::describe())
    }

    /// Asks that a type that is read is written too.
    pub const fn require_written()
    where
        T: ToNode,
    {
    }
}

impl<T: ToNode> Field<T> {
    /// Writes a value: [`ToNode::to_node`].
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn write(value: &T, tree: &mut Tree) -> Result<NodeId> {
        value.to_node(tree)
    }

    /// Whether the property with this value is left out: [`ToNode::is_absent`].
    pub fn is_absent(value: &T) -> bool {
        value.is_absent()
    }

    /// Writes a property: [`MappingWriter::put`].
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn put(mapping: &mut MappingWriter<'_>, key: &str, value: &T) -> Result<()> {
        mapping.put(key, value)
    }

    /// A node of a value: [`Node::new`].
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn node(value: &T) -> Result<Node> {
        Node::new(value)
    }
}

impl<T: FromFields> Field<T> {
    /// Reads the fields of a struct that is flattened: [`Fields::flatten`].
    pub fn flatten(fields: &mut Fields<'_>) -> Option<T> {
        fields.flatten()
    }

    /// Asks that a struct that is flattened is written too.
    pub const fn require_flattened()
    where
        T: ToFields,
    {
    }
}

impl<T: ToFields> Field<T> {
    /// Writes the fields of a struct that is flattened: [`MappingWriter::flatten`].
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn put_flattened(mapping: &mut MappingWriter<'_>, value: &T) -> Result<()> {
        mapping.flatten(value)
    }
}

/// What stands for the functions of a [`Field`] whose type lacks their trait. They never run, since the compiler
/// refuses such a type.
pub trait FieldOfOther {
    /// The type of the field.
    type Value;

    /// For [`Field::take`].
    #[must_use]
    fn take(_: &mut Fields<'_>, _: &str) -> Option<Self::Value> {
        None
    }

    /// For [`Field::take_or`].
    #[must_use]
    fn take_or(_: &mut Fields<'_>, _: &str, _: impl FnOnce() -> Option<Self::Value>) -> Option<Self::Value> {
        None
    }

    /// For [`Field::take_old`].
    #[must_use]
    fn take_old(_: &mut Fields<'_>, _: &str, _: impl FnOnce(&mut Tree) -> NodeId) -> Option<Self::Value> {
        None
    }

    /// For [`Field::take_item`].
    #[must_use]
    fn take_item(_: &mut Items<'_>, _: usize) -> Option<Self::Value> {
        None
    }

    /// For [`Field::attempt`].
    #[must_use]
    fn attempt(_: &mut Choice<'_>, _: &'static str) -> Option<Self::Value> {
        None
    }

    /// For [`Field::properties`].
    #[must_use]
    fn properties() -> Vec<Property> {
        Vec::new()
    }

    /// For [`Field::require_written`]: the error is that the type is not read.
    fn require_written() {}

    /// For [`Field::write`].
    ///
    /// # Errors
    /// Always.
    fn write(_: &Self::Value, _: &mut Tree) -> Result<NodeId> {
        Err(refused())
    }

    /// For [`Field::is_absent`].
    #[must_use]
    fn is_absent(_: &Self::Value) -> bool {
        true
    }

    /// For [`Field::put`].
    ///
    /// # Errors
    /// Always.
    fn put(_: &mut MappingWriter<'_>, _: &str, _: &Self::Value) -> Result<()> {
        Err(refused())
    }

    /// For [`Field::node`].
    ///
    /// # Errors
    /// Always.
    fn node(_: &Self::Value) -> Result<Node> {
        Err(refused())
    }

    /// For [`Field::flatten`].
    #[must_use]
    fn flatten(_: &mut Fields<'_>) -> Option<Self::Value> {
        None
    }

    /// For [`Field::require_flattened`]: the error is that the type is not flattened.
    fn require_flattened() {}

    /// For [`Field::put_flattened`].
    ///
    /// # Errors
    /// Always.
    fn put_flattened(_: &mut MappingWriter<'_>, _: &Self::Value) -> Result<()> {
        Err(refused())
    }
}

impl<T> FieldOfOther for Field<T> {
    type Value = T;
}

fn refused() -> Error {
    Error::usage("the type of the field is not a type of values")
}

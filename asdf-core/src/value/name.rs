//! Enums whose values are names, and values that are created from text.

use super::Description;
use super::check::FromText;
use super::derived::{describe, list, none_of, text};
use super::description::Form;
use crate::error::Result;
use crate::tree::{NodeRef, Tree};

/// An enum whose values are names.
pub trait Name: Sized + 'static {
    /// The name of the type in messages.
    const TYPE: &'static str;

    /// The names of all values, in the order of their definition.
    const NAMES: &'static [&'static str];

    /// Returns the value whose name is at this index of [`NAMES`](Self::NAMES).
    fn at(index: usize) -> Option<Self>;

    /// Returns the name of the value.
    fn name(&self) -> &'static str;
}

/// Reads a name.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not one of the names.
pub fn read_name<T: Name>(node: NodeRef<'_>) -> Result<T> {
    text(node).and_then(find).ok_or_else(|| none_of(node, T::TYPE, T::NAMES, &[]))
}

/// Returns the value with this name.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) if no value has the name.
pub fn parse_name<T: Name>(text: &str) -> Result<T> {
    find(text).ok_or_else(|| {
        let mut tree = Tree::new();
        let id = tree.add_str(text);
        none_of(tree.node(id), T::TYPE, T::NAMES, &[])
    })
}

fn find<T: Name>(text: &str) -> Option<T> {
    T::at(T::NAMES.iter().position(|name| *name == text)?)
}

/// Creates the description of an enum of names.
#[must_use]
pub fn describe_names<T: Name>(docs: &'static str, tag: Option<&'static str>) -> Description {
    describe::<T>(docs, tag, Form::Choice { words: list(T::NAMES), values: Vec::new() })
}

/// Creates a value from a text.
///
/// # Errors
/// Same as [`FromText::from_text`].
pub fn parse_text<T: FromText>(text: &str) -> Result<T> {
    T::from_text(text.to_owned())
}

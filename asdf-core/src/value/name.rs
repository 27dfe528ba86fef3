//! Enums whose values are names, and values that are made of text.

use super::Description;
use super::check::FromText;
use super::derived::{describe, list, none_of, text};
use super::description::Form;
use crate::error::Result;
use crate::tree::{NodeRef, Tree};

/// An enum whose values are names.
pub trait Name: Sized + 'static {
    /// What the type is called in messages.
    const TYPE: &'static str;

    /// The names of all values, in the order of their definition.
    const NAMES: &'static [&'static str];

    /// The value whose name stands at this place of [`NAMES`](Self::NAMES).
    fn at(index: usize) -> Option<Self>;

    /// The name of the value.
    fn name(&self) -> &'static str;
}

/// Reads a name.
///
/// # Errors
/// [`Mismatch`](crate::error::Kind::Mismatch) when the node is not one of the names.
pub fn read_name<T: Name>(node: NodeRef<'_>) -> Result<T> {
    text(node).and_then(find).ok_or_else(|| none_of(node, T::TYPE, T::NAMES, &[]))
}

/// The value with this name.
///
/// # Errors
/// [`Mismatch`](crate::error::Kind::Mismatch) when no value has it.
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

/// What describes a type of names.
#[must_use]
pub fn describe_names<T: Name>(docs: &'static str, tag: Option<&'static str>) -> Description {
    describe::<T>(docs, tag, Form::Choice { words: list(T::NAMES), values: Vec::new() })
}

/// The value that is made of a text.
///
/// # Errors
/// Those of [`FromText::from_text`].
pub fn parse_text<T: FromText>(text: &str) -> Result<T> {
    T::from_text(text.to_owned())
}

//! Enums whose values are names, and what derived types that are text share with strings.

use super::Description;
use super::check::FromText;
use super::derived::{list, none_of, text};
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
/// [`Mismatch`](crate::ErrorKind::Mismatch) when the node is not one of the names.
pub fn read_name<T: Name>(node: NodeRef<'_>) -> Result<T> {
    text(node).and_then(find).ok_or_else(|| none_of(node, T::TYPE, T::NAMES, &[]))
}

/// The value with this name.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) when no value has it.
pub fn parse_name<T: Name>(text: &str) -> Result<T> {
    find(text).ok_or_else(|| {
        let mut tree = Tree::new();
        let id = tree.add_str(text);
        none_of(tree.node(id), T::TYPE, T::NAMES, &[])
    })
}

/// The same of text that is owned.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) when no value has the name.
#[allow(clippy::needless_pass_by_value, reason = "it is called like `FromText::from_text`")]
pub fn own_name<T: Name>(text: String) -> Result<T> {
    parse_name(&text)
}

fn find<T: Name>(text: &str) -> Option<T> {
    T::at(T::NAMES.iter().position(|name| *name == text)?)
}

/// What describes a type of names.
#[must_use]
pub fn describe_names<T: Name>(docs: &'static str, tag: Option<&'static str>) -> Description {
    let form = Form::Choice { words: list(T::NAMES), values: Vec::new() };
    Description { name: std::any::type_name::<T>(), docs, tag, form }
}

/// The value that is made of a text.
///
/// # Errors
/// Those of [`FromText::from_text`].
pub fn parse_text<T: FromText>(text: &str) -> Result<T> {
    T::from_text(text.to_owned())
}

/// Implements what every type has that is text: the function `$shown` gives the text, `$parse` makes a value of it.
///
/// As rules and not in the derive, since the compiler expands them faster.
#[doc(hidden)]
#[macro_export]
macro_rules! __asdf_text {
    ([$($parameters:tt)*] $type:ty [$($clause:tt)*], $shown:path, $parse:path) => {
        #[automatically_derived]
        impl $($parameters)* $crate::__private::AsRef<$crate::__private::str> for $type $($clause)* {
            fn as_ref(&self) -> &$crate::__private::str {
                $shown(self)
            }
        }

        #[automatically_derived]
        impl $($parameters)* $crate::__private::Display for $type $($clause)* {
            fn fmt(&self, f: &mut $crate::__private::Formatter<'_>) -> ::core::fmt::Result {
                f.pad($shown(self))
            }
        }

        #[automatically_derived]
        impl $($parameters)* $crate::__private::PartialEq<$crate::__private::str> for $type $($clause)* {
            fn eq(&self, other: &$crate::__private::str) -> $crate::__private::bool {
                $shown(self) == other
            }
        }

        #[automatically_derived]
        impl $($parameters)* $crate::__private::PartialEq<&$crate::__private::str> for $type $($clause)* {
            fn eq(&self, other: &&$crate::__private::str) -> $crate::__private::bool {
                $shown(self) == *other
            }
        }

        #[automatically_derived]
        impl $($parameters)* $crate::__private::FromStr for $type $($clause)* {
            type Err = $crate::__private::Error;

            fn from_str(text: &$crate::__private::str) -> $crate::__private::Result<Self> {
                $parse(text)
            }
        }
    };
}

/// Implements `TryFrom` for a type that is text: `$parse` makes a value of borrowed text, `$own` of owned text.
#[doc(hidden)]
#[macro_export]
macro_rules! __asdf_try_text {
    ([$($parameters:tt)*] $type:ty [$($clause:tt)*], $parse:path, $own:path) => {
        #[automatically_derived]
        impl $($parameters)* $crate::__private::TryFrom<&$crate::__private::str> for $type $($clause)* {
            type Error = $crate::__private::Error;

            fn try_from(text: &$crate::__private::str) -> $crate::__private::Result<Self> {
                $parse(text)
            }
        }

        #[automatically_derived]
        impl $($parameters)* $crate::__private::TryFrom<$crate::__private::String> for $type $($clause)* {
            type Error = $crate::__private::Error;

            fn try_from(text: $crate::__private::String) -> $crate::__private::Result<Self> {
                $own(text)
            }
        }
    };
}

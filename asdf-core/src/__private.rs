//! Names for derived code. Do not use them in your own code: they can change with every version.
//!
//! All are in one module with short paths, because the compiler reads them for every field of every type.

pub use std::cmp::PartialEq;
pub use std::convert::{AsRef, From, Into, TryFrom};
pub use std::default::Default;
pub use std::fmt::{Display, Formatter};
pub use std::option::Option::{self, None, Some};
pub use std::primitive::{bool, f64, i128, str, u8, usize};
pub use std::result::Result::{Err, Ok};
pub use std::str::FromStr;
pub use std::string::{String, ToString};
pub use std::vec::Vec;

pub use crate::array::field::{Held, HeldRecords, write_records};
pub use crate::array::{self, NdArray};
pub use crate::block::{self, Compression};
pub use crate::error::{Error, Result};
pub use crate::tree::{Node, NodeId, NodeRef, Tree};
pub use crate::value::derived::*;
pub use crate::value::description::{Constraint, Form, Property};
pub use crate::value::{
    Asdf, Description, Extra, FromNode, KeptTag, Kinds, Note, Noted, Number, OwnTag, ToNode, check,
};

/// Implements the traits of a type that is text: `$shown` returns the text, and `$parse` parses it.
///
/// This is a declarative macro and not a part of the derive, because the compiler expands it faster.
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

/// Implements `TryFrom<&str>` for a type that is text: `$parse` parses it.
#[doc(hidden)]
#[macro_export]
macro_rules! __asdf_try_text {
    ([$($parameters:tt)*] $type:ty [$($clause:tt)*], $parse:path) => {
        #[automatically_derived]
        impl $($parameters)* $crate::__private::TryFrom<&$crate::__private::str> for $type $($clause)* {
            type Error = $crate::__private::Error;

            fn try_from(text: &$crate::__private::str) -> $crate::__private::Result<Self> {
                $parse(text)
            }
        }
    };
}

pub use {__asdf_text as text_type, __asdf_try_text as try_text};

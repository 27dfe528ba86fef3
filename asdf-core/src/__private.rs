//! What derived code names. Not for hand-written code: it may change with every version.
//!
//! All are in one module, with short paths: the compiler reads them for every field of every type.

pub use std::any::type_name;
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

pub use crate::array::{self, NdArray};
pub use crate::block::{self, Compression};
pub use crate::error::{Error, Result};
pub use crate::tree::{Node, NodeId, NodeRef, Tree};
pub use crate::value::derived::*;
pub use crate::value::description::{Form, Property};
pub use crate::value::{
    Asdf, Description, Extra, FromNode, KeptTag, Note, Noted, Number, OwnTag, ToNode, Types, check,
    description,
};
pub use crate::{__asdf_text as text_type, __asdf_try_text as try_text};

//! serde both ways: any node into a `Deserialize` type, any `Serialize` value into a node.
//!
//! For types without tags, and for those of other crates; a type that is to keep tags, unknown
//! properties and versions derives [`Asdf`](crate::Asdf) instead.
//!
//! ```
//! use asdf_core::Tree;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Exposure<'a> {
//!     seconds: f64,
//!     #[serde(borrow)]
//!     filter: Option<&'a str>,
//! }
//!
//! let mut tree = Tree::new();
//! tree.serialize("/exposure", &Exposure { seconds: 12.5, filter: Some("F158") })?;
//! let back: Exposure = tree.deserialize("/exposure")?; // `filter` borrows from the tree
//! assert_eq!(back, Exposure { seconds: 12.5, filter: Some("F158") });
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | node | serde |
//! |---|---|
//! | null | `None`, `()`, a unit struct |
//! | boolean | `bool` |
//! | integer | integers up to 128 bits (larger ones are an error), floats |
//! | float | `f32`, `f64` |
//! | string | `&str` borrowed from the tree, `String`, `char`, an enum's unit variant |
//! | `!!binary` | bytes, decoded; the base64 text where a string is asked for |
//! | timestamp | its text |
//! | sequence | sequences, tuples, arrays |
//! | mapping | structs, maps; with one entry an enum's variant with content |
//! | `!!set` | sequences too, of its keys |
//!
//! Tags are ignored when reading, and only `!!binary` is written. The key of a map is written as a
//! string, an integer or a boolean, and read as a string also where it is one of the others. Of a
//! key that is there twice, structs and maps have the last. `None` and `()` are written as null:
//! `#[serde(skip_serializing_if = "Option::is_none")]` leaves them out. Sharing between nodes is
//! not seen by serde: a shared node is read once for each place that it stands in.
//!
//! # Limits
//!
//! Values nest at most 512 deep; [`from_node`] reads at most four times as many nodes as
//! the tree has, and a million more, so that cycles and aliases that expand without end are
//! [`Limit`](crate::ErrorKind::Limit) errors. serde itself keeps no integers of 128 bits in untagged,
//! internally tagged and flattened types.
//!
//! Errors name line, column and path as those of [`Tree::get`] do; the first one ends the reading.

mod deserializer;
mod error;
mod serializer;

use ::serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

/// How deep values may nest.
const DEPTH: usize = 512;

/// Reads any deserialisable value from a node. What is borrowed lives as long as the tree.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) with line, column and the path below the node;
/// [`Limit`](crate::ErrorKind::Limit) when it is too deep, or aliases expand too far.
pub fn from_node<'a, T: Deserialize<'a>>(node: NodeRef<'a>) -> Result<T> {
    deserializer::read(node)
}

/// Adds any serialisable value to a tree and gives its node.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) when a map's key is no string, integer or boolean;
/// [`Limit`](crate::ErrorKind::Limit) when the value is too deep; and what the value itself says.
pub fn to_node<T: Serialize + ?Sized>(value: &T, tree: &mut Tree) -> Result<NodeId> {
    serializer::write(value, tree)
}

impl Tree {
    /// Reads any deserialisable value at a JSON Pointer: see [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// As [`at`](Self::at) and [`from_node`].
    pub fn deserialize<'a, T: Deserialize<'a>>(&'a self, pointer: &str) -> Result<T> {
        let node = self.at(pointer)?;
        let slash = if pointer.is_empty() || pointer.starts_with('/') { "" } else { "/" };
        from_node(node).map_err(|error| error.at_path(&format!("{slash}{pointer}")))
    }

    /// Writes any serialisable value at a JSON Pointer, as [`set`](Self::set) does: see
    /// [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// As [`put`](Self::put) and [`to_node`].
    pub fn serialize<T: Serialize + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        let id = to_node(value, self)?;
        self.set_node(pointer, id)
    }
}

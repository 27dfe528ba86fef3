//! ASDF, the Advanced Scientific Data Format, as a typed model.

pub mod error;
pub mod tree;
pub mod value;
pub mod yaml;

pub use error::{Error, Kind as ErrorKind, Result};
pub use tree::{Kind, Node, NodeId, NodeRef, Path, Style, Tree};
pub use value::{Asdf, Extra, FromNode, KeptTag, Nullable, Number, Tagged, Timestamp, ToNode};

//! The meaning of ASDF schemas: JSON Schema draft 4 with the keywords of ASDF.
//!
//! All crates of ASDF for Rust that read schemas use this crate, so they agree.
//!
//! ```
//! use asdf_schema_model::{Holds, keyword, nearest, pointer, uri};
//!
//! // References between schemas.
//! let (id, place) = uri::resolve("asdf://example.org/schemas/a-1.0.0", "../b-1.0.0#/definitions/c~1d");
//! assert_eq!(id, "asdf://example.org/b-1.0.0");
//! assert_eq!(pointer::steps(&place).collect::<Vec<_>>(), ["definitions", "c/d"]);
//!
//! // Keywords.
//! assert_eq!(keyword("properties").map(|keyword| keyword.holds), Some(Holds::Named));
//! assert_eq!(nearest("requird", &["properties", "required"]), Some("required"));
//! ```
//!
//! [`Schema`] views a node as a schema, with accessors for limits, items, required properties and nested schemas. The node
//! can come from any parser that implements [`Value`]. [`Facts`] combines several schemas that apply together.
//!
//! This crate does not parse YAML and does not validate values. `asdf-core` depends on it, and the derive compiles it for
//! every user, so it has only one small dependency.

mod facts;
mod keyword;
mod kinds;
mod limits;
mod nearest;
pub mod pointer;
mod schema;
pub mod uri;
mod value;

pub use facts::{Facts, OtherProperties, Property};
pub use keyword::{Draft, Holds, KEYWORDS, Keyword, keyword};
pub use kinds::Kinds;
pub use limits::{Limits, Number};
pub use nearest::nearest;
pub use schema::{Found, Items, Limit, Others, Part, Schema, Step};
pub use value::Value;

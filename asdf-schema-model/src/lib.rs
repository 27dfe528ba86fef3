//! What the schemas of ASDF mean: JSON Schema draft 4 with the keywords of ASDF. All crates that read schemas read
//! them with this one, so that they agree.
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
//! [`Schema`] views a node of any parser that implements [`Value`] as a schema: limits, items, required properties, the
//! schemas that stand in it. [`Facts`] are what several schemas say together.
//!
//! This crate parses no YAML and validates nothing. It stands below `asdf-core`, and the derive compiles it for every
//! user, so it has one small dependency.

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

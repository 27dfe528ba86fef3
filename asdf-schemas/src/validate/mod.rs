//! Validation: every tagged node of a tree against its tag's schema, exactly once, and what the
//! standard asks of trees, arrays and blocks beside schemas.
//!
//! Semantics are those of Python's asdf where the standard is silent: draft 4 with the keywords
//! `tag`, `ndim`, `max_ndim`, `datatype` and `exact_datatype`; formats are not checked; tagged
//! scalars are strings; a mapping with `$ref` is a reference and fits every schema. Unlike there,
//! every tagged node anywhere is validated, and every violation is told with its place.
//!
#![doc = include_str!("differences.md")]

mod arrays;
mod blocks;
mod change;
mod check;
mod closest;
mod code;
mod datatypes;
mod engine;
mod expansion;
mod findings;
mod instance;
mod keywords;
mod meaning;
mod members;
mod normal;
mod report;
mod subset;
mod tags;
mod unchecked;
mod validator;
mod violation;

pub use change::ChangeValidator;
pub use code::{Code, Severity};
pub use report::Report;
pub use validator::Validator;
pub use violation::Violation;

use findings::Findings;
pub(crate) use normal::{json, with_schemas};

//! Validates trees and files against schemas and the rules of the standard.
//!
//! A [`Validator`] checks every tagged node of a tree once, against the schemas of its tag. It also checks the rules of
//! the standard for YAML, arrays and blocks that no schema expresses. The result is a [`Report`] of [`Violation`]s, each
//! with a path, line, column and [`Code`]. [`ChangeValidator`] reports only the violations that a change adds.
//!
//! Schemas are JSON Schema, draft 4, with the keywords `tag`, `ndim`, `max_ndim`, `datatype` and `exact_datatype` of
//! ASDF. If the standard does not say otherwise, they mean the same as in Python's asdf:
//!
//! - `format` is not checked.
//! - Scalars with a tag of their own are strings.
//! - A mapping with the key `$ref` is a reference and matches every schema.
//!
//! ```
//! use asdf_core::yaml;
//! use asdf_schemas::Validator;
//! use asdf_schemas::validate::Code;
//!
//! let tree = yaml::parse("made_by: !<tag:stsci.edu:asdf/core/software-1.0.0> {name: camera, version: 2.1}")?;
//! let report = Validator::standard().validate_tree(&tree);
//! let violation = &report.violations()[0];
//! assert_eq!((violation.code(), violation.path().as_str()), (Code::Type, "/made_by/version"));
//! assert_eq!(violation.message(), "found the float 2.1, expected a string");
//! # Ok::<(), asdf_core::Error>(())
//! ```
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
mod external;
mod findings;
mod instance;
mod keywords;
mod kind;
mod levels;
mod meaning;
mod members;
mod normal;
mod report;
mod snippet;
mod steps;
mod subset;
mod suggestions;
mod tags;
mod unchecked;
mod unique;
mod validator;
mod violation;

pub use change::ChangeValidator;
pub use code::{Code, Severity};
pub use report::Report;
pub use snippet::Snippet;
pub use validator::Validator;
pub use violation::Violation;

use findings::Findings;
pub(crate) use normal::{json, with_schemas};

//! The ASDF Standard's schemas: the types generated from them, the registry that finds them by tag,
//! and the validator.
//!
//! ```
//! use asdf_core::File;
//! use asdf_schemas::Validator;
//!
//! let file = File::from_bytes(&b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n\
//! %TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
//! made_by: !core/software-1.0.0 {name: camera, version: 2.1}\n...\n"[..])?;
//! let report = Validator::standard().validate_file(&file);
//! assert_eq!(
//!     report.violations()[0].to_string(),
//!     "6:55: /made_by/version: found the float 2.1, expected a string"
//! );
//! # Ok::<(), asdf_core::Error>(())
//! ```

pub mod registry;
pub mod standard;
pub mod validate;

#[allow(
    clippy::large_enum_variant,
    clippy::module_inception,
    reason = "a variant is what the schema says; versions of `fits` are in `fits::fits`"
)]
mod generated {
    // The same text stands in asdf-schemas/generated/types.rs, for people.
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

pub use generated::{core, fits, table, time, unit, wcs};

pub use registry::Registry;
pub use standard::convert;
pub use validate::{Report, Validator, Violation};

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

//! Types, schemas and validation for the ASDF Standard.
//!
//! [`asdf_core`] reads and writes ASDF files. This crate has the schemas of all versions of the standard, Rust types
//! generated from them, and a validator that reports the path, line, column and reason of each violation.
//!
//! | task | items |
//! |---|---|
//! | validate a file, a tree, or a change | [`Validator`], [`Report`], [`Violation`], [`validate::ChangeValidator`] |
//! | look up the code of a violation | [`validate::Code`] |
//! | read and write the standard's types | [`unit::Quantity`], [`time::Time`], [`table::Table`], [`fits::Fits`], [`basic`], [`wcs`] |
//! | convert units and time scales | [`Quantity::to`](unit::Quantity::to), [`unit::Unit`], [`Instant`] |
//! | get the arrays of times, coordinates and columns | [`Component`] |
//! | add schemas: text, files, folders, extensions | [`Registry`] |
//! | find the schemas of installed Python packages | [`installed`] |
//! | generate types from a schema package | [`guide::types_from_packages`] |
//! | generate schemas from types | [`export`] |
//! | check a schema package | [`package`] |
//! | make a value from a schema | [`minimal()`], [`sample`] |
//! | fill in defaults in old files | [`Defaults`] |
//! | convert to another version of the standard | [`convert()`] |
//! | lay out new nodes as schemas ask | [`Registry::arrange`] |
//! | get the titles of schemas for nodes | [`titles`] |
//!
//! The [guide] goes from the first struct to a published extension.
//!
//! # Values of the standard
//!
//! ```
//! use asdf_core::File;
//! use asdf_schemas::time::{Time, TimeScale};
//! use asdf_schemas::unit::Quantity;
//!
//! let mut file = File::new();
//! file.set("/exposure", &Quantity::scalar(30.0, "s")?)?;
//! file.set("/start", &Time::parse("2026-01-01T12:34:56.789")?)?;
//!
//! let exposure: Quantity = file.get("/exposure")?;
//! assert_eq!(exposure.number_in("min")?, 0.5);
//! let start: Time = file.get("/start")?;
//! assert_eq!(start.instant()?.to(TimeScale::Tai)?.to_string(), "2026-01-01T12:35:33.789");
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Validation
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
//!
//! The [differences from Python's asdf](validate) are listed in the module `validate`.
//!
//! # The layout of new files
//!
//! A schema can say which keys come first (`propertyOrder`), which collections are written in brackets (`flowStyle`) and
//! how strings are written (`style`). [`Registry::arrange`] applies this layout to new nodes. Nodes that were read from a
//! file keep their layout.
//!
//! ```
//! use asdf_core::{Asdf, File};
//! use asdf_schemas::Registry;
//!
//! let mut registry = Registry::new();
//! registry.add_schema(
//!     "id: asdf://example.org/camera/schemas/exposure-1.0.0\n\
//!      properties: {notes: {type: string, style: literal}, lens: {flowStyle: flow}}\n\
//!      propertyOrder: [filter, lens]\n",
//! )?;
//! registry.add_tag(
//!     "asdf://example.org/camera/tags/exposure-1.0.0",
//!     "asdf://example.org/camera/schemas/exposure-1.0.0",
//! );
//!
//! #[derive(Debug, Asdf)]
//! #[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0")]
//! struct Exposure {
//!     notes: String,
//!     lens: Lens,
//!     filter: String,
//! }
//!
//! #[derive(Debug, Asdf)]
//! struct Lens {
//!     focus: Vec<u32>,
//! }
//!
//! let lens = Lens { focus: vec![35, 70] };
//! let exposure = Exposure { notes: "clouds".to_owned(), lens, filter: "F106".to_owned() };
//! let mut file = File::new();
//! file.set("/exposure", &exposure)?;
//! registry.arrange(file.tree_mut());
//! let text = String::from_utf8_lossy(&file.to_bytes()?).into_owned();
//! assert!(text.contains(
//!     "exposure: !<asdf://example.org/camera/tags/exposure-1.0.0>\n  \
//!        filter: F106\n  \
//!        lens: {focus: [35, 70]}\n  \
//!        notes: |-\n    \
//!          clouds\n"
//! ));
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Features
//!
#![doc = include_str!("features.md")]

mod arrange;
mod component;
mod defaults;
pub mod described;
mod documents;
mod expansion;
pub mod export;
mod ext;
pub mod installed;
pub mod minimal;
pub mod package;
pub mod registry;
pub mod sample;
pub mod standard;
pub mod titles;
pub mod validate;

#[allow(
    missing_docs,
    clippy::large_enum_variant,
    clippy::module_inception,
    unreachable_pub,
    reason = "variants follow the schema; versions of `fits` are in `fits::fits`; `unit` has a hand-written type too"
)]
mod generated {
    // A copy for people is in asdf-schemas/generated/types.rs.
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

/// Coordinate transforms, the parts of a GWCS (feature `transform`).
///
/// Versions 1.0.0 to 1.5.0 of the standard contain them. Since then they are a package of their own.
///
/// In other types, such as [`wcs::Step`], a transform is a node. Read it as [`transform::AnyTransform`].
#[cfg(feature = "transform")]
#[allow(
    missing_docs,
    clippy::large_enum_variant,
    clippy::module_inception,
    clippy::type_complexity,
    reason = "types follow the schema; versions of `domain` are in `domain::domain`"
)]
pub mod transform {
    // A copy for people is in asdf-schemas/generated/transform/types.rs.
    include!(concat!(env!("OUT_DIR"), "/transform/types.rs"));
}

#[doc = include_str!("guide.md")]
pub mod guide {
    #[doc = include_str!("packages.md")]
    pub mod types_from_packages {}
}

pub use generated::{basic, fits, table, tag_patterns, time, wcs};

/// Units, and numbers or arrays with a unit.
///
/// # Examples
///
/// ```
/// use asdf_core::{File, NdArray};
/// use asdf_schemas::unit::Quantity;
///
/// let mut file = File::new();
/// file.set("/wavelength", &Quantity::from_array(NdArray::new(&[3], &[1.0, 1.5, 2.0])?, "um")?)?;
///
/// let wavelength: Quantity = file.get("/wavelength")?;
/// assert_eq!((wavelength.shape(), wavelength.unit.get()), (&[3_u64][..], "um"));
/// assert_eq!(wavelength.numbers()?, [1.0, 1.5, 2.0]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "Quantity")]
#[doc(alias = "astropy.units")]
pub mod unit {
    pub use crate::ext::Unit;
    pub use crate::generated::unit::*;
}

pub use asdf_units;
pub use component::Component;
pub use defaults::Defaults;
pub use ext::{Instant, TimeText};
pub use minimal::minimal;
pub use registry::Registry;
pub use standard::convert;
pub use validate::{Report, Validator, Violation};

/// The examples of the README of the project compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The examples of the README of this crate compile too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct PackageReadme;

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
//!
//! # The layout of new files
//!
//! Schemas say how people like to see their data: which keys come first (`propertyOrder`), what stands in
//! brackets (`flowStyle`) and how text is written (`style`). [`Registry::arrange`] gives it to the nodes
//! that a program made, and leaves those that were read as they are:
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
mod documents;
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
    reason = "a variant is what the schema says; versions of `fits` are in `fits::fits`; `unit` has a type of ours too"
)]
mod generated {
    // The same text stands in asdf-schemas/generated/types.rs, for people.
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

/// Transforms, as GWCS is made of them: the types that versions 1.0.0 to 1.5.0 of the standard name, and that are
/// a package of their own since. Needs the feature `transform`.
///
/// A field of another type that holds a transform, such as that of [`wcs::Step`], is a node, which can be read
/// as [`transform::AnyTransform`].
#[cfg(feature = "transform")]
#[allow(
    missing_docs,
    clippy::large_enum_variant,
    clippy::module_inception,
    clippy::type_complexity,
    reason = "a type is what the schema says; versions of `domain` are in `domain::domain`"
)]
pub mod transform {
    // The same text stands in asdf-schemas/generated/transform/types.rs, for people.
    include!(concat!(env!("OUT_DIR"), "/transform/types.rs"));
}

#[doc = include_str!("guide.md")]
pub mod guide {
    #[doc = include_str!("packages.md")]
    pub mod types_from_packages {}
}

pub use generated::{basic, fits, table, tag_patterns, time, wcs};

/// Units, and numbers with a unit.
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

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// That of the package too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct PackageReadme;

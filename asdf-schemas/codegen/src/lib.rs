//! Rust types from YAML Schemas, for build scripts.
//!
//! The schemas of an ASDF package go in, and the text of Rust types comes out: structs for mappings,
//! enums for lists of strings and for unions, newtypes for what is constrained, one module for each
//! folder. The text has nothing but docs, types, `#[derive(..)]` and `#[asdf(..)]`: the derive does
//! the rest, so that a generated type is one that you could have written.
//!
//! ```no_run
//! // build.rs
//! fn main() -> asdf_codegen::Result<()> {
//!     asdf_codegen::Config::standard().package("schemas").run()?;
//!     Ok(())
//! }
//! ```
//!
//! [`Config::standard`] knows the types that exist for the schemas of the ASDF Standard, in `asdf_core` and
//! `asdf_schemas`. [`Config`] has all the settings, [`Report`] tells where a type says more or less than its schema.
//!
//! What it does, stage by stage: read the files ([`Config::package`]), follow references, find a type
//! for every schema, let versions of the same shape share one, find names and modules, write the text.
//! The same schemas and settings always give the same text.
//!
//! # Tags and versions
//!
//! - A schema that asks for a tag gets the type of that tag. A pattern of tags gets `Tagged<T, P>`, which keeps
//!   other tags that fit the pattern as nodes and refuses the rest. `P` is a type in the module `tag_patterns` at
//!   the top, called after the tag and the version, one for all fields that ask for the same:
//!   `Tagged<Column, tag_patterns::ColumnV1>` for `tag: .../table/column-1.*`; with the folder in front where two
//!   would be called the same (`TableColumnV1`). Where versions of a schema that share a type ask for different
//!   ones, it has all of them (`ColumnV1OrColumnV2`).
//! - A reference to a schema whose tag has versions that differ gets `Tagged<T>`, which keeps any other tag; if
//!   another version that shares the type asks for a pattern there, its pattern and the known versions count. In a
//!   union every version is a variant (`Quantity`, `QuantityV1_1_0`).
//! - The type of the current version of a tag reads those of all others whose values fit it, and writes them with
//!   the tag that they had for as long as they are valid for it (`versions` of the derive). `Tagged` keeps a value
//!   of another version that does not fit as a node.
//! - A schema that others with tags build on by `allOf` is a base. Where one is asked for, the type is
//!   `Tagged<AnyBase>`, an enum of the types that build on it; the base's own type is for nodes without a tag. Values
//!   with any other tag are kept as nodes, whether they build on the base or not.
//!   If the base has tags itself, only what stands in the same folder is in the enum.
//! - A struct has the properties of a base without tags in a field `base` of the base's type, with `flatten`; of several
//!   bases, each field is called after its schema. If the base has no required properties, its type has a `Default`, and
//!   `new` does not ask for it. A struct has the properties itself if it says more of one of them than the base does, if
//!   `propertyOrder` puts others between them, or if the base has defaults for old files, which only the base's own
//!   values get.
//! - What a schema says next to `tag` narrows the type of the tag: a type of its own, with the same tags. Next to
//!   the tag of arrays, `ndim`, `max_ndim`, `datatype` and `exact_datatype` make an `Array<f32, 2>`, when the
//!   configuration has `::asdf_core::NdArray` for arrays.
//! - A `tag` without a star that is not the only one of its type makes `#[asdf(write_tags = [..])]` on the field or
//!   the variant: a new value is written with that tag. Values in lists and maps are not, and the report says so. Nor
//!   is a value that keeps a tag of its own, if the versions that share the type ask for different tags.
//! - An enum of all that builds on a base has `#[asdf(by_tag)]`: a node without a tag is read as the base.
//! - `not: {items: {not: ..}}`, which says that a list has a certain item, is checked when the value is made, and
//!   gives the list a function that finds the item.
//! - A schema with `deprecated: true`, or with that word in its title or in that of its tag, has a deprecated type.
//! - Keywords that are not of the language, such as `unit` or `archive_catalog`, are kept as notes of the type,
//!   for which `asdf_core::value::Noted` asks.
//!
//! # What types do not check
//!
//! If a type takes values that its schema refuses, its docs or those of the field say so: "Not checked:
//! `minProperties: 1`.", or that new values have another tag than the schema asks for. [`Report`] lists all such
//! places. The validator of asdf-schemas checks everything.
//!
//! # What a new version of a schema changes
//!
//! A generated type says all that its schema says, so that a new version of the schema may need another type:
//!
//! | in the new version of the schema | in the generated code | code that breaks |
//! |---|---|---|
//! | other docs, examples | docs | none |
//! | a new optional property | a field, `None` in `new` | struct literals without `..`, patterns without `..` |
//! | a new required property | a parameter of `new`; older values are read by a type of their version | calls of `new` |
//! | a new word in an `enum`, a new branch of `anyOf` | a variant | `match` without `_` |
//! | a tighter constraint | `new` of the checked type refuses more | none that compiles |
//! | the old version beside the new one | a module such as `exposure::v1_0_0` if the shapes differ | paths to the older version |
//!
//! So a crate with public generated types makes a breaking release (0.2 to 0.3, or 1.x to 2.0) when it takes up a new
//! minor version of a schema. The types are not `#[non_exhaustive]`: within a crate of its own that attribute does
//! nothing, and in public types it would forbid struct literals and complete matches for good, which show at compile
//! time where a program has to follow the schema. `new`, `..Type::new(..)` and `match` with `_` keep a program
//! independent of new optional properties and words.
//!
//! Files of the older version stay readable if the package still has its schema and tag:
//!
//! | value | what the type of the new version does |
//! |---|---|
//! | read with an older tag | reads it if it is valid for that version and fits the type |
//! | read with an older tag, then written | writes that tag, or its own if the value is no longer valid for that version |
//! | new | writes its own tag |
//! | with a tag that is newer than the type | refuses it; `Tagged<T>` and `Node` keep it |
//!
//! # Limits
//!
//! - Keywords of JSON Schema draft 4 and of ASDF's YAML Schema count; those of later drafts do not, as
//!   in Python's asdf.
//! - The variants of an enum are tried in order, so that a value that fits several branches of `anyOf`
//!   or `oneOf` is read as the first.
//! - Any other `not`, `dependencies`, `minProperties` and `maxProperties` are not checked by the types.
//! - Schemas nest at most 64 deep within one document.

mod build;
mod config;
mod demanded;
mod generate;
mod layout;
mod library;
mod model;
mod names;
mod owners;
mod recursion;
mod render;
mod report;
mod schema;
mod settings;
mod shape;
mod unchecked;
mod uri;

pub use asdf_core::error::{Error, Result};
pub use config::Config;
pub use generate::Generated;
pub use report::{Loss, LossKind, Report, TypeReport};
pub use settings::{Extern, Module};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

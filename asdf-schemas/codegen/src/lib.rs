//! Generates Rust types from the YAML schemas of ASDF, for build scripts.
//!
//! The input is the schemas of an ASDF package, the output is Rust source code: structs for mappings, enums for lists of
//! strings and for unions, newtypes for constrained values, and one module per folder. The code consists only of docs,
//! types, `#[derive(..)]` and `#[asdf(..)]`. The derive does the rest, so generated types look like types written by hand.
//!
//! # Examples
//!
//! ```no_run
//! // build.rs
//! fn main() -> asdf_codegen::Result<()> {
//!     asdf_codegen::Config::standard().package("schemas").run()?;
//!     Ok(())
//! }
//! ```
//!
//! [`Config::standard`] knows the types of `asdf_core` and `asdf_schemas` for the schemas of the ASDF Standard.
//! [`Config`] has all settings. [`Report`] lists the places where a type differs from its schema.
//!
//! The generator reads the files ([`Config::package`]), follows references and finds a type for every schema. Versions
//! with the same shape share a type. Then it chooses names and modules and writes the code. The same schemas and settings
//! always produce the same code.
//!
//! # Tags and versions
//!
//! - **A required tag.** A schema that requires a tag gets the type of that tag.
//! - **A tag pattern.** A schema that requires a tag pattern gets `Tagged<T, P>`. It keeps values of other tags that fit
//!   the pattern as nodes, and refuses the rest. `P` is a type in the top-level module `tag_patterns`, named after the
//!   tag and the version: `Tagged<Column, tag_patterns::ColumnV1>` for `tag: .../table/column-1.*`. All fields with the
//!   same pattern share it. The name begins with the folder if two would be equal (`TableColumnV1`). If versions that
//!   share a type require different patterns, it has all of them (`ColumnV1OrColumnV2`).
//! - **A reference to a tagged schema.** If the versions of the tag differ, the type is `Tagged<T>`, which keeps values
//!   with any other tag. If another version that shares the type requires a pattern in the same place, the type accepts
//!   that pattern and the known versions. In a union every version is a variant (`Quantity`, `QuantityV1_1_0`).
//! - **Other versions.** The type of the current version reads values of all other versions that fit it. It writes them
//!   with their own tag while they stay valid for it (`versions` of the derive). `Tagged` keeps values of other versions
//!   that do not fit as nodes.
//! - **Bases.** A base is a schema that tagged schemas include through `allOf`. A reference to a base gets
//!   `Tagged<AnyBase>`, an enum of the types that build on it. The type of the base itself is for nodes without a tag
//!   (`#[asdf(by_tag)]`). Values with any other tag are kept as nodes, whether they build on the base or not. If the base
//!   has tags itself, the enum has only the types of the same folder.
//! - **Fields of a base.** A struct has the properties of an untagged base in a field `base` with `flatten`. With several
//!   bases, each field is named after its schema. If the base has no required properties, its type has a `Default`, and
//!   `new` has no argument for it. A struct has the properties as its own fields in three cases: it constrains one of them
//!   further, `propertyOrder` puts other properties between them, or the base has defaults for old files.
//! - **Keywords beside `tag`.** They narrow the type of the tag, to a separate type with the same tags. Beside the tag of
//!   arrays, `ndim`, `max_ndim`, `datatype` and `exact_datatype` result in an `Array<f32, 2>`, if the configuration maps
//!   arrays to `::asdf_core::NdArray`.
//! - **Tags of new values.** A required `tag` without a star results in `#[asdf(write_tags = [..])]` on the field or
//!   variant, if the type has other tags too. A new value is then written with that tag. This does not apply to values in
//!   lists and maps, which the report lists. It does not apply to values that keep their tag either, if versions
//!   that share the type require different tags.
//! - **Required items.** `not: {items: {not: ..}}` requires an item in a list. The constructor checks it, and the list has
//!   a function that returns the item.
//! - **Deprecation.** A schema with `deprecated: true`, or with that word in its title or the title of its tag, has a
//!   deprecated type.
//! - **Other keywords.** Keywords that are not part of the schema language, such as `unit` or `archive_catalog`, become
//!   notes of the type, available through `asdf_core::value::Noted`.
//!
//! # What types do not check
//!
//! If a type accepts values that its schema refuses, the docs of the type or field list it: "Not checked:
//! `minProperties: 1`." The docs also say if new values have another tag than the schema requires. [`Report`] lists all
//! such places. The validator of asdf-schemas checks everything.
//!
//! # What a new version of a schema changes
//!
//! A generated type reflects the whole schema, so a new version of the schema can need another type:
//!
//! | in the new version of the schema | in the generated code | code that breaks |
//! |---|---|---|
//! | other docs, examples | docs | none |
//! | a new optional property | a field, `None` in `new` | struct literals without `..`, patterns without `..` |
//! | a new required property | a parameter of `new`; a separate type reads older values | calls of `new` |
//! | a new string in an `enum`, a new branch of `anyOf` | a variant | `match` without `_` |
//! | a tighter constraint | `new` of the checked type refuses more values | none at compile time |
//! | the old version beside the new one | a module such as `exposure::v1_0_0` if the shapes differ | paths to the older version |
//!
//! A crate with public generated types therefore makes a breaking release (0.2 to 0.3, or 1.x to 2.0) when it adopts a
//! new minor version of a schema. The types are not `#[non_exhaustive]`. Within a crate that attribute has no effect, and
//! for public types it would forbid struct literals and complete matches. These show at compile time where a program must
//! follow the schema. `new`, `..Type::new(..)` and `match` with `_` keep a program independent of new optional properties
//! and strings.
//!
//! Files of the older version stay readable if the package still has its schema and tag:
//!
//! | value | behavior of the new type |
//! |---|---|
//! | read with an older tag | reads it if it is valid for that version and fits the type |
//! | read with an older tag, then written | writes that tag, or its own if the value is no longer valid for that version |
//! | new | writes its own tag |
//! | with a tag that is newer than the type | refuses it; `Tagged<T>` and `Node` keep it |
//!
//! # Limitations
//!
//! - Only keywords of JSON Schema draft 4 and of ASDF's YAML Schema have an effect. Keywords of later drafts are ignored,
//!   as in the Python library asdf.
//! - The variants of an enum are tried in order. A value that fits several branches of `anyOf` or `oneOf` is read as the
//!   first.
//! - The types do not check other uses of `not`, nor `dependencies`, `minProperties` and `maxProperties`.
//! - Schemas are nested at most 64 levels deep within one document.

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

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The configuration file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::Settings;
use crate::{Error, Result};

/// A type that exists and stands for a schema.
///
/// ```no_run
/// use asdf_codegen::{Config, Extern};
///
/// // A schema that asks for a time gets the type of `asdf-schemas`, and none is generated.
/// let time = Extern::new("::asdf_schemas::time::Time").tag("tag:stsci.edu:asdf/time/time-1.*");
/// let config = Config::new()
///     .package("schemas")
///     .extern_type("http://stsci.edu/schemas/asdf/time/time-*", time);
/// config.run()?;
/// # Ok::<(), asdf_codegen::Error>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Extern {
    /// The path of the type, such as `::asdf_core::NdArray`. `::asdf_core::Node` keeps values as they
    /// stand.
    #[serde(rename = "type")]
    pub path: String,
    /// The tags that the type accepts, or patterns of them. A schema that asks for such a tag means
    /// this type.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The kinds of node that the type is read from: `null`, `bool`, `int`, `float`, `string`,
    /// `timestamp`, `sequence`, `mapping`. They tell whether the branches of a union can be told
    /// apart. Empty means any.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// What the type does not check, or does not refuse, though the schema does: a sentence without capital and full
    /// stop, for the report and the docs of the types and fields that have the type.
    #[serde(default)]
    pub looser: Option<String>,
    /// What the type refuses, though the schema does not: for the report.
    #[serde(default)]
    pub stricter: Option<String>,
}

impl Extern {
    /// A type by its path, without tags, for nodes of any kind.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), tags: Vec::new(), kinds: Vec::new(), looser: None, stricter: None }
    }

    /// Adds a tag, or a pattern of tags, that the type accepts.
    #[must_use]
    pub fn tag(mut self, pattern: impl Into<String>) -> Self {
        self.tags.push(pattern.into());
        self
    }

    /// Adds a kind of node that the type is read from.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }
}

/// A module of the generated text.
///
/// ```no_run
/// use asdf_codegen::{Config, Module};
///
/// // The types of these schemas stand in a module of their own, with a line of documentation.
/// let tables = Module::new("roman::tables", "Tables of Roman's source catalogs.");
/// Config::new().package("schemas").module("asdf://stsci.edu/datamodels/roman/schemas/tables/", tables).run()?;
/// # Ok::<(), asdf_codegen::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Module {
    /// The path: `core`, `roman::tables`; empty for the top.
    #[serde(default)]
    pub path: String,
    /// What the module is about, in Markdown.
    #[serde(default)]
    pub docs: Option<String>,
}

impl Module {
    /// A module by its path, with a line on what it is about.
    #[must_use]
    pub fn new(path: impl Into<String>, docs: impl Into<String>) -> Self {
        Self { path: path.into(), docs: Some(docs.into()) }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    standard: bool,
    manifests: Vec<String>,
    default: Vec<String>,
    types: Vec<String>,
    #[serde(rename = "extern")]
    externs: BTreeMap<String, Extern>,
    names: BTreeMap<String, String>,
    modules: BTreeMap<String, Module>,
    write_checks: BTreeMap<String, String>,
    upgrades: BTreeMap<String, Vec<String>>,
}

/// The types that exist for the schemas of the ASDF Standard; `asdf-schemas/tests/generated.rs` writes the file.
const STANDARD: &str = include_str!("standard.yaml");

/// The types of the ASDF Standard.
pub(super) fn standard() -> Result<Settings> {
    parse(STANDARD, Path::new("standard.yaml"))
}

pub(super) fn read(path: &Path) -> Result<Settings> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::io("reading the configuration", error).at_file(path))?;
    parse(&text, path)
}

fn parse(text: &str, path: &Path) -> Result<Settings> {
    // An empty file is an empty configuration.
    let file: Option<File> = serde_yaml::from_str(text).map_err(|error| {
        let message = error.to_string();
        let place = error.location();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let message = message.split(" at line ").next().unwrap_or_default();
        let error = Error::malformed(format!("the configuration is not understood: {message}"));
        match place {
            Some(place) => error.at_position(number(place.line()), number(place.column())),
            None => error,
        }
        .at_file(path)
        .with_hint(
            "the keys are standard, manifests, default, types, extern, names, modules, write_checks and upgrades",
        )
    })?;
    let file = file.unwrap_or_default();
    Ok(Settings {
        standard: file.standard,
        manifests: file.manifests,
        default: file.default,
        types: file.types,
        externs: file.externs,
        names: file.names,
        modules: file.modules,
        write_checks: file.write_checks,
        upgrades: file.upgrades,
    })
}

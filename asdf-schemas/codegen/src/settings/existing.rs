//! Existing types that are not generated.

use asdf_schema_model::Kinds;
use serde::Deserialize;

/// The names of kinds in a configuration, in the order of `Kinds::ALL`.
pub(crate) const NAMES: [&str; 8] =
    ["null", "bool", "int", "float", "string", "timestamp", "sequence", "mapping"];

/// An existing type for a schema, which is not generated.
///
/// # Examples
///
/// ```no_run
/// use asdf_codegen::{Config, Extern};
///
/// // A schema that requires a time gets the type of `asdf-schemas`.
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
    /// The path of the type, such as `::asdf_core::NdArray`. `::asdf_core::Node` keeps values as nodes.
    #[serde(rename = "type")]
    pub path: String,
    /// The tags or tag patterns that the type accepts. A schema that requires such a tag gets this type.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The kinds of node that the type reads. Empty means any.
    ///
    /// A kind is `null`, `bool`, `int`, `float`, `string`, `timestamp`, `sequence` or `mapping`. The generator uses the
    /// kinds to distinguish the branches of a union.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// What the type does not check or refuse, although the schema does.
    ///
    /// A sentence without capital and full stop, for the report and the docs of types and fields of this type.
    #[serde(default)]
    pub looser: Option<String>,
    /// What the type refuses, although the schema allows it, for the report.
    #[serde(default)]
    pub stricter: Option<String>,
}

impl Extern {
    /// The kinds of node that the type reads; all kinds if it lists none.
    pub(crate) fn all_kinds(&self) -> Kinds {
        let kind = |name: &String| NAMES.into_iter().zip(Kinds::ALL).find(|(known, _)| name == known);
        match self.kinds.as_slice() {
            [] => Kinds::ANY,
            names => names.iter().filter_map(kind).fold(Kinds::NONE, |all, (_, kind)| all.or(kind)),
        }
    }

    /// Creates an entry for a type by its path, without tags, for nodes of any kind.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), tags: Vec::new(), kinds: Vec::new(), looser: None, stricter: None }
    }

    /// Adds a tag or tag pattern that the type accepts.
    #[must_use]
    pub fn tag(mut self, pattern: impl Into<String>) -> Self {
        self.tags.push(pattern.into());
        self
    }

    /// Adds a kind of node that the type reads.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }
}

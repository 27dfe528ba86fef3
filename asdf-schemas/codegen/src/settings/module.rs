//! Modules of the generated code.

use serde::Deserialize;

/// A module of the generated code.
///
/// # Examples
///
/// ```no_run
/// use asdf_codegen::{Config, Module};
///
/// // The types of these schemas are in a separate module, with a line of documentation.
/// let tables = Module::new("roman::tables", "Tables of Roman's source catalogs.");
/// Config::new().package("schemas").module("asdf://stsci.edu/datamodels/roman/schemas/tables/", tables).run()?;
/// # Ok::<(), asdf_codegen::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Module {
    /// The path: `core`, `roman::tables`; empty for the top level.
    #[serde(default)]
    pub path: String,
    /// The docs of the module, in Markdown.
    #[serde(default)]
    pub docs: Option<String>,
}

impl Module {
    /// Creates a module with a path and a line of docs.
    #[must_use]
    pub fn new(path: impl Into<String>, docs: impl Into<String>) -> Self {
        Self { path: path.into(), docs: Some(docs.into()) }
    }
}

//! A module of the generated text.

use serde::Deserialize;

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

//! The settings of a configuration, from the builder and from files.

mod existing;
mod module;

use std::collections::BTreeMap;

use asdf_core::tree::tag_matches;
use serde::Deserialize;

pub use existing::Extern;
pub(crate) use existing::NAMES;
pub use module::Module;

/// The settings of the builder, of a file, or of all combined. The keys of files have the same names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// Whether to use the existing types of the standard.
    pub(crate) standard: bool,
    pub(crate) manifests: Vec<String>,
    pub(crate) default: Vec<String>,
    pub(crate) types: Vec<String>,
    #[serde(rename = "extern")]
    pub(crate) externs: BTreeMap<String, Extern>,
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) modules: BTreeMap<String, Module>,
    pub(crate) write_checks: BTreeMap<String, String>,
    pub(crate) upgrades: BTreeMap<String, Vec<String>>,
}

impl Settings {
    /// Adds other settings. For the same pattern, the later one takes precedence.
    pub(crate) fn add(&mut self, other: Self) {
        self.standard |= other.standard;
        self.manifests.extend(other.manifests);
        self.default.extend(other.default);
        self.types.extend(other.types);
        self.externs.extend(other.externs);
        self.names.extend(other.names);
        self.modules.extend(other.modules);
        self.write_checks.extend(other.write_checks);
        self.upgrades.extend(other.upgrades);
    }

    /// The existing type for a place, given as `id` or `id#pointer`.
    pub(crate) fn extern_for(&self, place: &str) -> Option<&Extern> {
        longest(&self.externs, place).map(|(_, extern_)| extern_)
    }

    /// The pattern and the name for a place, given as `id` or `id#pointer`.
    pub(crate) fn name_for(&self, place: &str) -> Option<(&str, &str)> {
        longest(&self.names, place).map(|(pattern, name)| (pattern, name.as_str()))
    }
}

fn longest<'a, T>(map: &'a BTreeMap<String, T>, place: &str) -> Option<(&'a str, &'a T)> {
    map.iter()
        .filter(|(pattern, _)| tag_matches(pattern, place))
        .max_by_key(|(pattern, _)| pattern.len())
        .map(|(pattern, value)| (pattern.as_str(), value))
}

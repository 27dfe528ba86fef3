//! The tags of one version of the ASDF Standard.

use std::collections::{BTreeMap, BTreeSet};

use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_core::{Error, Result};

use super::{Registry, strings, versioned};

/// The tags of one version of the ASDF Standard, with their schemas.
///
/// They come from the manifests whose `asdf_standard_requirement` allows the version: the manifest of the standard itself, and
/// those of packages for this version or for all versions. A manifest is a document of the registry whose id contains
/// `/manifests/`.
///
/// ```
/// use asdf_core::file::Version;
/// use asdf_schemas::Registry;
/// use asdf_schemas::registry::Edition;
///
/// let edition = Edition::new(&Registry::standard(), Version::new(1, 5, 0))?;
/// let schema = "http://stsci.edu/schemas/asdf/time/time-1.1.0";
/// assert_eq!(edition.schemas_of("tag:stsci.edu:asdf/time/time-1.1.0"), [schema]);
/// assert_eq!(edition.tags_of(schema), ["tag:stsci.edu:asdf/time/time-1.1.0"]);
/// // Later versions of the standard have it.
/// assert!(edition.schemas_of("tag:stsci.edu:asdf/time/time-1.2.0").is_empty());
/// assert_eq!(
///     edition.newest("tag:stsci.edu:asdf/time/time-1.2.0"),
///     Some("tag:stsci.edu:asdf/time/time-1.1.0")
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Edition {
    tags: BTreeMap<String, Vec<String>>,
    /// The newest version of each type, by its tag without the version.
    newest: BTreeMap<String, (Version, String)>,
    /// The tags of manifests for other versions only.
    others: BTreeSet<String>,
}

impl Edition {
    /// Collects the tags of a version from the manifests of a registry.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the registry does not have this version.
    pub fn new(registry: &Registry, version: Version) -> Result<Self> {
        let mut edition = Self { tags: BTreeMap::new(), newest: BTreeMap::new(), others: BTreeSet::new() };
        let mut versions = Vec::new();
        let own: BTreeSet<&str> = registry.own_ids().filter(|id| id.contains("/manifests/")).collect();
        for id in &own {
            let manifest = registry.manifest(id)?;
            let required = manifest.find("/asdf_standard_requirement");
            let limit = |key| required.and_then(|range| number(range.get(key)?));
            let required =
                Required { exactly: required.and_then(number), least: limit("gte"), beyond: limit("lt") };
            versions.extend(required.exactly);
            for entry in manifest.find("/tags").into_iter().flat_map(NodeRef::items) {
                let Some(tag) = entry.get("tag_uri").and_then(NodeRef::as_str) else { continue };
                let schemas = entry.get("schema_uri").map(strings).transpose();
                let schemas = schemas.map_err(|error| error.at_file(id))?.unwrap_or_default();
                edition.add(tag, required.admits(version).then_some(schemas));
            }
        }
        for manifest in registry.embedded_manifests().filter(|manifest| !own.contains(manifest.id)) {
            let [exactly, least, beyond] =
                [manifest.exactly, manifest.least, manifest.beyond].map(|text| text.and_then(Version::parse));
            let required = Required { exactly, least, beyond };
            versions.extend(exactly);
            for (tag, schemas) in manifest.tags {
                let schemas = || schemas.iter().map(|schema| (*schema).to_owned()).collect();
                edition.add(tag, required.admits(version).then(schemas));
            }
        }
        if !versions.contains(&version) {
            versions.sort_unstable();
            let versions: Vec<String> = versions.iter().map(Version::to_string).collect();
            return Err(Error::usage(format!("unknown version {version} of the ASDF Standard"))
                .with_hint(format!("use one of {}", versions.join(", "))));
        }
        Ok(edition)
    }

    /// Adds a tag with its schemas, or, without schemas, a tag of another edition.
    fn add(&mut self, tag: &str, schemas: Option<Vec<String>>) {
        let Some(schemas) = schemas else {
            self.others.insert(tag.to_owned());
            return;
        };
        self.tags.entry(tag.to_owned()).or_insert(schemas);
        if let Some((name, version)) = versioned(tag) {
            let newest = self.newest.entry(name.to_owned()).or_insert((version, tag.to_owned()));
            if newest.0 < version {
                *newest = (version, tag.to_owned());
            }
        }
    }

    /// Returns all tags, sorted.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// Whether this edition has a tag.
    #[must_use]
    pub fn contains(&self, tag: &str) -> bool {
        self.tags.contains_key(tag)
    }

    /// Whether only other editions have a tag.
    #[must_use]
    pub fn lacks(&self, tag: &str) -> bool {
        self.others.contains(tag) && !self.contains(tag)
    }

    /// Returns the ids of the schemas of a tag. They are empty if this edition does not have the tag.
    #[must_use]
    pub fn schemas_of(&self, tag: &str) -> &[String] {
        self.tags.get(tag).map_or(&[], Vec::as_slice)
    }

    /// Returns the tags with a given schema, sorted.
    #[must_use]
    pub fn tags_of(&self, schema: &str) -> Vec<&str> {
        let has = |schemas: &[String]| schemas.iter().any(|own| own == schema);
        self.tags.iter().filter(|(_, schemas)| has(schemas)).map(|(tag, _)| tag.as_str()).collect()
    }

    /// Returns the newest version of a tag in this edition. The version of the argument does not matter.
    #[must_use]
    pub fn newest(&self, tag: &str) -> Option<&str> {
        self.newest.get(versioned(tag)?.0).map(|(_, tag)| tag.as_str())
    }
}

fn number(node: NodeRef<'_>) -> Option<Version> {
    Version::parse(node.as_str()?)
}

/// The versions of the standard that a manifest requires: one, a range, or all.
struct Required {
    exactly: Option<Version>,
    least: Option<Version>,
    beyond: Option<Version>,
}

impl Required {
    fn admits(&self, version: Version) -> bool {
        match self.exactly {
            Some(exactly) => version == exactly,
            None => {
                self.least.is_none_or(|least| version >= least)
                    && self.beyond.is_none_or(|beyond| version < beyond)
            }
        }
    }
}

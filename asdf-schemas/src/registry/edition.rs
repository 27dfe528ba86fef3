//! What belongs to one version of the ASDF Standard.

use std::collections::{BTreeMap, BTreeSet};

use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_core::{Error, Result};

use super::uri::versioned;
use super::{Registry, strings};

/// The tags of one version of the ASDF Standard, with their schemas.
///
/// They are those of the manifests whose `asdf_standard_requirement` the version meets: the standard's
/// own, and those of packages that are for it, or for all versions. Manifests are schemas of the
/// registry whose ids have the part `/manifests/`.
///
/// ```
/// use asdf_core::file::Version;
/// use asdf_schemas::Registry;
/// use asdf_schemas::registry::Edition;
///
/// let edition = Edition::of(&Registry::standard(), Version::new(1, 5, 0))?;
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
    /// The edition of a version.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::ErrorKind::Usage) when the registry knows no such version.
    pub fn of(registry: &Registry, version: Version) -> Result<Self> {
        let mut edition = Self { tags: BTreeMap::new(), newest: BTreeMap::new(), others: BTreeSet::new() };
        let mut versions = Vec::new();
        for id in registry.ids().into_iter().filter(|id| id.contains("/manifests/")) {
            let manifest = registry.schema(id)?;
            let required = manifest.find("/asdf_standard_requirement");
            let exactly = required.and_then(number);
            versions.extend(exactly);
            let wanted = exactly.map_or_else(|| admits(required, version), |exactly| exactly == version);
            for entry in manifest.find("/tags").into_iter().flat_map(NodeRef::items) {
                let Some(tag) = entry.get("tag_uri").and_then(NodeRef::as_str) else { continue };
                if wanted {
                    edition.add(tag, entry.get("schema_uri")).map_err(|error| error.at_file(id))?;
                } else {
                    edition.others.insert(tag.to_owned());
                }
            }
        }
        if !versions.contains(&version) {
            versions.sort_unstable();
            let versions: Vec<String> = versions.iter().map(Version::to_string).collect();
            return Err(Error::usage(format!("there is no ASDF Standard {version}"))
                .with_hint(format!("the versions are {}", versions.join(", "))));
        }
        Ok(edition)
    }

    fn add(&mut self, tag: &str, schema: Option<NodeRef<'_>>) -> Result<()> {
        let schemas = schema.map(strings).transpose()?.unwrap_or_default();
        self.tags.entry(tag.to_owned()).or_insert(schemas);
        if let Some((name, version)) = versioned(tag) {
            let newest = self.newest.entry(name.to_owned()).or_insert((version, tag.to_owned()));
            if newest.0 < version {
                *newest = (version, tag.to_owned());
            }
        }
        Ok(())
    }

    /// All tags, sorted.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// Whether a tag is one of this edition.
    #[must_use]
    pub fn contains(&self, tag: &str) -> bool {
        self.tags.contains_key(tag)
    }

    /// Whether a tag is one of other editions only.
    #[must_use]
    pub fn lacks(&self, tag: &str) -> bool {
        self.others.contains(tag) && !self.contains(tag)
    }

    /// The ids of the schemas of a tag; none for a tag that is not of this edition.
    #[must_use]
    pub fn schemas_of(&self, tag: &str) -> &[String] {
        self.tags.get(tag).map_or(&[], Vec::as_slice)
    }

    /// The tags that have a schema, sorted.
    #[must_use]
    pub fn tags_of(&self, schema: &str) -> Vec<&str> {
        let has = |schemas: &[String]| schemas.iter().any(|own| own == schema);
        self.tags.iter().filter(|(_, schemas)| has(schemas)).map(|(tag, _)| tag.as_str()).collect()
    }

    /// The tag that the type of a tag of any version has here, the highest if there are several.
    #[must_use]
    pub fn newest(&self, tag: &str) -> Option<&str> {
        self.newest.get(versioned(tag)?.0).map(|(_, tag)| tag.as_str())
    }
}

fn number(node: NodeRef<'_>) -> Option<Version> {
    Version::parse(node.as_str()?)
}

/// Whether a version meets a requirement that is a range, or none at all.
fn admits(required: Option<NodeRef<'_>>, version: Version) -> bool {
    let limit = |key| required.and_then(|range| number(range.get(key)?));
    limit("gte").is_none_or(|least| version >= least) && limit("lt").is_none_or(|beyond| version < beyond)
}

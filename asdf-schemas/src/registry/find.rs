//! Finds schemas by short names.

use asdf_core::error::Hint;
use asdf_core::file::Version;
use asdf_core::{Error, Result};
use asdf_schema_model::nearest;

use super::{Registry, versioned};

impl Registry {
    /// Finds the ids of the schemas with a name.
    ///
    /// A name is a tag, an id, or the last parts of one, such as `core/software-1.0.0` or `software`. Without a version, it
    /// is the newest one. There can be several results, because a tag can have several schemas, and several ids can end
    /// with the name. Tags are searched before ids.
    ///
    /// ```
    /// use asdf_schemas::Registry;
    ///
    /// let registry = Registry::standard();
    /// let software = ["http://stsci.edu/schemas/asdf/core/software-1.0.0"];
    /// assert_eq!(registry.find("tag:stsci.edu:asdf/core/software-1.0.0")?, software);
    /// assert_eq!(registry.find("core/software")?, software);
    /// let error = registry.find("core/softwear").unwrap_err();
    /// assert_eq!(error.hint(), Some(&"did you mean 'core/software'?".into()));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if nothing has this name; the hint suggests a similar name.
    /// Fails like [`schema`](Self::schema) if a file of a package has this name and cannot be used.
    pub fn find(&self, name: &str) -> Result<Vec<&str>> {
        let name = name.trim_end_matches('#');
        let schemas = self.schemas_of(name);
        if !schemas.is_empty() {
            return Ok(schemas);
        }
        let (ids, tags) = (self.ids(), self.tags());
        if let Some(id) = ids.iter().find(|id| **id == name) {
            return Ok(vec![*id]);
        }
        for all in [&tags, &ids] {
            let meant = newest(all.iter().copied().filter_map(|uri| Some((uri, ending(uri, name)?))));
            if !meant.is_empty() {
                let mut found: Vec<&str> = match std::ptr::eq(all, &tags) {
                    true => meant.into_iter().flat_map(|tag| self.schemas_of(tag)).collect(),
                    false => meant,
                };
                found.sort_unstable();
                found.dedup();
                return Ok(found);
            }
        }
        if let Some(fault) = self.fault(name) {
            return Err(fault);
        }
        let error = Error::usage(format!("unknown schema or tag '{}'", name.escape_debug()));
        Err(match like(name, ids.iter().chain(&tags)) {
            Some(like) => error.with_hint(format!("did you mean '{}'?", like.escape_debug())),
            None => error.with_hint(Hint::ListSchemas),
        })
    }
}

/// Whether a URI ends with a name that consists of whole parts. If only the URI without its version does, returns that version
/// too.
fn ending(uri: &str, name: &str) -> Option<Option<Version>> {
    let ends = |uri: &str| {
        uri.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with(['/', ':']))
    };
    if name.is_empty() {
        return None;
    }
    if ends(uri) {
        return Some(None);
    }
    let (unversioned, version) = versioned(uri)?;
    ends(unversioned).then_some(Some(version))
}

/// Returns the URIs that end with the name and its version. If there are none, returns the newest version of each.
fn newest<'a>(fitting: impl Iterator<Item = (&'a str, Option<Version>)>) -> Vec<&'a str> {
    let all: Vec<(&str, Option<Version>)> = fitting.collect();
    let whole: Vec<&str> = all.iter().filter(|(_, version)| version.is_none()).map(|(uri, _)| *uri).collect();
    if !whole.is_empty() {
        return whole;
    }
    let unversioned = |uri: &'a str| versioned(uri).map_or(uri, |(name, _)| name);
    let is_newest = |(uri, version): &&(&'a str, Option<Version>)| {
        !all.iter().any(|(other, newer)| unversioned(other) == unversioned(uri) && newer > version)
    };
    all.iter().filter(is_newest).map(|(uri, _)| *uri).collect()
}

/// Suggests a name similar to a misspelled one: a URI, or the same number of parts of one.
fn like<'a>(name: &str, uris: impl Iterator<Item = &'a &'a str>) -> Option<&'a str> {
    let parts = name.matches(['/', ':']).count() + 1;
    let mut candidates: Vec<&str> = Vec::new();
    for uri in uris {
        let start = uri.rmatch_indices(['/', ':']).nth(parts - 1).map_or(0, |(index, _)| index + 1);
        let last = uri.get(start..).unwrap_or(uri);
        candidates.push(last);
        candidates.extend(versioned(last).map(|(name, _)| name));
    }
    candidates.sort_unstable();
    candidates.dedup();
    nearest(name, &candidates)
}

//! Schemas by what people call them.

use asdf_core::error::Hint;
use asdf_core::file::Version;
use asdf_core::{Error, Result};
use asdf_schema_model::nearest;

use super::{Registry, versioned};

impl Registry {
    /// The ids of the schemas that a name means: a tag, an id, or the last parts of one, such as
    /// `core/software-1.0.0` or `software`. Of a name without its version the newest is meant. A tag can have
    /// several schemas, and an ending can fit several ids; tags are looked at first.
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
    /// [`Usage`](asdf_core::error::Kind::Usage) when nothing is called so; the hint has what is called nearly so.
    /// As [`schema`](Self::schema) when a file of a package is called so, and cannot be used.
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

/// Whether a URI ends with a name that begins where a part of it begins; without the version, which one it
/// has.
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

/// Those whose whole ending fits, else the newest version of each.
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

/// What a name is most likely a slip for: a whole URI, or the last parts of one, as many as the name has.
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

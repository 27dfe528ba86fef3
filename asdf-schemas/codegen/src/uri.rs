//! Versions at the end of the ids of schemas and of tags.

use std::cmp::Ordering;
use std::fmt;

use asdf_schema_model::uri::has_scheme;

/// The version at the end of an id or a tag: `1.1.0`, `1.7.0-dev`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    numbers: [u64; 3],
    /// The part after a second hyphen.
    extra: Option<String>,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let (numbers, extra) = match text.split_once('-') {
            Some((numbers, extra)) => (numbers, Some(extra.to_owned())),
            None => (text, None),
        };
        let mut parts = numbers.split('.');
        let mut next = || -> Option<u64> {
            let part = parts.next()?;
            if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
        };
        let numbers = [next()?, next()?, next()?];
        parts.next().is_none().then_some(Self { numbers, extra })
    }

    /// The version at the end of a variant's name: `V1_1_0`.
    pub(crate) fn variant(&self) -> String {
        let mut name = self.module();
        name.replace_range(..1, "V");
        name
    }

    /// The version as the name of a module: `v1_1_0`.
    pub(crate) fn module(&self) -> String {
        let [major, minor, patch] = self.numbers;
        let extra: String = self.extra.iter().flat_map(|extra| ["_", extra]).collect();
        let extra: String = extra.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("v{major}_{minor}_{patch}{}", extra.to_lowercase())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        // `1.7.0-dev` is before `1.7.0`.
        let released = |version: &Self| version.extra.is_none();
        (self.numbers, released(self), &self.extra).cmp(&(other.numbers, released(other), &other.extra))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        self.extra.iter().try_for_each(|extra| write!(f, "-{extra}"))
    }
}

/// Splits the version off an id or a tag: `.../software-1.0.0` becomes `.../software` and `1.0.0`.
pub(crate) fn split_version(id: &str) -> (&str, Option<Version>) {
    for (at, _) in id.match_indices('-') {
        if let Some(version) = id.get(at + 1..).and_then(Version::parse) {
            return (&id[..at], Some(version));
        }
    }
    (id, None)
}

/// Whether the tag of a manifest can be the tag of a type: a whole URI with a version of three numbers.
pub(crate) fn is_tag(uri: &str) -> bool {
    has_scheme(uri) && split_version(uri).1.is_some()
}

/// Whether every tag that fits the pattern `narrow` fits `wide` too. For patterns with stars in unusual places the result
/// can be a false no.
pub(crate) fn covers(wide: &str, narrow: &str) -> bool {
    // A double star can match slashes, which a single star of `wide` does not match.
    asdf_core::tree::tag_matches(wide, &narrow.replace("**", "*/*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_at_the_end_and_in_order() {
        let (stem, version) = split_version("http://x/history_entry-1.0.0");
        assert_eq!((stem, version.unwrap().module().as_str()), ("http://x/history_entry", "v1_0_0"));
        let (stem, version) = split_version("http://x-1.y/a-1.7.0-dev.2");
        assert_eq!((stem, version.unwrap().module().as_str()), ("http://x-1.y/a", "v1_7_0_dev_2"));
        assert_eq!(split_version("http://x/draft-01").1, None);
        let version = |text: &str| Version::parse(text).unwrap();
        assert!(version("1.10.0") > version("1.9.0") && version("1.7.0-dev") < version("1.7.0"));
        assert_eq!(version("1.7.0-dev").to_string(), "1.7.0-dev");
    }

    #[test]
    fn wide_patterns_cover_narrow_ones() {
        assert!(covers("tag:a/nd-*", "tag:a/nd-1.*") && covers("tag:a/nd-*", "tag:a/nd-1.0.0"));
        assert!(
            covers("tag:**", "tag:a/**")
                && !covers("tag:*", "tag:**")
                && !covers("tag:a/nd-1.0.0", "tag:a/nd-1.*")
        );
    }
}

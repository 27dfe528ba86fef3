//! Splits the versions off tags and ids.

use asdf_core::file::Version;

/// Splits a tag or an id into its name and its version.
pub(crate) fn versioned(uri: &str) -> Option<(&str, Version)> {
    let (name, version) = uri.rsplit_once('-')?;
    Some((name, Version::parse(version)?))
}

//! Tags and ids of schemas.

use asdf_core::file::Version;

/// A tag or id without its version, and the version.
pub(crate) fn versioned(uri: &str) -> Option<(&str, Version)> {
    let (name, version) = uri.rsplit_once('-')?;
    Some((name, Version::parse(version)?))
}

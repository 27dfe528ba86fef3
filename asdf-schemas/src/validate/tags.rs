//! What is odd about a tag itself: no schema for it, or another version of the standard.

use std::collections::BTreeSet;

use asdf_core::error::Hint;
use asdf_core::file::Version;
use asdf_core::tree::{NodeRef, Path};

use super::{Code, Violation};
use crate::registry::{Edition, versioned};
use crate::{Registry, installed};

/// A tag without a schema.
pub(super) fn unknown(node: NodeRef<'_>, path: Path, tag: &str, registry: &Registry) -> Violation {
    let message = format!("no schema for the tag {}", tag.escape_debug());
    let mut note = Violation::at(node, path, Code::UnknownTag, message);
    note.found = Some(tag.to_owned());
    let other = versioned(tag).and_then(|(name, version)| hint(name, version, registry));
    note.hint = other.or_else(|| {
        let package = installed::package_of(tag)?;
        Some(Hint::AddPackage { name: Some(package.into()) })
    });
    note
}

fn hint(name: &str, version: Version, registry: &Registry) -> Option<Hint> {
    let others: BTreeSet<Version> = registry
        .tags()
        .into_iter()
        // Versions are compared for few of them.
        .filter(|tag| tag.starts_with(name))
        .filter_map(versioned)
        .filter(|(other, _)| *other == name)
        .map(|(_, version)| version)
        .collect();
    let newest = *others.last()?;
    let list: Vec<String> = others.iter().map(Version::to_string).collect();
    let newer = if version > newest {
        "this version is newer than the known ones"
    } else {
        "there is no such version"
    };
    Some(format!("{newer}; known are {}", list.join(", ")).into())
}

/// A tag of the standard that is not of the version that the file names.
pub(super) fn misaligned(
    node: NodeRef<'_>,
    path: impl Fn() -> Path,
    tag: &str,
    version: Version,
    edition: &Edition,
) -> Option<Violation> {
    if !edition.lacks(tag) {
        return None;
    }
    let message =
        format!("the tag {} is not one of the ASDF Standard {version} of this file", tag.escape_debug());
    let mut warning = Violation::at(node, path(), Code::TagVersion, message);
    warning.hint = Some(match edition.newest(tag) {
        Some(tag) => format!("there it is {tag}").into(),
        None => "that version has no such type".into(),
    });
    Some(warning)
}

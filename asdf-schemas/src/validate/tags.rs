//! Findings about a tag itself: it has no schema, or belongs to another version of the standard.

use std::collections::BTreeSet;

use asdf_core::error::Hint;
use asdf_core::file::Version;
use asdf_core::tree::{NodeRef, Path};

use super::{Code, Violation};
use crate::registry::{Edition, versioned};
use crate::{Registry, installed};

/// Returns the note about a tag without a schema.
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
        // A cheap test first: splitting off the version is slow.
        .filter(|tag| tag.starts_with(name))
        .filter_map(versioned)
        .filter(|(other, _)| *other == name)
        .map(|(_, version)| version)
        .collect();
    let newest = *others.last()?;
    let list: Vec<String> = others.iter().map(Version::to_string).collect();
    let list = list.join(", ");
    Some(match version > newest {
        true => format!("this version is newer than the known versions {list}").into(),
        false => format!("use one of the known versions {list}").into(),
    })
}

/// Returns a warning if a tag belongs to another version of the standard than the one that the file names.
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
        format!("the tag {} is not in the ASDF Standard {version} of this file", tag.escape_debug());
    let mut warning = Violation::at(node, path(), Code::TagVersion, message);
    warning.hint = Some(match edition.newest(tag) {
        Some(tag) => format!("use {tag}").into(),
        None => format!("the ASDF Standard {version} has no version of this tag").into(),
    });
    Some(warning)
}

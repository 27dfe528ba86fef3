//! The tags of the pre-release formats.

use crate::tree::ASDF_TAG;

/// The current names of types of the first pre-release formats whose meaning is unchanged.
///
/// The others, for coordinate systems and their transforms, changed before the first release.
const SAME: &[(&str, &str)] = &[
    ("core/asdf", "core/asdf-1.1.0"),
    ("core/complex", "core/complex-1.0.0"),
    ("core/constant", "core/constant-1.0.0"),
    ("core/history_entry", "core/history_entry-1.0.0"),
    ("core/ndarray", "core/ndarray-1.1.0"),
    ("core/software", "core/software-1.0.0"),
    ("fits/fits", "fits/fits-1.1.0"),
    ("unit/defunit", "unit/defunit-1.0.0"),
    ("unit/unit", "unit/unit-1.0.0"),
];

/// The prefix of tags and of their `%TAG` line before types had versions of their own.
pub(super) const EARLY: &str = "tag:stsci.edu:asdf/0.1.0/";

/// The classification of a tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// A tag of a pre-release format, with its current equivalent.
    Draft(String),
    /// A tag of a pre-release format without a current equivalent.
    Lost,
    /// Any other tag.
    Other,
}

impl Tag {
    pub(super) fn of(tag: &str) -> Self {
        let current = |name: &str| {
            let found = SAME.iter().find(|(old, _)| *old == name);
            found.map(|(_, new)| format!("{ASDF_TAG}{new}"))
        };
        if let Some(name) = tag.strip_prefix(EARLY) {
            return current(name).map_or(Self::Lost, Self::Draft);
        }
        match tag.strip_prefix(ASDF_TAG).and_then(|name| name.strip_suffix("-0.1.0")) {
            // The last pre-release versions became the versions 1.0.0 without changes.
            Some(name) => Self::Draft(current(name).unwrap_or_else(|| format!("{ASDF_TAG}{name}-1.0.0"))),
            None => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_all_ages() {
        for (tag, expected) in [
            ("0.1.0/core/ndarray", Some("core/ndarray-1.1.0")),
            ("0.1.0/unit/unit", Some("unit/unit-1.0.0")),
            ("core/asdf-0.1.0", Some("core/asdf-1.1.0")),
            ("transform/shift-0.1.0", Some("transform/shift-1.0.0")),
        ] {
            let expected = expected.map(|name| format!("{ASDF_TAG}{name}"));
            assert_eq!(Tag::of(&format!("{ASDF_TAG}{tag}")), expected.map_or(Tag::Lost, Tag::Draft), "{tag}");
        }
        assert_eq!(Tag::of("tag:stsci.edu:asdf/0.1.0/wcs/axis"), Tag::Lost);
        assert_eq!(Tag::of("tag:stsci.edu:asdf/core/ndarray-1.0.0"), Tag::Other);
        assert_eq!(Tag::of("!mine-0.1.0"), Tag::Other);
    }
}

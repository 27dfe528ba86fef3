//! The name of a transform: its tag without version.

/// The starts of tags whose transforms have formulas, and the word for each in names.
///
/// Tags of others with the same last part, such as another `shift`, are other transforms.
const AUTHORITIES: &[(&str, &str)] = &[
    ("tag:stsci.edu:asdf/transform/", "transform"),
    ("tag:stsci.edu:gwcs/", "gwcs"),
    ("tag:astropy.org:astropy/transform/", "astropy"),
    ("tag:stsci.edu:jwst_pipeline/", "jwst"),
    ("asdf://dkist.nso.edu/tags/", "dkist"),
];

/// Returns the authority and the name of a tag without its version, such as `transform` and `shift`.
pub(crate) fn split(tag: &str) -> Option<(&'static str, &str)> {
    let (authority, rest) =
        AUTHORITIES.iter().find_map(|&(start, authority)| Some((authority, tag.strip_prefix(start)?)))?;
    let (name, version) = rest.rsplit_once('-')?;
    let is_version = version.starts_with(|first: char| first.is_ascii_digit());
    is_version.then_some((authority, name))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn versions_are_ignored_and_authorities_are_not() {
        assert_eq!(split("tag:stsci.edu:asdf/transform/shift-1.0.0"), Some(("transform", "shift")));
        assert_eq!(
            split("tag:stsci.edu:asdf/transform/rotate_sequence_3d-1.2.0"),
            Some(("transform", "rotate_sequence_3d"))
        );
        assert_eq!(
            split("tag:stsci.edu:gwcs/spherical_cartesian-1.3.0"),
            Some(("gwcs", "spherical_cartesian"))
        );
        assert_eq!(split("tag:example.org:transform/shift-1.0.0"), None);
        assert_eq!(split("tag:stsci.edu:asdf/transform/shift"), None);
        assert_eq!(split("shift-1.0.0"), None);
    }
}

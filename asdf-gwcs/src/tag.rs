//! Tags of gwcs, without their versions.

/// Returns the name of a tag of gwcs, such as `wcs`. The first versions were in the namespace of the standard.
pub(crate) fn gwcs(tag: &str) -> Option<&str> {
    let name = ["tag:stsci.edu:gwcs/", "tag:stsci.edu:asdf/wcs/"]
        .iter()
        .find_map(|start| tag.strip_prefix(start))?;
    name.rsplit_once('-').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::gwcs;

    #[test]
    fn versions_are_left_out() {
        assert_eq!(gwcs("tag:stsci.edu:gwcs/wcs-1.4.0"), Some("wcs"));
        assert_eq!(gwcs("tag:stsci.edu:asdf/wcs/celestial_frame-1.1.0"), Some("celestial_frame"));
        assert_eq!(gwcs("tag:example.org:gwcs/wcs-1.4.0"), None);
    }
}

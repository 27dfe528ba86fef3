//! The tags of a type, known at compile time.

use crate::tree::tag_matches;

/// The tags with which the values of a type are written, if known.
///
/// This is constant, so that code can be checked against schemas at compile time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnTag {
    /// The tag depends on the value, or is not specified.
    Unknown,
    /// Values are written without a tag.
    None,
    /// Values are written with one of these tags.
    OneOf(&'static [&'static str]),
}

impl OwnTag {
    /// Returns whether a node with this tag could match a pattern, as for [`tag_matches`].
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks the index")]
    pub const fn may_match(self, pattern: &str) -> bool {
        let Self::OneOf(tags) = self else { return matches!(self, Self::Unknown) };
        let mut index = 0;
        while index < tags.len() {
            if tag_matches(pattern, tags[index]) {
                return true;
            }
            index += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::OwnTag;

    #[test]
    fn known_tags_are_compared() {
        const TAGS: OwnTag = OwnTag::OneOf(&["tag:x/a-1.1.0", "tag:x/a-1.0.0"]);
        const { assert!(TAGS.may_match("tag:x/a-1.*") && TAGS.may_match("tag:x/a-1.0.0")) };
        assert!(!TAGS.may_match("tag:x/b-1.0.0"));
        assert!(OwnTag::Unknown.may_match("tag:x/b-1.0.0") && !OwnTag::None.may_match("**"));
    }
}

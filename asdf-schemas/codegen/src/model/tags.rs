//! The tags that a value can have.

use std::collections::BTreeSet;

use crate::uri::covers;

/// The tags that a schema allows for a value whose type has tags.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tags {
    /// Any tag: the schema does not require one.
    Any,
    /// Any tag: the schema refers to a schema with these known tags.
    Known(BTreeSet<String>),
    /// The tags that fit one of these patterns.
    Like(BTreeSet<String>),
}

impl Tags {
    pub(crate) fn like(pattern: &str) -> Self {
        Self::Like(BTreeSet::from([pattern.to_owned()]))
    }

    /// Whether another set has tags that this one does not have.
    pub(crate) fn is_less_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Like(own), Self::Like(others)) => {
                others.iter().any(|other| !own.iter().any(|wide| covers(wide, other)))
            }
            (Self::Like(_), Self::Any | Self::Known(_)) => true,
            (Self::Any | Self::Known(_), _) => false,
        }
    }

    /// The union of both sets. If one side has a pattern, only the known tags of the other side are added.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (Self::Known(one), Self::Known(other)) => Self::Known(both(one, other)),
            (Self::Known(one) | Self::Like(one), Self::Known(other) | Self::Like(other)) => {
                Self::Like(both(one, other))
            }
        }
    }
}

/// All patterns, without those that another pattern covers.
fn both(mut all: BTreeSet<String>, more: BTreeSet<String>) -> BTreeSet<String> {
    for pattern in more {
        if !all.iter().any(|wide| covers(wide, &pattern)) {
            all.retain(|narrow| !covers(&pattern, narrow));
            all.insert(pattern);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_patterns_are_removed() {
        let both = |a: &str, b: &str| Tags::like(a).or(Tags::like(b));
        assert_eq!(both("tag:x/a-1.*", "tag:x/a-1.2.0"), Tags::like("tag:x/a-1.*"));
        assert_eq!(both("tag:x/a-1.*", "tag:x/a-*"), Tags::like("tag:x/a-*"));
        assert_eq!(both("tag:x/a-1.*", "tag:x/a-1.*"), Tags::like("tag:x/a-1.*"));
        let Tags::Like(patterns) = both("tag:x/a-2.*", "tag:x/a-1.*") else { panic!("some do not fit") };
        assert!(patterns.iter().eq(["tag:x/a-1.*", "tag:x/a-2.*"]));
        let known = |tag: &str| Tags::Known(BTreeSet::from([tag.to_owned()]));
        assert_eq!(known("tag:x/a-1.0.0").or(Tags::like("tag:x/a-1.*")), Tags::like("tag:x/a-1.*"));
        assert!(
            matches!(known("tag:x/a-1.0.0").or(known("tag:x/a-1.1.0")), Tags::Known(tags) if tags.len() == 2)
        );
        assert_eq!(Tags::Any.or(Tags::like("tag:x/a-1.*")), Tags::Any);
    }
}

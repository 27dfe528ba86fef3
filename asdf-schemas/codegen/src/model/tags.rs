//! Which tags a value may have.

use std::collections::BTreeSet;

use crate::uri::covers;

/// The tags that a schema allows where a type with tags stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tags {
    /// Whatever tag: the schema asks for none.
    Any,
    /// The same, where the schema refers to one with tags: these, as far as they are known.
    Known(BTreeSet<String>),
    /// Those that fit one of these patterns.
    Like(BTreeSet<String>),
}

impl Tags {
    pub(crate) fn like(pattern: &str) -> Self {
        Self::Like(BTreeSet::from([pattern.to_owned()]))
    }

    /// Whether another takes tags that this one does not.
    pub(crate) fn is_less_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Like(own), Self::Like(others)) => {
                others.iter().any(|other| !own.iter().any(|wide| covers(wide, other)))
            }
            (Self::Like(_), Self::Any | Self::Known(_)) => true,
            (Self::Any | Self::Known(_), _) => false,
        }
    }

    /// The tags of both. A pattern on one side says which tags are meant on the other.
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

/// All patterns but those whose tags all fit another one.
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
    fn what_others_cover_goes() {
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

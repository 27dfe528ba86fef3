//! Which tags a value may have.

use std::collections::BTreeSet;

use crate::uri::covers;

/// The tags that a schema allows where a type with tags stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tags {
    /// Whatever tag: the schema asks for none.
    Any,
    /// Those that fit one of these patterns.
    Like(BTreeSet<String>),
}

impl Tags {
    pub(crate) fn like(pattern: &str) -> Self {
        Self::Like(BTreeSet::from([pattern.to_owned()]))
    }

    /// The tags of both. A pattern goes when all its tags fit another one.
    pub(crate) fn or(self, other: Self) -> Self {
        let (Self::Like(mut all), Self::Like(more)) = (self, other) else { return Self::Any };
        for pattern in more {
            if !all.iter().any(|wide| covers(wide, &pattern)) {
                all.retain(|narrow| !covers(&pattern, narrow));
                all.insert(pattern);
            }
        }
        Self::Like(all)
    }
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
        assert_eq!(Tags::Any.or(Tags::like("tag:x/a-1.*")), Tags::Any);
    }
}

//! Sets of node kinds.

use std::fmt;

use crate::tree::{Kind, NodeRef};

/// A set of node kinds: what a type can be read from. Constant, so that code can be checked against
/// schemas while it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Types(u8);

impl Types {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Null.
    pub const NULL: Self = Self::of(Kind::Null);
    /// A boolean.
    pub const BOOL: Self = Self::of(Kind::Bool);
    /// An integer.
    pub const INT: Self = Self::of(Kind::Int);
    /// A float.
    pub const FLOAT: Self = Self::of(Kind::Float);
    /// An integer or a float.
    pub const NUMBER: Self = Self::INT.or(Self::FLOAT);
    /// A string.
    pub const STRING: Self = Self::of(Kind::String);
    /// A timestamp.
    pub const TIMESTAMP: Self = Self::of(Kind::Timestamp);
    /// A sequence.
    pub const SEQUENCE: Self = Self::of(Kind::Sequence);
    /// A mapping.
    pub const MAPPING: Self = Self::of(Kind::Mapping);
    /// The scalars that lose what they are under a tag, where they are text: null, booleans and numbers.
    pub(super) const UNTAGGED: Self = Self::NULL.or(Self::BOOL).or(Self::NUMBER);
    /// Every kind.
    pub const ANY: Self = Self(0xff);

    const fn of(kind: Kind) -> Self {
        Self(1 << kind as u8)
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set without those of another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// Whether a node is of one of these kinds, as types see it: a scalar with a tag of its own is also a
    /// string, whatever it says, and an `!!omap` is also a mapping, as in Python.
    #[must_use]
    pub fn fit(self, node: NodeRef<'_>) -> bool {
        self.contains(node.kind())
            || (self.contains(Kind::String) && node.kind().is_scalar() && node.own_tag().is_some())
            || (self.contains(Kind::Mapping) && node.as_omap().is_some())
    }

    /// Whether all of another set is in this one.
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl fmt::Display for Types {
    /// For messages: "a string or a sequence".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("anything");
        }
        let mut names: Vec<String> =
            Kind::ALL.into_iter().filter(|&kind| self.contains(kind)).map(|kind| kind.to_string()).collect();
        if self.includes(Self::NUMBER) {
            names.retain(|name| name != "an integer" && name != "a float");
            names.push("a number".to_owned());
        }
        match names.split_last() {
            None => f.write_str("nothing"),
            Some((last, [])) => f.write_str(last),
            Some((last, rest)) => write!(f, "{} or {last}", rest.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tagged_scalar_is_a_string_too() {
        let tree = crate::yaml::parse(
            "[!<tag:x/time-1.0.0> 2026-11-20T12:30:00, 2026-11-20T12:30:00, !<tag:x/a-1.0.0> 5]",
        );
        let tree = tree.unwrap();
        let fit = |at: &str| Types::STRING.fit(tree.at(at).unwrap());
        assert_eq!(["/0", "/1", "/2"].map(fit), [true, false, true]);
        assert_eq!(tree.get::<String>("/0").unwrap(), "2026-11-20T12:30:00");
        assert_eq!(tree.get::<String>("/2").unwrap(), "5");
        assert!(tree.get::<String>("/1").is_err());
    }

    #[test]
    fn sets_read_as_english() {
        assert_eq!(Types::NUMBER.to_string(), "a number");
        assert_eq!(
            Types::STRING.or(Types::SEQUENCE).or(Types::NULL).to_string(),
            "null, a string or a sequence"
        );
        assert!(Types::ANY.contains(Kind::Mapping) && !Types::NUMBER.contains(Kind::Bool));
    }
}

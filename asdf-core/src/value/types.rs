//! Sets of node kinds.

use std::fmt;

use crate::tree::Kind;

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

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
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
    fn sets_read_as_english() {
        assert_eq!(Types::NUMBER.to_string(), "a number");
        assert_eq!(
            Types::STRING.or(Types::SEQUENCE).or(Types::NULL).to_string(),
            "null, a string or a sequence"
        );
        assert!(Types::ANY.contains(Kind::Mapping) && !Types::NUMBER.contains(Kind::Bool));
    }
}

//! Sets of the kinds of nodes.

use std::fmt;

/// A set of kinds of nodes.
///
/// For a schema these are the kinds that it allows, for a type the kinds that it can be read from. Most functions are
/// `const`, so the compiler can check types against schemas.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::Kinds;
///
/// let kinds = Kinds::from_type("number").unwrap_or_default().or(Kinds::NULL);
/// assert_eq!(kinds.to_string(), "null or a number");
/// assert!(kinds.has(Kinds::INT) && !kinds.has(Kinds::STRING));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Null.
    pub const NULL: Self = Self(1);
    /// A boolean.
    pub const BOOL: Self = Self(2);
    /// An integer.
    pub const INT: Self = Self(4);
    /// A float.
    pub const FLOAT: Self = Self(8);
    /// An integer or a float.
    pub const NUMBER: Self = Self::INT.or(Self::FLOAT);
    /// A string.
    pub const STRING: Self = Self(16);
    /// A timestamp of YAML.
    pub const TIMESTAMP: Self = Self(32);
    /// A sequence.
    pub const SEQUENCE: Self = Self(64);
    /// A mapping.
    pub const MAPPING: Self = Self(128);
    /// The set of all kinds.
    pub const ANY: Self = Self(0xff);

    /// All kinds as separate sets.
    pub const ALL: [Self; 8] = [
        Self::NULL,
        Self::BOOL,
        Self::INT,
        Self::FLOAT,
        Self::STRING,
        Self::TIMESTAMP,
        Self::SEQUENCE,
        Self::MAPPING,
    ];

    /// Returns the kinds that a name in `type` allows.
    ///
    /// "string" does not include timestamps, which count as strings only with `format: date-time`.
    #[must_use]
    pub fn from_type(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::INT,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::SEQUENCE,
            "object" => Self::MAPPING,
            _ => return None,
        })
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set without the kinds of another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether this set contains all kinds of another set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set contains a kind.
    #[must_use]
    pub fn contains(self, kind: impl Into<Self>) -> bool {
        self.has(kind.into())
    }

    /// Returns the kinds as separate sets. Integers and floats stay together as numbers.
    #[must_use]
    pub fn apart(self) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        for kind in Self::ALL.into_iter().filter(|&kind| self.has(kind)) {
            match (kind, parts.last_mut()) {
                (Self::FLOAT, Some(last)) if *last == Self::INT => *last = Self::NUMBER,
                _ => parts.push(kind),
            }
        }
        parts
    }
}

impl fmt::Display for Kinds {
    /// Prints the set for messages: "null, a string or a number".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("anything");
        }
        let mut kinds = self.apart();
        kinds.sort_by_key(|kind| *kind == Self::NUMBER);
        let names = kinds.into_iter().map(|kind| match kind {
            Self::NULL => "null",
            Self::BOOL => "a boolean",
            Self::INT => "an integer",
            Self::FLOAT => "a float",
            Self::NUMBER => "a number",
            Self::STRING => "a string",
            Self::TIMESTAMP => "a timestamp",
            Self::SEQUENCE => "a sequence",
            _ => "a mapping",
        });
        let names: Vec<&str> = names.collect();
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
        assert_eq!(Kinds::NUMBER.to_string(), "a number");
        assert_eq!(
            Kinds::STRING.or(Kinds::SEQUENCE).or(Kinds::NULL).to_string(),
            "null, a string or a sequence"
        );
        assert_eq!(Kinds::STRING.or(Kinds::NUMBER).to_string(), "a string or a number");
        assert!(Kinds::ANY.has(Kinds::MAPPING) && !Kinds::NUMBER.has(Kinds::BOOL));
    }
}

//! Sets of the kinds of nodes.

use std::fmt;

/// A set of the kinds of nodes: what a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// None.
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
    /// All.
    pub const ANY: Self = Self(0xff);

    /// All kinds, one by one.
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

    /// Returns the kinds that a name in `type` stands for. A timestamp is a string only beside `format: date-time`.
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

    /// Returns both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns what is in both sets.
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

    /// Returns whether all kinds of another set are in this one.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the kinds one by one. Integers and floats stay together.
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
    /// For messages: "a string or a sequence".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.apart().into_iter().map(|kind| match kind {
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
        f.write_str(&names.collect::<Vec<_>>().join(" or "))
    }
}

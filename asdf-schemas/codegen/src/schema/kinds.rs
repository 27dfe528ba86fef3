//! Sets of node kinds, as `type` names them.

use std::fmt;

use asdf_core::Kind;

/// A set of node kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ANY: Self = Self(0xff);
    pub(crate) const NUMBER: Self = Self::of(Kind::Int).or(Self::of(Kind::Float));

    pub(crate) const fn of(kind: Kind) -> Self {
        Self(1 << kind as u8)
    }

    /// The kinds of a schema's type.
    pub(crate) fn of_type(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::of(Kind::Null),
            "boolean" => Self::of(Kind::Bool),
            "integer" => Self::of(Kind::Int),
            "number" => Self::NUMBER,
            // A timestamp is a string only next to `format: date-time`, which is looked at later.
            "string" => Self::of(Kind::String),
            "array" => Self::of(Kind::Sequence),
            "object" => Self::of(Kind::Mapping),
            _ => return None,
        })
    }

    /// The kind by its name in a configuration.
    pub(crate) fn of_kind(name: &str) -> Option<Self> {
        let kind = match name {
            "null" => Kind::Null,
            "bool" => Kind::Bool,
            "int" => Kind::Int,
            "float" => Kind::Float,
            "string" => Kind::String,
            "timestamp" => Kind::Timestamp,
            "sequence" => Kind::Sequence,
            "mapping" => Kind::Mapping,
            _ => return None,
        };
        Some(Self::of(kind))
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// The kinds one by one; both kinds of number together.
    pub(crate) fn apart(self) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        for kind in Kind::ALL.into_iter().filter(|&kind| self.has(kind)) {
            match (kind, parts.last_mut()) {
                (Kind::Float, Some(last)) if *last == Self::of(Kind::Int) => *last = Self::NUMBER,
                _ => parts.push(Self::of(kind)),
            }
        }
        parts
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self
            .apart()
            .into_iter()
            .map(|part| {
                if part == Self::NUMBER {
                    return "a number".to_owned();
                }
                Kind::ALL
                    .into_iter()
                    .find(|&kind| part.has(kind))
                    .map_or_else(String::new, |kind| kind.to_string())
            })
            .collect();
        f.write_str(&names.join(" or "))
    }
}

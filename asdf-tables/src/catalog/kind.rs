//! `Kind`: the type of the values of a column.

use std::fmt;
use std::str::FromStr;

use asdf_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// The most levels of lists and structs in a type.
const MAX_DEPTH: usize = 16;

/// The type of the values of a column.
///
/// # Examples
/// ```
/// use asdf_tables::catalog::Kind;
///
/// let kind: Kind = "list<struct<name: string, size: int64>>".parse()?;
/// assert_eq!(kind.to_string(), "list<struct<name: string, size: int64>>");
/// assert_eq!("double".parse::<Kind>()?, Kind::Float64);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum Kind {
    /// True or false.
    Boolean,
    /// An unsigned integer of 8 bits.
    Uint8,
    /// A signed integer of 16 bits.
    Int16,
    /// A signed integer of 32 bits.
    Int32,
    /// A signed integer of 64 bits.
    Int64,
    /// A float of 32 bits.
    Float32,
    /// A float of 64 bits.
    Float64,
    /// A text.
    String,
    /// A time in UTC, in microseconds since 1970.
    Timestamp,
    /// Any value, as JSON text.
    Json,
    /// A list of values of one type.
    List(Box<Kind>),
    /// Named values, each with its type.
    Struct(Vec<(String, Kind)>),
}

impl Kind {
    /// Returns a type that holds the values of both types: the wider number, or JSON if there is no other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.or(*other))),
            (Self::Struct(mut one), Self::Struct(other)) => {
                for (name, kind) in other {
                    match one.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) => *known = std::mem::replace(known, Self::Json).or(kind),
                        None => one.push((name, kind)),
                    }
                }
                Self::Struct(one)
            }
            (one, other) => match (one.rank(), other.rank()) {
                (Some(left), Some(right)) if left >= right => one,
                (Some(_), Some(_)) => other,
                _ => Self::Json,
            },
        }
    }

    /// Orders the numbers so that each holds the values of those before it.
    fn rank(&self) -> Option<usize> {
        [Self::Uint8, Self::Int16, Self::Int32, Self::Int64, Self::Float32, Self::Float64]
            .iter()
            .position(|kind| kind == self)
    }

    fn simple(name: &str) -> Option<Self> {
        Some(match name {
            "boolean" | "bool" => Self::Boolean,
            "uint8" => Self::Uint8,
            "int16" => Self::Int16,
            "int32" => Self::Int32,
            "int64" | "int" | "integer" => Self::Int64,
            "float32" => Self::Float32,
            "float64" | "double" | "float" => Self::Float64,
            "string" | "text" => Self::String,
            "timestamp" | "time" => Self::Timestamp,
            "json" => Self::Json,
            _ => return None,
        })
    }

    fn parse(text: &str, depth: usize) -> Option<Self> {
        let text = text.trim();
        if let Some(simple) = Self::simple(text) {
            return Some(simple);
        }
        let (word, inside) = text.strip_suffix('>')?.split_once('<')?;
        match word.trim() {
            _ if depth == MAX_DEPTH => None,
            "list" => Some(Self::List(Box::new(Self::parse(inside, depth + 1)?))),
            "struct" => {
                let field = |field: &str| {
                    let (name, kind) = field.split_once(':')?;
                    Some((name.trim().to_owned(), Self::parse(kind, depth + 1)?))
                };
                Some(Self::Struct(split(inside).into_iter().map(field).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }
}

/// Splits the fields of a struct at the commas that are not inside another type.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|char| {
        match char {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        char == ',' && depth == 0
    })
    .collect()
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, 0).ok_or_else(|| {
            Error::usage(format!("unknown type '{}'", text.escape_debug())).with_hint(
                "use boolean, uint8, int16, int32, int64, float32, float64, string, timestamp, json, list<TYPE> or \
                 struct<NAME: TYPE, ...>",
            )
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Boolean => "boolean",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::String => "string",
            Self::Timestamp => "timestamp",
            Self::Json => "json",
            Self::List(item) => return write!(f, "list<{item}>"),
            Self::Struct(fields) => {
                write!(f, "struct<")?;
                for (number, (name, kind)) in fields.iter().enumerate() {
                    write!(f, "{}{name}: {kind}", if number == 0 { "" } else { ", " })?;
                }
                return write!(f, ">");
            }
        };
        f.write_str(name)
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.to_string()
    }
}

impl TryFrom<String> for Kind {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_printed_as_they_are_parsed() {
        for text in
            ["int16", "list<list<float64>>", "struct<a: struct<b: string, c: json>, d: list<boolean>>"]
        {
            assert_eq!(text.parse::<Kind>().unwrap().to_string(), text);
        }
        for wrong in ["", "list", "list<>", "struct<a>", "int128", "list<int64", &"list<".repeat(99)] {
            assert!(wrong.parse::<Kind>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn two_types_have_one_that_holds_both() {
        for (one, other, both) in [
            ("int32", "int64", "int64"),
            ("int64", "float64", "float64"),
            ("string", "int64", "json"),
            ("list<int64>", "list<float64>", "list<float64>"),
            ("struct<a: int64>", "struct<b: string, a: float64>", "struct<a: float64, b: string>"),
            ("timestamp", "timestamp", "timestamp"),
            ("list<int64>", "int64", "json"),
        ] {
            let kind = |text: &str| text.parse::<Kind>().unwrap();
            assert_eq!(kind(one).or(kind(other)), kind(both));
        }
    }
}

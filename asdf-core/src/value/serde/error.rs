//! serde's errors in the wording of this crate.

use std::fmt::Display;

use ::serde::de::{self, Expected, Unexpected};
use ::serde::ser;

use crate::error::{Error, Kind};
use crate::tree::nearest;

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::mismatch(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(format!("found {}, expected {expected}", described(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::mismatch(format!("found {length} items, expected {expected}"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        unknown("variant", variant, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        unknown("property", field, expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::mismatch(format!("the required property '{field}' is missing"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::mismatch(format!("duplicate property '{field}'"))
    }
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Kind::Usage, message.to_string())
    }
}

fn unknown(what: &str, name: &str, expected: &'static [&'static str]) -> Error {
    let error = Error::mismatch(format!("unknown {what} '{}'", name.escape_debug()));
    match nearest(name, expected) {
        Some(meant) => error.with_hint(format!("did you mean '{meant}'?")),
        None if expected.is_empty() => error,
        None => error.with_hint(format!("use one of {}", expected.join(", "))),
    }
}

fn described(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Str(text) => {
            let shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
            format!("the string '{shown}'")
        }
        Unexpected::Unsigned(number) => format!("the integer {number}"),
        Unexpected::Signed(number) => format!("the integer {number}"),
        Unexpected::Float(number) => format!("the float {number:?}"),
        Unexpected::Bool(value) => format!("the boolean {value}"),
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Seq => "a sequence".to_owned(),
        Unexpected::Map => "a mapping".to_owned(),
        other => other.to_string(),
    }
}

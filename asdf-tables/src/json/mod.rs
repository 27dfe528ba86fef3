//! Converts the elements of arrays and the nodes of trees to JSON, in one form for all front ends.

mod lists;
mod node;

use std::fmt;

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::printable;
use asdf_core::{NdArray, Result};
use serde_json::Value as Json;

pub use lists::write_array;
pub use node::{Form, datatype, node, write_node, write_with_arrays};

/// A JSON value to print: on one line, or indented with `{:#}`.
///
/// Characters that could control a terminal or a build server are escaped in strings, as
/// [`json`](asdf_core::printable::json) does.
///
/// # Examples
/// ```
/// use asdf_tables::json::Printable;
///
/// assert_eq!(Printable(&"a\u{9b}b".into()).to_string(), r#""a\u009bb""#);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Printable<'j>(pub &'j Json);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() { format!("{:#}", self.0) } else { self.0.to_string() };
        f.write_str(&printable::json(&text))
    }
}

/// Converts an array to `{"shape", "data"}`, with its elements in nested lists. All elements are read.
///
/// # Errors
/// [`Limit`](asdf_core::error::Kind::Limit) if the array has millions of empty lists; and if the elements cannot be
/// read.
pub fn array(array: &NdArray) -> Result<Json> {
    let shape = lists::shown_shape(array)?;
    let data = if array.is_empty() {
        nested(&mut std::iter::repeat_with(|| Json::Array(Vec::new())), shape)
    } else {
        nested(&mut array.elements()?.map(|value| element(&value)), shape)
    };
    Ok(serde_json::json!({"shape": array.shape(), "data": data}))
}

/// Groups values into nested lists of a shape.
pub(crate) fn nested(values: &mut dyn Iterator<Item = Json>, shape: &[u64]) -> Json {
    match shape.split_first() {
        None => values.next().unwrap_or_default(),
        Some((&count, rest)) => (0..count).map(|_| nested(values, rest)).collect(),
    }
}

/// Converts one element.
///
/// Missing elements are null, and complex numbers are `{"re", "im"}`. Other numbers are converted by [`float`] and
/// [`integer`].
#[must_use]
pub fn element(value: &Value) -> Json {
    match value {
        Value::Missing => Json::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) => integer(*number),
        Value::Uint(number) => number.to_string().into(),
        Value::Float(number) => float(*number),
        Value::Complex(number) => serde_json::json!({
            "re": float(number.re),
            "im": float(number.im),
        }),
        Value::Text(text) => text.as_str().into(),
        Value::Record(values) | Value::List(values) => values.iter().map(element).collect(),
        other => other.to_text(&Datatype::Float64, "").into(),
    }
}

/// Converts a float to a number, or to a string for `"NaN"`, `"Infinity"` and `"-Infinity"`.
#[must_use]
pub fn float(value: f64) -> Json {
    match serde_json::Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None if value.is_nan() => "NaN".into(),
        None => if value > 0.0 { "Infinity" } else { "-Infinity" }.into(),
    }
}

/// Converts an integer to a number if it fits in 64 bits, else to a string.
#[must_use]
pub fn integer(value: i128) -> Json {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => value.to_string().into(),
    }
}

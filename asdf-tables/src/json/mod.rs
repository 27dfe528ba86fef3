//! Converts the elements of arrays and the nodes of trees to JSON, in one form for all front ends.

mod node;

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::{NdArray, Result};
use serde_json::Value as Json;

pub use node::{Form, datatype, node, write_node, write_with_arrays};

/// Converts an array to `{"shape", "data"}`, with its elements in nested lists. All elements are read.
///
/// # Errors
/// If the elements cannot be read.
pub fn array(array: &NdArray) -> Result<Json> {
    let mut level: Vec<Json> = array.elements()?.map(|value| element(&value)).collect();
    for &n in array.shape().iter().skip(1).rev() {
        let n = usize::try_from(n).unwrap_or(usize::MAX).max(1);
        let mut rest = level.into_iter();
        level = std::iter::from_fn(|| {
            let row: Vec<Json> = rest.by_ref().take(n).collect();
            (!row.is_empty()).then_some(Json::Array(row))
        })
        .collect();
    }
    let data =
        if array.shape().is_empty() { level.pop().unwrap_or(Json::Null) } else { empty_rows(level, array) };
    Ok(serde_json::json!({"shape": array.shape(), "data": data}))
}

/// Restores empty rows from the shape, since they have no elements to be counted by.
fn empty_rows(level: Vec<Json>, array: &NdArray) -> Json {
    if !array.is_empty() {
        return Json::Array(level);
    }
    let mut rows = Vec::new();
    for &n in array.shape().iter().rev() {
        let n = usize::try_from(n).unwrap_or(0).min(1 << 16);
        rows = vec![Json::Array(rows); n];
    }
    Json::Array(rows)
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

//! The elements of arrays as JSON.

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::{NdArray, Result};
use serde_json::Value as Json;

use crate::canonical;

/// An array as {"shape", "data"}: its elements in lists of lists.
pub(crate) fn json(array: &NdArray) -> Result<Json> {
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

/// Rows without elements leave nothing to count them by: they are put back by the shape.
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

/// One element; missing ones are null.
pub(crate) fn element(value: &Value) -> Json {
    match value {
        Value::Missing => Json::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) => canonical::integer(*number),
        Value::Uint(number) => number.to_string().into(),
        Value::Float(number) => canonical::plain_float(*number),
        Value::Complex(number) => serde_json::json!({
            "re": canonical::plain_float(number.re),
            "im": canonical::plain_float(number.im),
        }),
        Value::Text(text) => text.as_str().into(),
        Value::Record(values) | Value::List(values) => values.iter().map(element).collect(),
        other => other.to_text(&Datatype::Float64, "").into(),
    }
}

//! Polynomials in one and two variables.

use asdf_core::tree::Kind as NodeKind;
use asdf_core::{Error, NodeRef, Result};

use super::quantity::Array;
use super::{Entry, Leaf, Reader};
use crate::model::Kind;

/// The most coefficients of a polynomial.
const MAX_COEFFICIENTS: usize = 1 << 16;

/// Reads `polynomial`.
///
/// Units of coefficients are ignored, as by astropy.
pub(super) fn polynomial(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let Array { mut values, shape, .. } = entry.array("coefficients")?;
    if values.len() > MAX_COEFFICIENTS {
        let message = format!("found {} coefficients, expected up to {MAX_COEFFICIENTS}", values.len());
        return Err(entry.node().place(Error::limit(message)).under("coefficients"));
    }
    match *shape.as_slice() {
        [terms] if terms > 0 => {
            let [map] = maps(entry, 1)?.try_into().unwrap_or([[1.0, 0.0]]);
            Ok(Leaf::new(Kind::Polynomial1 { coefficients: values, map }))
        }
        [rows, columns] if rows == columns && rows > 0 => {
            // Coefficients beyond the degree do not count.
            for (index, value) in values.iter_mut().enumerate() {
                if index / columns + index % columns >= rows {
                    *value = 0.0;
                }
            }
            let maps = maps(entry, 2)?.try_into().unwrap_or([[1.0, 0.0]; 2]);
            Ok(Leaf::new(Kind::Polynomial2 { degree: rows - 1, coefficients: values, maps }))
        }
        _ => {
            let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
            let found = lengths.join(" x ");
            let message =
                format!("found coefficients of the shape [{found}], expected a list or a square array");
            Err(entry.error_at("coefficients", message))
        }
    }
}

/// Reads the factor and the offset that map each input from its domain to its window. Both are -1 to 1 by default.
pub(crate) fn maps(entry: &Entry<'_>, inputs: usize) -> Result<Vec<[f64; 2]>> {
    let domains = intervals(entry, "domain", inputs)?;
    let windows = intervals(entry, "window", inputs)?;
    let maps = domains.into_iter().zip(windows).map(|([low, high], [from, to])| {
        let width = high - low;
        if width == 0.0 || !width.is_finite() {
            return Err(entry.error_at("domain", "the domain must have two different, finite ends"));
        }
        Ok([(to - from) / width, (from * high - to * low) / width])
    });
    maps.collect()
}

/// Reads one interval for each input.
fn intervals(entry: &Entry<'_>, key: &str, inputs: usize) -> Result<Vec<[f64; 2]>> {
    const DEFAULT: [f64; 2] = [-1.0, 1.0];
    let Some(node) = entry.get(key) else { return Ok(vec![DEFAULT; inputs]) };
    let under = |error: Error| error.under(key);
    // Versions before 1.2.0 have another property of this name: a list of mappings without a meaning for the values.
    if node.item(0).is_some_and(|first| first.kind() == NodeKind::Mapping && first.get("data").is_none()) {
        return Ok(vec![DEFAULT; inputs]);
    }
    if inputs == 1 {
        return Ok(vec![interval(node).map_err(under)?]);
    }
    if node.kind() != NodeKind::Sequence || node.len() != inputs {
        return Err(under(node.expected(format!("a list of {inputs} intervals"))));
    }
    let items = node.items().enumerate();
    let intervals = items.map(|(at, item)| match item.is_null() {
        true => Ok(DEFAULT),
        false => interval(item).map_err(|error| under(error.under(at))),
    });
    intervals.collect()
}

fn interval(node: NodeRef<'_>) -> Result<[f64; 2]> {
    let array = Array::read(node).map_err(|error| node.place(error))?;
    match array.values.as_slice() {
        &[low, high] => Ok([low, high]),
        _ => Err(node.expected("an interval: two numbers")),
    }
}

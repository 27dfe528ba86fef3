//! Series of orthogonal polynomials, and splines.

use std::sync::Arc;

use asdf_core::Result;

use super::quantity::Array;
use super::{Entry, Leaf, Reader};
use crate::function::Each;
use crate::leaf::series::{Family, Series, map_of};
use crate::leaf::spline::Spline;

/// Reads `ortho_polynomial`.
pub(super) fn ortho_polynomial(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let family = match entry.choice("polynomial_type", &["chebyshev", "legendre", "hermite"])? {
        0 => Family::Chebyshev,
        1 => Family::Legendre,
        _ => Family::Hermite,
    };
    let Array { values, shape, .. } = entry.array("coefficients")?;
    let series = match *shape.as_slice() {
        [_] => Series::one(family, values, map(entry, None)?),
        [rows, columns] => {
            Series::two(family, values, [rows, columns], [map(entry, Some(0))?, map(entry, Some(1))?])
        }
        _ => {
            let message = format!("found {} dimensions, expected one or two", shape.len());
            return Err(entry.error_at("coefficients", message));
        }
    };
    let series = series.map_err(|error| entry.place_at("coefficients", error))?;
    Ok(Leaf::function(Arc::new(series)))
}

/// Reads the map from the domain of an axis to its window, which is -1 to 1 by default.
///
/// Without a domain the input stays as it is, even if there is a window.
fn map(entry: &Entry<'_>, axis: Option<usize>) -> Result<[f64; 2]> {
    match (interval(entry, "domain", axis)?, interval(entry, "window", axis)?) {
        (Some(domain), window) => {
            map_of(domain, window.unwrap_or([-1.0, 1.0])).map_err(|error| entry.place_at("domain", error))
        }
        (None, _) => Ok([1.0, 0.0]),
    }
}

fn interval(entry: &Entry<'_>, key: &str, axis: Option<usize>) -> Result<Option<[f64; 2]>> {
    let Some(node) = entry.get(key) else { return Ok(None) };
    let found = match axis {
        None => Some(node),
        Some(axis) => match node.item(axis) {
            Some(item) if item.is_null() => return Ok(None),
            item => item,
        },
    };
    let interval = found.and_then(|found| match Array::read(found).ok()?.values.as_slice() {
        &[low, high] => Some([low, high]),
        _ => None,
    });
    let what = if axis.is_some() { "two pairs of numbers" } else { "a pair of numbers" };
    interval.map(Some).ok_or_else(|| node.expected(what).under(key))
}

/// Reads `spline1d`.
pub(super) fn spline1d(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let degree = entry.index("degree", 5)?;
    let list = |key: &str| {
        let array = entry.array(key)?;
        match array.shape.len() {
            1 => Ok(array.values),
            _ => Err(entry.error_at(key, "expected a list of numbers")),
        }
    };
    let spline = Spline::new(list("knots")?, list("coefficients")?, degree);
    Ok(Leaf::function(Each::shared(spline.map_err(|error| entry.node().place(error))?)))
}

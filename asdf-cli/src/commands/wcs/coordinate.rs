//! Coordinates on the command line.

use asdf_core::{Error, Result};
use asdf_gwcs::{Angle, Axis};
use asdf_units::Unit;

/// Returns whether a word is a coordinate, rather than a path.
pub(super) fn parse(word: &str) -> Option<Angle> {
    Angle::parse(word)
}

/// Reads a coordinate in the unit of an axis.
pub(super) fn read(word: &str, axis: Option<&Axis>) -> Result<f64> {
    let expected = |what: &str| Error::usage(format!("found '{word}', expected {what}"));
    let degrees = match parse(word) {
        None => return Err(expected("a number")),
        Some(Angle::Number(number)) => return Ok(number),
        Some(Angle::Degrees(degrees)) => degrees,
        Some(Angle::Colons(size)) if axis.is_some_and(|axis| axis.physical_type().ends_with(".ra")) => {
            15.0 * size
        }
        Some(Angle::Colons(size)) => size,
    };
    let unit = axis.map(Axis::unit).cloned().unwrap_or_else(Unit::one);
    let converted = Unit::parse("deg").and_then(|degree| degree.convert(degrees, &unit));
    converted.map_err(|_| expected(&format!("a number, because the axis has the unit '{unit}'")))
}

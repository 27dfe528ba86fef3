//! Coordinates as people write them.

use asdf_core::{Error, Result};
use asdf_units::Unit;

use crate::frame::Axis;
use crate::notation::Angle;

/// Parses a coordinate in the unit of an axis: a number, or an angle such as 17:45:40.03 or 17h45m40.03s.
///
/// With colons, right ascensions are in hours.
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) if it is neither, or an angle for an axis in another unit.
pub fn parse_coordinate(text: &str, axis: Option<&Axis>) -> Result<f64> {
    let expected = |what: &str| Error::usage(format!("found '{text}', expected {what}"));
    let degrees = match Angle::parse(text) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_need_no_axis() {
        assert_eq!(parse_coordinate("-1.5e3", None).unwrap(), -1500.0);
        for wrong in ["noon", "", "10d30m"] {
            assert!(parse_coordinate(wrong, None).is_err(), "{wrong}");
        }
    }
}

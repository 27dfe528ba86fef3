//! The pixels of a cutout.

use std::ops::Range;
use std::str::FromStr;

use asdf_core::array::Slice;
use asdf_core::{Error, Result};
use asdf_gwcs::{Bounding, Wcs};

use crate::angle::Angle;

/// A length along an axis of the image.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Length {
    Pixels(f64),
    Arcseconds(f64),
}

/// The width and the height of a cutout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size([Length; 2]);

/// The position of the centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Centre {
    /// A pixel that counts from 0.
    Pixel([f64; 2]),
    /// Longitude and latitude in degrees.
    Sky([f64; 2]),
}

/// The pixels of a cutout in an image.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Region {
    pub(super) x: Range<i64>,
    pub(super) y: Range<i64>,
    /// Whether a part of the cutout would be outside of the image.
    pub(super) is_clipped: bool,
}

/// The most pixels along an axis.
const MAX_PIXELS: f64 = 1e9;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (width, height) = text.split_once(',').unwrap_or((text, ""));
        let (number, unit) = parts(width)?;
        let first = length(number, unit)?;
        let second = match parts(height) {
            _ if height.trim().is_empty() => first,
            Ok((number, "")) => length(number, unit)?,
            Ok((number, unit)) => length(number, unit)?,
            Err(error) => return Err(error),
        };
        Ok(Self([first, second]))
    }
}

/// Splits a length into number and unit.
fn parts(text: &str) -> std::result::Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number = text.get(..end).and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    let unit = text.get(end..).unwrap_or_default().trim();
    number
        .map(|number| (number, unit))
        .ok_or_else(|| "expected sizes such as 30arcsec, 1arcmin or 200".to_owned())
}

fn length(number: f64, unit: &str) -> std::result::Result<Length, String> {
    let arcseconds = match unit {
        "" | "px" | "pix" | "pixel" | "pixels" => return Ok(Length::Pixels(number)),
        "mas" => 1e-3,
        "arcsec" | "\"" | "″" => 1.0,
        "arcmin" | "'" | "′" => 60.0,
        "deg" | "d" | "°" => 3600.0,
        _ => return Err("unknown unit; use one of arcsec, arcmin, deg, mas and pix".to_owned()),
    };
    Ok(Length::Arcseconds(number * arcseconds))
}

/// Reads a coordinate in degrees. Colons separate hours, minutes and seconds if `hours` is set.
pub(super) fn degrees(text: &str, hours: bool) -> Result<f64> {
    let degrees = match Angle::parse(text) {
        Some(Angle::Number(number) | Angle::Degrees(number)) => number,
        Some(Angle::Colons(size)) => size * if hours { 15.0 } else { 1.0 },
        None => f64::NAN,
    };
    match degrees.is_finite() {
        true => Ok(degrees),
        false => {
            Err(Error::usage(format!("found '{text}', expected degrees, or an angle such as 17h45m40.03s")))
        }
    }
}

impl Region {
    /// Finds the pixels of a cutout in an image of this height and width.
    pub(super) fn of(wcs: &Wcs, centre: Centre, size: Size, [height, width]: [u64; 2]) -> Result<Self> {
        let outside = |pixel: &[f64]| {
            let pixel: Vec<String> = pixel.iter().map(|value| format!("{value:.1}")).collect();
            let message = format!("the cutout is outside of the image of {width} x {height} pixels");
            let hint = match pixel.iter().any(|value| value == "NaN") {
                true => "the position has no pixel".to_owned(),
                false => format!("its centre is the pixel {}", pixel.join(", ")),
            };
            Error::usage(message).with_hint(hint).at_path(wcs.path())
        };
        let pixel = match centre {
            Centre::Pixel(pixel) => pixel.to_vec(),
            Centre::Sky([longitude, latitude]) => {
                wcs.sky_to_pixel(longitude, latitude, Bounding::None).map_err(|error| match error.hint() {
                    None => error.with_hint("pass --pixel X,Y to give the centre as a pixel"),
                    Some(_) => error,
                })?
            }
        };
        let &[x, y, ..] = pixel.as_slice() else { return Err(outside(&pixel)) };
        let scale = match size.0.iter().any(|length| matches!(length, Length::Arcseconds(_))) {
            true => wcs.pixel_scale()?,
            false => Vec::new(),
        };
        let pixels = |axis: usize, length: Length| match length {
            Length::Pixels(pixels) => Ok(pixels.round()),
            Length::Arcseconds(arcseconds) => match scale.get(axis) {
                Some(scale) if *scale > 0.0 => Ok((arcseconds / scale).round()),
                _ => Err(Error::unsupported("the pixels have no size on the sky").at_path(wcs.path())),
            },
        };
        let [columns, rows] = size.0;
        let x = range(x, pixels(0, columns)?, width).ok_or_else(|| outside(&pixel))?;
        let y = range(y, pixels(1, rows)?, height).ok_or_else(|| outside(&pixel))?;
        Ok(Self { x: x.0, y: y.0, is_clipped: x.1 || y.1 })
    }

    /// Returns the slices of an array whose last two axes are the image.
    pub(super) fn slices(&self) -> [Slice; 3] {
        let slice =
            |range: &Range<i64>| Slice::Range { start: Some(range.start), end: Some(range.end), step: 1 };
        [Slice::Ellipsis, slice(&self.y), slice(&self.x)]
    }

    pub(super) fn width(&self) -> u64 {
        self.x.end.abs_diff(self.x.start)
    }

    pub(super) fn height(&self) -> u64 {
        self.y.end.abs_diff(self.y.start)
    }
}

/// Returns the range of `size` pixels around a centre within `0..count`, and whether it was cut; `None` if it is empty.
fn range(centre: f64, size: f64, count: u64) -> Option<(Range<i64>, bool)> {
    let size = size.clamp(1.0, MAX_PIXELS);
    // Rounding of a position on the sky does not move the cutout by a pixel.
    let start = (centre - 0.5 * size - 1e-6).ceil();
    if start.is_nan() || start.abs() >= MAX_PIXELS {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers up to 2e9")]
    let (start, end) = (start as i64, (start + size) as i64);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let cut = start.clamp(0, count)..end.clamp(0, count);
    let is_cut = cut != (start..end);
    (cut.start < cut.end).then_some((cut, is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(size("30arcsec"), Ok([Length::Arcseconds(30.0); 2]));
        assert_eq!(size("1.5 arcmin, 20"), Ok([Length::Arcseconds(90.0), Length::Arcseconds(1200.0)]));
        assert_eq!(size("200,100pix"), Ok([Length::Pixels(200.0), Length::Pixels(100.0)]));
        assert_eq!(size("0.5deg,2'"), Ok([Length::Arcseconds(1800.0), Length::Arcseconds(120.0)]));
        for wrong in ["", "-3", "0", "arcsec", "3parsec", "1,2,3", "nan", "inf", "3,x"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_are_those_of_astropy_and_stay_in_the_image() {
        assert_eq!(range(50.0, 10.0, 100), Some((45..55, false)));
        assert_eq!(range(50.0, 9.0, 100), Some((46..55, false)));
        assert_eq!(range(50.4, 10.0, 100), Some((46..56, false)));
        assert_eq!(range(50.000_000_1, 10.0, 100), Some((45..55, false)));
        assert_eq!(range(2.0, 10.0, 100), Some((0..7, true)));
        assert_eq!(range(99.0, 10.0, 100), Some((94..100, true)));
        assert_eq!(range(3.0, 0.2, 100), Some((3..4, false)));
        assert_eq!(range(-10.0, 10.0, 100), None);
        assert_eq!(range(106.0, 10.0, 100), None);
        assert_eq!(range(f64::NAN, 10.0, 100), None);
        assert_eq!(range(1e300, 1e300, 100), None);
        assert_eq!(range(50.0, 1e300, 100), Some((0..100, true)));
    }
}

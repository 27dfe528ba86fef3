//! The pixels of a cutout.

use std::ops::Range;

use asdf_core::array::Slice;
use asdf_core::error::Hint;
use asdf_core::{Error, Result};

use super::size::{Length, Size};
use crate::wcs::{Bounding, Wcs};

/// The position of the centre of a [`Cutout`](crate::Cutout).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Centre {
    /// A pixel, `x` first. 0 is the centre of the first pixel.
    Pixel([f64; 2]),
    /// Longitude and latitude in degrees, in the reference frame of the file.
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
                    None => error.with_hint(Hint::Named {
                        name: "asdf-gwcs/centre-pixel",
                        text: "give the centre as a pixel".into(),
                    }),
                    Some(_) => error,
                })?
            }
        };
        let &[x, y, ..] = pixel.as_slice() else { return Err(outside(&pixel)) };
        let scale =
            match [size.width, size.height].iter().any(|length| matches!(length, Length::Arcseconds(_))) {
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
        let x = range(x, pixels(0, size.width)?, width).ok_or_else(|| outside(&pixel))?;
        let y = range(y, pixels(1, size.height)?, height).ok_or_else(|| outside(&pixel))?;
        Ok(Self { x: x.0, y: y.0, is_clipped: x.1 || y.1 })
    }

    /// Returns the slices of an array whose last two axes are the image.
    pub(super) fn slices(&self) -> [Slice; 3] {
        let slice =
            |range: &Range<i64>| Slice::Range { start: Some(range.start), end: Some(range.end), step: 1 };
        [Slice::Ellipsis, slice(&self.y), slice(&self.x)]
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

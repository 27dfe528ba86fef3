//! What a picture looks like: the options of commands that make one.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "levels of brightness from 0 to 254"
)]

use std::str::FromStr;

use asdf_core::{NdArray, Result};

use super::bounds::Bounds;
use super::colours::Colours;
use super::limits::Limits;
use super::plane::Plane;
use super::stretch::{Stretch, place};
use super::{Curve, Labels, NO_VALUE, Picture, numbers, plot};

/// How numbers become colours.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Looks")]
pub(crate) struct Look {
    /// Display range (vmin, vmax): zscale (as astropy's), minmax, the middle part of all elements as in
    /// 99.5%, from one percentile to another as in 1%,99%, or two numbers as in 0,1000. By default zscale,
    /// 1%,99.9% with a stretch, and minmax for a line
    #[arg(long, value_name = "LIMITS", allow_hyphen_values = true)]
    limits: Option<Limits>,

    /// The curve from the numbers to brightness
    #[arg(long, value_enum, default_value_t)]
    stretch: Stretch,

    /// The colours from the lowest number to the highest
    #[arg(long, value_enum, default_value_t, value_name = "COLOURS")]
    colormap: Colours,

    /// The colours the other way round
    #[arg(long)]
    invert: bool,

    /// The colour of elements that are missing, NaN or infinite; none: transparent (PNG only)
    #[arg(long, value_name = "RRGGBB|none")]
    bad: Option<Bad>,

    /// Where the first row is
    #[arg(long, value_enum, default_value_t)]
    origin: Origin,

    /// The pixels that the picture fits into, or full for one an element. Larger images are shrunk by their
    /// mean, smaller ones drawn as squares
    #[arg(long, value_name = "N|WxH|full")]
    size: Option<Bounds>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Origin {
    /// As FITS viewers draw
    #[default]
    Bottom,
    Top,
}

/// The colour of elements without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bad(Option<[u8; 3]>);

impl FromStr for Bad {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let digits = text.strip_prefix('#').unwrap_or(text);
        let number =
            Some(digits).filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] =
            number.ok_or("expected red, green and blue as in ff8000, or none")?.to_be_bytes();
        Ok(Self(Some([red, green, blue])))
    }
}

/// A picture, and what was chosen for it.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) picture: Picture,
    pub(crate) limits: Limits,
    /// The numbers of the first and the last colour; `None` where there is no number.
    pub(crate) range: Option<(f64, f64)>,
    /// Whether all elements that are finite are the same.
    pub(crate) is_constant: bool,
}

impl Look {
    /// The room for a picture: what was asked for, or else this.
    pub(crate) fn room(&self, otherwise: Bounds) -> Bounds {
        self.size.unwrap_or(otherwise)
    }

    /// The curve's name.
    pub(crate) fn stretch(&self) -> String {
        clap::ValueEnum::to_possible_value(&self.stretch)
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The picture of an array with two axes.
    pub(crate) fn image(&self, array: &NdArray, room: Bounds) -> Result<Shown> {
        numbers::check(array)?;
        let &[height, width] = array.shape() else {
            return Err(asdf_core::Error::mismatch(format!(
                "an array of shape {:?} is no image",
                array.shape()
            )));
        };
        if array.is_empty() {
            return Err(asdf_core::Error::mismatch("an array without elements has no picture"));
        }
        let fit = room.fit(width, height)?;
        let plane = Plane::of(array, &fit)?;
        let limits = self.limits.unwrap_or(match self.stretch {
            Stretch::Linear => Limits::Zscale,
            _ => Limits::Percentiles(1.0, 99.9),
        });
        let range = limits.of(array)?;
        let is_constant = is_constant(array, limits, range)?;
        let level = |&number: &f64| match range {
            Some(range) if !number.is_nan() => {
                (self.stretch.apply(place(number, range)) * f64::from(NO_VALUE - 1)).round() as u8
            }
            _ => NO_VALUE,
        };
        let pixels = plane.numbers.iter().map(level).collect();
        let (palette, see_through) = self.palette();
        let picture = Picture { width: fit.width, height: fit.height, pixels, palette, see_through };
        let picture = match self.origin {
            Origin::Bottom => picture.flipped(),
            Origin::Top => picture,
        };
        Ok(Shown { picture: picture.enlarged(fit.factor), limits, range, is_constant })
    }

    fn palette(&self) -> (Vec<[u8; 3]>, bool) {
        let bad = self.bad.unwrap_or(Bad(Some(self.colormap.other())));
        let levels = 0..NO_VALUE;
        let colour = |level: u8| {
            let x = f64::from(level) / f64::from(NO_VALUE - 1);
            self.colormap.at(if self.invert { 1.0 - x } else { x })
        };
        let palette = levels.map(colour).chain([bad.0.unwrap_or_default()]).collect();
        (palette, bad.0.is_none())
    }

    /// An array with one axis as a line of at most so many points, with the numbers that it lies between.
    pub(crate) fn curve(&self, array: &NdArray, x: Option<&NdArray>, points: usize) -> Result<Curve> {
        numbers::check(array)?;
        Curve::of(array, x, points, self.limits.unwrap_or(Limits::MinMax), self.stretch)
    }

    /// The picture of an array with one axis: a line between its limits, with axes.
    pub(crate) fn line(
        &self,
        array: &NdArray,
        x: Option<&NdArray>,
        labels: &Labels,
        room: Bounds,
    ) -> Result<Shown> {
        let (width, height) = match room {
            Bounds::Within(width, height) => (width, height.min(width.div_ceil(2))),
            Bounds::Full => (1024, 512),
        };
        let curve = self.curve(array, x, width)?;
        let limits = self.limits.unwrap_or(Limits::MinMax);
        let is_constant = is_constant(array, limits, curve.range())?;
        Ok(Shown {
            picture: plot::draw(&curve, labels, width, height),
            limits,
            range: curve.range(),
            is_constant,
        })
    }
}

/// Whether all elements are the same: they are looked at only if their limits are.
fn is_constant(array: &NdArray, limits: Limits, range: Option<(f64, f64)>) -> Result<bool> {
    let is_flat = |range: Option<(f64, f64)>| range.is_some_and(|(low, high)| low == high);
    match limits {
        Limits::MinMax => Ok(is_flat(range)),
        _ => Ok(is_flat(range) && is_flat(Limits::MinMax.of(array)?)),
    }
}

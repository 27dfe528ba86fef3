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
use super::lupton::Lupton;
use super::plane::Plane;
use super::stretch::{Stretch, place};
use super::{Annotations, Curve, Flagged, Labels, NO_VALUE, Photo, Picture, numbers, plot, signs};

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

    /// Reverse the colormap
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
    /// How many elements an overlay marks.
    pub(crate) flagged: Option<Flagged>,
}

/// A colour picture, and what was chosen for it.
#[derive(Debug)]
pub(crate) struct Coloured {
    pub(crate) photo: Photo,
    pub(crate) limits: Limits,
    /// The numbers of red, green and blue that are black.
    pub(crate) minimum: [f64; 3],
    /// The range of intensities that is linear.
    pub(crate) stretch: f64,
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

    /// The picture of an array with two axes, with what is drawn over and around it.
    pub(crate) fn image(&self, array: &NdArray, annotations: &Annotations, room: Bounds) -> Result<Shown> {
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
        let limits = self.limits.unwrap_or(match self.stretch {
            Stretch::Linear => Limits::Zscale,
            _ => Limits::Percentiles(1.0, 99.9),
        });
        let range = limits.of(array)?;
        let around = annotations.around((width, height), room, range, self.stretch);
        let fit = around.inside(room)?.fit(width, height)?;
        let plane = Plane::of(array, &fit)?;
        let is_constant = is_constant(array, limits, range)?;
        let top = if annotations.has_signs() { signs::TOP } else { NO_VALUE - 1 };
        let level = |&number: &f64| match range {
            Some(range) if !number.is_nan() => {
                (self.stretch.apply(place(number, range)) * f64::from(top)).round() as u8
            }
            _ => NO_VALUE,
        };
        let mut pixels: Vec<u8> = plane.numbers.iter().map(level).collect();
        let marks = annotations.overlay.as_ref().map(|overlay| overlay.marks(&fit)).transpose()?;
        for (pixel, _) in
            pixels.iter_mut().zip(marks.iter().flat_map(|marks| &marks.pixels)).filter(|(_, is)| **is)
        {
            *pixel = signs::MARK;
        }
        let (palette, see_through) = self.palette(top);
        let has_marks = marks.is_some();
        let picture =
            Picture { width: fit.width, height: fit.height, pixels, palette, see_through, has_marks };
        let is_up = self.origin == Origin::Bottom;
        let picture = if is_up { picture.flipped() } else { picture }.enlarged(fit.factor);
        let picture = if annotations.is_around() { around.drawn(&picture, is_up) } else { picture };
        Ok(Shown { picture, limits, range, is_constant, flagged: marks.map(|marks| marks.flagged) })
    }

    /// The colour picture of three images of the same shape: red, green and blue.
    pub(crate) fn coloured(&self, channels: &[NdArray; 3], room: Bounds) -> Result<Coloured> {
        let [red, green, blue] = channels;
        channels.iter().try_for_each(numbers::check)?;
        let &[height, width] = red.shape() else {
            let error = format!("found an array of shape {:?}, expected an image with two axes", red.shape());
            return Err(asdf_core::Error::mismatch(error));
        };
        if red.is_empty() {
            return Err(asdf_core::Error::mismatch("an array without elements has no picture"));
        }
        let bad = match self.bad {
            Some(Bad(None)) => {
                let error = asdf_core::Error::usage("a picture of --rgb has no transparent pixels");
                return Err(error.with_hint("give --bad a colour"));
            }
            Some(Bad(Some(colour))) => colour,
            None => Colours::Gray.other(),
        };
        let limits = self.limits.unwrap_or(Limits::Zscale);
        let mut ranges = [(0.0, 0.0); 3];
        for (range, channel) in ranges.iter_mut().zip(channels) {
            *range = limits.of(channel)?.unwrap_or_default();
        }
        let stretch = ranges.iter().map(|(low, high)| high / 3.0 - low / 3.0).sum::<f64>();
        // Constant images are black.
        let stretch = if stretch > 0.0 { stretch } else { 1.0 };
        let lupton = Lupton { minimum: ranges.map(|(low, _)| low), stretch };
        let fit = room.fit(width, height)?;
        let plane = |array: &NdArray| Plane::of(array, &fit).map(|plane| plane.numbers);
        let (red, green, blue) = (plane(red)?, plane(green)?, plane(blue)?);
        let numbers = red.into_iter().zip(green).zip(blue);
        let pixels: Vec<[u8; 3]> =
            numbers.map(|((red, green), blue)| lupton.colour([red, green, blue]).unwrap_or(bad)).collect();
        let photo = Photo::of(&pixels, &fit, self.origin == Origin::Bottom);
        Ok(Coloured { photo, limits, minimum: lupton.minimum, stretch })
    }

    /// The colours of the levels up to `top`, of signs if there is room for them, and of no value.
    fn palette(&self, top: u8) -> (Vec<[u8; 3]>, bool) {
        let bad = self.bad.unwrap_or(Bad(Some(self.colormap.other())));
        let colour = |level: u8| {
            let x = f64::from(level) / f64::from(top);
            self.colormap.at(if self.invert { 1.0 - x } else { x })
        };
        let mut palette: Vec<[u8; 3]> = (0..=top).map(colour).collect();
        if top < signs::MARK {
            palette.push(self.colormap.mark());
            palette.extend(signs::COLOURS);
        }
        palette.push(bad.0.unwrap_or_default());
        (palette, bad.0.is_none())
    }

    /// An array with one axis as a line of at most `points` points, with the numbers that it lies between.
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
        let picture = plot::draw(&curve, labels, width, height);
        Ok(Shown { picture, limits, range: curve.range(), is_constant, flagged: None })
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

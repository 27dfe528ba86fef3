//! What a picture looks like.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "levels of brightness from 0 to 254"
)]

use asdf_core::{Error, NdArray, Result};

use crate::annotations::Annotations;
use crate::bounds::Bounds;
use crate::colormap::Colormap;
use crate::curve::Curve;
use crate::frame::Labels;
use crate::limits::Limits;
use crate::lupton::Lupton;
use crate::overlay::Flagged;
use crate::picture::Picture;
use crate::plane::Plane;
use crate::problem::Problem;
use crate::rgb::RgbPicture;
use crate::stretch::{Stretch, place};
use crate::{numbers, plot, signs};

/// How numbers become colours. [`image`](Self::image), [`rgb`](Self::rgb), [`line`](Self::line) and
/// [`curve`](Self::curve) render arrays.
///
/// By default the display range is zscale for images and minmax for lines, the stretch is linear, the colours are gray,
/// and the first row is at the bottom.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Look {
    limits: Option<Limits>,
    stretch: Stretch,
    colormap: Colormap,
    is_inverted: bool,
    /// The colour of elements without a value: none said, transparent, or a colour.
    bad: Option<Option<[u8; 3]>>,
    origin: Origin,
}

/// Where the first row of an array is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// At the bottom, as FITS viewers draw.
    #[default]
    Bottom,
    /// At the top.
    Top,
}

/// A picture, and what was chosen for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The picture.
    pub picture: Picture,
    /// How the numbers of the first and the last colour were chosen.
    pub limits: Limits,
    /// The numbers of the first and the last colour. `None` if no element is a number.
    pub range: Option<(f64, f64)>,
    /// Whether all elements that are finite are the same.
    pub is_constant: bool,
    /// How many elements an overlay marks.
    pub flagged: Option<Flagged>,
}

/// A colour picture of three images, and what was chosen for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RenderedRgb {
    /// The picture.
    pub picture: RgbPicture,
    /// How the numbers that are black were chosen.
    pub limits: Limits,
    /// The numbers of red, green and blue that are black.
    pub minimum: [f64; 3],
    /// The range of intensities that is linear.
    pub stretch: f64,
}

impl Look {
    /// The default look.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how the display range is chosen. By default it is [`Limits::Zscale`], from 1% to 99.9% with a stretch, and
    /// [`Limits::MinMax`] for a line.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// Sets the curve from numbers to brightness.
    #[must_use]
    pub fn stretch(self, stretch: Stretch) -> Self {
        Self { stretch, ..self }
    }

    /// Sets the colours from the lowest number to the highest.
    #[must_use]
    pub fn colormap(self, colormap: Colormap) -> Self {
        Self { colormap, ..self }
    }

    /// Reverses the colour map, or not.
    #[must_use]
    pub fn inverted(self, is_inverted: bool) -> Self {
        Self { is_inverted, ..self }
    }

    /// Sets the red, green and blue of elements that are missing, NaN or infinite; `None` makes them transparent. By
    /// default they have a colour that the colour map does not have.
    #[must_use]
    pub fn bad(self, colour: Option<[u8; 3]>) -> Self {
        Self { bad: Some(colour), ..self }
    }

    /// Sets where the first row is drawn.
    #[must_use]
    pub fn origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Renders an array with two axes, with what is drawn over and around it. The first axis is the vertical one.
    ///
    /// Larger images are shrunk: each pixel is the mean of the elements that it covers. It has the colour of bad elements if
    /// more than half of them are bad, or a whole row or column. Smaller images are drawn as squares.
    ///
    /// # Errors
    ///
    /// Returns an error if the array does not have two axes, is empty or does not have numbers, if its elements cannot be
    /// read, or if the picture does not fit ([`Problem`]).
    pub fn image(&self, array: &NdArray, annotations: &Annotations, bounds: Bounds) -> Result<Rendered> {
        numbers::check(array)?;
        let &[height, width] = array.shape() else {
            return Err(Error::mismatch(format!("an array of shape {:?} is not an image", array.shape())));
        };
        if array.is_empty() {
            return Err(Error::mismatch("an array without elements has no picture"));
        }
        if let Some(overlay) = &annotations.overlay {
            overlay.check_shape(array.shape())?;
        }
        let limits = self.limits.unwrap_or(match self.stretch {
            Stretch::Linear => Limits::Zscale,
            _ => Limits::Percentiles(1.0, 99.9),
        });
        let range = limits.range(array)?;
        let around = annotations.around((width, height), bounds, range, self.stretch);
        let fit = around.inside(bounds)?.fit(width, height)?;
        let plane = Plane::of(array, &fit)?;
        let is_constant = is_constant(array, limits, range)?;
        let top = if annotations.has_signs() { signs::TOP } else { Picture::NO_VALUE - 1 };
        let level = |&number: &f64| match range {
            Some(range) if !number.is_nan() => {
                (self.stretch.apply(place(number, range)) * f64::from(top)).round() as u8
            }
            _ => Picture::NO_VALUE,
        };
        let mut pixels: Vec<u8> = plane.numbers.iter().map(level).collect();
        let marks = annotations.overlay.as_ref().map(|overlay| overlay.marks(&fit)).transpose()?;
        for (pixel, _) in
            pixels.iter_mut().zip(marks.iter().flat_map(|marks| &marks.pixels)).filter(|(_, is)| **is)
        {
            *pixel = signs::MARK;
        }
        let (palette, is_transparent) = self.palette(top);
        let has_marks = marks.is_some();
        let picture =
            Picture { width: fit.width, height: fit.height, pixels, palette, is_transparent, has_marks };
        let is_up = self.origin == Origin::Bottom;
        let picture = if is_up { picture.flipped() } else { picture }.enlarged(fit.factor);
        let picture = if annotations.is_around() { around.drawn(&picture, is_up) } else { picture };
        Ok(Rendered { picture, limits, range, is_constant, flagged: marks.map(|marks| marks.flagged) })
    }

    /// Renders three images of the same shape as red, green and blue, by the method of Lupton et al. 2004, PASP 116, 133.
    ///
    /// The lower number of the limits is black, for each image its own, and the mean of the three ranges is the linear range
    /// of intensities. The softening Q is 8, as in astropy's `make_lupton_rgb`. The colour map, the stretch and the
    /// inversion have no effect.
    ///
    /// # Errors
    ///
    /// As [`image`](Self::image), and if the shapes differ or bad elements are to be transparent.
    pub fn rgb(&self, channels: &[NdArray; 3], bounds: Bounds) -> Result<RenderedRgb> {
        let [red, green, blue] = channels;
        channels.iter().try_for_each(numbers::check)?;
        let &[height, width] = red.shape() else {
            let error = format!("found an array of shape {:?}, expected an image with two axes", red.shape());
            return Err(Error::mismatch(error));
        };
        for channel in [green, blue] {
            if channel.shape() != red.shape() {
                let (found, expected) = (channel.shape(), red.shape());
                return Err(Error::mismatch(format!(
                    "found an image of shape {found:?}, expected {expected:?}"
                )));
            }
        }
        if red.is_empty() {
            return Err(Error::mismatch("an array without elements has no picture"));
        }
        let bad = match self.bad {
            Some(None) => return Err(Problem::OpaqueRgb.error()),
            Some(Some(colour)) => colour,
            None => Colormap::Gray.other(),
        };
        let limits = self.limits.unwrap_or(Limits::Zscale);
        let mut ranges = [(0.0, 0.0); 3];
        for (range, channel) in ranges.iter_mut().zip(channels) {
            *range = limits.range(channel)?.unwrap_or_default();
        }
        let stretch = ranges.iter().map(|(low, high)| high / 3.0 - low / 3.0).sum::<f64>();
        // Constant images are black.
        let stretch = if stretch > 0.0 { stretch } else { 1.0 };
        let lupton = Lupton { minimum: ranges.map(|(low, _)| low), stretch };
        let fit = bounds.fit(width, height)?;
        let plane = |array: &NdArray| Plane::of(array, &fit).map(|plane| plane.numbers);
        let (red, green, blue) = (plane(red)?, plane(green)?, plane(blue)?);
        let numbers = red.into_iter().zip(green).zip(blue);
        let pixels: Vec<[u8; 3]> =
            numbers.map(|((red, green), blue)| lupton.colour([red, green, blue]).unwrap_or(bad)).collect();
        let picture = RgbPicture::of(&pixels, &fit, self.origin == Origin::Bottom);
        Ok(RenderedRgb { picture, limits, minimum: lupton.minimum, stretch })
    }

    /// The colours of the levels up to `top`, of signs if there is room for them, and of no value.
    fn palette(&self, top: u8) -> (Vec<[u8; 3]>, bool) {
        let bad = self.bad.unwrap_or(Some(self.colormap.other()));
        let colour = |level: u8| {
            let x = f64::from(level) / f64::from(top);
            self.colormap.at(if self.is_inverted { 1.0 - x } else { x })
        };
        let mut palette: Vec<[u8; 3]> = (0..=top).map(colour).collect();
        if top < signs::MARK {
            palette.push(self.colormap.mark());
            palette.extend(signs::COLOURS);
        }
        palette.push(bad.unwrap_or_default());
        (palette, bad.is_none())
    }

    /// Returns an array with one axis as a line of up to `points` points over the indices, or over the numbers of `x`.
    ///
    /// The points are joined if the numbers of `x` only rise or only fall.
    ///
    /// # Errors
    ///
    /// Returns an error if an array does not have numbers, if `x` has another shape or no finite number ([`Problem`]), or if
    /// the elements cannot be read.
    pub fn curve(&self, array: &NdArray, x: Option<&NdArray>, points: usize) -> Result<Curve> {
        numbers::check(array)?;
        Curve::of(array, x, points, self.limits.unwrap_or(Limits::MinMax), self.stretch)
    }

    /// Renders an array with one axis: a line between its limits, with axes. It is at most half as high as wide, and 1024
    /// pixels wide with [`Bounds::Full`].
    ///
    /// # Errors
    ///
    /// As [`curve`](Self::curve).
    pub fn line(
        &self,
        array: &NdArray,
        x: Option<&NdArray>,
        labels: &Labels,
        bounds: Bounds,
    ) -> Result<Rendered> {
        let (width, height) = match bounds {
            Bounds::Within(width, height) => (width, height.min(width.div_ceil(2))),
            Bounds::Full => (1024, 512),
        };
        let curve = self.curve(array, x, width)?;
        let limits = self.limits.unwrap_or(Limits::MinMax);
        let is_constant = is_constant(array, limits, curve.range())?;
        let picture = plot::draw(&curve, labels, width, height);
        Ok(Rendered { picture, limits, range: curve.range(), is_constant, flagged: None })
    }
}

/// Whether all elements are the same: they are looked at only if their limits are.
fn is_constant(array: &NdArray, limits: Limits, range: Option<(f64, f64)>) -> Result<bool> {
    let is_flat = |range: Option<(f64, f64)>| range.is_some_and(|(low, high)| low == high);
    match limits {
        Limits::MinMax => Ok(is_flat(range)),
        _ => Ok(is_flat(range) && is_flat(Limits::MinMax.range(array)?)),
    }
}

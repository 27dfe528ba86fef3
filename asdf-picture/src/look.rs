//! `Look`: the settings of a picture, and the rendering.

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

/// The settings that turn numbers into colours.
///
/// [`image`](Self::image), [`rgb`](Self::rgb), [`line`](Self::line) and [`curve`](Self::curve) render arrays.
///
/// By default the display range is zscale for images and minmax for lines, the stretch is linear, the colours are gray,
/// and the first row is at the bottom.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_picture::{Annotations, Bounds, Limits, Look, Stretch};
///
/// let image = NdArray::new(&[2, 2], &[1.0, 2.0, 3.0, 400.0])?;
/// let look = Look::new().limits(Limits::Numbers(0.0, 10.0)).stretch(Stretch::Sqrt);
/// let rendered = look.image(&image, &Annotations::default(), Bounds::Full)?;
/// assert_eq!(rendered.range, Some((0.0, 10.0)));
/// assert_eq!((rendered.picture.width(), rendered.picture.height()), (2, 2));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "ImageNormalize")]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Look {
    limits: Option<Limits>,
    stretch: Stretch,
    colormap: Colormap,
    is_inverted: bool,
    /// The colour of elements without a value: `None` if it was not set, `Some(None)` for transparent.
    bad: Option<Option<[u8; 3]>>,
    origin: Origin,
}

/// The position of the first row of an array in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Origin {
    /// The first row is at the bottom, as in FITS viewers.
    #[default]
    #[doc(alias = "lower")]
    Bottom,
    /// The first row is at the top.
    #[doc(alias = "upper")]
    Top,
}

/// A picture of one array, and the values that were chosen for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The picture.
    pub picture: Picture,
    /// The method that chose the display range.
    pub limits: Limits,
    /// The numbers of the first and last colour; `None` if no element is a number.
    #[doc(alias = "vmin")]
    #[doc(alias = "vmax")]
    pub range: Option<(f64, f64)>,
    /// Whether all finite elements are equal.
    pub is_constant: bool,
    /// The number of elements that the overlay marks; `None` without an overlay.
    pub flagged: Option<Flagged>,
}

/// A colour picture of three images, and the values that were chosen for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RenderedRgb {
    /// The picture.
    pub picture: RgbPicture,
    /// The method that chose the numbers for black.
    pub limits: Limits,
    /// The numbers of red, green and blue that are drawn as black.
    pub minimum: [f64; 3],
    /// The range of intensities that is linear.
    pub stretch: f64,
}

impl Look {
    /// Creates the default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how the display range is chosen.
    ///
    /// The default for images is [`Limits::Zscale`], or the percentiles 1% and 99.9% if a stretch other than
    /// [`Stretch::Linear`] is set. The default for lines is [`Limits::MinMax`].
    #[doc(alias = "vmin")]
    #[doc(alias = "vmax")]
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// Sets the curve from numbers to brightness (default: linear).
    #[must_use]
    pub fn stretch(self, stretch: Stretch) -> Self {
        Self { stretch, ..self }
    }

    /// Sets the colour map (default: gray).
    #[doc(alias = "cmap")]
    #[must_use]
    pub fn colormap(self, colormap: Colormap) -> Self {
        Self { colormap, ..self }
    }

    /// Sets whether the colour map is reversed (default: false).
    #[must_use]
    pub fn inverted(self, is_inverted: bool) -> Self {
        Self { is_inverted, ..self }
    }

    /// Sets the red, green and blue of elements that are missing, NaN or infinite.
    ///
    /// `None` makes them transparent. By default they have a colour that the colour map does not contain.
    #[doc(alias = "set_bad")]
    #[must_use]
    pub fn bad(self, colour: Option<[u8; 3]>) -> Self {
        Self { bad: Some(colour), ..self }
    }

    /// Sets where the first row is drawn (default: at the bottom).
    #[must_use]
    pub fn origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Renders an array with two axes, with its annotations. The first axis is the vertical one.
    ///
    /// An image larger than the bounds is shrunk: each pixel is the mean of the elements that it covers. The pixel is
    /// bad if more than half of these elements are bad, or a whole row or column of them. In an image smaller than the
    /// bounds, each element becomes a square.
    ///
    /// # Errors
    ///
    /// Returns an error if the array does not have two axes, is empty or does not hold numbers. Also if its elements
    /// cannot be read, or if the picture does not fit ([`Problem`]).
    #[doc(alias = "imshow")]
    pub fn image(&self, array: &NdArray, annotations: &Annotations, bounds: Bounds) -> Result<Rendered> {
        numbers::check(array)?;
        let &[height, width] = array.shape() else {
            let error =
                format!("found an array of shape {:?}, expected an image with two axes", array.shape());
            return Err(Error::mismatch(error));
        };
        if array.is_empty() {
            return Err(Error::mismatch("cannot draw an array without elements"));
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
        let top = annotations.top();
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
        let picture = Picture {
            width: fit.width,
            height: fit.height,
            pixels,
            palette,
            is_transparent,
            has_marks,
            has_grid: false,
        };
        let is_up = self.origin == Origin::Bottom;
        let picture = if is_up { picture.flipped() } else { picture }.enlarged(fit.factor);
        let picture = annotations.draw_over(picture, (width, height), is_up);
        let picture = if annotations.is_around() { around.drawn(&picture, is_up) } else { picture };
        Ok(Rendered { picture, limits, range, is_constant, flagged: marks.map(|marks| marks.flagged) })
    }

    /// Renders three images of the same shape as the red, green and blue of one picture.
    ///
    /// This is the method of Lupton et al. 2004, PASP 116, 133. The lower limit of each image becomes black. The mean
    /// of the three display ranges is the linear range of intensities. The softening Q is 8, as in astropy's
    /// `make_lupton_rgb`. The colour map, the stretch and the inversion have no effect.
    ///
    /// # Errors
    ///
    /// The errors of [`image`](Self::image), and if the shapes differ or bad elements are set to be transparent.
    #[doc(alias = "make_lupton_rgb")]
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
            return Err(Error::mismatch("cannot draw an array without elements"));
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

    /// Returns the palette: brightness up to `top`, the levels for signs if they fit, and that of no value.
    fn palette(&self, top: u8) -> (Vec<[u8; 3]>, bool) {
        let bad = self.bad.unwrap_or(Some(self.colormap.other()));
        let colour = |level: u8| {
            let x = f64::from(level) / f64::from(top);
            self.colormap.at(if self.is_inverted { 1.0 - x } else { x })
        };
        let mut palette: Vec<[u8; 3]> = (0..=top).map(colour).collect();
        if top < signs::GRID {
            palette.push(self.colormap.grid());
        }
        if top < signs::MARK {
            palette.push(self.colormap.mark());
            palette.extend(signs::COLOURS);
        }
        palette.push(bad.unwrap_or_default());
        (palette, bad.is_none())
    }

    /// Returns an array with one axis as a line of up to `points` points, to draw it yourself.
    ///
    /// The horizontal axis shows the indices, or the numbers of `x`. The points are joined if the numbers of `x` only
    /// rise or only fall.
    ///
    /// # Errors
    ///
    /// Returns an error if an array does not hold numbers, if `x` has another shape or no finite number ([`Problem`]),
    /// or if the elements cannot be read.
    pub fn curve(&self, array: &NdArray, x: Option<&NdArray>, points: usize) -> Result<Curve> {
        numbers::check(array)?;
        Curve::of(array, x, points, self.limits.unwrap_or(Limits::MinMax), self.stretch)
    }

    /// Renders an array with one axis as a line with axes.
    ///
    /// The picture is at most half as high as wide, and 1024 pixels wide with [`Bounds::Full`].
    ///
    /// # Errors
    ///
    /// The errors of [`curve`](Self::curve).
    #[doc(alias = "plot")]
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

/// Returns whether all finite elements are equal. The elements are read only if the two limits are equal.
fn is_constant(array: &NdArray, limits: Limits, range: Option<(f64, f64)>) -> Result<bool> {
    let is_flat = |range: Option<(f64, f64)>| range.is_some_and(|(low, high)| low == high);
    match limits {
        Limits::MinMax => Ok(is_flat(range)),
        _ => Ok(is_flat(range) && is_flat(Limits::MinMax.range(array)?)),
    }
}

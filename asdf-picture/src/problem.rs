//! `Problem`: the causes of errors, as data.

use std::fmt;

use asdf_core::{Datatype, Error, error};

/// The cause of an error of this crate, as data.
///
/// A program can use it to word errors with the names of its own options. The problem is the
/// [source](std::error::Error::source) of the error.
///
/// # Examples
/// ```
/// use asdf_core::{Datatype, NdArray};
/// use asdf_picture::{Overlay, Problem};
///
/// let flags = NdArray::new(&[1, 1], &[0.5])?;
/// let error = Overlay::new(flags, None).check().unwrap_err();
/// assert_eq!(Problem::from_error(&error), Some(&Problem::NotFlags(Datatype::Float64)));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A picture with one pixel for each element is too large.
    TooManyPixels {
        /// The number of elements.
        elements: u64,
        /// The largest number of pixels.
        max: u64,
    },
    /// The bounds are too small for an image with axes or a colour bar.
    NoRoom {
        /// The width and the height of the bounds in pixels.
        found: (usize, usize),
        /// The smallest width and height that are large enough.
        min: (usize, usize),
    },
    /// JPEG does not support transparent pixels.
    OpaqueJpeg,
    /// A colour picture of three images does not support transparent pixels.
    OpaqueRgb,
    /// A JPEG picture of this width or height is too large.
    TooLargeForJpeg(usize),
    /// The elements of an overlay are neither integers nor booleans.
    NotFlags(Datatype),
    /// The elements of an overlay do not have a bit.
    NoSuchBit {
        /// The number of the bit, from 0.
        bit: u32,
        /// The number of bits that the elements have.
        bits: u32,
        /// The datatype of the elements.
        datatype: Datatype,
    },
    /// The array of the horizontal axis does not hold numbers.
    AxisNotNumbers(Datatype),
    /// The array of the horizontal axis has another shape than the array that is drawn.
    AxisShape {
        /// The shape of the array of the horizontal axis.
        found: Vec<u64>,
        /// The shape of the array that is drawn.
        expected: Vec<u64>,
    },
    /// The array of the horizontal axis has no finite number.
    AxisNotFinite,
}

impl Problem {
    /// Returns the cause of an error; `None` if the error is from another crate or has no `Problem`.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<&Self> {
        std::error::Error::source(error)?.downcast_ref()
    }

    /// Returns an error with this problem. This is not a `From`, which would make the type of `?` ambiguous in callers.
    pub(crate) fn error(self) -> Error {
        let error = Error::new(self.kind(), self.to_string());
        let error = match self.hint() {
            Some(hint) => error.with_hint(hint),
            None => error,
        };
        error.with_source(self)
    }

    fn kind(&self) -> error::Kind {
        match self {
            Self::TooManyPixels { .. } | Self::TooLargeForJpeg(_) => error::Kind::Limit,
            Self::NoRoom { .. } | Self::OpaqueJpeg | Self::OpaqueRgb | Self::NoSuchBit { .. } => {
                error::Kind::Usage
            }
            Self::NotFlags(_) | Self::AxisNotNumbers(_) | Self::AxisShape { .. } | Self::AxisNotFinite => {
                error::Kind::Mismatch
            }
        }
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::TooManyPixels { .. } => "give smaller `Bounds`, or slice the array",
            Self::NoRoom { .. } => "give larger `Bounds`, or leave out the axes and the colour bar",
            Self::OpaqueJpeg => "give bad elements a colour with `Look::bad`, or write PNG",
            Self::OpaqueRgb => "give bad elements a colour with `Look::bad`",
            Self::TooLargeForJpeg(_) => "give smaller `Bounds`, or write PNG",
            Self::NotFlags(_) => "give the overlay a data-quality array",
            Self::NoSuchBit { .. } => "give the numbers of the bits, counted from 0, not their values",
            Self::AxisNotNumbers(_) | Self::AxisNotFinite => "leave out the array to show indices",
            Self::AxisShape { .. } => return None,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPixels { elements, max } => {
                write!(f, "a picture of all {elements} elements has more than {max} pixels")
            }
            Self::NoRoom { found: (width, height), min: (min_width, min_height) } => write!(
                f,
                "{width} x {height} pixels are too small for an image with axes or a colour bar, expected at least \
                 {min_width} x {min_height}"
            ),
            Self::OpaqueJpeg => f.write_str("JPEG does not support transparent pixels"),
            Self::OpaqueRgb => {
                f.write_str("a colour picture of three images does not support transparent pixels")
            }
            Self::TooLargeForJpeg(side) => {
                write!(f, "found a side of {side} pixels, expected at most {} for JPEG", u16::MAX)
            }
            Self::NotFlags(datatype) => write!(f, "found flags of {datatype}, expected integers or bool8"),
            Self::NoSuchBit { bit, bits, datatype } => {
                write!(f, "found bit {bit}, but {datatype} has the bits 0 to {}", bits.saturating_sub(1))
            }
            Self::AxisNotNumbers(datatype) => {
                write!(f, "found {datatype} in the array of the horizontal axis, expected numbers")
            }
            Self::AxisShape { found, expected } => {
                write!(f, "the array of the horizontal axis has shape {found:?}, expected {expected:?}")
            }
            Self::AxisNotFinite => f.write_str("the array of the horizontal axis has no finite number"),
        }
    }
}

impl std::error::Error for Problem {}

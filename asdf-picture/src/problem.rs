//! `Problem`: what an error of this crate is about.

use std::fmt;

use asdf_core::{Datatype, Error, error};

/// What an error of this crate is about, as data.
///
/// A program can word such errors with the names of its own options. The problem is the
/// [source](std::error::Error::source) of the error.
///
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
    /// A picture with a pixel for each element is too large.
    TooManyPixels {
        /// The number of elements.
        elements: u64,
        /// The largest number of pixels.
        max: u64,
    },
    /// The bounds leave no room for an image with what is around it.
    NoRoom {
        /// The width and the height of the bounds in pixels.
        found: (usize, usize),
        /// The smallest width and height that do.
        min: (usize, usize),
    },
    /// JPEG has no transparent pixels.
    OpaqueJpeg,
    /// A picture of three images has no transparent pixels.
    OpaqueRgb,
    /// A JPEG picture of this width or height is too large.
    TooLargeForJpeg(usize),
    /// The elements of an overlay are not integers or truth values.
    NotFlags(Datatype),
    /// The elements of an overlay do not have a bit.
    NoSuchBit {
        /// The bit that was asked for, from 0.
        bit: u32,
        /// The number of bits that the elements have.
        bits: u32,
        /// The datatype of the elements.
        datatype: Datatype,
    },
    /// The array of the horizontal axis does not have numbers.
    AxisNotNumbers(Datatype),
    /// The array of the horizontal axis does not have the shape of the other one.
    AxisShape {
        /// Its shape.
        found: Vec<u64>,
        /// The shape of the other one.
        expected: Vec<u64>,
    },
    /// The array of the horizontal axis does not have any finite number.
    AxisNotFinite,
}

impl Problem {
    /// Returns what an error is about; `None` if it does not come from this crate, or has no problem.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<&Self> {
        std::error::Error::source(error)?.downcast_ref()
    }

    /// The error with this problem. Not `From`, which would leave the types of `?` in callers open.
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
            Self::TooManyPixels { .. } => "draw it within smaller `Bounds`, or take a part of the array",
            Self::NoRoom { .. } => "give larger `Bounds`, or leave out the axes and the bar of colours",
            Self::OpaqueJpeg => "give bad elements a colour with `Look::bad`, or write PNG",
            Self::OpaqueRgb => "give bad elements a colour with `Look::bad`",
            Self::TooLargeForJpeg(_) => "draw it within smaller `Bounds`, or write PNG",
            Self::NotFlags(_) => "an overlay is a data-quality array",
            Self::NoSuchBit { .. } => "bits are counted from 0: give their numbers, not their values",
            Self::AxisNotNumbers(_) | Self::AxisNotFinite => "without the array the axis shows indices",
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
                "{width} x {height} pixels leave no room for an image with axes or a bar of colours, expected \
                 {min_width} x {min_height} or more"
            ),
            Self::OpaqueJpeg => f.write_str("JPEG has no transparent pixels"),
            Self::OpaqueRgb => f.write_str("a picture of three images has no transparent pixels"),
            Self::TooLargeForJpeg(side) => {
                write!(f, "a JPEG picture has at most {} pixels a side, not {side}", u16::MAX)
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
            Self::AxisNotFinite => f.write_str(
                "found no finite number in the array of the horizontal axis, expected the numbers of an axis",
            ),
        }
    }
}

impl std::error::Error for Problem {}

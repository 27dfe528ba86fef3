//! `Overlay`: flags of elements, such as a data-quality array, drawn over an image.

#![allow(clippy::cast_possible_truncation, reason = "positions in a picture: from 0 to its size")]

use std::fmt;
use std::str::FromStr;

use asdf_core::{Datatype, Error, NdArray, Result};

use crate::bounds::Fit;
use crate::plane::middle;
use crate::problem::Problem;
use crate::sample::{MAX_ELEMENTS, PIECE, thinned};

/// An array of flags, and the bits that mark an element.
#[derive(Debug, Clone)]
pub struct Overlay {
    array: NdArray,
    bits: Option<Bits>,
}

/// A set of bits by their numbers. Bit 0 has the value 1.
///
/// Parses from a list such as `0,3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits(u64);

/// The marked pixels.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) pixels: Vec<bool>,
    pub(crate) flagged: Flagged,
}

/// The number of flagged elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flagged {
    /// The number of elements that have one of the bits.
    pub count: u64,
    /// The number of elements that were checked. Very large arrays are sampled.
    pub of: u64,
}

impl Overlay {
    /// Creates an overlay from an array of integers or booleans.
    ///
    /// It marks the elements that have any of the bits; without `bits`, all elements that are not 0.
    #[must_use]
    pub fn new(array: NdArray, bits: Option<Bits>) -> Self {
        Self { array, bits }
    }

    /// Marks each pixel that covers a flagged element. Single elements stay visible even in small pictures.
    pub(crate) fn marks(&self, fit: &Fit) -> Result<Marks> {
        self.check()?;
        let thinned = thinned(&self.array, MAX_ELEMENTS)?;
        let &[height, width] = thinned.shape() else {
            return Err(Error::mismatch(format!(
                "found flags of shape {:?}, expected two axes",
                thinned.shape()
            )));
        };
        let (rows, columns) = (height as usize, width as usize);
        let bits = self.bits.map_or(u64::MAX, |bits| bits.0);
        let mut pixels = vec![false; fit.width * fit.height];
        let mut count = 0;
        let mut row = 0;
        for piece in thinned.rows((PIECE / width.max(1)).max(1))? {
            // The conversion wraps, so negative integers keep their bits.
            for flags in piece?.read_lossy::<u64>()?.chunks_exact(columns.max(1)) {
                let start = middle(row, fit.height, rows) * fit.width;
                for (at, _) in flags.iter().enumerate().filter(|(_, flags)| **flags & bits != 0) {
                    count += 1;
                    if let Some(pixel) = pixels.get_mut(start + middle(at, fit.width, columns)) {
                        *pixel = true;
                    }
                }
                row += 1;
            }
        }
        Ok(Marks { pixels, flagged: Flagged { count, of: thinned.len() } })
    }

    /// Checks that the elements are flags and have the selected bits.
    ///
    /// [`Look::image`](crate::Look::image) also does this.
    ///
    /// # Errors
    ///
    /// Returns an error with the problem [`NotFlags`](Problem::NotFlags) or [`NoSuchBit`](Problem::NoSuchBit).
    pub fn check(&self) -> Result<()> {
        let datatype = self.array.datatype();
        let width = match datatype {
            Datatype::Bool8 => 1,
            Datatype::Int8 | Datatype::Uint8 => 8,
            Datatype::Int16 | Datatype::Uint16 => 16,
            Datatype::Int32 | Datatype::Uint32 => 32,
            Datatype::Int64 | Datatype::Uint64 => 64,
            _ => return Err(Problem::NotFlags(datatype.clone()).error()),
        };
        match self.bits.map(Bits::highest).filter(|highest| *highest >= width) {
            Some(bit) => Err(Problem::NoSuchBit { bit, bits: width, datatype: datatype.clone() }.error()),
            None => Ok(()),
        }
    }
}

impl Overlay {
    /// Checks that the flags have the shape of the image.
    pub(crate) fn check_shape(&self, shape: &[u64]) -> Result<()> {
        match self.array.shape() {
            found if found == shape => Ok(()),
            found => Err(Error::mismatch(format!("found flags of shape {found:?}, expected {shape:?}"))),
        }
    }
}

impl Bits {
    fn highest(self) -> u32 {
        63_u32.saturating_sub(self.0.leading_zeros())
    }
}

impl FromStr for Bits {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bit = |text: &str| {
            let bit = text.trim().parse::<u32>().ok().filter(|bit| *bit < 64);
            bit.map(|bit| 1_u64 << bit)
                .ok_or_else(|| Error::usage("expected bit numbers from 0 to 63, such as 0,3"))
        };
        text.split(',').map(bit).try_fold(0, |all, bit| Ok(all | bit?)).map(Self)
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = (0..64).filter(|bit| self.0 >> bit & 1 == 1).map(|bit| bit.to_string());
        f.write_str(&numbers.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    fn marks(flags: &[u8], bits: Option<&str>, size: &str) -> (Vec<bool>, u64) {
        let array = NdArray::new(&[2, 4], flags).unwrap();
        let bits = bits.map(|bits| bits.parse().unwrap());
        let fit = size.parse::<Bounds>().unwrap().fit(4, 2).unwrap();
        let marks = Overlay { array, bits }.marks(&fit).unwrap();
        (marks.pixels, marks.flagged.count)
    }

    #[test]
    fn any_of_the_bits_marks_a_pixel() {
        let flags = [0, 1, 2, 4, 8, 9, 0, 0];
        let at = |places: &[usize]| (0..8).map(|at| places.contains(&at)).collect::<Vec<bool>>();
        assert_eq!(marks(&flags, None, "full"), (at(&[1, 2, 3, 4, 5]), 5));
        assert_eq!(marks(&flags, Some("0"), "full"), (at(&[1, 5]), 2));
        assert_eq!(marks(&flags, Some("1, 3"), "full"), (at(&[2, 4, 5]), 3));
        assert_eq!(marks(&flags, Some("7"), "full"), (at(&[]), 0));
    }

    #[test]
    fn single_flags_stay_visible_in_small_pictures() {
        assert_eq!(marks(&[0, 0, 0, 0, 0, 0, 0, 1], None, "2"), (vec![false, true], 1));
    }

    #[test]
    fn the_sign_counts_as_a_bit() {
        let fit = Bounds::Full.fit(2, 1).unwrap();
        let array = NdArray::new(&[1, 2], &[i32::MIN, 1]).unwrap();
        let overlay = Overlay { array, bits: Some("31".parse().unwrap()) };
        assert_eq!(overlay.marks(&fit).unwrap().pixels, [true, false]);
    }

    #[test]
    fn bits_are_numbers_of_the_datatype() {
        assert_eq!("3,0, 63".parse::<Bits>().unwrap().to_string(), "0,3,63");
        for wrong in ["", "a", "64", "-1", "1,,2"] {
            assert!(wrong.parse::<Bits>().is_err(), "{wrong}");
        }
        let array = NdArray::new(&[1, 1], &[1_u8]).unwrap();
        let error = Overlay { array, bits: Some("8".parse().unwrap()) }.check().unwrap_err();
        assert!(error.message().contains("0 to 7"), "{error}");
        let array = NdArray::new(&[1, 1], &[1.0]).unwrap();
        assert!(Overlay { array, bits: None }.check().is_err());
    }
}

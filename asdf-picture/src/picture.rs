//! `Picture`: pixels with a palette.

use std::io::Write;

use asdf_core::{Error, Result};

use crate::format::Format;
use crate::problem::Problem;
use crate::{jpeg, png, signs};

/// A picture whose pixels are levels of a palette, rows from the top.
///
/// The level of a pixel is the index of its colour in the palette. [`NO_VALUE`](Self::NO_VALUE) is the level of
/// elements without a value.
///
/// # Examples
/// ```
/// use asdf_picture::{Format, Picture};
///
/// let palette = vec![[0, 0, 0], [255, 255, 255]];
/// let picture = Picture::new(2, 1, vec![0, 1], palette)?;
/// assert_eq!(picture.colour(picture.pixels()[1]), [255, 255, 255]);
///
/// let mut png = Vec::new();
/// picture.write(Format::Png, &mut png)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
    pub(crate) palette: Vec<[u8; 3]>,
    pub(crate) is_transparent: bool,
    pub(crate) has_marks: bool,
    pub(crate) has_grid: bool,
}

impl Picture {
    /// The level of pixels without a value.
    pub const NO_VALUE: u8 = 255;

    /// The level of pixels that an overlay marks, if the picture [has marks](Self::has_marks).
    pub const MARK: u8 = signs::MARK;

    /// The level of lines over the image and of a compass, if the picture [has these](Self::has_grid).
    pub const GRID: u8 = signs::GRID;

    /// Creates a picture from the level of each pixel and the red, green and blue of each level.
    ///
    /// Neither vector is copied.
    ///
    /// # Errors
    ///
    /// Returns an error unless there are `width` times `height` pixels.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>, palette: Vec<[u8; 3]>) -> Result<Self> {
        if width.checked_mul(height) != Some(pixels.len()) {
            let message = format!("found {} pixels, expected {width} x {height}", pixels.len());
            return Err(Error::usage(message));
        }
        Ok(Self { width, height, pixels, palette, is_transparent: false, has_marks: false, has_grid: false })
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the level of each pixel, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Iterates over the rows of levels, from the top.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.pixels.chunks_exact(self.width.max(1))
    }

    /// Returns the red, green and blue of a level; black if the palette does not have it.
    #[must_use]
    pub fn colour(&self, level: u8) -> [u8; 3] {
        self.palette.get(usize::from(level)).copied().unwrap_or_default()
    }

    /// Returns whether pixels of the level [`NO_VALUE`](Self::NO_VALUE) are transparent.
    #[must_use]
    pub fn is_transparent(&self) -> bool {
        self.is_transparent
    }

    /// Returns whether pixels of the level [`MARK`](Self::MARK) are marked, rather than just bright.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.has_marks
    }

    /// Returns whether pixels of the level [`GRID`](Self::GRID) are lines, rather than just bright.
    #[must_use]
    pub fn has_grid(&self) -> bool {
        self.has_grid
    }

    /// Sets whether pixels of the level [`NO_VALUE`](Self::NO_VALUE) are transparent.
    #[must_use]
    pub fn with_transparency(self, is_transparent: bool) -> Self {
        Self { is_transparent, ..self }
    }

    /// Sets whether the level [`MARK`](Self::MARK) is that of marked pixels.
    #[must_use]
    pub fn with_marks(self, has_marks: bool) -> Self {
        Self { has_marks, ..self }
    }

    /// Sets whether the level [`GRID`](Self::GRID) is that of lines over the image.
    #[must_use]
    pub fn with_grid(self, has_grid: bool) -> Self {
        Self { has_grid, ..self }
    }

    /// Writes the picture as PNG or JPEG.
    ///
    /// # Errors
    ///
    /// Returns an error if the output fails, if the picture is too large for the format, or if it has transparent pixels
    /// and the format is JPEG.
    pub fn write(&self, format: Format, out: impl Write) -> Result<()> {
        match format {
            Format::Png => {
                let last = self.is_transparent.then_some(Self::NO_VALUE);
                png::write_levels(&self.pixels, (self.width, self.height), &self.palette, last, out)
            }
            Format::Jpeg if self.is_transparent => Err(Problem::OpaqueJpeg.error()),
            Format::Jpeg => {
                let pixels: Vec<u8> = self.pixels.iter().flat_map(|&level| self.colour(level)).collect();
                jpeg::write(&pixels, (self.width, self.height), out)
            }
        }
    }

    /// Returns the picture with every pixel as a square of side `factor`.
    pub(crate) fn enlarged(self, factor: usize) -> Self {
        if factor <= 1 {
            return self;
        }
        let mut pixels = Vec::with_capacity(self.pixels.len() * factor * factor);
        for row in self.rows() {
            let wide: Vec<u8> = row.iter().flat_map(|&pixel| std::iter::repeat_n(pixel, factor)).collect();
            for _ in 0..factor {
                pixels.extend_from_slice(&wide);
            }
        }
        Self { width: self.width * factor, height: self.height * factor, pixels, ..self }
    }

    /// Returns the picture upside down.
    pub(crate) fn flipped(self) -> Self {
        let pixels = self.rows().rev().flatten().copied().collect();
        Self { pixels, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_become_squares_and_rows_change_places() {
        let picture = Picture::new(2, 2, vec![1, 2, 3, 4], vec![[0; 3]; 256]).unwrap();
        let large = picture.clone().enlarged(2);
        assert_eq!((large.width, large.height), (4, 4));
        assert_eq!(large.pixels, [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
        assert_eq!(picture.flipped().pixels, [3, 4, 1, 2]);
    }

    #[test]
    fn the_number_of_pixels_matches_the_sides() {
        assert!(Picture::new(2, 2, vec![0; 3], Vec::new()).is_err());
        assert!(Picture::new(usize::MAX, 2, vec![0; 3], Vec::new()).is_err());
        let empty = Picture::new(0, 0, Vec::new(), Vec::new()).unwrap();
        assert_eq!((empty.rows().count(), empty.colour(3)), (0, [0; 3]));
    }

    #[test]
    fn jpeg_is_jpeg() {
        let gray = (0..=255).map(|level| [level; 3]).collect::<Vec<_>>();
        let picture = Picture::new(16, 8, vec![200; 128], gray.clone()).unwrap();
        let mut out = Vec::new();
        picture.write(Format::Jpeg, &mut out).unwrap();
        assert!(out.starts_with(&[0xff, 0xd8, 0xff]) && out.ends_with(&[0xff, 0xd9]));
        let error = picture.with_transparency(true).write(Format::Jpeg, &mut out).unwrap_err();
        assert_eq!(Problem::from_error(&error), Some(&Problem::OpaqueJpeg));
        let wide = Picture::new(70_000, 1, vec![0; 70_000], gray).unwrap();
        let error = wide.write(Format::Jpeg, &mut out).unwrap_err();
        assert_eq!(Problem::from_error(&error), Some(&Problem::TooLargeForJpeg(70_000)));
    }
}

//! `RgbPicture`: pictures without a palette.

use std::io::Write;

use asdf_core::Result;

use crate::bounds::Fit;
use crate::format::Format;
use crate::picture::Picture;
use crate::{jpeg, png};

/// A picture whose pixels are red, green and blue, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RgbPicture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

/// The number of levels of red, green and blue in the palette of [`RgbPicture::reduced`].
const LEVELS: [u8; 3] = [6, 7, 6];

impl RgbPicture {
    /// Creates a picture from rows of pixels, the bottom row first if `is_up`. Every pixel becomes a square.
    pub(crate) fn of(pixels: &[[u8; 3]], fit: &Fit, is_up: bool) -> Self {
        let (width, height, factor) = (fit.width * fit.factor, fit.height * fit.factor, fit.factor);
        let mut enlarged = Vec::with_capacity(width * height);
        let rows = pixels.chunks_exact(fit.width.max(1));
        let mut add = |row: &[[u8; 3]]| {
            for _ in 0..factor {
                enlarged.extend(row.iter().flat_map(|pixel| std::iter::repeat_n(*pixel, factor)));
            }
        };
        match is_up {
            true => rows.rev().for_each(&mut add),
            false => rows.for_each(&mut add),
        }
        Self { width, height, pixels: enlarged }
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

    /// Returns the red, green and blue of each pixel, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Writes the picture as PNG or JPEG.
    ///
    /// # Errors
    ///
    /// Returns an error if the output fails, or if the picture is too large for the format.
    pub fn write(&self, format: Format, out: impl Write) -> Result<()> {
        match format {
            Format::Png => png::write_colours(self.pixels.as_flattened(), (self.width, self.height), out),
            Format::Jpeg => jpeg::write(self.pixels.as_flattened(), (self.width, self.height), out),
        }
    }

    /// Reduces the picture to a palette of evenly spaced colours. Ordered dithering keeps the mean colour.
    #[must_use]
    pub fn reduced(&self) -> Picture {
        // The thresholds of Bayer's matrix, in sixteenths.
        const PATTERN: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        let [_, greens, blues] = LEVELS;
        let level = |(at, pixel): (usize, &[u8; 3])| {
            let (x, y) = (at % self.width.max(1), at / self.width.max(1));
            let threshold = PATTERN.get(y % 4).and_then(|row| row.get(x % 4)).copied().unwrap_or(0);
            let part = |part: u8, levels: u8| {
                let scaled = u32::from(part) * u32::from(levels - 1) * 32 / 255;
                u8::try_from((scaled + 2 * threshold + 1) / 32).unwrap_or(0).min(levels - 1)
            };
            let [red, green, blue] = *pixel;
            let [r, g, b] = LEVELS;
            (part(red, r) * greens + part(green, g)) * blues + part(blue, b)
        };
        let pixels = self.pixels.iter().enumerate().map(level).collect();
        let colour = |level: u8| {
            let parts = [level / blues / greens, level / blues % greens, level % blues];
            let scaled = |part: u8, levels: u8| u16::from(part) * 255 / u16::from(levels - 1);
            let [red, green, blue] = parts;
            let [r, g, b] = LEVELS;
            [scaled(red, r), scaled(green, g), scaled(blue, b)].map(|part| u8::try_from(part).unwrap_or(255))
        };
        let palette = (0..=u8::MAX).map(colour).collect();
        self.picture(pixels, palette)
    }

    fn picture(&self, pixels: Vec<u8>, palette: Vec<[u8; 3]>) -> Picture {
        let (width, height) = (self.width, self.height);
        Picture { width, height, pixels, palette, is_transparent: false, has_marks: false, has_grid: false }
    }

    /// Returns the picture in shades of gray.
    #[must_use]
    pub fn gray(&self) -> Picture {
        let light = |pixel: &[u8; 3]| {
            let [red, green, blue] = pixel.map(u32::from);
            u8::try_from((299 * red + 587 * green + 114 * blue) / 1000)
                .unwrap_or(u8::MAX)
                .min(Picture::NO_VALUE - 1)
        };
        let pixels = self.pixels.iter().map(light).collect();
        let palette = (0..=u8::MAX).map(|level| [level; 3]).collect();
        self.picture(pixels, palette)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_enlarged_from_either_end() {
        let pixels = [[1; 3], [2; 3], [3; 3], [4; 3]];
        let fit = Fit { width: 2, height: 2, factor: 2 };
        let levels = |is_up| {
            RgbPicture::of(&pixels, &fit, is_up).pixels.iter().map(|pixel| pixel[0]).collect::<Vec<_>>()
        };
        assert_eq!(levels(false), [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
        assert_eq!(levels(true), [3, 3, 4, 4, 3, 3, 4, 4, 1, 1, 2, 2, 1, 1, 2, 2]);
    }

    #[test]
    fn palettes_keep_the_mean_colour() {
        for colour in [[0; 3], [255; 3], [255, 0, 0], [100, 150, 200], [17, 99, 243]] {
            let picture = RgbPicture { width: 8, height: 8, pixels: vec![colour; 64] };
            let reduced = picture.reduced();
            for part in 0..3 {
                let sum: u32 =
                    reduced.pixels.iter().map(|&level| u32::from(reduced.colour(level)[part])).sum();
                assert!((sum / 64).abs_diff(u32::from(colour[part])) <= 3, "{colour:?}: {}", sum / 64);
            }
        }
        let bright = RgbPicture { width: 1, height: 1, pixels: vec![[255; 3]] }.gray();
        assert_eq!(bright.pixels, [254]);
    }
}

//! Pictures of arrays: elements to numbers, numbers to levels, levels to colours.
//!
//! A [`Picture`] has a palette, as PNG and sixel have it: its levels are the colours of a map, and one more is
//! that of elements without a value.

mod abscissa;
mod annotations;
mod bounds;
mod colours;
mod curve;
mod font;
mod format;
mod frame;
mod jpeg;
mod limits;
mod look;
mod lupton;
mod numbers;
mod overlay;
mod photo;
mod plane;
mod plot;
mod png;
mod sample;
mod signs;
mod stretch;
mod ticks;
mod zscale;

pub(crate) use annotations::Annotations;
pub(crate) use bounds::Bounds;
pub(crate) use curve::{Bitmap, Curve, label};
pub(crate) use format::Format;
pub(crate) use frame::Labels;
pub(crate) use look::{Coloured, Look, Shown};
pub(crate) use overlay::{Bits, Flagged, Overlay};
pub(crate) use photo::Photo;
pub(crate) use png::write as write_png;
pub(crate) use signs::MARK;

/// The level of pixels that have no value.
pub(crate) const NO_VALUE: u8 = 255;

/// Pixels of a palette, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The place of each pixel's colour in the palette.
    pub(crate) pixels: Vec<u8>,
    /// Red, green and blue of each level.
    pub(crate) palette: Vec<[u8; 3]>,
    /// Whether pixels without a value are see-through.
    pub(crate) see_through: bool,
    /// Whether pixels of the level [`MARK`] are marked, rather than bright.
    pub(crate) has_marks: bool,
}

impl Picture {
    /// The rows, from the top.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.pixels.chunks_exact(self.width.max(1))
    }

    /// The colour of a level.
    pub(crate) fn colour(&self, level: u8) -> [u8; 3] {
        self.palette.get(usize::from(level)).copied().unwrap_or_default()
    }

    /// The same with every pixel as a square of so many.
    fn enlarged(self, factor: usize) -> Self {
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

    /// The same upside down.
    fn flipped(self) -> Self {
        let pixels = self.rows().rev().flatten().copied().collect();
        Self { pixels, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_become_squares_and_rows_change_places() {
        let palette = vec![[0; 3]; 256];
        let picture = Picture {
            width: 2,
            height: 2,
            pixels: vec![1, 2, 3, 4],
            palette,
            see_through: false,
            has_marks: false,
        };
        let large = picture.clone().enlarged(2);
        assert_eq!((large.width, large.height), (4, 4));
        assert_eq!(large.pixels, [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
        assert_eq!(picture.flipped().pixels, [3, 4, 1, 2]);
    }
}

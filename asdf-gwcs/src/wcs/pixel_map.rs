//! The pixels of one image in another.

use std::ops::Range;

use asdf_core::{Error, Result};

use super::both::{Both, coordinate};
use super::mesh::Mesh;
use super::{Bounding, Inverse, Wcs};

/// The number of points in a block, unless one row has more.
const POINTS: usize = 1 << 18;

/// The most pixels along an axis.
const MAX_SIDE: i64 = 1 << 27;

/// For each pixel of an image its pixel in another one, in blocks of rows: see [`Wcs::pixel_map`].
#[derive(Debug)]
pub struct PixelMap {
    both: Both,
    x: Range<i64>,
    y: Range<i64>,
    mesh: Option<Mesh>,
    /// The next row.
    row: i64,
}

/// Some rows of a [`PixelMap`].
#[derive(Debug, Clone, PartialEq)]
pub struct PixelMapBlock {
    /// The pixel of the first row.
    pub first_row: i64,
    /// The number of rows.
    pub rows: usize,
    /// The number of pixels in a row.
    pub width: usize,
    /// The pixels in the other image, row by row. NaN for pixels that are outside of one of the images.
    pub x: Vec<f64>,
    /// The pixels in the other image along its second axis.
    pub y: Vec<f64>,
}

impl Wcs {
    /// Computes for each pixel of this image its pixel in another one, as resampling needs it.
    ///
    /// Returns an iterator over blocks of rows, so memory use does not depend on the size of the image. Positions are
    /// exact; [`PixelMap::within`] interpolates them, which is faster.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward) and [`inverse_with`](Self::inverse_with). Fails if one of the two does not lead
    /// from two pixel axes to a position on the sky, or if their reference frames differ. Fails if this image has neither
    /// a `pixel_shape` nor a bounding box.
    ///
    /// # Examples
    /// ```no_run
    /// use asdf_core::File;
    /// use asdf_gwcs::Wcs;
    ///
    /// let mosaic = Wcs::only(&File::open("mosaic.asdf")?)?;
    /// let exposure = Wcs::only(&File::open("exposure.asdf")?)?;
    /// for block in exposure.pixel_map(&mosaic)?.within(1e-4)? {
    ///     let block = block?;
    ///     println!("row {}: the first pixel is at {}, {}", block.first_row, block.x[0], block.y[0]);
    /// }
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "calc_pixmap")]
    #[doc(alias = "pixel_to_pixel")]
    pub fn pixel_map(&self, other: &Self) -> Result<PixelMap> {
        let name = |wcs: &Self| {
            wcs.world_frame().map(|frame| frame.sky_reference().map(|one| one.name().to_owned()))
        };
        let (own, others) = (name(self)?.unwrap_or_default(), name(other)?.unwrap_or_default());
        if own != others {
            let message = format!("found the reference frames '{own}' and '{others}', expected the same one");
            return Err(Error::unsupported(message).at_path(&other.path));
        }
        let both = Both {
            forward: self.compile_forward(false)?,
            backward: other.inverse_with(Inverse::Exact, Bounding::None)?,
            from: self.sky()?,
            to: other.sky()?,
            boxes: [self.box_of_two()?, other.box_of_two()?],
        };
        for (wcs, transform) in [(self, &both.forward), (other, &both.backward)] {
            if (transform.inputs(), transform.outputs()) != (2, 2) {
                let message = format!(
                    "found a transform from {} to {} axes, expected two pixel axes and a position on the sky",
                    transform.inputs(),
                    transform.outputs()
                );
                return Err(Error::unsupported(message).at_path(&wcs.path));
            }
        }
        let limits = self.limits()?;
        let size = |axis: usize| match (self.pixel_shape(), limits.get(axis)) {
            (Some(shape), _) => shape.get(axis).and_then(|size| i64::try_from(*size).ok()),
            #[expect(clippy::cast_possible_truncation, reason = "conversions of floats saturate")]
            (None, Some([_, high])) => Some((high + 0.5).floor() as i64),
            (None, None) => None,
        };
        let range = |axis: usize| match size(axis).filter(|size| (0..=MAX_SIDE).contains(size)) {
            Some(size) => Ok(0..size),
            None => Err(Error::limit(format!("expected an image of up to {MAX_SIDE} pixels along an axis"))
                .at_path(&self.path)),
        };
        let (x, y) = (range(0)?, range(1)?);
        Ok(PixelMap { both, row: y.start, x, y, mesh: None })
    }

    /// Returns the bounding box of two axes, without limits if the file has none.
    fn box_of_two(&self) -> Result<[[f64; 2]; 2]> {
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        let Some(intervals) = self.bounding_box() else { return Ok([all; 2]) };
        let interval = |axis: usize| intervals.get(axis).copied().flatten().unwrap_or(all);
        Ok([interval(0), interval(1)])
    }
}

impl PixelMap {
    /// Limits the map to a part of the image: a range of pixels for each axis.
    ///
    /// # Errors
    /// If a range has more than 134 million pixels, or is outside of them.
    pub fn ranges(self, x: Range<i64>, y: Range<i64>) -> Result<Self> {
        for range in [&x, &y] {
            let is_far = range.start < -MAX_SIDE || range.end > MAX_SIDE;
            if is_far || range.end.saturating_sub(range.start) > MAX_SIDE {
                return Err(Error::limit(format!(
                    "found the range {}..{}, expected up to {MAX_SIDE} pixels",
                    range.start, range.end
                )));
            }
        }
        Ok(Self { row: y.start, x, y, mesh: None, ..self })
    }

    /// Interpolates on a mesh instead of computing each pixel, with an error of at most `max_error` pixels.
    ///
    /// Uses cubic interpolation on the widest mesh, of 64 pixels or less, whose error at the middle of each cell, where it
    /// is largest for smooth functions, is at most half of `max_error`. If no mesh of 4 pixels or more is good enough, or
    /// if a pixel has no position, all pixels are computed exactly. At the edges of the images, pixels whose distance
    /// from the edge is less than the error can be on the wrong side.
    ///
    /// # Errors
    /// If the points of the mesh cannot be computed.
    pub fn within(mut self, max_error: f64) -> Result<Self> {
        self.mesh = None;
        if self.x.is_empty() || self.y.is_empty() {
            return Ok(self);
        }
        for spacing in [64, 32, 16, 8, 4] {
            let mesh = Mesh::new(&self.both, &self.x, &self.y, spacing)?;
            if mesh.error(&self.both)? <= 0.5 * max_error {
                self.mesh = Some(mesh);
                break;
            }
        }
        Ok(self)
    }

    /// Returns the distance in pixels between the points of the mesh; `None` if each pixel is computed.
    #[must_use]
    pub fn spacing(&self) -> Option<u32> {
        self.mesh.as_ref().map(Mesh::spacing)
    }

    fn block(&self, first: i64, rows: i64) -> Result<PixelMapBlock> {
        let width = usize::try_from(self.x.end - self.x.start).unwrap_or(0);
        let count = usize::try_from(rows).unwrap_or(0);
        let mut pixels = [Vec::with_capacity(width * count), Vec::with_capacity(width * count)];
        for row in first..first + rows {
            pixels[0].extend(self.x.clone().map(coordinate));
            pixels[1].resize(pixels[0].len(), coordinate(row));
        }
        let mut results = match &self.mesh {
            None => self.both.unbounded(&pixels[0], &pixels[1])?,
            Some(mesh) => {
                let mut results = [Vec::with_capacity(width * count), Vec::with_capacity(width * count)];
                (first..first + rows).for_each(|row| mesh.row(coordinate(row), self.x.clone(), &mut results));
                results
            }
        };
        self.both.bound(&pixels, &mut results);
        let [x, y] = results;
        Ok(PixelMapBlock { first_row: first, rows: count, width, x, y })
    }
}

impl Iterator for PixelMap {
    type Item = Result<PixelMapBlock>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.row >= self.y.end || self.x.is_empty() {
            return None;
        }
        let width = usize::try_from(self.x.end - self.x.start).unwrap_or(1).max(1);
        let rows = i64::try_from(POINTS / width).unwrap_or(1).clamp(1, self.y.end - self.row);
        let block = self.block(self.row, rows);
        self.row += rows;
        Some(block)
    }
}

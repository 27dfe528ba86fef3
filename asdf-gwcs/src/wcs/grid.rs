//! All pixels of a rectangle, in blocks of rows.

use std::ops::Range;

use asdf_core::{Error, Result};

use super::Wcs;
use crate::transform::Transform;

/// The number of points in a block, unless one row has more.
const POINTS: u64 = 1 << 18;

/// The longest row.
const MAX_ROW: u64 = 1 << 27;

/// The world coordinates of all pixels of a rectangle, in blocks of whole rows: see [`Wcs::grid`].
#[derive(Debug)]
pub struct Grid<'w> {
    transform: &'w Transform,
    ranges: Vec<Range<i64>>,
    /// The next row, and the number of rows. A row has the pixels that differ only in `x`.
    row: u64,
    rows: u64,
    width: usize,
}

/// World coordinates of some rows of a [`Grid`].
#[derive(Debug, Clone, PartialEq)]
pub struct GridBlock {
    /// The pixels, a vector for each pixel axis.
    pub pixels: Vec<Vec<f64>>,
    /// The world coordinates, a vector for each world axis. `x` changes fastest.
    pub world: Vec<Vec<f64>>,
    /// The number of rows.
    pub rows: usize,
    /// The number of points in a row.
    pub width: usize,
}

impl Wcs {
    /// Computes the world coordinates of all pixels of a rectangle: a range of integer pixels for each axis, `x` first.
    ///
    /// Returns an iterator over blocks of rows, in the order of the array: `x` changes fastest. Memory use depends on the
    /// size of a block, not of the rectangle.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward); if the number of ranges is not that of the pixel axes, or if the rectangle is too
    /// large.
    ///
    /// # Examples
    /// ```no_run
    /// # let file = asdf_core::File::open("cal.asdf")?;
    /// let wcs = asdf_gwcs::Wcs::only(&file)?;
    /// for block in wcs.grid(&[0..4088, 0..4088])? {
    ///     let block = block?;
    ///     println!("{} rows, the first at RA {}", block.rows, block.world[0][0]);
    /// }
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "grid_from_bounding_box")]
    pub fn grid(&self, ranges: &[Range<i64>]) -> Result<Grid<'_>> {
        let transform = self.forward()?;
        if ranges.len() != transform.inputs() {
            let message = format!(
                "found {} ranges, expected {}, one for each pixel axis",
                ranges.len(),
                transform.inputs()
            );
            return Err(Error::usage(message));
        }
        let lengths = ranges.iter().map(|range| range.end.saturating_sub(range.start).max(0).unsigned_abs());
        let lengths: Vec<u64> = lengths.collect();
        let width = lengths.first().copied().unwrap_or(0);
        let rows = match width {
            0 => Some(0),
            _ => lengths.iter().skip(1).try_fold(1_u64, |rows, length| rows.checked_mul(*length)),
        };
        let width = usize::try_from(width).ok().filter(|_| width <= MAX_ROW);
        let (Some(rows), Some(width)) = (rows, width) else {
            let message =
                format!("a rectangle of {lengths:?} pixels is too large, expected rows of up to {MAX_ROW}");
            return Err(Error::limit(message));
        };
        Ok(Grid { transform, ranges: ranges.to_vec(), row: 0, rows, width })
    }
}

impl Grid<'_> {
    fn block(&self, first: u64, rows: u64) -> Result<GridBlock> {
        let mut pixels: Vec<Vec<f64>> = vec![Vec::new(); self.ranges.len()];
        for row in first..first + rows {
            let mut rest = row;
            for (axis, (range, column)) in self.ranges.iter().zip(&mut pixels).enumerate() {
                if axis == 0 {
                    column.extend(range.clone().map(coordinate));
                    continue;
                }
                let length = range.end.saturating_sub(range.start).max(1).unsigned_abs();
                let position = range.start.saturating_add_unsigned(rest % length);
                rest /= length;
                column.resize(column.len() + self.width, coordinate(position));
            }
        }
        let slices: Vec<&[f64]> = pixels.iter().map(Vec::as_slice).collect();
        let world = self.transform.columns(&slices)?;
        Ok(GridBlock { pixels, world, rows: usize::try_from(rows).unwrap_or(usize::MAX), width: self.width })
    }
}

#[expect(clippy::cast_precision_loss, reason = "pixels are far below 2^53")]
fn coordinate(pixel: i64) -> f64 {
    pixel as f64
}

impl Iterator for Grid<'_> {
    type Item = Result<GridBlock>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.row >= self.rows {
            return None;
        }
        let rows = (POINTS / self.width.max(1) as u64).clamp(1, self.rows - self.row);
        let block = self.block(self.row, rows);
        self.row += rows;
        Some(block)
    }
}

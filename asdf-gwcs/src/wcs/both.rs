//! Two images of the same sky.

use asdf_core::Result;

use super::sky::Sky;
use crate::transform::Transform;

/// How far outside the box rounding can move a pixel.
const TOLERANCE: f64 = 1e-6;

/// The transforms from one image to the sky and to the other image.
#[derive(Debug)]
pub(super) struct Both {
    pub(super) forward: Transform,
    pub(super) backward: Transform,
    pub(super) from: Sky,
    pub(super) to: Sky,
    /// The bounding boxes of both images.
    pub(super) boxes: [[[f64; 2]; 2]; 2],
}

impl Both {
    /// Returns the pixels in the other image without the bounding boxes.
    pub(super) fn unbounded(&self, x: &[f64], y: &[f64]) -> Result<[Vec<f64>; 2]> {
        let mut world = self.forward.columns(&[x, y])?;
        for (axis, column) in world.iter_mut().enumerate() {
            let place = usize::from(self.from.axes[0] != axis);
            let (from, to) = if place == 0 {
                (self.from.factors[0], self.to.factors[0])
            } else {
                (self.from.factors[1], self.to.factors[1])
            };
            let factor = from / to;
            if factor != 1.0 {
                column.iter_mut().for_each(|value| *value *= factor);
            }
        }
        if self.from.axes != self.to.axes {
            world.reverse();
        }
        let columns: Vec<&[f64]> = world.iter().map(Vec::as_slice).collect();
        let mut pixels = self.backward.columns(&columns)?.into_iter();
        Ok([pixels.next().unwrap_or_default(), pixels.next().unwrap_or_default()])
    }

    /// Replaces pixels outside of one of the images by NaN.
    pub(super) fn bound(&self, pixels: &[Vec<f64>; 2], results: &mut [Vec<f64>; 2]) {
        let [x, y] = pixels;
        let [columns, rows] = results;
        for (((x, y), column), row) in x.iter().zip(y).zip(columns).zip(rows) {
            let is_nan = column.is_nan() || row.is_nan();
            if is_nan
                || is_outside(self.boxes[0], [*x, *y], 0.0)
                || is_outside(self.boxes[1], [*column, *row], TOLERANCE)
            {
                (*column, *row) = (f64::NAN, f64::NAN);
            }
        }
    }
}

fn is_outside([x, y]: [[f64; 2]; 2], point: [f64; 2], tolerance: f64) -> bool {
    let outside = |[low, high]: [f64; 2], value: f64| value < low - tolerance || value > high + tolerance;
    outside(x, point[0]) || outside(y, point[1])
}

#[expect(clippy::cast_precision_loss, reason = "pixels are below 2^27")]
pub(super) fn coordinate(pixel: i64) -> f64 {
    pixel as f64
}

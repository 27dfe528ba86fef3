//! The size of a pixel on the sky.

use asdf_core::{Error, Result};

use super::Wcs;
use crate::outline::separation;

impl Wcs {
    /// Returns the size of a pixel on the sky, in arcseconds along each pixel axis, at the middle of the image.
    ///
    /// An axis that does not change the position, such as the spectral axis of a cube, has the size 0. Without a bounding
    /// box and a `pixel_shape` this is the size of the first pixel.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward), and if the world frame has no position on the sky.
    pub fn pixel_scale(&self) -> Result<Vec<f64>> {
        let sky = self.sky()?;
        let count = self.whole()?.models.first().map_or(0, |model| model.kind.inputs());
        let middle: Vec<f64> = match self.limits() {
            Ok(intervals) => intervals.iter().map(|[low, high]| 0.5 * (low + high)).collect(),
            Err(_) => vec![0.0; count],
        };
        let beside = |axis: usize, step: f64| {
            let moved = |(number, value): (usize, &f64)| if number == axis { value + step } else { *value };
            middle.iter().enumerate().map(moved).collect::<Vec<f64>>()
        };
        let pixels: Vec<Vec<f64>> =
            (0..count).flat_map(|axis| [beside(axis, -0.5), beside(axis, 0.5)]).collect();
        let positions: Vec<[f64; 2]> =
            self.unbounded(&pixels)?.iter().map(|world| sky.position(world)).collect();
        let size = |pair: &[[f64; 2]]| match pair {
            [before, after] => 3600.0 * separation(*before, *after),
            _ => f64::NAN,
        };
        Ok(positions.chunks(2).map(size).collect())
    }

    /// Returns the two pixel axes that change the position on the sky.
    pub(super) fn sky_pixel_axes(&self) -> Result<[usize; 2]> {
        let scale = self.pixel_scale()?;
        let changing: Vec<usize> = match scale.len() {
            // Also if a size is NaN at the middle of the image.
            2 => vec![0, 1],
            _ => scale.iter().enumerate().filter(|(_, size)| **size > 0.0).map(|(axis, _)| axis).collect(),
        };
        <[usize; 2]>::try_from(changing).map_err(|changing| {
            let message = format!("{} pixel axes change the position on the sky, expected 2", changing.len());
            Error::mismatch(message).at_path(&self.path)
        })
    }
}

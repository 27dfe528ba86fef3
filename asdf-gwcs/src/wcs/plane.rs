//! The pixels of an image, with all other pixel axes at one place.

use asdf_core::{Error, Result};

use super::Wcs;
use super::sky::Sky;
use crate::transform::Transform;

/// The transform from the pixel axes `x` and `y` to positions on the sky, without the bounding box.
#[derive(Debug)]
pub(super) struct SkyPlane<'w> {
    transform: &'w Transform,
    sky: Sky,
    /// The pixel of each axis after the first two.
    others: Vec<f64>,
}

impl Wcs {
    /// Returns the plane of the first two pixel axes. The other axes are at the middle of their intervals.
    pub(super) fn sky_plane(&self) -> Result<SkyPlane<'_>> {
        let sky = self.sky()?;
        let transform = self.unbounded_transform()?;
        let count = transform.inputs();
        if count == 2 {
            return Ok(SkyPlane { transform, sky, others: Vec::new() });
        }
        let axes = self.sky_pixel_axes()?;
        if axes != [0, 1] {
            let [first, second] = axes;
            let message = format!(
                "pixel axes {first} and {second} change the position on the sky, expected the axes 0 (x) and 1 (y)"
            );
            return Err(Error::mismatch(message).at_path(&self.path));
        }
        let others = match self.limits() {
            Ok(intervals) => intervals.iter().skip(2).map(|[low, high]| 0.5 * (low + high)).collect(),
            Err(_) => vec![0.0; count.saturating_sub(2)],
        };
        Ok(SkyPlane { transform, sky, others })
    }
}

impl SkyPlane<'_> {
    /// Returns longitudes and latitudes in degrees of pixels; NaN outside the domain of a transform.
    pub(super) fn positions(&self, x: &[f64], y: &[f64]) -> Result<[Vec<f64>; 2]> {
        let others: Vec<Vec<f64>> = self.others.iter().map(|place| vec![*place; x.len()]).collect();
        let columns: Vec<&[f64]> = [x, y].into_iter().chain(others.iter().map(Vec::as_slice)).collect();
        let mut world = self.transform.columns(&columns)?;
        let [longitude, latitude] = self.sky.axes.map(|axis| world.get_mut(axis).map(std::mem::take));
        let scaled = |values: Option<Vec<f64>>, factor: f64| {
            values.unwrap_or_default().into_iter().map(|value| value * factor).collect()
        };
        let [of_longitude, of_latitude] = self.sky.factors;
        Ok([scaled(longitude, of_longitude), scaled(latitude, of_latitude)])
    }
}

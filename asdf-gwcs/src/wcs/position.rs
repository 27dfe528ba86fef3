//! The pixel of a position on the sky.

use asdf_core::{Error, Result};

use super::{Bounding, Inverse, Wcs};

impl Wcs {
    /// Returns the pixel of a position on the sky in degrees, whatever the order and the units of the world axes.
    ///
    /// The position is in the reference frame of the world coordinates. Uses [`Inverse::Exact`].
    ///
    /// # Errors
    /// Like [`inverse_with`](Self::inverse_with), and if the world axes are not exactly longitude and latitude.
    pub fn sky_to_pixel(&self, longitude: f64, latitude: f64, bounding: Bounding) -> Result<Vec<f64>> {
        let sky = self.sky()?;
        let count = self.world_axes().len();
        if count != 2 {
            let message = format!("the wcs has {count} world axes, expected longitude and latitude");
            return Err(Error::mismatch(message).at_path(&self.path));
        }
        let mut world = [0.0; 2];
        for (axis, value) in sky.axes.iter().zip([longitude / sky.factors[0], latitude / sky.factors[1]]) {
            if let Some(slot) = world.get_mut(*axis) {
                *slot = value;
            }
        }
        self.inverse_with(Inverse::Exact, bounding)?.values(&world)
    }
}

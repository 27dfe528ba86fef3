//! Lines of constant longitude and latitude.

use asdf_core::{Error, Result};

use super::Wcs;
use crate::graticule::Graticule;

impl Wcs {
    /// Returns lines of constant longitude and latitude in a rectangle of pixels, about 4 to 8 of each.
    ///
    /// `x` and `y` are the edges of the rectangle: those of an image of `n` pixels are -0.5 and `n - 0.5`. The values of
    /// the lines are round: hours, minutes and seconds for right ascensions, degrees and their minutes and seconds for all
    /// else. The vertices have the value to a thousandth of the distance between two lines.
    ///
    /// Lines are also drawn outside the bounding box. They end where the transform has no result, and just before a pole.
    /// If there are more than two pixel axes, the others are at the middle of their intervals.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward). Also if the world frame has no position on the sky, if other pixel axes than the
    /// first two change it, or if the rectangle has no area. The error has the path.
    pub fn graticule(&self, x: [f64; 2], y: [f64; 2]) -> Result<Graticule> {
        if [x, y].iter().any(|[low, high]| !low.is_finite() || !high.is_finite() || low >= high) {
            let message = format!("found the rectangle x {x:?}, y {y:?}, expected two edges that differ");
            return Err(Error::usage(message).at_path(&self.path));
        }
        let plane = self.sky_plane()?;
        Graticule::of(&|x, y| plane.positions(x, y), x, y, self.is_equatorial()?)
    }

    /// Returns whether longitudes are right ascensions.
    fn is_equatorial(&self) -> Result<bool> {
        let frame = self.world_frame()?;
        let longitude = frame.sky_axes().and_then(|[longitude, _]| frame.axes().get(longitude));
        let by_type = longitude.is_some_and(|axis| axis.physical_type() == "pos.eq.ra");
        Ok(by_type || frame.sky_reference().is_some_and(|reference| reference.is_equatorial()))
    }
}

//! The directions to north and east in an image.

use asdf_core::{Error, Result};

use super::Wcs;

/// The directions to north and to east at a pixel: see [`Wcs::compass`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Compass {
    /// The direction in which the latitude grows, as a vector of pixels `x, y` of length 1.
    pub north: [f64; 2],
    /// The direction to east: that in which the longitude grows, except on the Sun.
    pub east: [f64; 2],
}

/// The distance of the pixels whose positions are compared.
const STEP: f64 = 0.5;

impl Wcs {
    /// Returns the directions to north and to east at a pixel `x, y`.
    ///
    /// These are the directions in which latitude and longitude grow. In helioprojective and heliographic frames the
    /// longitude falls to the east. The directions are not at right angles if the image is distorted.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward). Also if the world frame has no position on the sky, if other pixel axes than the
    /// first two change it, or if the transform has no result at the pixel. The error has the path.
    ///
    /// # Examples
    /// ```no_run
    /// let wcs = asdf_gwcs::Wcs::only(&asdf_core::File::open("cal.asdf")?)?;
    /// let [x, y] = wcs.compass([2043.5, 2043.5])?.north;
    /// println!("north is {} degrees from the y axis", (-x).atan2(y).to_degrees());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn compass(&self, pixel: [f64; 2]) -> Result<Compass> {
        let plane = self.sky_plane()?;
        let [x, y] = pixel;
        let (columns, rows) = ([x, x - STEP, x + STEP, x, x], [y, y, y, y - STEP, y + STEP]);
        let [longitudes, latitudes] = plane.positions(&columns, &rows)?;
        let positions = longitudes.into_iter().zip(latitudes);
        let positions: Vec<[f64; 2]> = positions.map(|(longitude, latitude)| [longitude, latitude]).collect();
        let compass = directions(&positions).ok_or_else(|| {
            let message = format!("the wcs has no directions on the sky at the pixel {x}, {y}");
            Error::mismatch(message).at_path(&self.path)
        })?;
        let is_solar = self.world_frame()?.sky_reference().is_some_and(|frame| frame.is_solar());
        Ok(match is_solar {
            true => Compass { east: compass.east.map(|part| -part), ..compass },
            false => compass,
        })
    }
}

/// Returns the directions at the first of five positions. The others are those before and after it along `x` and `y`.
///
/// Differences of vectors in space, unlike those of angles, need no special cases at the poles or at longitude 0.
fn directions(positions: &[[f64; 2]]) -> Option<Compass> {
    let &[here, left, right, below, above] = positions else { return None };
    let [longitude, latitude] = here.map(f64::to_radians);
    let east = [-longitude.sin(), longitude.cos(), 0.0];
    let north = [-latitude.sin() * longitude.cos(), -latitude.sin() * longitude.sin(), latitude.cos()];
    let [along, up] = [difference(here, left, right), difference(here, below, above)];
    // The changes of the two coordinates for a step along x and along y, and the inverse of that matrix.
    let [east_x, east_y] = [along, up].map(|change| product(change, east));
    let [north_x, north_y] = [along, up].map(|change| product(change, north));
    let determinant = east_x * north_y - east_y * north_x;
    let unit = |[x, y]: [f64; 2]| {
        let direction = [x * determinant.signum(), y * determinant.signum()];
        let length = x.hypot(y);
        (length > 0.0 && determinant != 0.0).then(|| direction.map(|part| part / length))
    };
    Some(Compass { north: unit([-east_y, east_x])?, east: unit([north_y, -north_x])? })
}

/// Returns the difference of the vectors after and before a position. At an end of the domain it is one to the position.
fn difference(here: [f64; 2], before: [f64; 2], after: [f64; 2]) -> [f64; 3] {
    let [before, after] = [before, after].map(|other| if is_known(other) { other } else { here });
    let ([x0, y0, z0], [x1, y1, z1]) = (vector(before), vector(after));
    [x1 - x0, y1 - y0, z1 - z0]
}

fn is_known(position: [f64; 2]) -> bool {
    position.iter().all(|angle| angle.is_finite())
}

fn vector(position: [f64; 2]) -> [f64; 3] {
    let [longitude, latitude] = position.map(f64::to_radians);
    [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
}

fn product([x, y, z]: [f64; 3], [a, b, c]: [f64; 3]) -> f64 {
    x * a + y * b + z * c
}

//! Celestial coordinates of an image whose pointing varies from exposure to exposure.

use std::sync::Arc;

use crate::angle;
use crate::function::{BLOCK, Function};
use crate::number::Dual;
use crate::number::{Number, shorten_degrees};
use crate::program::Lane;

/// A table of vectors or matrices, or one of them for all exposures.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) values: Vec<f64>,
    /// Whether there is one entry for all exposures.
    pub(crate) is_single: bool,
}

impl Table {
    fn entry<const N: usize>(&self, exposure: usize) -> Option<[f64; N]> {
        let first = if self.is_single { 0 } else { exposure.checked_mul(N)? };
        self.values.get(first..first.checked_add(N)?)?.try_into().ok()
    }
}

/// The parameters of all exposures, in pixels and degrees.
#[derive(Debug)]
pub(crate) struct Pointing {
    /// The number of exposures along each axis of the tables.
    pub(crate) shape: Vec<usize>,
    /// The reference pixel.
    pub(crate) pixel: Table,
    /// The matrix that rotates the axes of pixels, by rows.
    pub(crate) matrix: Table,
    /// The celestial coordinates of the reference pixel.
    pub(crate) centre: Table,
    /// Degrees in a pixel along both axes.
    pub(crate) scale: [f64; 2],
    /// The native longitude of the celestial pole.
    pub(crate) pole: f64,
    /// From the plane to the sphere.
    pub(crate) projection: Arc<dyn Function>,
}

/// The transform of one exposure.
#[derive(Debug, Clone, Copy)]
struct Exposure {
    pixel: [f64; 2],
    /// From pixels to the plane, or back.
    matrix: [f64; 4],
    /// From native to celestial vectors, by rows, or back.
    rotation: [f64; 9],
}

/// From a pixel and the indices of the exposure to celestial coordinates, or from these and the indices to the pixel.
///
/// Indices are rounded, halves to the even integer. Outside of the tables the result is NaN.
#[derive(Debug, Clone)]
pub(crate) struct Varying {
    pointing: Arc<Pointing>,
    to_sky: bool,
    /// The projection in the direction that is used.
    projection: Option<Arc<dyn Function>>,
}

impl Varying {
    /// Makes the transform in one direction.
    pub(crate) fn new(pointing: Arc<Pointing>, to_sky: bool) -> Self {
        let projection =
            if to_sky { Some(Arc::clone(&pointing.projection)) } else { pointing.projection.inverse() };
        Self { pointing, to_sky, projection }
    }

    /// The number of the exposure of a point, if it is in the tables.
    fn exposure_at<N: Number>(&self, indices: &[&[N]], point: usize) -> Option<usize> {
        let mut exposure = 0_usize;
        for (length, column) in self.pointing.shape.iter().zip(indices) {
            let index = rounded(column.get(point)?.value(), *length)?;
            exposure = exposure.checked_mul(*length)?.checked_add(index)?;
        }
        Some(exposure)
    }

    fn exposure(&self, number: usize) -> Option<Exposure> {
        let pointing = &self.pointing;
        let pixel = pointing.pixel.entry(number)?;
        let [a, b, c, d] = pointing.matrix.entry(number)?;
        let [longitude, latitude] = pointing.centre.entry::<2>(number)?.map(angle::to_radians);
        let [width, height] = pointing.scale;
        let matrix = [a * width, b * width, c * height, d * height];
        let rotation = native_to_celestial(longitude, latitude, angle::to_radians(pointing.pole));
        Some(if self.to_sky {
            Exposure { pixel, matrix, rotation }
        } else {
            Exposure { pixel, matrix: inverted(matrix), rotation: transposed(rotation) }
        })
    }

    /// Calls a function for each point with its exposure. Adjacent points often share one, which is made once.
    fn each<N: Number>(
        &self,
        indices: &[&[N]],
        length: usize,
        mut compute: impl FnMut(usize, Option<&Exposure>),
    ) {
        let mut known: Option<(Option<usize>, Option<Exposure>)> = None;
        for point in 0..length {
            let number = self.exposure_at(indices, point);
            let exposure = match known {
                Some((other, exposure)) if other == number => exposure,
                _ => number.and_then(|number| self.exposure(number)),
            };
            known = Some((number, exposure));
            compute(point, exposure.as_ref());
        }
    }

    fn run<N: Lane>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let ([first, second, indices @ ..], [one, two], Some(projection)) =
            (inputs, outputs, &self.projection)
        else {
            return;
        };
        let columns = first.chunks(BLOCK).zip(second.chunks(BLOCK));
        let results = one.chunks_mut(BLOCK).zip(two.chunks_mut(BLOCK));
        for (block, ((first, second), (one, two))) in columns.zip(results).enumerate() {
            let start = block * BLOCK;
            let indices: Vec<&[N]> =
                indices.iter().map(|column| column.get(start..).unwrap_or_default()).collect();
            if self.to_sky {
                self.block_to_sky(projection.as_ref(), [first, second], &indices, [one, two]);
            } else {
                self.block_to_pixels(projection.as_ref(), [first, second], &indices, [one, two]);
            }
        }
    }

    fn block_to_sky<N: Lane>(
        &self,
        projection: &dyn Function,
        [x, y]: [&[N]; 2],
        indices: &[&[N]],
        [longitude, latitude]: [&mut [N]; 2],
    ) {
        let length = x.len();
        let mut plane = [[N::default(); BLOCK]; 2];
        let [u, v] = plane.each_mut().map(|axis| axis.get_mut(..length).unwrap_or_default());
        self.each(indices, length, |point, exposure| {
            let at = [x, y].map(|column| column.get(point).copied().unwrap_or_default());
            let [horizontal, vertical] = exposure.map_or(nan(), |exposure| exposure.to_plane(at));
            set(u, point, horizontal);
            set(v, point, vertical);
        });
        N::call(projection, &[u, v], &mut [&mut *longitude, &mut *latitude]);
        self.each(indices, length, |point, exposure| {
            let native = [&*longitude, &*latitude].map(|axis| axis.get(point).copied().unwrap_or_default());
            let [lon, lat] = exposure.map_or(nan(), |exposure| exposure.rotated(native));
            set(longitude, point, lon);
            set(latitude, point, lat);
        });
    }

    fn block_to_pixels<N: Lane>(
        &self,
        projection: &dyn Function,
        [longitude, latitude]: [&[N]; 2],
        indices: &[&[N]],
        [x, y]: [&mut [N]; 2],
    ) {
        let length = longitude.len();
        let mut sky = [[N::default(); BLOCK]; 2];
        let [phi, theta] = sky.each_mut().map(|axis| axis.get_mut(..length).unwrap_or_default());
        phi.copy_from_slice(longitude);
        theta.copy_from_slice(latitude);
        shorten_degrees(phi);
        shorten_degrees(theta);
        self.each(indices, length, |point, exposure| {
            let celestial = [&*phi, &*theta].map(|axis| axis.get(point).copied().unwrap_or_default());
            let [native_longitude, native_latitude] =
                exposure.map_or(nan(), |exposure| exposure.rotated(celestial));
            set(phi, point, native_longitude);
            set(theta, point, native_latitude);
        });
        N::call(projection, &[phi, theta], &mut [&mut *x, &mut *y]);
        self.each(indices, length, |point, exposure| {
            let plane = [&*x, &*y].map(|axis| axis.get(point).copied().unwrap_or_default());
            let [column, row] = exposure.map_or(nan(), |exposure| exposure.to_pixel(plane));
            set(x, point, column);
            set(y, point, row);
        });
    }
}

impl Exposure {
    fn to_plane<N: Number>(self, [x, y]: [N; 2]) -> [N; 2] {
        let [column, row] = self.pixel;
        self.multiplied([x - column, y - row])
    }

    fn to_pixel<N: Number>(self, plane: [N; 2]) -> [N; 2] {
        let ([x, y], [column, row]) = (self.multiplied(plane), self.pixel);
        [x + column, y + row]
    }

    fn multiplied<N: Number>(&self, [x, y]: [N; 2]) -> [N; 2] {
        let [a, b, c, d] = self.matrix;
        [x * a + y * b, x * c + y * d]
    }

    /// Rotates longitude and latitude in degrees. The new longitude is from 0 to 360.
    fn rotated<N: Number>(&self, [longitude, latitude]: [N; 2]) -> [N; 2] {
        let (sin_longitude, cos_longitude) = longitude.sin_cos_degrees();
        let (sin_latitude, cos_latitude) = latitude.sin_cos_degrees();
        let (x, y, z) = (cos_latitude * cos_longitude, cos_latitude * sin_longitude, sin_latitude);
        let [a, b, c, d, e, f, g, h, i] = self.rotation;
        let (x, y, z) = (x * a + y * b + z * c, x * d + y * e + z * f, x * g + y * h + z * i);
        let longitude = y.atan2_degrees(x);
        let longitude = N::select(longitude.value() < 0.0, longitude + 360.0, longitude);
        [longitude, z.atan2_degrees((x * x + y * y).sqrt())]
    }
}

fn nan<N: Number>() -> [N; 2] {
    [N::constant(f64::NAN); 2]
}

fn set<N>(column: &mut [N], point: usize, value: N) {
    if let Some(slot) = column.get_mut(point) {
        *slot = value;
    }
}

/// Rounds an index, halves to the even integer. `None` if it is not below `length`.
#[expect(clippy::cast_precision_loss, reason = "lengths of tables are far below 2^53")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the table")]
fn rounded(index: f64, length: usize) -> Option<usize> {
    let whole = index.round_ties_even();
    (whole >= 0.0 && whole < length as f64).then_some(whole as usize)
}

fn inverted([a, b, c, d]: [f64; 4]) -> [f64; 4] {
    let determinant = a * d - b * c;
    // Python fails for a singular matrix; here its points have no pixel.
    let determinant = if determinant == 0.0 { f64::NAN } else { determinant };
    [d / determinant, -b / determinant, -c / determinant, a / determinant]
}

fn transposed([a, b, c, d, e, f, g, h, i]: [f64; 9]) -> [f64; 9] {
    [a, d, g, b, e, h, c, f, i]
}

/// The rotation from native to celestial vectors, by the celestial coordinates of the native pole and the native
/// longitude of the celestial pole.
fn native_to_celestial(longitude: f64, latitude: f64, pole: f64) -> [f64; 9] {
    let (sin_a, cos_a) = angle::sin_cos(longitude);
    let (sin_d, cos_d) = angle::sin_cos(latitude);
    let (sin_p, cos_p) = angle::sin_cos(pole);
    [
        -sin_a * sin_p - cos_a * cos_p * sin_d,
        sin_a * cos_p - cos_a * sin_p * sin_d,
        cos_a * cos_d,
        cos_a * sin_p - sin_a * cos_p * sin_d,
        -cos_a * cos_p - sin_a * sin_p * sin_d,
        sin_a * cos_d,
        cos_p * cos_d,
        sin_p * cos_d,
        sin_d,
    ]
}

impl Function for Varying {
    fn inputs(&self) -> usize {
        self.pointing.shape.len() + 2
    }

    fn outputs(&self) -> usize {
        2
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        self.run(inputs, outputs);
    }

    /// The inverse needs the indices of the exposure too, which are not among the outputs.
    fn inverse(&self) -> Option<Arc<dyn Function>> {
        let inverse = Self::new(Arc::clone(&self.pointing), !self.to_sky);
        inverse.projection.is_some().then(|| Arc::new(inverse) as Arc<dyn Function>)
    }

    fn describe(&self) -> String {
        let shape: Vec<String> = self.pointing.shape.iter().map(ToString::to_string).collect();
        let direction = if self.to_sky { "to sky" } else { "to pixels" };
        format!("pointing of {} exposures {direction}", shape.join(" x "))
    }
}

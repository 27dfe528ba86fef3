//! The fit of a linear transform and a distortion.

use super::polynomial::{Polynomial, powers};
use super::tangent::TangentPlane;
use crate::least_squares;

/// Pixels and their positions on the sky in degrees.
#[derive(Debug, Clone, Default)]
pub(crate) struct Points {
    pub(crate) pixels: Vec<[f64; 2]>,
    pub(crate) sky: Vec<[f64; 2]>,
}

/// A gnomonic projection of a plane with a distortion.
#[derive(Debug, Clone)]
pub(crate) struct Distortion {
    /// The pixel of the tangent point.
    pub(crate) pixel: [f64; 2],
    pub(crate) plane: TangentPlane,
    /// The matrix from distorted pixels to degrees in the plane, by rows.
    pub(crate) matrix: [f64; 4],
    pub(crate) degree: u32,
    /// The distortion in pixels: coefficients of the powers of both pixel coordinates.
    pub(crate) forward: Vec<([i32; 2], [f64; 2])>,
    /// The terms that are added to distorted coordinates to get pixels. Without distortion these are empty.
    pub(crate) backward: Vec<([i32; 2], [f64; 2])>,
    pub(crate) backward_degree: u32,
    /// The largest errors found, in pixels.
    pub(crate) error: f64,
    pub(crate) backward_error: f64,
}

impl Points {
    /// Leaves out points without a position.
    pub(crate) fn finite(&self) -> Self {
        let all = self.pixels.iter().zip(&self.sky);
        let finite = all.filter(|(_, sky)| sky.iter().all(|value| value.is_finite()));
        let (pixels, sky) = finite.map(|(pixel, sky)| (*pixel, *sky)).unzip();
        Self { pixels, sky }
    }

    fn offsets(&self, pixel: [f64; 2]) -> Vec<[f64; 2]> {
        self.pixels.iter().map(|point| [point[0] - pixel[0], point[1] - pixel[1]]).collect()
    }

    fn projected(&self, plane: &TangentPlane) -> Vec<[f64; 2]> {
        self.sky.iter().map(|position| plane.project(*position)).collect()
    }
}

/// The largest distance from 0 along an axis.
fn extent(offsets: &[[f64; 2]]) -> f64 {
    offsets.iter().flatten().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()))
}

fn inverted([a, b, c, d]: [f64; 4]) -> Option<[f64; 4]> {
    let determinant = a * d - b * c;
    let size = (a.abs() + b.abs()) * (c.abs() + d.abs());
    (determinant.abs() > 1e-12 * size).then(|| [d, -b, -c, a].map(|value| value / determinant))
}

fn applied([a, b, c, d]: [f64; 4], [x, y]: [f64; 2]) -> [f64; 2] {
    [a * x + b * y, c * x + d * y]
}

/// The largest distance between pairs of points, NaN if one is NaN.
fn largest_distance<'a>(pairs: impl Iterator<Item = (&'a [f64; 2], [f64; 2])>) -> f64 {
    pairs.map(|(one, other)| (one[0] - other[0]).hypot(one[1] - other[1])).fold(0.0, |largest, distance| {
        if distance > largest || distance.is_nan() { distance } else { largest }
    })
}

impl Distortion {
    /// Fits polynomials of a degree around a pixel with its position. Errors are those at the points `dense`.
    pub(crate) fn fit(
        degree: u32,
        max_error: f64,
        (pixel, plane): ([f64; 2], TangentPlane),
        points: &Points,
        dense: &Points,
    ) -> Option<Self> {
        let (offsets, targets) = (points.offsets(pixel), points.projected(&plane));
        let high = i32::try_from(degree).ok()?;
        let polynomial = Polynomial::fit(powers(1, high), extent(&offsets), &offsets, &targets)?;
        let linear = |powers: [i32; 2]| polynomial.terms().find(|term| term.0 == powers).map(|term| term.1);
        let ([a, c], [b, d]) = (linear([1, 0])?, linear([0, 1])?);
        let matrix = [a, b, c, d];
        let inverse = inverted(matrix)?;
        let terms = polynomial.terms().filter(|(powers, _)| powers[0] + powers[1] > 1);
        let forward = terms.map(|(powers, pair)| (powers, applied(inverse, pair))).collect();
        let truth = dense.projected(&plane).into_iter().map(|target| applied(inverse, target));
        let dense_offsets = dense.offsets(pixel);
        let dense_plane: Vec<[f64; 2]> = truth.collect();
        let error = largest_distance(
            dense_plane
                .iter()
                .zip(dense_offsets.iter().map(|offset| applied(inverse, polynomial.at(*offset)))),
        );
        let mut found = Self {
            pixel,
            plane,
            matrix,
            degree,
            forward,
            backward: Vec::new(),
            backward_degree: 1,
            error,
            backward_error: error,
        };
        if degree > 1 {
            let distorted: Vec<[f64; 2]> = targets.iter().map(|target| applied(inverse, *target)).collect();
            found.fit_backward(max_error, (&offsets, &distorted), (&dense_offsets, &dense_plane))?;
        }
        Some(found)
    }

    /// Returns the pixel of the tangent point of points that are an affine transform of the plane.
    pub(crate) fn origin(near: [f64; 2], plane: TangentPlane, points: &Points) -> Option<[f64; 2]> {
        let (offsets, targets) = (points.offsets(near), points.projected(&plane));
        let fit = Polynomial::fit(powers(0, 1), extent(&offsets), &offsets, &targets)?;
        let term = |powers: [i32; 2]| fit.terms().find(|term| term.0 == powers).map(|term| term.1);
        let (origin, [a, c], [b, d]) = (term([0, 0])?, term([1, 0])?, term([0, 1])?);
        let [x, y] = applied(inverted([a, b, c, d])?, origin);
        Some([near[0] - x, near[1] - y])
    }

    /// Fits the inverse, with degrees up to 9.
    fn fit_backward(
        &mut self,
        max_error: f64,
        (offsets, distorted): (&[[f64; 2]], &[[f64; 2]]),
        (dense_offsets, dense_distorted): (&[[f64; 2]], &[[f64; 2]]),
    ) -> Option<()> {
        let additions: Vec<[f64; 2]> =
            offsets.iter().zip(distorted).map(|(to, from)| [to[0] - from[0], to[1] - from[1]]).collect();
        self.backward_error = f64::INFINITY;
        for degree in 2..=9 {
            let fitted = Polynomial::fit(powers(0, degree), extent(distorted), distorted, &additions);
            let Some(polynomial) = fitted else { break };
            let error = largest_distance(dense_offsets.iter().zip(dense_distorted.iter().map(|from| {
                let [x, y] = polynomial.at(*from);
                [from[0] + x, from[1] + y]
            })));
            if error < self.backward_error {
                self.backward = polynomial.terms().collect();
                self.backward_degree = degree.unsigned_abs();
                self.backward_error = error;
            }
            if error <= max_error {
                break;
            }
        }
        self.backward_error.is_finite().then_some(())
    }
}

/// Returns the tangent point of points that are exactly a gnomonic projection of a plane, and its pixel.
///
/// Such points are a homography of those of the plane around any position nearby. It sends the plane of pixels to
/// a plane of directions, whose normal is the tangent point.
pub(crate) fn tangent_point(
    near: ([f64; 2], TangentPlane),
    points: &Points,
) -> Option<([f64; 2], TangentPlane)> {
    let (pixel, plane) = near;
    let (offsets, targets) = (points.offsets(pixel), points.projected(&plane));
    let (scale, size) = (extent(&offsets), extent(&targets));
    let mut columns = vec![Vec::new(); 8];
    let mut right = Vec::with_capacity(2 * offsets.len());
    for (offset, target) in offsets.iter().zip(&targets) {
        let ([x, y], [east, north]) = (offset.map(|value| value / scale), target.map(|value| value / size));
        for (row, value) in [
            ([x, y, 1.0, 0.0, 0.0, 0.0, -x * east, -y * east], east),
            ([0.0, 0.0, 0.0, x, y, 1.0, -x * north, -y * north], north),
        ] {
            columns.iter_mut().zip(row).for_each(|(column, element)| column.push(element));
            right.push(value);
        }
    }
    let solved = least_squares::solve(columns, vec![right])?;
    let [a, b, c, d, e, f, g, h] = *solved.first()?.first_chunk::<8>()?;
    let radians = size.to_radians();
    let along = |east: f64, north: f64, up: f64| [east * radians, north * radians, up];
    let (x, y, origin) = (along(a, d, g), along(b, e, h), along(c, f, 1.0));
    let mut normal = cross(x, y);
    if normal[2] < 0.0 {
        normal = normal.map(|value| -value);
    }
    let position = plane.position(normal);
    // Where the direction of a pixel is that of the normal.
    let (xx, xy, yy) = (dot(x, x), dot(x, y), dot(y, y));
    let inverse = inverted([xx, xy, xy, yy])?;
    let [u, v] = applied(inverse, [-dot(origin, x), -dot(origin, y)]);
    let found = [pixel[0] + u * scale, pixel[1] + v * scale];
    let is_finite = found.iter().chain(&position).all(|value| value.is_finite());
    is_finite.then_some((found, TangentPlane { centre: position }))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

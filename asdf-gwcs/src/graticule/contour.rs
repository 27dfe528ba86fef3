//! Marching squares: where a coordinate has a value.

use std::collections::BTreeMap;

use asdf_core::Result;

use super::Positions;
use super::chain::chains;
use super::mesh::Mesh;

/// The largest distance from the value at the ends of an edge, in degrees. Larger ones are at the other side of a pole.
const FAR: f64 = 90.0;

/// The most evaluations to find where an edge has the value.
const ROUNDS: usize = 8;

/// An edge of the mesh that a line crosses: two pixels, and the distances from the value there. One of them is negative.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    pixels: [[f64; 2]; 2],
    offsets: [f64; 2],
    /// The pixel that was tried last, and its offset.
    pixel: [f64; 2],
    offset: f64,
}

/// Returns the polylines of pixels where `offset` of the position is 0, to a tolerance in degrees.
///
/// A part of the mesh without positions has no lines, and neither has a jump of the coordinates.
pub(super) fn contour(
    mesh: &Mesh,
    positions: &Positions<'_>,
    offset: &dyn Fn([f64; 2]) -> f64,
    tolerance: f64,
) -> Result<Vec<Vec<[f64; 2]>>> {
    let offsets: Vec<f64> = mesh.positions.iter().map(|position| offset(*position)).collect();
    let (mut crossings, mut segments) = (BTreeMap::new(), Vec::new());
    for row in 0..mesh.y.len().saturating_sub(1) {
        for column in 0..mesh.x.len().saturating_sub(1) {
            let cell = Cell { mesh, offsets: &offsets, row, column };
            segments.extend(cell.segments(&mut crossings));
        }
    }
    refine(&mut crossings, positions, offset, tolerance)?;
    let pixel = |edge: &usize| {
        let found = crossings.get(edge).filter(|crossing| crossing.offset.abs() <= tolerance)?;
        Some(found.pixel)
    };
    segments.retain(|ends| ends.iter().all(|edge| pixel(edge).is_some()));
    Ok(chains(&segments).iter().map(|chain| chain.iter().filter_map(pixel).collect()).collect())
}

/// A cell of the mesh.
struct Cell<'a> {
    mesh: &'a Mesh,
    offsets: &'a [f64],
    row: usize,
    column: usize,
}

impl Cell<'_> {
    /// Returns the segments in the cell as pairs of edges, and adds the crossings of these.
    fn segments(&self, crossings: &mut BTreeMap<usize, Crossing>) -> Vec<[usize; 2]> {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(along, up)| self.corner(along, up));
        if corners.iter().flatten().count() == 0 {
            return Vec::new();
        }
        let [a, b, c, d] = corners;
        // Edges of rows have even numbers, edges of columns odd ones.
        let number = |along: usize, up: usize| (self.row + up) * self.mesh.x.len() + self.column + along;
        let edges = [
            (2 * number(0, 0), a, b),
            (2 * number(1, 0) + 1, b, c),
            (2 * number(0, 1), d, c),
            (2 * number(0, 0) + 1, a, d),
        ];
        let crossed: Vec<(usize, Crossing)> = edges
            .into_iter()
            .filter_map(|(edge, from, to)| Some((edge, Crossing::between(from?, to?)?)))
            .collect();
        let numbers: Vec<usize> = crossed.iter().map(|(edge, _)| *edge).collect();
        let segments = match numbers.as_slice() {
            [one, other] => vec![[*one, *other]],
            [bottom, right, top, left] => {
                let sum: f64 = corners.iter().flatten().map(|(_, offset)| offset).sum();
                // The middle belongs to the corners with its sign.
                match a.is_some_and(|(_, offset)| (offset < 0.0) == (sum < 0.0)) {
                    true => vec![[*bottom, *right], [*top, *left]],
                    false => vec![[*bottom, *left], [*right, *top]],
                }
            }
            _ => return Vec::new(),
        };
        crossings.extend(crossed);
        segments
    }

    /// Returns the pixel of a corner and its offset; `None` if it has no position, or a distant one.
    fn corner(&self, along: usize, up: usize) -> Option<([f64; 2], f64)> {
        let (row, column) = (self.row + up, self.column + along);
        let offset = *self.offsets.get(row * self.mesh.x.len() + column)?;
        let pixel = [*self.mesh.x.get(column)?, *self.mesh.y.get(row)?];
        (offset.abs() <= FAR).then_some((pixel, offset))
    }
}

impl Crossing {
    fn between(from: ([f64; 2], f64), to: ([f64; 2], f64)) -> Option<Self> {
        let offsets = [from.1, to.1];
        let is_crossed = (from.1 < 0.0) != (to.1 < 0.0);
        is_crossed.then_some(Self { pixels: [from.0, to.0], offsets, pixel: from.0, offset: f64::INFINITY })
    }

    /// Returns the pixel where a straight line between the two offsets is 0.
    fn next(&self) -> [f64; 2] {
        let [[x0, y0], [x1, y1]] = self.pixels;
        let [before, after] = self.offsets;
        let part = before / (before - after);
        [x0 + part * (x1 - x0), y0 + part * (y1 - y0)]
    }

    /// Narrows the edge to the part with the value, by the Illinois method.
    fn narrow(&mut self, pixel: [f64; 2], offset: f64) {
        let is_same_side = (offset < 0.0) == (self.offset < 0.0) && self.offset.is_finite();
        let [from, to] = &mut self.pixels;
        let [before, after] = &mut self.offsets;
        if (offset < 0.0) == (*before < 0.0) {
            (*from, *before) = (pixel, offset);
            if is_same_side {
                *after *= 0.5;
            }
        } else {
            (*to, *after) = (pixel, offset);
            if is_same_side {
                *before *= 0.5;
            }
        }
        (self.pixel, self.offset) = (pixel, offset);
    }
}

/// Finds where the edges have the value.
fn refine(
    crossings: &mut BTreeMap<usize, Crossing>,
    positions: &Positions<'_>,
    offset: &dyn Fn([f64; 2]) -> f64,
    tolerance: f64,
) -> Result<()> {
    for _ in 0..ROUNDS {
        let mut open: Vec<&mut Crossing> = crossings
            .values_mut()
            // An offset of NaN stays one.
            .filter(|crossing| crossing.offset.abs() > 0.01 * tolerance)
            .collect();
        if open.is_empty() {
            break;
        }
        let pixels: Vec<[f64; 2]> = open.iter().map(|crossing| crossing.next()).collect();
        let x: Vec<f64> = pixels.iter().map(|[x, _]| *x).collect();
        let y: Vec<f64> = pixels.iter().map(|[_, y]| *y).collect();
        let [longitudes, latitudes] = positions(&x, &y)?;
        let found = longitudes.into_iter().zip(latitudes);
        for ((crossing, pixel), (longitude, latitude)) in open.iter_mut().zip(pixels).zip(found) {
            crossing.narrow(pixel, offset([longitude, latitude]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pixels<'a> = &'a dyn Fn(f64, f64) -> [f64; 2];

    fn lines(position: Pixels<'_>, value: f64) -> Vec<Vec<[f64; 2]>> {
        let positions = |x: &[f64], y: &[f64]| {
            let all: Vec<[f64; 2]> = x.iter().zip(y).map(|(x, y)| position(*x, *y)).collect();
            Ok([all.iter().map(|[x, _]| *x).collect(), all.iter().map(|[_, y]| *y).collect()])
        };
        let mesh = Mesh::new(&positions, [-1.0, 1.0], [-1.0, 1.0]).unwrap();
        contour(&mesh, &positions, &|[_, latitude]| latitude - value, 1e-6).unwrap()
    }

    #[test]
    fn a_circle_is_closed() {
        let found = lines(&|x, y| [0.0, x * x + y * y], 0.25);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first(), found[0].last());
        assert!(found[0].iter().all(|[x, y]| (x.hypot(*y) - 0.5).abs() < 1e-6));
    }

    #[test]
    fn a_line_ends_at_the_edges() {
        let found = lines(&|x, y| [0.0, x + 0.25 * y], 0.1);
        assert_eq!(found.len(), 1);
        let (first, last) = (found[0][0], found[0][found[0].len() - 1]);
        assert_eq!([first[1].abs(), last[1].abs()], [1.0, 1.0]);
    }

    #[test]
    fn saddles_have_two_branches() {
        assert_eq!(lines(&|x, y| [0.0, (x - 0.003) * (y - 0.003)], 1e-9).len(), 2);
    }

    #[test]
    fn jumps_and_missing_positions_have_no_lines() {
        assert!(lines(&|x, _| [0.0, if x < 0.3 { -1.0 } else { 1.0 }], 0.1).is_empty());
        let found = lines(&|x, y| [0.0, if y.abs() < 0.2 { f64::NAN } else { x }], 0.1);
        assert_eq!(found.len(), 2);
        assert!(found.iter().flatten().all(|[_, y]| y.abs() >= 0.2));
    }
}

//! The positions of a mesh of pixels.

use asdf_core::Result;

use super::Positions;

/// The number of cells along the longer side.
const CELLS: f64 = 128.0;

/// The fewest cells along the shorter side.
const FEWEST: f64 = 16.0;

/// The positions on the sky of the points of a mesh, row by row.
#[derive(Debug)]
pub(super) struct Mesh {
    /// The pixels of the columns and of the rows.
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// Longitude and latitude in degrees; NaN for points without a position.
    pub(super) positions: Vec<[f64; 2]>,
}

impl Mesh {
    /// Computes the positions in a rectangle. The outer points are on its edges.
    pub(super) fn new(positions: &Positions<'_>, x: [f64; 2], y: [f64; 2]) -> Result<Self> {
        let [width, height] = [x, y].map(|[low, high]| high - low);
        let longer = width.max(height);
        let (x, y) = (places(x, width / longer), places(y, height / longer));
        let mut points = [Vec::new(), Vec::new()];
        for row in &y {
            points[0].extend(&x);
            points[1].resize(points[0].len(), *row);
        }
        let [longitudes, latitudes] = positions(&points[0], &points[1])?;
        let position = |(longitude, latitude): (f64, f64)| match longitude.is_finite() && latitude.is_finite()
        {
            true => [longitude, latitude],
            false => [f64::NAN; 2],
        };
        Ok(Self { x, y, positions: longitudes.into_iter().zip(latitudes).map(position).collect() })
    }

    /// Returns the shortest range that contains all longitudes. It starts between 0 and 360 and has up to 360 degrees.
    pub(super) fn longitudes(&self) -> Option<[f64; 2]> {
        let longitudes = self.positions.iter().map(|[longitude, _]| longitude.rem_euclid(360.0));
        let mut sorted: Vec<f64> = longitudes.filter(|longitude| longitude.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        // The range begins after the widest gap.
        let mut widest = (first + 360.0 - last, first);
        for (before, after) in sorted.iter().zip(sorted.iter().skip(1)) {
            if after - before > widest.0 {
                widest = (after - before, *after);
            }
        }
        let (gap, start) = widest;
        Some([start, start + 360.0 - gap])
    }

    /// Returns whether the world coordinates count longitudes from -180 to 180.
    pub(super) fn has_negative_longitudes(&self) -> bool {
        self.positions.iter().any(|[longitude, _]| *longitude < 0.0)
    }

    pub(super) fn latitudes(&self) -> Option<[f64; 2]> {
        let latitudes = self.positions.iter().map(|[_, latitude]| *latitude);
        let known = latitudes.filter(|latitude| latitude.is_finite());
        known.fold(None, |range, latitude| match range {
            None => Some([latitude; 2]),
            Some([low, high]) => Some([latitude.min(low), latitude.max(high)]),
        })
    }
}

/// Returns evenly spaced numbers, with both ends.
fn places([low, high]: [f64; 2], part: f64) -> Vec<f64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from the fewest cells to the most"
    )]
    let cells = (CELLS * part).ceil().clamp(FEWEST, CELLS) as u32;
    let at = |number: u32| {
        let part = f64::from(number) / f64::from(cells);
        low * (1.0 - part) + high * part
    };
    (0..=cells).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(longitudes: &[f64]) -> Mesh {
        let positions = longitudes.iter().map(|longitude| [*longitude, 0.0]).collect();
        Mesh { x: Vec::new(), y: Vec::new(), positions }
    }

    #[test]
    fn the_range_of_longitudes_can_contain_zero() {
        assert_eq!(mesh(&[10.0, 30.0, 20.0]).longitudes(), Some([10.0, 30.0]));
        assert_eq!(mesh(&[359.0, 2.0, 1.0, f64::NAN]).longitudes(), Some([359.0, 362.0]));
        assert_eq!(mesh(&[-1.0, 2.0]).longitudes(), Some([359.0, 362.0]));
        assert_eq!(mesh(&[7.0]).longitudes(), Some([7.0, 7.0]));
        assert_eq!(mesh(&[f64::NAN]).longitudes(), None);
    }

    #[test]
    fn the_mesh_covers_the_edges() {
        let positions = |x: &[f64], y: &[f64]| Ok([x.to_vec(), y.to_vec()]);
        let mesh = Mesh::new(&positions, [-0.5, 199.5], [-0.5, 9.5]).unwrap();
        assert_eq!((mesh.x.len(), mesh.y.len()), (129, 17));
        assert_eq!((mesh.x.first(), mesh.x.last()), (Some(&-0.5), Some(&199.5)));
        assert_eq!(mesh.latitudes(), Some([-0.5, 9.5]));
        assert_eq!(mesh.positions.len(), 129 * 17);
    }
}

//! The plane that touches the sky at one position.

/// The plane of the gnomonic projection around a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TangentPlane {
    /// Longitude and latitude of the position, in degrees.
    pub(crate) centre: [f64; 2],
}

impl TangentPlane {
    /// Returns a position, in degrees, as degrees to the east and to the north in the plane. NaN if the position is 90
    /// degrees or more from the centre.
    pub(crate) fn project(&self, position: [f64; 2]) -> [f64; 2] {
        let (sin_centre, cos_centre) = self.centre[1].to_radians().sin_cos();
        let (sin, cos) = position[1].to_radians().sin_cos();
        let longitude = (position[0] - self.centre[0]).to_radians();
        let half = (0.5 * longitude).sin();
        let height = sin_centre * sin + cos_centre * cos * longitude.cos();
        if height.is_nan() || height <= 0.0 {
            return [f64::NAN; 2];
        }
        // This form of the sine of the difference keeps its digits near the centre.
        let north = (position[1] - self.centre[1]).to_radians().sin() + 2.0 * sin_centre * cos * half * half;
        [(cos * longitude.sin() / height).to_degrees(), (north / height).to_degrees()]
    }

    /// Returns the position in degrees, longitude from 0 to 360, of a direction: a vector to the east, to the north and
    /// to the centre.
    pub(crate) fn position(&self, [east, north, up]: [f64; 3]) -> [f64; 2] {
        let (sin, cos) = self.centre[1].to_radians().sin_cos();
        let toward = up * cos - north * sin;
        let longitude = (self.centre[0] + east.atan2(toward).to_degrees()).rem_euclid(360.0);
        [longitude, (up * sin + north * cos).atan2(east.hypot(toward)).to_degrees()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_their_projections() {
        let plane = TangentPlane { centre: [359.5, 60.0] };
        assert_eq!(plane.project([359.5, 60.0]), [0.0, 0.0]);
        let [east, north] = plane.project([0.5, 60.25]);
        let [longitude, latitude] = plane.position([east.to_radians(), north.to_radians(), 1.0]);
        assert!((longitude - 0.5).abs() < 1e-13 && (latitude - 60.25).abs() < 1e-13);
        assert!(plane.project([179.5, -60.0])[0].is_nan() && plane.project([0.0, -40.0])[1].is_nan());
        assert!(TangentPlane { centre: [0.0, 90.0] }.project([90.0, 89.0])[0] > 1.0);
    }
}

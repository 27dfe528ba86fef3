//! The angle between two directions.

/// Returns the angle between two positions in degrees, by Vincenty's formula, which is exact for all angles.
pub(crate) fn separation(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [longitude_a, latitude_a] = a.map(f64::to_radians);
    let [longitude_b, latitude_b] = b.map(f64::to_radians);
    let (sin_difference, cos_difference) = (longitude_b - longitude_a).sin_cos();
    let (sin_a, cos_a) = latitude_a.sin_cos();
    let (sin_b, cos_b) = latitude_b.sin_cos();
    let across = cos_b * sin_difference;
    let along = cos_a * sin_b - sin_a * cos_b * cos_difference;
    across.hypot(along).atan2(sin_a * sin_b + cos_a * cos_b * cos_difference).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::separation;

    #[test]
    fn small_and_large_angles() {
        assert_eq!(separation([10.0, 20.0], [10.0, 20.0]), 0.0);
        assert!((separation([359.5, 0.0], [0.5, 0.0]) - 1.0).abs() < 1e-12);
        assert!((separation([0.0, 90.0], [123.0, -90.0]) - 180.0).abs() < 1e-12);
        assert!((separation([10.0, 60.0], [10.0, 60.0 + 1e-9]) - 1e-9).abs() < 1e-14);
        assert!(separation([f64::NAN, 0.0], [0.0, 0.0]).is_nan());
    }
}

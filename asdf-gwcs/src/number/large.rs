//! Angles that are too large for functions without branches.

use super::Number;
use crate::angle::{LARGEST_DEGREES, LARGEST_RADIANS};

/// Replaces angles in radians above [`LARGEST_RADIANS`] by angles of the same sine and cosine.
#[inline(always)]
pub(crate) fn shorten_radians<N: Number>(block: &mut [N]) {
    if any_above(block, LARGEST_RADIANS) {
        shorten(block, LARGEST_RADIANS, |angle| {
            let (sine, cosine) = angle.sin_cos();
            sine.atan2(cosine)
        });
    }
}

/// Replaces angles in degrees above [`LARGEST_DEGREES`] by angles of the same sine and cosine.
#[inline(always)]
pub(crate) fn shorten_degrees<N: Number>(block: &mut [N]) {
    if any_large_degrees(block) {
        shorten(block, LARGEST_DEGREES, |angle| angle % 360.0);
    }
}

/// If [`shorten_degrees`] would change the block.
#[inline(always)]
pub(crate) fn any_large_degrees<N: Number>(block: &[N]) -> bool {
    any_above(block, LARGEST_DEGREES)
}

#[inline(always)]
fn any_above<N: Number>(block: &[N], limit: f64) -> bool {
    block.iter().fold(false, |any, angle| any | (angle.value().abs() > limit))
}

#[cold]
fn shorten<N: Number>(block: &mut [N], limit: f64, short: impl Fn(f64) -> f64) {
    for angle in block {
        let value = angle.value();
        if value.abs() > limit {
            *angle = angle.with_value(short(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::angle;

    #[test]
    fn large_angles_keep_their_sine_and_cosine() {
        let mut block = [1.0, 2e6, -1e9, 1e22, f64::MAX, f64::INFINITY, f64::NAN];
        let before = block;
        shorten_radians(&mut block);
        for (&short, &long) in block.iter().zip(&before) {
            let (sine, cosine) = angle::sin_cos(short);
            assert_eq!(sine.is_nan(), !long.is_finite());
            assert!(!((sine - long.sin()).abs() > 4e-16 || (cosine - long.cos()).abs() > 4e-16), "{long}");
        }
        assert_eq!(block[0], 1.0);
    }

    #[test]
    fn large_degrees_are_reduced_exactly() {
        let mut block = [1e17, -3e300, 90.0];
        shorten_degrees(&mut block);
        assert_eq!(block, [1e17 % 360.0, -3e300 % 360.0, 90.0]);
    }
}

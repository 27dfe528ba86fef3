//! Sine, cosine and arctangent without branches.
//!
//! The functions of `std` call the C library, once for each number and with other last bits on other machines. These
//! consist of IEEE additions, multiplications, divisions and selections. A loop over them becomes vector code inside
//! `multiversion`, and gives the same bits on every machine. They never use `mul_add`, which would round differently.
//!
//! Errors are below 1 ulp for [`sin_cos`] and below 2 ulp for the others, of the exact result.
//!
//! Arguments above [`LARGEST_RADIANS`] and [`LARGEST_DEGREES`] need a reduction with branches. Code that can meet such
//! arguments calls `number::shorten_radians` or `number::shorten_degrees` on a whole block first. These only cost a comparison
//! if no number is large.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_4, PI};

/// Up to this size [`sin_cos`] is exact to the last bit or so. It is `2^20 * pi / 2`.
///
/// Above it the error grows to that of an argument whose last bit is unknown. Above [`LARGEST_ROUGH`] the result is
/// NaN.
pub(crate) const LARGEST_RADIANS: f64 = 1_647_099.0;

/// Above this size [`sin_cos`] is NaN, as it is for infinity.
const LARGEST_ROUGH: f64 = 1e15;

/// Up to this size [`sin_cos_degrees`] is exact to the last bit or so. Above it the result is NaN.
///
/// Up to here the multiple of 90 that it subtracts is exact.
pub(crate) const LARGEST_DEGREES: f64 = 1e16;

/// `1.5 * 2^52`: a number of moderate size added to it loses its fraction, and its last bits hold the integer.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// pi / 2 in three parts. The first two have 33 bits, so that their product with an integer below 2^20 is exact.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// What [`FRAC_PI_4`] lacks of pi / 4.
const QUARTER_PI_REST: f64 = 3.061_616_997_868_383e-17;

const RADIANS: f64 = PI / 180.0;

/// Radians in a degree.
#[inline(always)]
pub(crate) fn to_radians(degrees: f64) -> f64 {
    degrees * RADIANS
}

/// Selects without a branch.
#[inline(always)]
pub(crate) fn select(condition: bool, yes: f64, no: f64) -> f64 {
    if condition { yes } else { no }
}

/// The sine and cosine of `angle + rest`, where `angle` is between -pi/4 and pi/4 and `rest` is tiny.
#[inline(always)]
fn sin_cos_near_zero(angle: f64, rest: f64) -> (f64, f64) {
    let square = angle * angle;
    let cube = square * angle;
    // The minimax polynomials of fdlibm.
    let sine = 8.333_333_333_322_49e-3
        + square
            * (-1.984_126_982_985_795e-4
                + square
                    * (2.755_731_370_707_006_8e-6
                        + square * (-2.505_076_025_340_686_3e-8 + square * 1.589_690_995_211_55e-10)));
    let cosine = square
        * (4.166_666_666_666_66e-2
            + square
                * (-1.388_888_888_887_411e-3
                    + square
                        * (2.480_158_728_947_673e-5
                            + square
                                * (-2.755_731_435_139_066_3e-7
                                    + square
                                        * (2.087_572_321_298_175e-9
                                            + square * -1.135_964_755_778_819_5e-11)))));
    let half = 0.5 * square;
    let whole = 1.0 - half;
    (
        angle - ((square * (0.5 * rest - cube * sine) - rest) + cube * 0.166_666_666_666_666_32),
        whole + (((1.0 - whole) - half) + (square * cosine - angle * rest)),
    )
}

/// Turns a sine and cosine by as many right angles as the last bits of `turns` say.
#[inline(always)]
fn turn((sine, cosine): (f64, f64), turns: u64) -> (f64, f64) {
    let (sine, cosine) = (sine.to_bits(), cosine.to_bits());
    let odd = (turns & 1).wrapping_neg();
    let (first, second) = ((sine & !odd) | (cosine & odd), (cosine & !odd) | (sine & odd));
    (
        f64::from_bits(first ^ ((turns & 2) << 62)),
        f64::from_bits(second ^ ((turns.wrapping_add(1) & 2) << 62)),
    )
}

/// The sine and cosine of an angle in radians.
#[inline(always)]
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let inside = select(angle.abs() <= LARGEST_ROUGH, angle, f64::NAN);
    let rounder = inside * FRAC_2_PI + ROUNDER;
    let turns = rounder - ROUNDER;
    let [first, second, third] = HALF_PI;
    let left = inside - turns * first;
    // The error of a difference, by Knuth.
    let part = turns * second;
    let difference = left - part;
    let back = difference - left;
    let error = (left - (difference - back)) - (part + back);
    let low = error - turns * third;
    let near = difference + low;
    let rest = (difference - near) + low;
    let (sine, cosine) = turn(sin_cos_near_zero(near, rest), rounder.to_bits());
    // Keeps -0.
    (select(angle == 0.0, angle, sine), cosine)
}

/// The sine and cosine of an angle of at most pi/4 in radians, the same as those of [`sin_cos`].
#[inline(always)]
pub(crate) fn sin_cos_small(angle: f64) -> (f64, f64) {
    sin_cos_near_zero(angle, 0.0)
}

/// The sine and cosine of an angle in degrees.
///
/// The angle is reduced in degrees, which is exact. So the results are exact at multiples of 90: the sine of 180 is 0
/// and that of -180 is -0, the cosine of 90 is 0. Other results differ from those of `sin_cos(to_radians(x))` by the
/// rounding of the product, up to 1e-15 for angles of a circle.
#[inline(always)]
pub(crate) fn sin_cos_degrees(angle: f64) -> (f64, f64) {
    let inside = select(angle.abs() <= LARGEST_DEGREES, angle, f64::NAN);
    let rounder = inside * (1.0 / 90.0) + ROUNDER;
    let near = inside - (rounder - ROUNDER) * 90.0;
    let (sine, cosine) = turn(sin_cos_near_zero(near * RADIANS, 0.0), rounder.to_bits());
    (select(sine == 0.0, 0.0_f64.copysign(angle), sine), cosine + 0.0)
}

/// Vectors whose coordinates are below this are measured without scaling. Sums of larger ones can overflow.
pub(crate) const LARGEST_UNSCALED: f64 = 1e300;

/// The angle in radians between the first axis and the point (`x`, `y`), with the signs and special values of IEEE 754.
#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let (height, width) = (y.abs(), x.abs());
    // Two infinities count as equal numbers.
    let infinite = (height == f64::INFINITY) & (width == f64::INFINITY);
    let scale = select((height > LARGEST_UNSCALED) | (width > LARGEST_UNSCALED), 0.25, 1.0);
    let scaled = |side: f64, number: f64| select(infinite, 1.0, side * scale).copysign(number);
    atan2_unscaled(scaled(height, y), scaled(width, x))
}

/// The same as [`atan2`] for numbers up to [`LARGEST_UNSCALED`].
#[inline(always)]
pub(crate) fn atan2_unscaled(y: f64, x: f64) -> f64 {
    let (height, width) = (y.abs(), x.abs());
    let steep = height > width;
    let small = select(steep, width, height);
    let large = select(steep, height, width);
    // Two zeros count as an angle of 0.
    let large = select(large == 0.0, 1.0, large);
    let wide = 2.0 * small > large;
    let ratio = select(wide, small - large, small) / select(wide, small + large, large);
    // The rational approximation of Cephes.
    let square = ratio * ratio;
    let above = (((-8.750_608_600_031_904e-1 * square - 16.157_537_187_333_652) * square
        - 75.008_557_923_147_05)
        * square
        - 122.886_668_449_013_62)
        * square
        - 64.850_219_049_420_25;
    let below = ((((square + 24.858_464_901_423_062) * square + 165.027_009_831_698_85) * square
        + 432.881_060_491_290_27)
        * square
        + 485.390_399_635_913_7)
        * square
        + 194.550_657_148_261_4;
    let angle = ratio * square * (above / below) + ratio;
    // The result is a multiple of pi/4, which is exact, plus or minus the angle.
    let left = x.is_sign_negative();
    let sign = select(steep == left, 1.0, -1.0);
    let base = select(steep, 2.0, select(left, 4.0, 0.0)) + select(wide, sign, 0.0);
    (base * FRAC_PI_4 + (base * QUARTER_PI_REST + sign * angle)).copysign(y)
}

/// The arctangent in radians.
#[inline(always)]
pub(crate) fn atan(tangent: f64) -> f64 {
    atan2(tangent, 1.0)
}

/// The arcsine in radians; NaN outside -1 to 1.
#[inline(always)]
pub(crate) fn asin(sine: f64) -> f64 {
    atan2(sine, ((1.0 - sine) * (1.0 + sine)).sqrt())
}

/// The arccosine in radians; NaN outside -1 to 1.
#[inline(always)]
pub(crate) fn acos(cosine: f64) -> f64 {
    atan2(((1.0 - cosine) * (1.0 + cosine)).sqrt(), cosine)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    /// Numbers that look random, the same in each run.
    fn random(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 32) as u32) / f64::from(u32::MAX)
        })
    }

    /// The difference in units of the last place.
    fn ulps(found: f64, expected: f64) -> f64 {
        if found == expected || (found.is_nan() && expected.is_nan()) {
            return 0.0;
        }
        let unit = expected.abs().next_up() - expected.abs();
        ((found - expected) / unit).abs()
    }

    #[test]
    fn sines_and_cosines_are_those_of_std() {
        let mut worst = 0.0_f64;
        for range in [1.0, 4.0, 100.0, 1e5, LARGEST_RADIANS] {
            for number in random(1).take(100_000) {
                let angle = (number - 0.5) * 2.0 * range;
                let (sine, cosine) = sin_cos(angle);
                worst = worst.max(ulps(sine, angle.sin())).max(ulps(cosine, angle.cos()));
            }
        }
        assert!(worst <= 1.0, "{worst}");
    }

    #[test]
    fn small_angles_need_no_reduction() {
        for number in random(6).take(100_000).chain([0.5, 0.0, 1.0, 0.500_000_001]) {
            let angle = (number - 0.5) * std::f64::consts::FRAC_PI_2;
            let (found, expected) = (sin_cos_small(angle), sin_cos(angle));
            assert_eq!(
                (found.0.to_bits(), found.1.to_bits()),
                (expected.0.to_bits(), expected.1.to_bits()),
                "{angle}"
            );
        }
        assert!(sin_cos_small(-0.0).0.is_sign_negative() && sin_cos_small(f64::NAN).1.is_nan());
    }

    #[test]
    fn sines_near_multiples_of_a_right_angle_are_exact() {
        for turns in 0..1_048_576_u32 {
            let angle = f64::from(turns) * FRAC_PI_2;
            let (sine, cosine) = sin_cos(angle);
            assert!(ulps(sine, angle.sin()) <= 1.0, "{angle}");
            assert!(ulps(cosine, angle.cos()) <= 1.0, "{angle}");
        }
    }

    #[test]
    fn sines_of_special_numbers() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(-0.0).0.is_sign_negative());
        assert_eq!(sin_cos(5e-324).0, 5e-324);
        for angle in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(sin_cos(angle).0.is_nan() && sin_cos(angle).1.is_nan());
            assert!(sin_cos_degrees(angle).0.is_nan() && sin_cos_degrees(angle).1.is_nan());
        }
        // The error for an angle above the exact range is at most its rounding.
        assert!((sin_cos(1e9).0 - 1e9_f64.sin()).abs() < 1e-7);
    }

    #[test]
    fn degrees_are_exact_at_right_angles() {
        let zero = |number: f64, sign: f64| number == 0.0 && number.signum() == sign;
        for turn in [0.0, 360.0, 3_600_000.0] {
            assert!(zero(sin_cos_degrees(turn).0, 1.0) && sin_cos_degrees(turn).1 == 1.0);
            assert!(sin_cos_degrees(turn + 90.0).0 == 1.0 && zero(sin_cos_degrees(turn + 90.0).1, 1.0));
            assert!(zero(sin_cos_degrees(turn + 180.0).0, 1.0) && sin_cos_degrees(turn + 180.0).1 == -1.0);
            assert!(sin_cos_degrees(turn + 270.0).0 == -1.0 && zero(sin_cos_degrees(turn + 270.0).1, 1.0));
            assert!(zero(sin_cos_degrees(-turn - 180.0).0, -1.0) && sin_cos_degrees(-turn - 180.0).1 == -1.0);
        }
    }

    #[test]
    fn large_degrees_are_exact() {
        for number in random(5).take(100_000) {
            let angle = number * LARGEST_DEGREES;
            let (sine, cosine) = sin_cos_degrees(angle);
            let radians = (angle % 360.0).to_radians();
            assert!(
                (sine - radians.sin()).abs() < 2e-15 && (cosine - radians.cos()).abs() < 2e-15,
                "{angle}"
            );
        }
    }

    #[test]
    fn degrees_agree_with_radians() {
        for number in random(2).take(100_000) {
            let angle = (number - 0.5) * 720.0;
            let (sine, cosine) = sin_cos_degrees(angle);
            let radians = angle * (PI / 180.0);
            assert!(
                (sine - radians.sin()).abs() < 1e-15 && (cosine - radians.cos()).abs() < 1e-15,
                "{angle}"
            );
        }
    }

    #[test]
    fn arctangents_are_those_of_std() {
        let mut worst = 0.0_f64;
        let numbers: Vec<f64> = random(3).take(300_000).collect();
        for three in numbers.chunks_exact(3) {
            let (y, x, size) = (three[0], three[1], three[2]);
            let y = (y - 0.5) * 10.0_f64.powf((size - 0.5) * 40.0);
            worst = worst.max(ulps(atan2(y, x - 0.5), y.atan2(x - 0.5)));
            worst = worst.max(ulps(atan2(three[0] - 0.5, x - 0.5), (three[0] - 0.5).atan2(x - 0.5)));
        }
        assert!(worst <= 2.0, "{worst}");
    }

    #[test]
    fn arctangents_of_moderate_numbers_need_no_scaling() {
        let numbers: Vec<f64> =
            random(7).take(200_000).map(|number| (number - 0.5) * 3.0).chain([0.0, -0.0]).collect();
        for pair in numbers.windows(2) {
            let (found, expected) = (atan2_unscaled(pair[0], pair[1]), atan2(pair[0], pair[1]));
            assert_eq!(found.to_bits(), expected.to_bits(), "{pair:?}");
        }
    }

    #[test]
    fn arctangents_of_special_numbers() {
        let special = [0.0, 1.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1e300, f64::MAX, f64::INFINITY, f64::NAN];
        for y in special.into_iter().chain(special.map(|y| -y)) {
            for x in special.into_iter().chain(special.map(|x| -x)) {
                let (found, expected) = (atan2(y, x), y.atan2(x));
                assert!(
                    ulps(found, expected) <= 1.0,
                    "atan2({y:e}, {x:e}) is {found:e} and not {expected:e}"
                );
                assert!(found.is_nan() || found.is_sign_negative() == expected.is_sign_negative(), "{y} {x}");
            }
        }
    }

    #[test]
    fn arcs_are_those_of_std() {
        let (mut sine, mut cosine) = (0.0_f64, 0.0_f64);
        for number in random(4).take(100_000) {
            let number = (number - 0.5) * 2.0;
            sine = sine.max(ulps(asin(number), number.asin()));
            cosine = cosine.max(ulps(acos(number), number.acos()));
        }
        assert!(sine <= 3.0 && cosine <= 3.0, "{sine} {cosine}");
        assert_eq!([asin(1.0), asin(-1.0), acos(1.0), acos(-1.0)], [FRAC_PI_2, -FRAC_PI_2, 0.0, PI]);
        assert!(asin(-0.0).is_sign_negative() && asin(1.1).is_nan() && acos(-1.1).is_nan());
    }
}

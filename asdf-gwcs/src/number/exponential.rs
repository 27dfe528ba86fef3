//! Exponential and logarithm without branches, for the same reasons as [`angle`](crate::angle).
//!
//! Errors are below 1 ulp, with the polynomials of fdlibm.

use std::f64::consts::LOG2_E;

/// `1.5 * 2^52`: a number of moderate size added to it loses its fraction, and its last bits hold the integer.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

const TWO_52: f64 = 4_503_599_627_370_496.0;

/// The logarithm of 2 in two parts. The first has few bits, and its product with an exponent is exact.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// Two to the power of a number to which [`ROUNDER`] was added.
#[inline(always)]
fn power_of_two(rounder: f64) -> f64 {
    f64::from_bits(rounder.to_bits().wrapping_add(1023) << 52)
}

/// The exponential function.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Beyond these the result is infinite or 0, and its exponent does not fit.
    let inside = if x.abs() < 1000.0 { x } else { f64::NAN };
    let exponent = (inside * LOG2_E + ROUNDER) - ROUNDER;
    let [first, second] = LN_2;
    let (high, low) = (inside - exponent * first, exponent * second);
    let rest = high - low;
    let square = rest * rest;
    let even = rest
        - square
            * (0.166_666_666_666_666_02
                + square
                    * (-2.777_777_777_701_559_3e-3
                        + square
                            * (6.613_756_321_437_934e-5
                                + square
                                    * (-1.653_390_220_546_525_2e-6 + square * 4.138_136_797_057_238_5e-8))));
    let power = 1.0 - ((low - (rest * even) / (2.0 - even)) - high);
    // Two factors, since the exponent of a result that is almost 0 or almost infinite does not fit into one.
    let half = exponent * 0.5 + ROUNDER;
    let other = (exponent - (half - ROUNDER)) + ROUNDER;
    let result = power * power_of_two(half) * power_of_two(other);
    let result = if x >= 1000.0 { f64::INFINITY } else { result };
    if x <= -1000.0 { 0.0 } else { result }
}

/// The natural logarithm; NaN for negative numbers.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let tiny = x < f64::MIN_POSITIVE;
    let scaled = if tiny { x * 18_014_398_509_481_984.0 } else { x };
    // Splits off the exponent, so that a number between sqrt(1/2) and sqrt(2) is left.
    let bits = scaled.to_bits();
    let biased = bits.wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd) >> 52;
    let fraction = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1023) << 52)) - 1.0;
    let exponent = f64::from_bits(TWO_52.to_bits() | biased) - (TWO_52 + 1023.0);
    let exponent = if tiny { exponent - 54.0 } else { exponent };
    let ratio = fraction / (2.0 + fraction);
    let square = ratio * ratio;
    let fourth = square * square;
    let even = fourth
        * (0.399_999_999_994_094_2 + fourth * (0.222_221_984_321_497_84 + fourth * 0.153_138_376_992_093_73));
    let odd = square
        * (0.666_666_666_666_673_5
            + fourth
                * (0.285_714_287_436_623_9
                    + fourth * (0.181_835_721_616_180_5 + fourth * 0.147_981_986_051_165_86)));
    let half = 0.5 * fraction * fraction;
    let [first, second] = LN_2;
    let result = exponent * first - ((half - (ratio * (half + even + odd) + exponent * second)) - fraction);
    let result = if x > f64::MAX { x } else { result };
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    if x >= 0.0 { result } else { f64::NAN }
}

/// The natural logarithm of `1 + x`, accurate near 0.
#[inline(always)]
pub(crate) fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    ln(sum) + (x - (sum - 1.0)) / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The difference in units of the last place.
    fn ulps(found: f64, expected: f64) -> f64 {
        if found == expected || (found.is_nan() && expected.is_nan()) {
            return 0.0;
        }
        ((found - expected) / (expected.abs().next_up() - expected.abs())).abs()
    }

    /// Numbers between 0 and 1.
    fn numbers() -> impl Iterator<Item = f64> {
        (0..100_000_u32).map(|number| f64::from(number.wrapping_mul(2_654_435_769)) / f64::from(u32::MAX))
    }

    #[test]
    fn exponentials_are_those_of_std() {
        for range in [1.0, 50.0, 745.0] {
            for number in numbers() {
                let x = (number - 0.5) * 2.0 * range;
                assert!(ulps(exp(x), x.exp()) <= 1.0, "exp({x}) is {:e} and not {:e}", exp(x), x.exp());
            }
        }
        let special = [0.0, -0.0, 709.78, 709.79, -745.2, -740.0, 5e3, -5e3, f64::INFINITY, f64::NAN];
        for x in special.into_iter().chain([f64::NEG_INFINITY, 1e-300]) {
            assert!(ulps(exp(x), x.exp()) <= 1.0, "exp({x}) is {:e} and not {:e}", exp(x), x.exp());
        }
    }

    #[test]
    fn logarithms_are_those_of_std() {
        for number in numbers() {
            for x in [number, 1.0 + 0.1 * (number - 0.5), number * 1e300, number * 1e-300, number * 1e-310] {
                assert!(ulps(ln(x), x.ln()) <= 1.0, "ln({x:e}) is {:e} and not {:e}", ln(x), x.ln());
            }
            for x in [number - 0.5, 1e-5 * number, -1e-12 * number] {
                assert!(ulps(ln_1p(x), x.ln_1p()) <= 4.0, "{x:e}: {:e} and not {:e}", ln_1p(x), x.ln_1p());
            }
        }
        for x in [1.0, 0.0, -0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, -1.0, f64::NAN] {
            assert!(ulps(ln(x), x.ln()) <= 1.0, "ln({x:e}) is {:e} and not {:e}", ln(x), x.ln());
        }
    }
}

//! The median of the gamma distribution.

use std::f64::consts::PI;

/// Coefficients of Lanczos' formula for the gamma function, with `g = 7`.
const LANCZOS: [f64; 9] = [
    0.999_999_999_999_809_9,
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

/// Above this shape the asymptotic series of the median is exact.
const LARGE: f64 = 200.0;

/// The `x` at which the regularized lower incomplete gamma function `P(shape, x)` is one half.
pub(crate) fn gamma_median(shape: f64) -> f64 {
    if shape.is_nan() || shape <= 0.0 {
        return f64::NAN;
    }
    let third = shape - 1.0 / 3.0;
    if shape > LARGE {
        let inverse = shape.recip();
        let corrections =
            [8.0 / 405.0, 184.0 / 25_515.0, 2_248.0 / 3_444_525.0, -19_006_408.0 / 15_345_358_875.0];
        return third + inverse * corrections.iter().rev().fold(0.0, |sum, term| sum * inverse + term);
    }
    // Newton's method on the logarithm of x, which stays positive.
    let start = if shape < 1.0 { (-(2.0_f64.ln()) + ln_gamma(shape + 1.0)) / shape } else { third.ln() };
    let mut logarithm = start;
    for _ in 0..50 {
        let x = logarithm.exp();
        let (below, slope) = lower(shape, x);
        let step = (below - 0.5) / (slope * x);
        logarithm -= step.clamp(-2.0, 2.0);
        if step.abs() < 1e-16 {
            break;
        }
    }
    logarithm.exp()
}

/// `P(shape, x)` and its derivative by `x`.
fn lower(shape: f64, x: f64) -> (f64, f64) {
    let factor = (shape * x.ln() - x - ln_gamma(shape + 1.0)).exp();
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut denominator = shape;
    for _ in 0..2_000 {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    (factor * sum, factor * shape / x)
}

/// The logarithm of the gamma function, for a positive number.
fn ln_gamma(x: f64) -> f64 {
    let x = x - 1.0;
    let [first, rest @ ..] = LANCZOS;
    let mut number = 0.0;
    let sum = rest.iter().fold(first, |sum, coefficient| {
        number += 1.0;
        sum + coefficient / (x + number)
    });
    let t = x + 7.5;
    0.5 * (2.0 * PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_those_of_scipy() {
        for (shape, expected) in [
            (0.2, 0.020_746_339_192_824_86),
            (1.0, std::f64::consts::LN_2),
            (2.0, 1.678_346_990_016_661_2),
            (8.0, 7.669_249_442_500_804),
            (30.0, 29.667_333_138_221_23),
            (400.0, 399.666_716_094_464_4),
        ] {
            let found = gamma_median(shape);
            assert!((found / expected - 1.0).abs() < 2e-14, "{shape}: {found} and not {expected}");
        }
        assert!(gamma_median(0.0).is_nan() && gamma_median(-1.0).is_nan() && gamma_median(f64::NAN).is_nan());
    }
}

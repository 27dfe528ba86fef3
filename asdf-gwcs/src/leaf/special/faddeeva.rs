//! The complex error function of Voigt profiles.

use std::f64::consts::PI;

/// Terms of the sums.
const TERMS: u32 = 12;

/// A complex number: real and imaginary part.
type Complex = [f64; 2];

fn multiply([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn divide([a, b]: Complex, [c, d]: Complex) -> Complex {
    // Division by the larger part first avoids overflow.
    if c.abs() >= d.abs() {
        let ratio = d / c;
        let scale = (c + d * ratio).recip();
        [(a + b * ratio) * scale, (b - a * ratio) * scale]
    } else {
        let ratio = c / d;
        let scale = (c * ratio + d).recip();
        [(a * ratio + b) * scale, (b * ratio - a) * scale]
    }
}

fn exponential([real, imaginary]: Complex) -> Complex {
    let size = real.exp();
    let (sine, cosine) = imaginary.sin_cos();
    [size * cosine, size * sine]
}

/// The Faddeeva function `w(z) = exp(-z^2) erfc(-i z)`.
///
/// It is computed with the trapezoidal rule, whose error falls exponentially with the number of terms. Close to a pole
/// of the rule the midpoint rule takes its place, with a correction for the residue.
pub(crate) fn faddeeva([x, y]: Complex) -> Complex {
    if x.is_nan() || y.is_nan() {
        return [f64::NAN; 2];
    }
    if y < 0.0 {
        // w(z) = 2 exp(-z^2) - w(-z)
        let square = multiply([x, y], [x, y]);
        let [real, imaginary] = exponential([-square[0], -square[1]]);
        let [other, other_imaginary] = faddeeva([-x, -y]);
        return [2.0 * real - other, 2.0 * imaginary - other_imaginary];
    }
    if x < 0.0 {
        let [real, imaginary] = faddeeva([-x, y]);
        return [real, -imaginary];
    }
    if x > 1e7 || y > 1e7 {
        // The first term of the asymptotic series, `i / (sqrt(pi) z)`.
        return divide([0.0, PI.sqrt().recip()], [x, y]);
    }
    let step = (PI / f64::from(TERMS)).sqrt();
    let phase = x / step;
    let near_midpoint = (0.25..=0.75).contains(&(phase - phase.floor()));
    let far = y >= x.max(PI / step);
    let use_trapezoid = !far && y < x && near_midpoint;
    let (z, square) = ([x, y], multiply([x, y], [x, y]));
    let mut sum = [0.0; 2];
    for number in 0..TERMS {
        let node = step * if use_trapezoid { f64::from(number + 1) } else { f64::from(number) + 0.5 };
        let weight = [(-node * node).exp(), 0.0];
        let [real, imaginary] = divide(weight, [square[0] - node * node, square[1]]);
        sum = [sum[0] + real, sum[1] + imaginary];
    }
    let mut result = multiply([0.0, 2.0 * step / PI], multiply(z, sum));
    if use_trapezoid {
        let [real, imaginary] = divide([0.0, step / PI], z);
        result = [result[0] + real, result[1] + imaginary];
    }
    if !far {
        // 2 exp(-z^2) / (1 ± exp(-2 pi i z / h)), with numbers that do not overflow.
        let [real, imaginary] = exponential([-2.0 * PI * y / step, 2.0 * PI * x / step]);
        let sign = if use_trapezoid { -1.0 } else { 1.0 };
        let top = multiply(exponential([-square[0], -square[1]]), [2.0 * real, 2.0 * imaginary]);
        let [real, imaginary] = divide(top, [real + sign, imaginary]);
        result = [result[0] + real, result[1] + imaginary];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_scipy() {
        for (z, expected) in [
            ([0.0, 0.0], [1.0, 0.0]),
            ([0.001, 1e-06], [0.999_997_871_624_589_5, 0.001_128_376_414_847_211_6]),
            ([1.0, 0.5], [0.354_900_332_867_577_83, 0.342_871_719_131_100_8]),
            ([2.3, 1e-08], [0.005_041_761_903_103_035, 0.281_026_167_767_353]),
            ([0.5, 3.0], [0.175_105_212_623_158, 0.026_636_168_446_230_88]),
            ([6.0, 0.1], [0.001_637_027_778_205_248, 0.095_367_659_764_881_26]),
            ([-4.0, 2.0], [0.059_686_929_610_446_006, -0.113_210_056_124_488_4]),
            ([30.0, 0.2], [0.000_125_579_401_695_281_2, 0.018_815_946_271_908_45]),
            ([1e8, 5.0], [2.820_947_917_738_774e-16, 5.641_895_835_477_548e-09]),
            ([0.7, -0.4], [0.725_934_187_070_835_6, 1.095_299_455_243_018_4]),
            ([3.0, 0.0], [0.000_123_409_804_086_679_56, 0.201_157_317_037_600_37]),
            ([0.25, 0.0], [0.939_413_062_813_475_8, 0.270_629_515_617_987_5]),
            ([0.51, 0.0], [0.770_974_484_500_115_3, 0.485_339_186_969_287_46]),
            ([12.0, 0.001], [3.959_521_844_750_748e-06, 0.047_180_778_373_535_084]),
        ] {
            let found = faddeeva(z);
            for (found, expected) in found.into_iter().zip(expected) {
                let error = (found - expected).abs();
                assert!(
                    error <= 1e-13 * f64::abs(expected) + 1e-16,
                    "w({z:?}): {found:e} and not {expected:e}"
                );
            }
        }
    }
}

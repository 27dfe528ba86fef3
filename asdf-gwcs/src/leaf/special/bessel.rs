//! Bessel functions of the first kind.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Below this argument the power series is exact.
const SMALL: f64 = 3.0;

/// Above this argument the asymptotic series is exact.
const LARGE: f64 = 30.0;

/// Intervals of the integral. More than the argument plus twenty are exact, since the integrand is periodic.
const INTERVALS: u32 = 64;

/// The Bessel function of a small integer order, for an argument from 0. The absolute error is about 1e-16.
pub(crate) fn bessel(order: u32, x: f64) -> f64 {
    if x.is_nan() || x.is_infinite() {
        return if x.is_nan() { x } else { 0.0 };
    }
    if x < SMALL {
        series(order, x)
    } else if x < LARGE {
        integral(order, x)
    } else {
        asymptotic(order, x)
    }
}

/// Sums `(-1)^k (x/2)^(2k+n) / (k! (n+k)!)`.
fn series(order: u32, x: f64) -> f64 {
    let half = 0.5 * x;
    let mut term = (1..=order).fold(1.0, |term, factor| term * half / f64::from(factor));
    let mut sum = term;
    for k in 1..40 {
        term *= -half * half / (f64::from(k) * f64::from(k + order));
        sum += term;
    }
    sum
}

/// The mean of `cos(n t - x sin t)` over half a period.
fn integral(order: u32, x: f64) -> f64 {
    let step = PI / f64::from(INTERVALS);
    let inner = (1..INTERVALS).map(|number| {
        let angle = step * f64::from(number);
        (f64::from(order) * angle - x * angle.sin()).cos()
    });
    let ends = 0.5 * (1.0 + (f64::from(order) * PI).cos());
    (ends + inner.sum::<f64>()) / f64::from(INTERVALS)
}

/// Hankel's series in powers of `1 / x`.
fn asymptotic(order: u32, x: f64) -> f64 {
    let square = f64::from(4 * order * order);
    let mut term = 1.0;
    let [mut even, mut odd] = [1.0, 0.0];
    for k in 1..30 {
        let number = f64::from(2 * k - 1);
        term *= (square - number * number) / (f64::from(k) * 8.0 * x);
        let sign = if k % 4 < 2 { 1.0 } else { -1.0 };
        if k % 2 == 0 {
            even += sign * term;
        } else {
            odd += sign * term;
        }
        if term.abs() < 1e-18 {
            break;
        }
    }
    let (sine, cosine) = x.sin_cos();
    // The phase `x - n pi/2 - pi/4`, without subtracting from a large number.
    let (shift_sine, shift_cosine) = (f64::from(order) * FRAC_PI_2 + FRAC_PI_4).sin_cos();
    let phase_cosine = cosine * shift_cosine + sine * shift_sine;
    let phase_sine = sine * shift_cosine - cosine * shift_sine;
    (2.0 / (PI * x)).sqrt() * (even * phase_cosine - odd * phase_sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_methods_agree_where_they_meet() {
        for order in 0..3 {
            assert!((series(order, SMALL) - integral(order, SMALL)).abs() < 1e-15, "order {order}");
            assert!((integral(order, LARGE) - asymptotic(order, LARGE)).abs() < 1e-15, "order {order}");
        }
    }

    #[test]
    fn values_are_those_of_scipy() {
        for (order, x, expected) in [
            (1, 1e-9, 5e-10),
            (1, 2.5, 0.497_094_102_464_274_1),
            (1, 10.0, 0.043_472_746_168_861_6),
            (1, 100.0, -0.077_145_352_014_112_14),
            (0, 7.0, 0.300_079_270_519_555_63),
            (2, 7.0, -0.301_417_220_085_940_1),
        ] {
            let found = bessel(order, x);
            assert!((found - expected).abs() < 3e-16, "J{order}({x}): {found} and not {expected}");
        }
    }
}

//! The numbers that formulas compute with.
//!
//! A formula is written once, over a [`Number`]. Run on `f64` it gives values; run on [`Dual`] it also gives exact
//! derivatives, which Newton's method needs.

mod dual;
mod exponential;
mod large;
mod plain;

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

pub(crate) use dual::Dual;
pub(crate) use exponential::{exp, ln, ln_1p};
pub(crate) use large::{shorten_degrees, shorten_radians};

/// A number that a formula computes with: a plain `f64`, or one that carries derivatives.
///
/// Comparisons use [`value`](Number::value). A loop over a block stays vector code if a formula has no branches, so
/// formulas choose with [`select`](Number::select).
pub(crate) trait Number:
    Copy
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// If the number carries no derivatives.
    const PLAIN: bool;

    /// A number whose derivatives are 0.
    fn constant(value: f64) -> Self;
    fn value(self) -> f64;
    /// Another value with the same derivatives.
    fn with_value(self, value: f64) -> Self;
    /// The result of a function of one number, from its value and derivative at `self`.
    fn chain(self, value: f64, derivative: f64) -> Self;
    /// The result of a function of two numbers, from its value and partial derivatives.
    fn chain_two(self, other: Self, value: f64, derivatives: [f64; 2]) -> Self;
    /// Selects without a branch.
    fn select(condition: bool, yes: Self, no: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Sine and cosine of radians: see [`angle::sin_cos`](crate::angle::sin_cos) about large arguments.
    fn sin_cos(self) -> (Self, Self);
    /// Sine and cosine of radians of at most pi / 4, the same as those of [`sin_cos`](Self::sin_cos).
    fn sin_cos_small(self) -> (Self, Self);
    /// Sine and cosine of degrees, exact at multiples of 90.
    ///
    /// NumPy's `sin(deg2rad(x))` is `self.to_radians().sin_cos()`, and differs by up to 1e-15 for angles of a circle.
    fn sin_cos_degrees(self) -> (Self, Self);
    /// The angle of the point (`x`, `self`) in radians.
    fn atan2(self, x: Self) -> Self;
    /// The same as [`atan2`](Self::atan2) for numbers up to 1e300.
    fn atan2_unscaled(self, x: Self) -> Self;
    fn powf(self, exponent: f64) -> Self;
    fn pow(self, exponent: Self) -> Self;

    /// The absolute value; its derivative at 0 is that on the positive side.
    #[inline(always)]
    fn abs(self) -> Self {
        let value = self.value();
        Self::select(value.is_sign_negative(), -self, self)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let value = exp(self.value());
        self.chain(value, value)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        let value = self.value();
        self.chain(ln(value), value.recip())
    }
    #[inline(always)]
    fn atan(self) -> Self {
        self.atan2(Self::constant(1.0))
    }
    #[inline(always)]
    fn asin(self) -> Self {
        self.atan2(((-self + 1.0) * (self + 1.0)).sqrt())
    }
    #[inline(always)]
    fn acos(self) -> Self {
        ((-self + 1.0) * (self + 1.0)).sqrt().atan2(self)
    }
    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
    /// The next smaller integer, with derivatives of 0.
    #[inline(always)]
    fn floor(self) -> Self {
        Self::constant(self.value().floor())
    }
    /// The nearest integer, halves to the even one as NumPy does, with derivatives of 0.
    #[inline(always)]
    fn round(self) -> Self {
        Self::constant(self.value().round_ties_even())
    }
    #[inline(always)]
    fn to_degrees(self) -> Self {
        self * (180.0 / std::f64::consts::PI)
    }
    #[inline(always)]
    fn to_radians(self) -> Self {
        self * (std::f64::consts::PI / 180.0)
    }
    /// The angle of the point (`x`, `self`) in degrees.
    #[inline(always)]
    fn atan2_degrees(self, x: Self) -> Self {
        self.atan2(x).to_degrees()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks the derivatives of `function` at (`x`, `y`) against central differences.
    fn check(name: &str, x: f64, y: f64, function: impl Functions) {
        let result = function.dual(Dual::variable(x, 0), Dual::variable(y, 1));
        assert_eq!(result.value.to_bits(), function.plain(x, y).to_bits(), "{name}({x}, {y})");
        let step = 1e-6;
        let expected = [
            (function.plain(x + step, y) - function.plain(x - step, y)) / (2.0 * step),
            (function.plain(x, y + step) - function.plain(x, y - step)) / (2.0 * step),
        ];
        for (found, expected) in result.derivatives.into_iter().zip(expected) {
            let error = (found - expected).abs();
            assert!(error < 1e-6 * (1.0 + expected.abs()), "{name}({x}, {y}): {found} and not {expected}");
        }
    }

    trait Functions {
        fn plain(&self, x: f64, y: f64) -> f64;
        fn dual(&self, x: Dual, y: Dual) -> Dual;
    }

    macro_rules! check {
        ($x:expr, $y:expr, $($name:literal: |$a:ident, $b:ident| $body:expr;)*) => {$({
            struct Case;
            impl Functions for Case {
                fn plain(&self, $a: f64, $b: f64) -> f64 {
                    fn run<N: Number>($a: N, $b: N) -> N { $body }
                    run($a, $b)
                }
                fn dual(&self, $a: Dual, $b: Dual) -> Dual {
                    fn run<N: Number>($a: N, $b: N) -> N { $body }
                    run($a, $b)
                }
            }
            check($name, $x, $y, Case);
        })*};
    }

    proptest! {
        #[test]
        fn derivatives_are_those_of_the_values(x in 0.1..0.9_f64, y in 1.1..2.0_f64, sign in prop::bool::ANY) {
            check!(x, y,
                "ln": |a, _b| a.ln();
                "sqrt": |a, _b| a.sqrt();
                "power": |a, b| a.pow(b);
            );
            let x = if sign { x } else { -x };
            check!(x, y,
                "sum": |a, b| a + b * 2.0 - 1.0;
                "product": |a, b| a * b - a / b + (b / a) / 3.0;
                "negative": |a, b| -(a - b);
                "absolute": |a, b| a.abs() * b;
                "sine": |a, b| a.sin_cos().0 * b.sin_cos().1;
                "degrees": |a, b| (a * 50.0).sin_cos_degrees().0 * (b * 50.0).sin_cos_degrees().1;
                "angle": |a, b| a.atan2(b) + b.atan2_degrees(a);
                "arcs": |a, b| a.asin() + (b - 1.5).acos() + a.atan();
                "exponential": |a, b| (a * b).exp();
                "real power": |a, b| b.powf(2.5) + a;
                "hypotenuse": |a, b| a.hypot(b);
                "units": |a, b| a.to_degrees() + b.to_radians();
                "steps": |a, b| a.floor() * b + (a * 10.0).round() * 0.0;
            );
        }
    }

    #[test]
    fn a_choice_takes_all_of_one_number() {
        let (one, other) = (Dual::variable(1.0, 0), Dual::variable(2.0, 1));
        assert_eq!(Number::select(true, one, other), one);
        assert_eq!(Number::select(false, one, other), other);
    }
}

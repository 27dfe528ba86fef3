//! Numbers with derivatives.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Number, ln};
use crate::angle;

/// A number and its derivatives by two variables.
///
/// Functions of more variables are evaluated once for each pair of them. The pair is spelled out, since the compiler does
/// not inline the methods of arrays in large functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) derivatives: [f64; 2],
}

impl Dual {
    /// The variable with this index: its derivative by itself is 1.
    #[inline(always)]
    pub(crate) fn variable(value: f64, index: usize) -> Self {
        let derivative = |other| if other == index { 1.0 } else { 0.0 };
        Dual { value, derivatives: [derivative(0), derivative(1)] }
    }

    /// The derivatives of a function of one number are those of the number, times `factor`.
    #[inline(always)]
    fn scaled(self, value: f64, factor: f64) -> Self {
        let [first, second] = self.derivatives;
        Dual { value, derivatives: [first * factor, second * factor] }
    }

    #[inline(always)]
    fn combined(self, other: Self, value: f64, combine: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b], [c, d]) = (self.derivatives, other.derivatives);
        Dual { value, derivatives: [combine(a, c), combine(b, d)] }
    }
}

impl Default for Dual {
    fn default() -> Self {
        Dual { value: 0.0, derivatives: [0.0; 2] }
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.combined(other, self.value + other.value, |a, b| a + b)
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.combined(other, self.value - other.value, |a, b| a - b)
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.chain_two(other, self.value * other.value, [other.value, self.value])
    }
}

impl Div for Dual {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let inverse = other.value.recip();
        self.chain_two(other, value, [inverse, -(value * inverse)])
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [first, second] = self.derivatives;
        Dual { value: -self.value, derivatives: [-first, -second] }
    }
}

impl Add<f64> for Dual {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: f64) -> Self {
        self.with_value(self.value + other)
    }
}

impl Sub<f64> for Dual {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: f64) -> Self {
        self.with_value(self.value - other)
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        self.scaled(self.value * other, other)
    }
}

impl Div<f64> for Dual {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: f64) -> Self {
        self.scaled(self.value / other, other.recip())
    }
}

impl Number for Dual {
    const PLAIN: bool = false;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        Dual { value, derivatives: [0.0; 2] }
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }
    #[inline(always)]
    fn with_value(self, value: f64) -> Self {
        Dual { value, ..self }
    }
    #[inline(always)]
    fn chain(self, value: f64, derivative: f64) -> Self {
        self.scaled(value, derivative)
    }
    #[inline(always)]
    fn chain_two(self, other: Self, value: f64, [first, second]: [f64; 2]) -> Self {
        self.combined(other, value, |a, b| a * first + b * second)
    }
    #[inline(always)]
    fn select(condition: bool, yes: Self, no: Self) -> Self {
        yes.combined(no, if condition { yes.value } else { no.value }, |a, b| if condition { a } else { b })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        self.scaled(value, 0.5 / value)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = angle::sin_cos(self.value);
        (self.scaled(sine, cosine), self.scaled(cosine, -sine))
    }
    #[inline(always)]
    fn sin_cos_small(self) -> (Self, Self) {
        let (sine, cosine) = angle::sin_cos_small(self.value);
        (self.scaled(sine, cosine), self.scaled(cosine, -sine))
    }
    #[inline(always)]
    fn sin_cos_degrees(self) -> (Self, Self) {
        let (sine, cosine) = angle::sin_cos_degrees(self.value);
        (self.scaled(sine, angle::to_radians(cosine)), self.scaled(cosine, angle::to_radians(-sine)))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let inverse = (self.value * self.value + x.value * x.value).recip();
        self.chain_two(x, angle::atan2(self.value, x.value), [x.value * inverse, -self.value * inverse])
    }
    #[inline(always)]
    fn atan2_unscaled(self, x: Self) -> Self {
        let inverse = (self.value * self.value + x.value * x.value).recip();
        let angle = angle::atan2_unscaled(self.value, x.value);
        self.chain_two(x, angle, [x.value * inverse, -self.value * inverse])
    }
    #[inline(always)]
    fn powf(self, exponent: f64) -> Self {
        let factor = if exponent == 0.0 { 0.0 } else { exponent * self.value.powf(exponent - 1.0) };
        self.scaled(self.value.powf(exponent), factor)
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let first =
            if exponent.value == 0.0 { 0.0 } else { exponent.value * self.value.powf(exponent.value - 1.0) };
        // 0 raised to a positive power stays 0 if the power changes.
        let second = if value == 0.0 { 0.0 } else { value * ln(self.value) };
        // The logarithm of a negative number must not spoil the derivatives if the exponent is constant.
        self.combined(exponent, value, |a, b| a * first + if b == 0.0 { 0.0 } else { b * second })
    }
}

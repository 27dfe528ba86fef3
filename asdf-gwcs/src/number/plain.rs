//! Numbers without derivatives.

use super::{Number, exp, ln};
use crate::angle;

impl Number for f64 {
    const PLAIN: bool = true;

    #[inline(always)]
    fn constant(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn with_value(self, value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn chain(self, value: f64, _: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn chain_two(self, _: f64, value: f64, _: [f64; 2]) -> f64 {
        value
    }
    #[inline(always)]
    fn select(condition: bool, yes: f64, no: f64) -> f64 {
        if condition { yes } else { no }
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (f64, f64) {
        angle::sin_cos(self)
    }
    #[inline(always)]
    fn sin_cos_small(self) -> (f64, f64) {
        angle::sin_cos_small(self)
    }
    #[inline(always)]
    fn sin_cos_degrees(self) -> (f64, f64) {
        angle::sin_cos_degrees(self)
    }
    #[inline(always)]
    fn atan2(self, x: f64) -> f64 {
        angle::atan2(self, x)
    }
    #[inline(always)]
    fn atan2_unscaled(self, x: f64) -> f64 {
        angle::atan2_unscaled(self, x)
    }
    #[inline(always)]
    fn exp(self) -> f64 {
        exp(self)
    }
    #[inline(always)]
    fn ln(self) -> f64 {
        ln(self)
    }
    #[inline(always)]
    fn powf(self, exponent: f64) -> f64 {
        f64::powf(self, exponent)
    }
    #[inline(always)]
    fn pow(self, exponent: f64) -> f64 {
        f64::powf(self, exponent)
    }
}

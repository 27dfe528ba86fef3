//! Floats with a large exponent.

use crate::rational::Rational;

/// A positive number, rounded to a double, whose exponent can be far out of the range of doubles.
///
/// So the parts of a product can be multiplied in any order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wide {
    /// From 1 up to 2. Not normal if a double was not.
    part: f64,
    two: i64,
}

impl Wide {
    pub(crate) fn new(value: f64) -> Self {
        const EXPONENT: u64 = 0x7ff << 52;
        if !value.is_normal() {
            return Self { part: value, two: 0 };
        }
        let bits = value.to_bits();
        let two = i64::try_from((bits & EXPONENT) >> 52).unwrap_or_default() - 1023;
        Self { part: f64::from_bits(bits & !EXPONENT | 1023 << 52), two }
    }

    /// Returns the double, which is infinite or zero if the exponent is out of range.
    pub(crate) fn to_f64(self) -> f64 {
        let two = i32::try_from(self.two.clamp(-2000, 2000)).unwrap_or_default();
        self.part * 2_f64.powi(two / 2) * 2_f64.powi(two - two / 2)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self::new(self.part * other.part).shifted(self.two.saturating_add(other.two))
    }

    /// Returns the number times a power of two.
    pub(crate) fn shifted(self, two: i64) -> Self {
        Self { two: self.two.saturating_add(two), ..self }
    }

    pub(crate) fn power(self, power: Rational) -> Self {
        let (numerator, denominator) = (i64::from(power.numerator()), i64::from(power.denominator()));
        let two = self.two.saturating_mul(numerator);
        let rest =
            Rational::new(two.rem_euclid(denominator), denominator).map_or(1.0, |rest| rest.to_f64().exp2());
        Self::new(self.part.powf(power.to_f64()) * rest).shifted(two.div_euclid(denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_stay_the_same() {
        for value in [1.0, 1.5, 1e-300, 1e300, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, 0.0, 5e-324] {
            assert_eq!(Wide::new(value).to_f64(), value);
        }
    }

    #[test]
    fn parts_of_a_product_can_be_out_of_range() {
        let large = Wide::new(3e300).power(Rational::from(1000));
        let small = Wide::new(3e300).power(Rational::from(-999));
        assert_eq!((large.to_f64(), small.to_f64()), (f64::INFINITY, 0.0));
        assert!((large.times(small).to_f64() / 3e300 - 1.0).abs() < 1e-12);
        let root = large.power(Rational::new(1, 2000).unwrap()).to_f64();
        assert!((root / 3e300_f64.sqrt() - 1.0).abs() < 1e-14, "{root}");
    }
}

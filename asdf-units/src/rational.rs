//! Exact powers.

use std::fmt;

use crate::error::{Error, Result};

/// A fraction in lowest terms: the power of a unit or of a dimension.
///
/// Numerator and denominator are at most 1,000,000 in size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i32,
    denominator: i32,
}

const MOST: i64 = 1_000_000;

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// One.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// A fraction.
    ///
    /// # Errors
    /// When the denominator is zero, or the fraction in lowest terms is too large.
    pub fn new(numerator: i64, denominator: i64) -> Result<Self> {
        if denominator == 0 {
            return Err(Error::new("a power divided by zero"));
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let reduce =
            |part: i64| i64::try_from(part.unsigned_abs() / divisor).ok().filter(|&part| part <= MOST);
        match (reduce(numerator), reduce(denominator)) {
            (Some(size), Some(denominator_size)) => {
                let size = i32::try_from(size).unwrap_or(i32::MAX);
                let sign = if (numerator < 0) == (denominator < 0) { 1 } else { -1 };
                let denominator = i32::try_from(denominator_size).unwrap_or(i32::MAX);
                Ok(Self { numerator: sign * size, denominator })
            }
            _ => Err(Error::new(format!("the power {numerator}/{denominator} is too large"))
                .with_hint("numerator and denominator are at most 1000000")),
        }
    }

    /// The numerator, with the sign.
    #[must_use]
    pub fn numerator(self) -> i32 {
        self.numerator
    }

    /// The denominator, which is positive.
    #[must_use]
    pub fn denominator(self) -> i32 {
        self.denominator
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The nearest float.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    pub(crate) fn plus(self, other: Self) -> Result<Self> {
        let (a, b) = (i64::from(self.numerator), i64::from(self.denominator));
        let (c, d) = (i64::from(other.numerator), i64::from(other.denominator));
        Self::new(a * d + c * b, b * d)
    }

    pub(crate) fn times(self, other: Self) -> Result<Self> {
        Self::new(
            i64::from(self.numerator) * i64::from(other.numerator),
            i64::from(self.denominator) * i64::from(other.denominator),
        )
    }

    /// A decimal fraction. With four digits or more, one that only rounds a simple fraction is that one:
    /// `0.3333` is a third.
    pub(crate) fn from_decimal(text: &str) -> Result<Self> {
        let bad = || {
            Error::new(format!("'{text}' is no power")).with_hint("powers look like 2, -1, (1/2) or (0.5)")
        };
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() + fraction.len() > 15 {
            return Self::simple(text.parse().map_err(|_| bad())?, fraction.len()).ok_or_else(bad);
        }
        let value: i64 = format!("{whole}{fraction}").parse().map_err(|_| bad())?;
        let ten = u32::try_from(fraction.len())
            .ok()
            .and_then(|places| 10_i64.checked_pow(places))
            .ok_or_else(bad)?;
        let simple = if fraction.len() >= 4 {
            Self::simple(text.parse().map_err(|_| bad())?, fraction.len())
        } else {
            None
        };
        simple.map_or_else(|| Self::new(sign * value, ten), Ok)
    }

    /// The fraction with a denominator of at most 12 that a decimal with so many places rounds.
    fn simple(value: f64, places: usize) -> Option<Self> {
        let tolerance = 0.6 * 0.1_f64.powi(i32::try_from(places.min(15)).ok()?);
        (1..=12_i32).find_map(|denominator| {
            let numerator = (value * f64::from(denominator)).round();
            let near = (value - numerator / f64::from(denominator)).abs() <= tolerance;
            #[allow(clippy::cast_possible_truncation, reason = "the bound is checked before")]
            let whole = (numerator.abs() <= 1e6).then_some(numerator as i64)?;
            if near { Self::new(whole, denominator.into()).ok() } else { None }
        })
    }
}

impl From<i32> for Rational {
    /// A whole number; beyond a million it is a million.
    fn from(value: i32) -> Self {
        Self { numerator: value.clamp(-1_000_000, 1_000_000), denominator: 1 }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_or_the_fraction_that_they_round() {
        for (text, fraction) in [
            ("0.5", "1/2"),
            ("-1.25", "-5/4"),
            ("0.3333", "1/3"),
            ("0.3333333333333333", "1/3"),
            ("-0.6666666666666666", "-2/3"),
            ("0.33", "33/100"),
            ("2.0", "2"),
        ] {
            assert_eq!(Rational::from_decimal(text).unwrap().to_string(), fraction, "{text}");
        }
        assert!(Rational::from_decimal("1e5").is_err());
        assert!(Rational::new(1, 0).is_err());
        assert!(Rational::new(2_000_001, 1).is_err());
        assert_eq!(Rational::new(i64::MIN, i64::MIN).unwrap(), Rational::ONE);
    }
}

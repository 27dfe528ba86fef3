//! Exact fractions as powers.

use std::fmt;

use crate::error::{Error, Result};

/// A fraction in lowest terms, used as the power of a unit or dimension.
///
/// The numerator is between -1,000,000 and 1,000,000, the denominator between 1 and 1,000,000.
///
/// # Examples
///
/// ```
/// use asdf_units::{Rational, Unit};
///
/// let half = Rational::new(2, 4)?;
/// assert_eq!(half.to_string(), "1/2");
/// assert_eq!(Unit::parse("m**2")?.power(half)?, Unit::parse("m")?);
/// # Ok::<(), asdf_units::Error>(())
/// ```
#[doc(alias = "Fraction")]
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

    /// Returns a fraction in lowest terms.
    ///
    /// # Errors
    /// If the denominator is zero, or a part of the reduced fraction is larger than 1,000,000.
    pub fn new(numerator: i64, denominator: i64) -> Result<Self> {
        if denominator == 0 {
            return Err(Error::new("the denominator of a power must not be zero"));
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
                .with_hint("use a numerator and a denominator of at most 1000000")),
        }
    }

    /// Returns the numerator, which has the sign.
    #[must_use]
    pub fn numerator(self) -> i32 {
        self.numerator
    }

    /// Returns the denominator, which is positive.
    #[must_use]
    pub fn denominator(self) -> i32 {
        self.denominator
    }

    /// Returns true if the fraction is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Returns the nearest float.
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

    /// Parses a decimal number. If it has four or more decimal places and is a rounded simple fraction, it is read as
    /// that fraction: `0.3333` is 1/3.
    pub(crate) fn from_decimal(text: &str) -> Result<Self> {
        let bad = || {
            Error::new(format!("'{text}' is not a power"))
                .with_hint("write a power such as 2, -1, (1/2) or (0.5)")
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

    /// Returns the fraction with a denominator of at most 12 that rounds to `value` at this number of decimal places.
    fn simple(value: f64, places: usize) -> Option<Self> {
        let tolerance = 0.6 * 0.1_f64.powi(i32::try_from(places.min(15)).ok()?);
        (1..=12_i32).find_map(|denominator| {
            let numerator = (value * f64::from(denominator)).round();
            let near = (value - numerator / f64::from(denominator)).abs() <= tolerance;
            #[allow(clippy::cast_possible_truncation, reason = "the bound is checked")]
            let whole = (numerator.abs() <= 1e6).then_some(numerator as i64)?;
            if near { Self::new(whole, denominator.into()).ok() } else { None }
        })
    }
}

impl From<i32> for Rational {
    /// Returns an integer, clamped to between -1,000,000 and 1,000,000.
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
    fn decimals_are_exact_or_a_simple_fraction() {
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

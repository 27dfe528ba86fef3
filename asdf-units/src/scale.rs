//! Exact scale factors.

use std::cmp::Ordering;

use crate::rational::Rational;
use crate::wide::Wide;

/// The size of a unit in base units, a positive number.
///
/// The value is a fraction times powers of 2, 5 and π, so prefixes and definitions cancel without rounding. Other
/// irrational numbers (the square root of 2) and numbers of more than 38 digits are stored as the nearest float.
///
/// # Examples
///
/// ```
/// use asdf_units::Unit;
///
/// let scale = Unit::parse("deg")?.scale();
/// assert!(scale.is_exact());
/// assert_eq!(scale.to_f64(), 1_f64.to_radians());
/// # Ok::<(), asdf_units::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scale(Value);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    /// `numerator / denominator * 2**two * 5**five * π**pi`. The numerator and denominator have no common divisor, and
    /// neither is divisible by 2 or 5.
    Exact {
        numerator: u128,
        denominator: u128,
        two: i32,
        five: i32,
        pi: i32,
    },
    Near(Wide),
}

impl Scale {
    /// One.
    pub const ONE: Self = Self(Value::Exact { numerator: 1, denominator: 1, two: 0, five: 0, pi: 0 });

    /// Returns `numerator / denominator * 10**ten * π**pi`, or one if the numerator or denominator is zero.
    pub(crate) fn new(numerator: u128, denominator: u128, ten: i32, pi: i32) -> Self {
        if numerator == 0 || denominator == 0 {
            return Self::ONE;
        }
        let divisor = gcd(numerator, denominator);
        let (numerator, two, five) = without_tens(numerator / divisor);
        let (denominator, less_two, less_five) = without_tens(denominator / divisor);
        let (two, five) = (ten.saturating_add(two - less_two), ten.saturating_add(five - less_five));
        Self(Value::Exact { numerator, denominator, two, five, pi })
    }

    pub(crate) fn of_two(power: i32) -> Self {
        Self(Value::Exact { numerator: 1, denominator: 1, two: power, five: 0, pi: 0 })
    }

    pub(crate) fn near(value: f64) -> Self {
        Self(Value::Near(Wide::new(value)))
    }

    /// Returns true if the factor is exact, without rounding.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.0, Value::Exact { .. })
    }

    /// Returns the factor as a float.
    ///
    /// For an exact factor the error is at most 2 units in the last place, plus one for each power of π.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match self.0 {
            Value::Near(value) => value.to_f64(),
            Value::Exact { numerator, denominator, two, five, pi } => {
                // Parsing a decimal number rounds correctly, and so do powers of ten.
                let ten = |whole: u128, power: i32| -> f64 {
                    format!("{whole}e{power}").parse().unwrap_or(f64::INFINITY)
                };
                #[allow(clippy::cast_precision_loss, reason = "the documentation states the accuracy")]
                let denominator = denominator as f64;
                let rest = two.saturating_sub(five);
                let (half, other_half) = (2_f64.powi(rest / 2), 2_f64.powi(rest - rest / 2));
                let tens = ten(numerator, five);
                let quotient = tens / denominator;
                let value = if tens.is_normal() && quotient.is_normal() {
                    quotient * half * other_half
                } else {
                    // The powers of ten leave the range, but the other parts can bring them back.
                    ten(numerator, five / 2) / denominator * half * ten(1, five - five / 2) * other_half
                };
                value * std::f64::consts::PI.powi(pi)
            }
        }
    }

    /// Returns the factor rounded to the digits of a double, also if it is out of their range.
    fn wide(&self) -> Wide {
        match self.0 {
            Value::Near(wide) => wide,
            Value::Exact { .. } if self.is_in_range() => Wide::new(self.to_f64()),
            Value::Exact { numerator, denominator, two, five, pi } => {
                #[allow(clippy::cast_precision_loss, reason = "the result is rounded")]
                let fraction = Wide::new(numerator as f64 / denominator as f64);
                let fives = Wide::new(5.0).power(Rational::from(five));
                let pis = Wide::new(std::f64::consts::PI).power(Rational::from(pi));
                fraction.times(fives).times(pis).shifted(two.into())
            }
        }
    }

    /// Returns whether a double can hold the factor with all its digits.
    pub(crate) fn is_in_range(&self) -> bool {
        self.to_f64().is_normal()
    }

    pub(crate) fn times(self, other: Self) -> Self {
        self.exactly_times(other).unwrap_or_else(|| Self(Value::Near(self.wide().times(other.wide()))))
    }

    fn exactly_times(self, other: Self) -> Option<Self> {
        let (
            Value::Exact { numerator: a, denominator: b, two, five, pi },
            Value::Exact { numerator: c, denominator: d, two: two_too, five: five_too, pi: pi_too },
        ) = (self.0, other.0)
        else {
            return None;
        };
        let (across, back) = (gcd(a, d), gcd(c, b));
        Some(Self(Value::Exact {
            numerator: (a / across).checked_mul(c / back)?,
            denominator: (b / back).checked_mul(d / across)?,
            two: two.checked_add(two_too)?,
            five: five.checked_add(five_too)?,
            pi: pi.checked_add(pi_too)?,
        }))
    }

    pub(crate) fn power(self, power: Rational) -> Self {
        self.exact_power(power).unwrap_or_else(|| Self(Value::Near(self.wide().power(power))))
    }

    fn exact_power(self, power: Rational) -> Option<Self> {
        let Value::Exact { numerator, denominator, two, five, pi } = self.0 else { return None };
        let root = power.denominator();
        let exponent = |whole: i32| {
            (whole % root == 0).then_some(())?;
            (whole / root).checked_mul(power.numerator())
        };
        let times = power.numerator().unsigned_abs();
        let part = |whole: u128| exact_root(whole, root)?.checked_pow(times);
        let (mut numerator, mut denominator) = (part(numerator)?, part(denominator)?);
        if power.numerator() < 0 {
            std::mem::swap(&mut numerator, &mut denominator);
        }
        let (two, five, pi) = (exponent(two)?, exponent(five)?, exponent(pi)?);
        Some(Self(Value::Exact { numerator, denominator, two, five, pi }))
    }

    /// Returns the factor as `digits * 10**ten`, if it is a decimal number of up to 38 digits.
    pub(crate) fn decimal(&self) -> Option<(u128, i32)> {
        match self.0 {
            Value::Exact { numerator, denominator: 1, two, five, pi: 0 } => {
                let ten = two.min(five);
                let twos = 2_u128.checked_pow(u32::try_from(two.checked_sub(ten)?).ok()?)?;
                let fives = 5_u128.checked_pow(u32::try_from(five.checked_sub(ten)?).ok()?)?;
                Some((numerator.checked_mul(twos)?.checked_mul(fives)?, ten))
            }
            _ => None,
        }
    }
}

impl PartialEq for Scale {
    /// Compares exact factors exactly, and others with a relative tolerance of 10^-14.
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Value::Exact { .. }, Value::Exact { .. }) => self.0 == other.0,
            _ => {
                let (a, b) = (self.to_f64(), other.to_f64());
                a.partial_cmp(&b) == Some(Ordering::Equal) || (a - b).abs() <= 1e-14 * a.abs().min(b.abs())
            }
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Returns a number without its factors 2 and 5, and the counts of these factors.
fn without_tens(mut number: u128) -> (u128, i32, i32) {
    let (mut two, mut five) = (0, 0);
    while number % 2 == 0 {
        number /= 2;
        two += 1;
    }
    while number % 5 == 0 {
        number /= 5;
        five += 1;
    }
    (number, two, five)
}

fn exact_root(number: u128, root: i32) -> Option<u128> {
    if root == 1 || number == 1 {
        return Some(number);
    }
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the guess is checked below"
    )]
    let guess = (number as f64).powf(1.0 / f64::from(root)).round() as u128;
    (guess.saturating_sub(1)..=guess.saturating_add(1)).find(|&guess| {
        guess > 0 && u32::try_from(root).ok().and_then(|root| guess.checked_pow(root)) == Some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_roots_are_exact() {
        let inch = Scale::new(254, 1, -4, 0);
        assert_eq!(inch.to_f64(), 0.0254);
        assert_eq!(inch.decimal(), Some((254, -4)));
        let square = inch.power(Rational::from(2));
        assert_eq!(square.power(Rational::new(1, 2).unwrap()), inch);
        assert!(square.is_exact());
        assert!(!inch.power(Rational::new(1, 2).unwrap()).is_exact());
        assert_eq!(inch.times(inch.power(Rational::from(-1))), Scale::ONE);
    }

    #[test]
    fn degrees_are_correctly_rounded() {
        assert_eq!(Scale::new(1, 180, 0, 1).to_f64(), 1_f64.to_radians());
        assert_eq!(Scale::new(1, 1, 400, 0).to_f64(), f64::INFINITY);
        assert_eq!(
            Scale::new(1, 1, i32::MAX, 0).times(Scale::new(1, 1, i32::MAX, 0)).to_f64(),
            f64::INFINITY
        );
    }

    #[test]
    fn powers_of_ten_beyond_the_range_cancel() {
        let near = |scale: Scale, value: f64| (scale.to_f64() / value - 1.0).abs() < 1e-14;
        let large = Scale::new(1, 3_u128.pow(60), 320, 0);
        assert!(near(large, 1e292 / 3_f64.powi(60) * 1e28));
        assert!(near(large.power(Rational::from(-1)), 3_f64.powi(60) / 1e292 / 1e28));
        assert!(near(
            Scale::new(1, 1, 400, 0).times(Scale::of_two(-1300)),
            1e200 * 2_f64.powi(-1000) * 1e200 * 2_f64.powi(-300)
        ));
    }
}

//! Constraints on numbers.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;

use crate::value::Number;

/// A value that can be compared as a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number, so its size cannot be checked",
    label = "this checks numbers",
    note = "`minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of` and `one_of` are for \
            numbers; strings have `min_length` and `max_length`, sequences have `min_items` and `max_items`"
)]
pub trait Numeric {
    /// Returns the number.
    fn number(&self) -> Number;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Numeric for $type {
            fn number(&self) -> Number {
                Number::Int((*self).into())
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Numeric for BigInt {
    fn number(&self) -> Number {
        Number::Int(self.clone())
    }
}

impl Numeric for f64 {
    fn number(&self) -> Number {
        Number::Float(*self)
    }
}

impl Numeric for f32 {
    /// Returns the number as it is written: `0.1f32` is at most 0.1.
    fn number(&self) -> Number {
        Number::Float(format!("{self:e}").parse().unwrap_or(f64::from(*self)))
    }
}

impl Numeric for Number {
    fn number(&self) -> Number {
        self.clone()
    }
}

impl<T: Numeric + ?Sized> Numeric for Box<T> {
    fn number(&self) -> Number {
        (**self).number()
    }
}

/// The number of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// Compares a number and a bound by their exact values.
///
/// Returns `None` for NaN, which is therefore within every bound, as in Python's asdf.
fn order(value: &Number, bound: Bound) -> Option<Ordering> {
    match (value, bound) {
        (Number::Int(value), Bound::Int(bound)) => Some(value.cmp(&BigInt::from(bound))),
        (Number::Int(value), Bound::Float(bound)) => against_float(value, bound),
        (Number::Float(value), Bound::Int(bound)) => {
            against_float(&BigInt::from(bound), *value).map(Ordering::reverse)
        }
        (Number::Float(value), Bound::Float(bound)) => value.partial_cmp(&bound),
    }
}

fn against_float(int: &BigInt, float: f64) -> Option<Ordering> {
    // 2^126: the integer part of every smaller float fits an i128.
    const LARGE: f64 = 85_070_591_730_234_615_865_843_651_857_942_052_864.0;
    if float.is_nan() {
        return None;
    }
    if float.abs() >= LARGE {
        return Number::Int(int.clone()).to_f64().partial_cmp(&float);
    }
    #[allow(clippy::cast_possible_truncation, reason = "a whole number below 2^126 in size")]
    let whole = float.floor() as i128;
    let fraction = float - float.floor();
    let above = if fraction > 0.0 { Ordering::Less } else { Ordering::Equal };
    Some(int.cmp(&BigInt::from(whole)).then(above))
}

/// Returns the fault of a number that is too small.
pub fn minimum<T: Numeric + ?Sized>(value: &T, bound: Bound) -> Option<String> {
    (order(&value.number(), bound) == Some(Ordering::Less)).then(|| format!("at least {bound}"))
}

/// Returns the fault of a number that is too large.
pub fn maximum<T: Numeric + ?Sized>(value: &T, bound: Bound) -> Option<String> {
    (order(&value.number(), bound) == Some(Ordering::Greater)).then(|| format!("at most {bound}"))
}

/// Returns the fault of a number that is not larger than the bound.
pub fn exclusive_minimum<T: Numeric + ?Sized>(value: &T, bound: Bound) -> Option<String> {
    let order = order(&value.number(), bound);
    matches!(order, Some(Ordering::Less | Ordering::Equal)).then(|| format!("more than {bound}"))
}

/// Returns the fault of a number that is not smaller than the bound.
pub fn exclusive_maximum<T: Numeric + ?Sized>(value: &T, bound: Bound) -> Option<String> {
    let order = order(&value.number(), bound);
    matches!(order, Some(Ordering::Greater | Ordering::Equal)).then(|| format!("less than {bound}"))
}

/// Returns the fault of a number that equals none of the given ones.
///
/// Integers and floats are compared by value.
pub fn one_of<T: Numeric + ?Sized>(value: &T, numbers: &[Bound]) -> Option<String> {
    let value = value.number();
    let found = numbers.iter().any(|&number| order(&value, number) == Some(Ordering::Equal));
    (!found).then(|| {
        let all: Vec<String> = numbers.iter().map(Bound::to_string).collect();
        match all.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => all.concat(),
        }
    })
}

/// Returns the fault of a number that is not a multiple of another.
///
/// For floats this is as exact as their division: 0.3 is not a multiple of 0.1, and neither is it in Python.
/// NaN and infinity are multiples of nothing.
pub fn multiple_of<T: Numeric + ?Sized>(value: &T, of: Bound) -> Option<String> {
    #[allow(clippy::cast_precision_loss, reason = "only floats are divided by it")]
    let whole = match (&value.number(), of) {
        (_, Bound::Int(0)) => false,
        (Number::Int(value), Bound::Int(of)) => value % BigInt::from(of) == BigInt::ZERO,
        (Number::Float(value), Bound::Int(of)) => value % of as f64 == 0.0,
        (value, Bound::Float(of)) => (value.to_f64() / of).fract() == 0.0,
    };
    (!whole).then(|| format!("a multiple of {of}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Bound::{Float, Int};

    #[test]
    fn bounds() {
        assert_eq!(minimum(&5, Int(5)), None);
        assert_eq!(minimum(&4, Int(5)).unwrap(), "at least 5");
        assert_eq!(maximum(&5.5, Int(5)).unwrap(), "at most 5");
        assert_eq!(exclusive_minimum(&0.0, Int(0)).unwrap(), "more than 0");
        assert_eq!(exclusive_minimum(&0.1, Int(0)), None);
        assert_eq!(exclusive_maximum(&360u16, Float(360.0)).unwrap(), "less than 360");
        assert_eq!(minimum(&f64::NAN, Int(5)), None);
        assert!(
            maximum(&f64::INFINITY, Int(5)).is_some() && minimum(&f64::NEG_INFINITY, Float(-1e300)).is_some()
        );
        assert_eq!(maximum(&0.1f32, Float(0.1)), None);
    }

    #[test]
    fn one_of_several_numbers() {
        let signs = [Int(-1), Int(1)];
        assert_eq!(one_of(&1, &signs), None);
        assert_eq!(one_of(&-1.0, &signs), None);
        assert_eq!(one_of(&0, &signs).unwrap(), "-1 or 1");
        assert_eq!(one_of(&f64::NAN, &[Int(1), Int(2), Float(2.5)]).unwrap(), "1, 2 or 2.5");
        assert_eq!(one_of(&5, &[Int(4)]).unwrap(), "4");
    }

    #[test]
    fn comparison_is_exact() {
        let two_53 = 9_007_199_254_740_992_i64;
        assert!(maximum(&(two_53 + 1), Float(9_007_199_254_740_992.0)).is_some());
        assert!(maximum(&9_007_199_254_740_992.0, Int(i128::from(two_53) - 1)).is_some());
        assert!(maximum(&-3, Float(-3.5)).is_some() && maximum(&-4, Float(-3.5)).is_none());
        assert!(minimum(&3, Float(3.5)).is_some() && minimum(&4, Float(3.5)).is_none());
        assert!(maximum(&u128::MAX, Int(i128::MAX)).is_some());
        assert!(maximum(&u128::MAX, Float(1e30)).is_some() && maximum(&u128::MAX, Float(1e300)).is_none());
        assert!(maximum(&1, Float(f64::INFINITY)).is_none());
    }

    #[test]
    fn multiples() {
        for (value, of, fits) in [
            (Number::from(10), Int(5), true),
            (Number::from(11), Int(5), false),
            (Number::from(-10), Int(5), true),
            (Number::from(10.0), Int(5), true),
            (Number::from(7.5), Float(2.5), true),
            (Number::from(0.3), Float(0.1), false),
            (Number::from(3), Float(1.5), true),
            (Number::from(f64::NAN), Int(2), false),
            (Number::from(f64::INFINITY), Float(0.5), false),
        ] {
            assert_eq!(multiple_of(&value, of).is_none(), fits, "{value:?} of {of}");
        }
        assert_eq!(multiple_of(&11, Int(5)).unwrap(), "a multiple of 5");
    }
}

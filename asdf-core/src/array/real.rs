//! Real elements of an array, each exact, in their order.

use std::cmp::Ordering;

use super::statistics::Numbers;

/// A real number that is an element of an array.
pub(super) trait Real: Copy {
    /// Returns the nearest float.
    fn float(self) -> f64;

    fn is_finite(self) -> bool;

    /// Compares by the total order.
    fn order(&self, other: &Self) -> Ordering;

    /// Returns an unsigned integer with the same order as the numbers.
    fn key(self) -> u128;

    /// Returns the number with this key.
    fn of_key(key: u128) -> Self;

    /// Returns the float at a fraction of the distance between two numbers, computed from the nearer one as
    /// in numpy.
    fn between(low: Self, high: Self, part: f64) -> f64;

    /// Returns the elements of an array whose datatype fits.
    fn of(numbers: Numbers) -> Vec<Self>;
}

impl Real for f64 {
    fn float(self) -> f64 {
        self
    }

    fn is_finite(self) -> bool {
        self.is_finite()
    }

    fn order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }

    fn key(self) -> u128 {
        let bits = self.to_bits();
        u128::from(if bits >> 63 == 0 { bits | 1 << 63 } else { !bits })
    }

    fn of_key(key: u128) -> Self {
        let key = u64::try_from(key).unwrap_or(u64::MAX);
        Self::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
    }

    fn between(low: Self, high: Self, part: f64) -> f64 {
        if part < 0.5 { low + (high - low) * part } else { high - (high - low) * (1.0 - part) }
    }

    fn of(numbers: Numbers) -> Vec<Self> {
        numbers.into_floats()
    }
}

macro_rules! integers {
    ($($type:ty: $unsigned:ty, $smallest:expr;)*) => {$(
        impl Real for $type {
            #[allow(clippy::cast_precision_loss, reason = "the nearest float is wanted")]
            fn float(self) -> f64 {
                self as f64
            }

            fn is_finite(self) -> bool {
                true
            }

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn key(self) -> u128 {
                // The distance from the smallest number always fits.
                self.abs_diff($smallest).into()
            }

            fn of_key(key: u128) -> Self {
                let distance = <$unsigned>::try_from(key).unwrap_or(<$unsigned>::MAX);
                <$type>::wrapping_add($smallest, distance as $type)
            }

            #[allow(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_possible_wrap,
                reason = "a part of the distance, which fits"
            )]
            fn between(low: Self, high: Self, part: f64) -> f64 {
                // Exact until the sum is rounded.
                let both = i128::try_from(low).ok().zip(i128::try_from(high).ok());
                let sum = both.and_then(|(low, high)| low.checked_add(high));
                if let Some(sum) = sum.filter(|_| part == 0.5) {
                    return sum as f64 / 2.0;
                }
                let distance = high.abs_diff(low) as f64;
                let way = if part < 0.5 { distance * part } else { distance * (1.0 - part) };
                let whole = way.trunc() as $unsigned as $type;
                match part < 0.5 {
                    true => low.wrapping_add(whole) as f64 + way.fract(),
                    false => high.wrapping_sub(whole) as f64 - way.fract(),
                }
            }

            fn of(numbers: Numbers) -> Vec<Self> {
                match numbers {
                    Numbers::Floats(..) => Vec::new(),
                    Numbers::Small(values, _) => fitting(values),
                    Numbers::Large(values, _) => fitting(values),
                    Numbers::Largest(values, _) => fitting(values),
                }
            }
        }
    )*};
}

integers! {
    i64: u64, i64::MIN;
    i128: u128, i128::MIN;
    u128: u128, 0;
}

/// Converts numbers to another type that can hold them all. A vector that has the type already is not copied.
fn fitting<F, T: TryFrom<F>>(values: Vec<F>) -> Vec<T> {
    values.into_iter().filter_map(|value| T::try_from(value).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps_order<T: Real + PartialEq + std::fmt::Debug>(numbers: &[T]) {
        for pair in numbers.windows(2) {
            assert!(pair[0].key() < pair[1].key(), "{pair:?}");
            assert_eq!(pair[0].order(&pair[1]), Ordering::Less);
        }
        for number in numbers {
            assert_eq!(T::of_key(number.key()), *number);
        }
    }

    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        keeps_order(&[f64::MIN, -1.5, -0.0, 0.0, 1e-300, 2.0, f64::MAX]);
        keeps_order(&[i64::MIN, -7, 0, 1, i64::MAX]);
        keeps_order(&[i128::MIN, -7, 0, 1, i128::MAX]);
        keeps_order(&[0, 1, u128::MAX]);
    }

    #[test]
    fn integers_are_rounded_once() {
        const TWO_53: i64 = 1 << 53;
        assert_eq!(i64::between(5, TWO_53 + 1, 0.5), 4_503_599_627_370_499.0);
        assert_eq!(i64::between(i64::MIN, i64::MAX, 0.5), -0.5);
        // 2^54 + 2.5 is nearer to 2^54 + 4 than to 2^54.
        assert_eq!(i64::between(2 * TWO_53 + 2, 2 * TWO_53 + 3, 0.5), 18_014_398_509_481_988.0);
        assert_eq!(i64::between(TWO_53 + 1, TWO_53 + 5, 0.25), 9_007_199_254_740_994.0);
        assert_eq!(i64::between(TWO_53 + 1, TWO_53 + 5, 0.75), 9_007_199_254_740_996.0);
        assert_eq!(i64::between(-3, 4, 0.1), -3.0 + 7.0 * 0.1);
        assert_eq!(u128::between(0, u128::MAX, 1.0), u128::MAX.float());
        assert_eq!(i128::between(i128::MIN, i128::MAX, 0.25), i128::MIN.float() / 2.0);
    }
}

//! Statistics of the elements of an array.

use super::{Datatype, NdArray, Value};
use crate::error::{Error, Result};

/// The number of elements that are processed in one piece.
const PIECE: u64 = 1 << 20;

/// Statistics of the elements of an array; see [`NdArray::statistics`].
///
/// Elements that are missing, by a mask or by `null`, and NaN and infinities are counted, but otherwise left
/// out.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
///
/// let found = NdArray::new(&[4], &[1.0_f64, 2.0, f64::NAN, 6.0])?.statistics()?;
/// assert_eq!((found.count, found.nan, found.mean), (3, 1, Some(3.0)));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of finite elements, which all other statistics are about.
    pub count: u64,
    /// The number of missing elements.
    pub missing: u64,
    /// The number of NaN.
    pub nan: u64,
    /// The number of infinite elements.
    pub infinite: u64,
    /// The smallest element, an integer if the elements are integers; `None` without finite elements.
    pub minimum: Option<Value>,
    /// The largest element.
    pub maximum: Option<Value>,
    /// The sum: exact for integers, unless it needs more than 128 bits.
    pub sum: Option<Value>,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation of the population, like numpy's `std` with `ddof=0`: the root of the mean
    /// square distance from the mean.
    #[doc(alias = "std")]
    pub deviation: Option<f64>,
}

impl NdArray {
    /// Computes minimum, maximum, sum, mean and standard deviation.
    ///
    /// Also counts the elements that are missing, NaN or infinite. Minimum, maximum and sum of integers are
    /// exact; `bool8` counts as 0 and 1.
    ///
    /// Reads the array once, a million elements at a time. Memory use does not grow with the array, but
    /// some compressed blocks must be decoded whole.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Value;
    ///
    /// let array = NdArray::new(&[2, 2], &[1.0_f32, 3.0, f32::NAN, 5.0])?;
    /// let found = array.statistics()?;
    /// assert_eq!((found.minimum, found.mean), (Some(Value::Float(1.0)), Some(3.0)));
    /// assert_eq!((found.count, found.nan), (3, 1));
    ///
    /// let large = NdArray::new(&[2], &[i64::MAX, i64::MAX - 2])?.statistics()?;
    /// assert_eq!(large.maximum, Some(Value::Int(9_223_372_036_854_775_807)));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the elements are not real numbers; and as
    /// [`elements`](Self::elements).
    pub fn statistics(&self) -> Result<Statistics> {
        self.check_real()?;
        let mut running = Running::default();
        self.each_piece(&mut |piece| {
            match piece.numbers()? {
                Numbers::Floats(values, missing) => running.floats(&values, missing),
                Numbers::Small(values, missing) => running.integers(&values, missing),
                Numbers::Large(values, missing) => running.integers(&values, missing),
                Numbers::Largest(values, missing) => running.integers(&values, missing),
            }
            Ok(())
        })?;
        Ok(running.end())
    }

    /// Counts the finite elements in each of `bins` intervals of equal width between `low` and `high`.
    ///
    /// Elements equal to `high` are in the last interval. Reads the array in pieces, as
    /// [`statistics`](Self::statistics) does.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[5], &[0_u8, 1, 4, 9, 10])?;
    /// assert_eq!(array.histogram(0.0, 10.0, 2)?, [3, 2]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if `bins` is 0 or more than 65,536, or if the bounds are reversed
    /// or not finite; and as [`statistics`](Self::statistics).
    pub fn histogram(&self, low: f64, high: f64, bins: usize) -> Result<Vec<u64>> {
        const MOST: usize = 1 << 16;
        if bins == 0 || bins > MOST {
            return Err(Error::usage(format!("found {bins} bins, expected 1 to {MOST}")));
        }
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return Err(Error::usage(format!(
                "found the range {low} to {high}, expected finite bounds in ascending order"
            )));
        }
        let mut counts = vec![0_u64; bins];
        // Halves are used, since the distance of two finite numbers can be infinite.
        let (start, width) = (low / 2.0, high / 2.0 - low / 2.0);
        self.check_real()?;
        self.each_piece(&mut |piece| {
            let numbers = piece.numbers()?.into_floats();
            for &number in numbers.iter().filter(|number| (low..=high).contains(*number)) {
                let part = if width > 0.0 { (number / 2.0 - start) / width } else { 0.0 };
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss,
                    reason = "between 0 and the number of bins"
                )]
                let bin = (part * bins as f64) as usize;
                if let Some(count) = counts.get_mut(bin.min(bins - 1)) {
                    *count += 1;
                }
            }
            Ok(())
        })?;
        Ok(counts)
    }

    /// Calls `take` with the pieces of the array in C order, about a million elements each.
    pub(super) fn each_piece(&self, take: &mut dyn FnMut(&Self) -> Result<()>) -> Result<()> {
        self.pieces(PIECE)?.try_for_each(|piece| take(&piece?))
    }

    /// Returns the elements of a real datatype, without loss.
    pub(super) fn numbers(&self) -> Result<Numbers> {
        let whole = self.mask().is_none() && self.missing()?.is_none();
        Ok(match self.datatype() {
            Datatype::Uint128 if whole => Numbers::Largest(self.read()?, 0),
            Datatype::Uint64 | Datatype::Int128 if whole => Numbers::Large(self.read()?, 0),
            Datatype::Float16 | Datatype::Float32 | Datatype::Float64 if whole => {
                Numbers::Floats(self.read_lossy()?, 0)
            }
            _ if whole => Numbers::Small(self.read()?, 0),
            Datatype::Float16 | Datatype::Float32 | Datatype::Float64 => {
                let (values, missing) = self.present(|value| match value {
                    Value::Float(number) => Some(*number),
                    _ => None,
                })?;
                Numbers::Floats(values, missing)
            }
            Datatype::Uint128 => {
                let (values, missing) = self.present(|value| match value {
                    Value::Int(number) => u128::try_from(*number).ok(),
                    Value::Uint(number) => Some(*number),
                    _ => None,
                })?;
                Numbers::Largest(values, missing)
            }
            _ => {
                let (values, missing) = self.present(|value| match value {
                    Value::Int(number) => Some(*number),
                    Value::Bool(flag) => Some(i128::from(*flag)),
                    _ => None,
                })?;
                Numbers::Large(values, missing)
            }
        })
    }

    /// Returns the result of a function for each element that is not missing, and the number of missing ones.
    fn present<T>(&self, number: impl Fn(&Value) -> Option<T>) -> Result<(Vec<T>, u64)> {
        let mut values = Vec::new();
        let mut missing = 0;
        for value in self.elements()? {
            match value {
                Value::Missing => missing += 1,
                value => values.extend(number(&value)),
            }
        }
        Ok((values, missing))
    }

    pub(super) fn check_real(&self) -> Result<()> {
        let error = Error::mismatch(format!("found elements of {}, expected real numbers", self.datatype()));
        match self.datatype() {
            Datatype::Struct(fields) => {
                let names: Vec<&str> = fields.iter().filter_map(|field| field.name.as_deref()).collect();
                Err(error.with_hint(format!("select one of its fields: {}", names.join(", "))))
            }
            Datatype::Ascii(_)
            | Datatype::Ucs4(_)
            | Datatype::Complex32
            | Datatype::Complex64
            | Datatype::Complex128 => Err(error),
            _ => Ok(()),
        }
    }
}

/// The elements that are not missing, each exact, and the number of missing ones.
pub(super) enum Numbers {
    Floats(Vec<f64>, u64),
    Small(Vec<i64>, u64),
    Large(Vec<i128>, u64),
    Largest(Vec<u128>, u64),
}

impl Numbers {
    /// Returns the elements as the nearest floats.
    pub(super) fn into_floats(self) -> Vec<f64> {
        match self {
            Self::Floats(values, _) => values,
            Self::Small(values, _) => values.into_iter().map(Whole::float).collect(),
            Self::Large(values, _) => values.into_iter().map(Whole::float).collect(),
            Self::Largest(values, _) => values.into_iter().map(Whole::float).collect(),
        }
    }
}

/// An integer of some size.
pub(super) trait Whole: Copy + Ord {
    fn float(self) -> f64;
    fn value(self) -> Value;
    /// Returns `None` beyond 128 bits.
    fn add_to(self, sum: i128) -> Option<i128>;
}

macro_rules! whole {
    ($($type:ty: $value:expr;)*) => {$(
        impl Whole for $type {
            #[allow(clippy::cast_precision_loss, reason = "the nearest float is wanted")]
            fn float(self) -> f64 {
                self as f64
            }

            fn value(self) -> Value {
                $value(self)
            }

            fn add_to(self, sum: i128) -> Option<i128> {
                sum.checked_add(i128::try_from(self).ok()?)
            }
        }
    )*};
}

whole! {
    i64: |value| Value::Int(i128::from(value));
    i128: Value::Int;
    u128: |value| i128::try_from(value).map_or(Value::Uint(value), Value::Int);
}

/// The statistics of the elements so far.
#[derive(Default)]
struct Running {
    found: Statistics,
    /// The sum of squared distances from the mean.
    spread: f64,
    /// The sum of the floats, and its rounding error.
    sum: (f64, f64),
    /// The sum of the integers; `None` once it is too large, or if there are none.
    whole: Option<i128>,
}

impl Running {
    fn floats(&mut self, values: &[f64], missing: u64) {
        let (mut count, mut nan, mut sum) = (0_u64, 0_u64, 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for &number in values {
            if number.is_finite() {
                count += 1;
                sum += number;
                least = least.min(number);
                most = most.max(number);
                self.add(number);
            } else if number.is_nan() {
                nan += 1;
            }
        }
        self.found.missing += missing;
        self.found.nan += nan;
        self.found.infinite += values.len() as u64 - count - nan;
        if count > 0 {
            let mean = sum / float(count);
            let finite = values.iter().filter(|number| number.is_finite());
            self.part(count, mean, finite.map(|number| (number - mean) * (number - mean)).sum());
            self.bounds(Value::Float(least), Value::Float(most));
        }
    }

    fn integers<T: Whole>(&mut self, values: &[T], missing: u64) {
        self.found.missing += missing;
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return };
        let count = values.len() as u64;
        let sum = values.iter().try_fold(0_i128, |sum, value| value.add_to(sum));
        let mean = match sum {
            Some(sum) => sum.float() / float(count),
            None => values.iter().map(|value| value.float() / float(count)).sum(),
        };
        let before = if self.found.count == 0 { Some(0) } else { self.whole };
        self.whole = before.zip(sum).and_then(|(before, sum)| before.checked_add(sum));
        self.add(mean * float(count));
        let distance = |value: &T| (value.float() - mean) * (value.float() - mean);
        self.part(count, mean, values.iter().map(distance).sum());
        self.bounds(least.value(), most.value());
    }

    /// Adds to the sum of floats and keeps the rounding error (Neumaier).
    fn add(&mut self, number: f64) {
        let (sum, lost) = self.sum;
        let new = sum + number;
        let more = if sum.abs() >= number.abs() { (sum - new) + number } else { (number - new) + sum };
        self.sum = (new, lost + more);
    }

    /// Adds a part with its count, mean and spread. The total spread also includes the distance of the two
    /// means.
    fn part(&mut self, count: u64, mean: f64, spread: f64) {
        let all = &mut self.found;
        let between = mean - all.mean.unwrap_or(mean);
        let (a, b) = (float(all.count), float(count));
        self.spread += spread + between * between * (a * b / (a + b));
        all.mean = Some(all.mean.unwrap_or(mean) + between * (b / (a + b)));
        all.count += count;
    }

    fn bounds(&mut self, least: Value, most: Value) {
        let all = &mut self.found;
        let keep = |old: Option<Value>, new: Value, wanted| match old {
            Some(old) if compare(&new, &old) != wanted => Some(old),
            _ => Some(new),
        };
        all.minimum = keep(all.minimum.take(), least, std::cmp::Ordering::Less);
        all.maximum = keep(all.maximum.take(), most, std::cmp::Ordering::Greater);
    }

    fn end(self) -> Statistics {
        let mut all = self.found;
        all.deviation = all.mean.map(|_| (self.spread / float(all.count)).sqrt());
        all.sum = all.mean.map(|mean| match self.whole {
            Some(sum) => Value::Int(sum),
            None if (self.sum.0 + self.sum.1).is_finite() => Value::Float(self.sum.0 + self.sum.1),
            // Infinite, or beyond the range of the rounding error.
            None => Value::Float(mean * float(all.count)),
        });
        // The exact sum gives the mean of integers with a single rounding.
        if let (Some(sum), Some(mean)) = (self.whole, &mut all.mean) {
            *mean = sum.float() / float(all.count);
        }
        all
    }
}

/// Compares two numbers of one array.
fn compare(a: &Value, b: &Value) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Uint(a), Value::Uint(b)) => a.cmp(b),
        (Value::Int(_), Value::Uint(_)) => Ordering::Less,
        (Value::Uint(_), Value::Int(_)) => Ordering::Greater,
        (Value::Float(a), Value::Float(b)) => a.total_cmp(b),
        _ => Ordering::Equal,
    }
}

#[allow(clippy::cast_precision_loss, reason = "a count as a divisor")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::array::Mask;

    #[test]
    fn pieces_give_the_same_as_the_whole() {
        // Rows beyond a piece, many rows, and one axis.
        for shape in [[2, 3, PIECE / 2 + 7].as_slice(), &[PIECE / 4 + 3, 9], &[3 * PIECE + 1]] {
            let len: u64 = shape.iter().product();
            let elements: Vec<u16> = (0..len).map(|n| (n % 1000) as u16).collect();
            let array = NdArray::new(shape, &elements).unwrap();
            let found = array.statistics().unwrap();
            let mean = elements.iter().map(|&n| f64::from(n)).sum::<f64>() / len as f64;
            let square = elements.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum::<f64>() / len as f64;
            assert_eq!(found.count, len);
            assert_eq!((&found.minimum, &found.maximum), (&Some(Value::Int(0)), &Some(Value::Int(999))));
            let total = elements.iter().map(|&n| i128::from(n)).sum::<i128>();
            assert_eq!(found.sum, Some(Value::Int(total)));
            assert!((found.mean.unwrap() - mean).abs() < 1e-9, "{found:?}");
            assert!((found.deviation.unwrap() - square.sqrt()).abs() < 1e-9, "{found:?}");
            assert_eq!(array.histogram(0.0, 999.0, 10).unwrap().iter().sum::<u64>(), len);
        }
    }

    #[test]
    fn missing_and_non_finite_elements_are_counted() {
        let mask = NdArray::new(&[4], &[false, true, false, false]).unwrap();
        let array = NdArray::new(&[4], &[1.0_f64, 100.0, f64::NAN, f64::INFINITY]).unwrap();
        let found = array.with_mask(Mask::Array(Box::new(mask))).unwrap().statistics().unwrap();
        assert_eq!((found.count, found.missing, found.nan, found.infinite), (1, 1, 1, 1));
        assert_eq!((found.mean, found.deviation), (Some(1.0), Some(0.0)));
        let empty = NdArray::new::<f32>(&[0], &[]).unwrap().statistics().unwrap();
        assert_eq!(empty, Statistics::default());
        let complex = NdArray::new(&[1], &[num_complex::Complex64::new(1.0, 2.0)]).unwrap();
        assert!(complex.statistics().is_err());
        let array = NdArray::new(&[2], &[-f64::MAX, f64::MAX]).unwrap();
        assert_eq!(array.histogram(-f64::MAX, f64::MAX, 4).unwrap(), [1, 0, 0, 1]);
        assert!(array.histogram(1.0, 0.0, 4).is_err() && array.histogram(0.0, 1.0, 0).is_err());
    }

    #[test]
    fn integers_are_exact() {
        let bounds = |array: NdArray| {
            let found = array.statistics().unwrap();
            (found.minimum.unwrap(), found.maximum.unwrap(), found.sum.unwrap())
        };
        let large = i128::from(u64::MAX);
        let array = NdArray::new(&[3], &[u64::MAX, u64::MAX - 1, 0]).unwrap();
        assert_eq!(bounds(array), (Value::Int(0), Value::Int(large), Value::Int(2 * large - 1)));
        let array = NdArray::new(&[2], &[i64::MIN, (1 << 53) + 1]).unwrap();
        let least = i128::from(i64::MIN);
        assert_eq!(
            bounds(array),
            (Value::Int(least), Value::Int((1 << 53) + 1), Value::Int(least + (1 << 53) + 1))
        );
        // 2^63 is masked: the rest is still exact.
        let mask = NdArray::new(&[2], &[true, false]).unwrap();
        let array = NdArray::new(&[2], &[1_u64 << 63, (1 << 62) + 1]).unwrap();
        let array = array.with_mask(Mask::Array(Box::new(mask))).unwrap();
        assert_eq!(bounds(array).1, Value::Int((1 << 62) + 1));
        // A sum beyond 128 bits is the nearest float.
        let array = NdArray::new(&[2], &[u128::MAX, u128::MAX]).unwrap();
        assert_eq!(
            bounds(array),
            (Value::Uint(u128::MAX), Value::Uint(u128::MAX), Value::Float(2_f64.powi(129)))
        );
        let array = NdArray::new(&[2], &[true, true]).unwrap();
        assert_eq!(bounds(array), (Value::Int(1), Value::Int(1), Value::Int(2)));
    }

    proptest! {
        #[test]
        fn every_finite_number_is_in_one_bin(numbers in proptest::collection::vec(-1e6..1e6_f64, 1..50), bins in 1..20_usize) {
            let array = NdArray::new(&[numbers.len() as u64], &numbers).unwrap();
            let found = array.statistics().unwrap();
            let (low, high) = (found.minimum.unwrap().to_f64().unwrap(), found.maximum.unwrap().to_f64().unwrap());
            let counts = array.histogram(low, high, bins).unwrap();
            prop_assert_eq!(counts.iter().sum::<u64>(), numbers.len() as u64);
            prop_assert!(Some(low) <= found.mean && found.mean <= Some(high) || found.deviation < Some(1e-6));
            let sum: f64 = numbers.iter().sum();
            prop_assert!((found.sum.unwrap().to_f64().unwrap() - sum).abs() < 1e-6);
        }
    }
}

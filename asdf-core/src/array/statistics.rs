//! Numbers that sum up an array's elements.

use super::{Datatype, NdArray, Slice, Value};
use crate::error::{Error, Result};

/// How many elements are looked at in one piece.
const PIECE: u64 = 1 << 20;

/// What the elements of an array come to. Elements that are missing, by a mask or by `null`, are counted and
/// else left out, and so are NaN and infinities.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// How many elements are finite numbers: those that all else is about.
    pub count: u64,
    /// How many are missing.
    pub missing: u64,
    /// How many are NaN.
    pub nan: u64,
    /// How many are infinite.
    pub infinite: u64,
    /// The smallest; `None` where there is no finite number.
    pub minimum: Option<f64>,
    /// The largest.
    pub maximum: Option<f64>,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation: the root of the mean square distance from the mean.
    pub deviation: Option<f64>,
}

impl NdArray {
    /// Minimum, maximum, mean, standard deviation, and how many elements are missing, NaN or infinite. Integers
    /// count as the nearest float, `bool8` as 0 and 1.
    ///
    /// Goes through the array once, a million elements at a time: memory does not grow with the array, but that
    /// a compressed block may have to be decoded whole.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 2], &[1.0_f32, 3.0, f32::NAN, 5.0])?;
    /// let found = array.statistics()?;
    /// assert_eq!((found.minimum, found.maximum, found.mean), (Some(1.0), Some(5.0), Some(3.0)));
    /// assert_eq!((found.count, found.nan), (3, 1));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) when the elements are no real numbers; as
    /// [`elements`](Self::elements).
    pub fn statistics(&self) -> Result<Statistics> {
        let mut all = Statistics::default();
        // The sum of squared distances from the mean.
        let mut spread = 0.0;
        self.each_number(&mut |numbers: Numbers<'_>| {
            let mut piece = Statistics { missing: numbers.missing, ..Statistics::default() };
            let mut sum = 0.0;
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for &number in numbers.values {
                if number.is_finite() {
                    piece.count += 1;
                    sum += number;
                    least = least.min(number);
                    most = most.max(number);
                } else if number.is_nan() {
                    piece.nan += 1;
                } else {
                    piece.infinite += 1;
                }
            }
            if piece.count > 0 {
                let mean = sum / float(piece.count);
                let own: f64 =
                    numbers.values.iter().filter(|n| n.is_finite()).map(|n| (n - mean) * (n - mean)).sum();
                // The spread of two parts is that of each, and that of their means.
                let between = mean - all.mean.unwrap_or(mean);
                let (a, b) = (float(all.count), float(piece.count));
                spread += own + between * between * (a * b / (a + b));
                all.mean = Some(all.mean.unwrap_or(mean) + between * (b / (a + b)));
                all.minimum = Some(all.minimum.map_or(least, |old| old.min(least)));
                all.maximum = Some(all.maximum.map_or(most, |old| old.max(most)));
            }
            all.count += piece.count;
            all.missing += piece.missing;
            all.nan += piece.nan;
            all.infinite += piece.infinite;
        })?;
        all.deviation = all.mean.map(|_| (spread / float(all.count)).sqrt());
        Ok(all)
    }

    /// How many finite elements lie in each of `bins` parts of equal width between `low` and `high`; what is
    /// `high` is in the last. In pieces, as [`statistics`](Self::statistics).
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[5], &[0_u8, 1, 4, 9, 10])?;
    /// assert_eq!(array.histogram(0.0, 10.0, 2)?, [3, 2]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) for no bins or more than 65,536, or bounds that are not finite or the
    /// wrong way round; as [`statistics`](Self::statistics).
    pub fn histogram(&self, low: f64, high: f64, bins: usize) -> Result<Vec<u64>> {
        const MOST: usize = 1 << 16;
        if bins == 0 || bins > MOST {
            return Err(Error::usage(format!("{bins} bins are not between 1 and {MOST}")));
        }
        if !(low.is_finite() && high.is_finite() && low <= high) {
            return Err(Error::usage(format!("a histogram has no bins from {low} to {high}")));
        }
        let mut counts = vec![0_u64; bins];
        // Halves, since the distance of two finite numbers need not be finite.
        let (start, width) = (low / 2.0, high / 2.0 - low / 2.0);
        self.each_number(&mut |numbers: Numbers<'_>| {
            for &number in numbers.values.iter().filter(|number| (low..=high).contains(*number)) {
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
        })?;
        Ok(counts)
    }

    /// Hands on the elements in C order as floats, a piece at a time.
    fn each_number(&self, take: &mut dyn FnMut(Numbers<'_>)) -> Result<()> {
        self.check_real()?;
        let rows = self.shape().first().copied();
        let Some(rows) = rows.filter(|&rows| rows > 0 && self.len() > PIECE) else {
            return self.numbers(take);
        };
        let row = self.len() / rows;
        if row <= PIECE {
            for piece in self.rows(PIECE / row.max(1))? {
                piece?.numbers(take)?;
            }
            return Ok(());
        }
        // As deep as there are axes; each row has one fewer.
        for at in 0..rows {
            let at = i64::try_from(at).map_err(|_| Error::limit("the array has too many rows"))?;
            self.slice(&[Slice::Index(at)])?.each_number(take)?;
        }
        Ok(())
    }

    fn numbers(&self, take: &mut dyn FnMut(Numbers<'_>)) -> Result<()> {
        if self.mask().is_none() && self.missing()?.is_none() {
            let values = self.read_lossy::<f64>()?;
            take(Numbers { values: &values, missing: 0 });
            return Ok(());
        }
        let mut values = Vec::new();
        let mut missing = 0;
        for value in self.elements()? {
            match value {
                Value::Missing => missing += 1,
                Value::Bool(flag) => values.push(f64::from(u8::from(flag))),
                #[allow(clippy::cast_precision_loss, reason = "the nearest float, as the docs say")]
                Value::Int(number) => values.push(number as f64),
                #[allow(clippy::cast_precision_loss, reason = "the nearest float, as the docs say")]
                Value::Uint(number) => values.push(number as f64),
                Value::Float(number) => values.push(number),
                _ => {}
            }
        }
        take(Numbers { values: &values, missing });
        Ok(())
    }

    fn check_real(&self) -> Result<()> {
        let error = Error::mismatch(format!("found elements of {}, expected real numbers", self.datatype()));
        match self.datatype() {
            Datatype::Struct(fields) => {
                let names: Vec<&str> = fields.iter().filter_map(|field| field.name.as_deref()).collect();
                Err(error.with_hint(format!("take one of its fields: {}", names.join(", "))))
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

/// Some elements, and how many more are missing.
struct Numbers<'a> {
    values: &'a [f64],
    missing: u64,
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
    fn pieces_come_to_the_same_as_the_whole() {
        // Rows beyond a piece, many rows, and one axis.
        for shape in [[2, 3, PIECE / 2 + 7].as_slice(), &[PIECE / 4 + 3, 9], &[3 * PIECE + 1]] {
            let len: u64 = shape.iter().product();
            let elements: Vec<u16> = (0..len).map(|n| (n % 1000) as u16).collect();
            let array = NdArray::new(shape, &elements).unwrap();
            let found = array.statistics().unwrap();
            let mean = elements.iter().map(|&n| f64::from(n)).sum::<f64>() / len as f64;
            let square = elements.iter().map(|&n| (f64::from(n) - mean).powi(2)).sum::<f64>() / len as f64;
            assert_eq!((found.count, found.minimum, found.maximum), (len, Some(0.0), Some(999.0)));
            assert!((found.mean.unwrap() - mean).abs() < 1e-9, "{found:?}");
            assert!((found.deviation.unwrap() - square.sqrt()).abs() < 1e-9, "{found:?}");
            assert_eq!(array.histogram(0.0, 999.0, 10).unwrap().iter().sum::<u64>(), len);
        }
    }

    #[test]
    fn what_is_missing_or_no_number_is_counted() {
        let mask = NdArray::new(&[4], &[false, true, false, false]).unwrap();
        let array = NdArray::new(&[4], &[1.0_f64, 100.0, f64::NAN, f64::INFINITY]).unwrap();
        let found = array.with_mask(Mask::Array(Box::new(mask))).statistics().unwrap();
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

    proptest! {
        #[test]
        fn every_finite_number_is_in_one_bin(numbers in proptest::collection::vec(-1e6..1e6_f64, 1..50), bins in 1..20_usize) {
            let array = NdArray::new(&[numbers.len() as u64], &numbers).unwrap();
            let found = array.statistics().unwrap();
            let counts = array.histogram(found.minimum.unwrap(), found.maximum.unwrap(), bins).unwrap();
            prop_assert_eq!(counts.iter().sum::<u64>(), numbers.len() as u64);
            prop_assert!(found.minimum <= found.mean && found.mean <= found.maximum || found.deviation < Some(1e-6));
        }
    }
}

//! Percentiles, and statistics without outliers.

use super::real::Real;
use super::{Datatype, NdArray};
use crate::error::{Error, Result};

/// The maximum size of elements kept in memory, in bytes. Larger arrays are read again for each step.
const HELD: u64 = 128 << 20;

/// Statistics of the elements that remain without outliers; see [`NdArray::clipped`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Clipped {
    /// The number of remaining elements.
    pub count: u64,
    /// The mean; `None` without finite elements.
    pub mean: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// The standard deviation of the population (`ddof=0` in numpy).
    pub deviation: Option<f64>,
}

impl NdArray {
    /// Returns percentiles of the finite elements, interpolated linearly as in numpy's `percentile`.
    ///
    /// `None` without finite elements. The 50th percentile is the median.
    ///
    /// Results are exact: a value between two integers is rounded once, to the nearest float. Memory use does
    /// not grow with the array: it is at most 128 MiB, but some compressed blocks must be decoded whole. Arrays of
    /// more than 16 million elements (8 million of `uint64` and 128-bit integers) are read five times, and
    /// nine times if 128-bit integers need it.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[5], &[5_u8, 1, 4, 2, 10])?;
    /// assert_eq!(array.percentiles(&[0.0, 50.0, 87.5])?, Some(vec![1.0, 4.0, 7.5]));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) for a percentile that is not between 0 and 100; and as
    /// [`statistics`](Self::statistics).
    #[doc(alias = "median")]
    #[doc(alias = "quantile")]
    pub fn percentiles(&self, wanted: &[f64]) -> Result<Option<Vec<f64>>> {
        if let Some(wrong) = wanted.iter().find(|percent| !(0.0..=100.0).contains(*percent)) {
            return Err(Error::usage(format!("found the percentile {wrong}, expected 0 to 100")));
        }
        self.finite()?.percentiles(wanted, (f64::NEG_INFINITY, f64::INFINITY))
    }

    /// Computes statistics without outliers.
    ///
    /// Up to `rounds` times, elements farther than `sigma` standard deviations from the median are removed,
    /// as in astropy's `sigma_clipped_stats` (`sigma=3, maxiters=5`). Reads the array in pieces, as
    /// [`percentiles`](Self::percentiles) does.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let mut elements = vec![1.0, 2.0, 3.0].repeat(10);
    /// elements.push(1000.0);
    /// let found = NdArray::new(&[31], &elements)?.clipped(3.0, 5)?;
    /// assert_eq!((found.count, found.mean), (30, Some(2.0)));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if `sigma` is not a positive number; and as
    /// [`statistics`](Self::statistics).
    #[doc(alias = "sigma_clipped_stats")]
    pub fn clipped(&self, sigma: f64, rounds: u32) -> Result<Clipped> {
        if !(sigma > 0.0 && sigma.is_finite()) {
            return Err(Error::usage(format!("found the sigma {sigma}, expected a positive number")));
        }
        let elements = self.finite()?;
        let mut range = (f64::NEG_INFINITY, f64::INFINITY);
        let mut found = elements.within(range)?;
        for _ in 0..rounds {
            let (Some(median), Some(deviation)) = (found.median, found.deviation) else { break };
            range = (range.0.max(median - sigma * deviation), range.1.min(median + sigma * deviation));
            let next = elements.within(range)?;
            let same = next.count == found.count;
            found = next;
            if same {
                break;
            }
        }
        Ok(found)
    }

    /// Returns the finite elements as exact numbers.
    fn finite(&self) -> Result<Box<dyn Ranked + '_>> {
        self.check_real()?;
        Ok(match self.datatype() {
            Datatype::Float16 | Datatype::Float32 | Datatype::Float64 => Box::new(Finite::<f64>::of(self)?),
            Datatype::Uint128 => Box::new(Finite::<u128>::of(self)?),
            Datatype::Uint64 | Datatype::Int128 => Box::new(Finite::<i128>::of(self)?),
            _ => Box::new(Finite::<i64>::of(self)?),
        })
    }
}

/// Queries about finite elements within bounds.
trait Ranked {
    fn within(&self, range: (f64, f64)) -> Result<Clipped>;
    fn percentiles(&self, wanted: &[f64], range: (f64, f64)) -> Result<Option<Vec<f64>>>;
}

/// The finite elements of an array, in memory or read again each time.
enum Finite<'a, T> {
    Held(Vec<T>),
    Read(&'a NdArray),
}

/// The number of elements, and the keys of the smallest and the largest.
struct Extent {
    count: u64,
    low: u128,
    high: u128,
}

impl<'a, T: Real> Finite<'a, T> {
    fn of(array: &'a NdArray) -> Result<Self> {
        let all = Self::Read(array);
        if array.len() > HELD / size_of::<T>() as u64 {
            return Ok(all);
        }
        let mut held = Vec::new();
        all.each(&mut |numbers| held.extend_from_slice(numbers))?;
        held.retain(|number| number.is_finite());
        Ok(Self::Held(held))
    }

    /// Passes on the elements a piece at a time. Elements that are read can be infinite or NaN.
    fn each(&self, take: &mut dyn FnMut(&[T])) -> Result<()> {
        match self {
            Self::Held(numbers) => take(numbers),
            Self::Read(array) => array.each_piece(&mut |piece| {
                take(&T::of(piece.numbers()?));
                Ok(())
            })?,
        }
        Ok(())
    }

    /// Passes on each finite element within bounds.
    fn each_within(&self, (low, high): (f64, f64), take: &mut dyn FnMut(T)) -> Result<()> {
        self.each(&mut |numbers| {
            let is_inside = |n: &&T| n.is_finite() && (low..=high).contains(&n.float());
            numbers.iter().filter(is_inside).for_each(|n| take(*n));
        })
    }

    fn extent(&self, range: (f64, f64)) -> Result<Extent> {
        let mut extent = Extent { count: 0, low: u128::MAX, high: 0 };
        self.each_within(range, &mut |number| {
            let key = number.key();
            extent.count += 1;
            extent.low = extent.low.min(key);
            extent.high = extent.high.max(key);
        })?;
        Ok(extent)
    }

    /// Returns the elements of these ranks, digit by digit of their keys: each step counts the elements by 16
    /// more bits. The first digits that all keys share need no step.
    fn by_digits(&self, sought: &[u64], range: (f64, f64), extent: &Extent) -> Result<Vec<T>> {
        const DIGIT: u32 = 16;
        let open = (u128::BITS - (extent.low ^ extent.high).leading_zeros()).next_multiple_of(DIGIT);
        // For each rank the digits so far, and the rank among the elements that begin with them.
        let shared = extent.low.checked_shr(open).unwrap_or(0);
        let mut found: Vec<(u128, u64)> = sought.iter().map(|&rank| (shared, rank)).collect();
        for shift in (0..open / DIGIT).rev().map(|digit| digit * DIGIT) {
            let mut prefixes: Vec<u128> = found.iter().map(|&(prefix, _)| prefix).collect();
            prefixes.sort_unstable();
            prefixes.dedup();
            let mut counts = vec![vec![0_u64; 1 << DIGIT]; prefixes.len()];
            self.each_within(range, &mut |number| {
                let key = number.key() >> shift;
                let digit = usize::try_from(key & ((1 << DIGIT) - 1)).unwrap_or(0);
                let count = prefixes.binary_search(&(key >> DIGIT)).ok();
                if let Some(count) = count.and_then(|at| counts.get_mut(at)?.get_mut(digit)) {
                    *count += 1;
                }
            })?;
            for (prefix, rank) in &mut found {
                let counts = prefixes.binary_search(prefix).ok().and_then(|at| counts.get(at));
                for (digit, &count) in (0_u128..).zip(counts.into_iter().flatten()) {
                    if *rank < count {
                        *prefix = *prefix << DIGIT | digit;
                        break;
                    }
                    *rank -= count;
                }
            }
        }
        Ok(found.into_iter().map(|(key, _)| T::of_key(key)).collect())
    }
}

impl<T: Real> Ranked for Finite<'_, T> {
    fn within(&self, range: (f64, f64)) -> Result<Clipped> {
        let (mut count, mut sum) = (0_u64, 0.0);
        self.each_within(range, &mut |number| {
            count += 1;
            sum += number.float();
        })?;
        if count == 0 {
            return Ok(Clipped::default());
        }
        let mean = sum / float(count);
        let mut spread = 0.0;
        self.each_within(range, &mut |number| spread += (number.float() - mean).powi(2))?;
        let deviation = Some((spread / float(count)).sqrt());
        let median = self.percentiles(&[50.0], range)?.and_then(|list| list.first().copied());
        Ok(Clipped { count, mean: Some(mean), median, deviation })
    }

    fn percentiles(&self, wanted: &[f64], range: (f64, f64)) -> Result<Option<Vec<f64>>> {
        let extent = self.extent(range)?;
        let Some(last) = extent.count.checked_sub(1) else { return Ok(None) };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a part of a count, at least 0"
        )]
        let ranks: Vec<(u64, u64, f64)> = wanted
            .iter()
            .map(|percent| {
                let rank = percent / 100.0 * float(last);
                let below = (rank.floor() as u64).min(last);
                (below, (below + 1).min(last), rank - rank.floor())
            })
            .collect();
        let mut sought: Vec<u64> = ranks.iter().flat_map(|&(below, above, _)| [below, above]).collect();
        sought.sort_unstable();
        sought.dedup();
        let found = match self {
            Self::Held(numbers) => {
                let inside = numbers.iter().copied().filter(|n| (range.0..=range.1).contains(&n.float()));
                selected(inside.collect(), &sought)
            }
            Self::Read(_) => self.by_digits(&sought, range, &extent)?,
        };
        let at = |rank: u64| sought.binary_search(&rank).ok().and_then(|at| found.get(at)).copied();
        let between = |(below, above, part): (u64, u64, f64)| Some(T::between(at(below)?, at(above)?, part));
        Ok(ranks.into_iter().map(between).collect())
    }
}

/// Returns the elements of these ranks, which are sorted.
fn selected<T: Real>(mut numbers: Vec<T>, sought: &[u64]) -> Vec<T> {
    let mut start = 0;
    let mut found = Vec::with_capacity(sought.len());
    for &rank in sought {
        let rank = usize::try_from(rank).unwrap_or(usize::MAX);
        // The elements before the last rank are smaller.
        let Some(rest) = numbers.get_mut(start..).filter(|rest| rank - start < rest.len()) else { break };
        let (_, number, _) = rest.select_nth_unstable_by(rank - start, T::order);
        found.push(*number);
        start = rank;
    }
    found
}

#[allow(clippy::cast_precision_loss, reason = "a count as a divisor")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn array(numbers: &[f64]) -> NdArray {
        NdArray::new(&[numbers.len() as u64], numbers).unwrap()
    }

    #[test]
    fn elements_that_are_not_finite_do_not_count() {
        let some = array(&[f64::NAN, 3.0, f64::INFINITY, 1.0, f64::NEG_INFINITY]);
        assert_eq!(some.percentiles(&[0.0, 50.0, 100.0]).unwrap(), Some(vec![1.0, 2.0, 3.0]));
        assert_eq!(array(&[f64::NAN]).percentiles(&[50.0]).unwrap(), None);
        assert_eq!(array(&[]).clipped(3.0, 5).unwrap(), Clipped::default());
        assert!(some.percentiles(&[101.0]).is_err() && some.percentiles(&[f64::NAN]).is_err());
        assert!(some.clipped(0.0, 5).is_err() && some.clipped(f64::NAN, 5).is_err());
    }

    #[test]
    fn outliers_are_removed_round_by_round() {
        // As astropy 8.0: sigma_clipped_stats(np.array([*range(20), 100, 1e6])).
        let mut numbers: Vec<f64> = (0..20).map(f64::from).collect();
        numbers.extend([100.0, 1e6]);
        let found = array(&numbers).clipped(3.0, 5).unwrap();
        assert_eq!((found.count, found.mean, found.median), (20, Some(9.5), Some(9.5)));
        assert_eq!(array(&numbers).clipped(3.0, 1).unwrap().count, 21);
        assert_eq!(array(&numbers).clipped(3.0, 0).unwrap().count, 22);
    }

    #[test]
    fn integers_beyond_2_to_the_53rd_are_exact() {
        const LARGE: i64 = (1 << 53) + 1;
        let median = |array: NdArray| array.percentiles(&[50.0]).unwrap().unwrap()[0];
        assert_eq!(median(NdArray::new(&[2], &[LARGE, 5]).unwrap()), 4_503_599_627_370_499.0);
        let unsigned = [u64::MAX, u64::MAX - 2, 0, u64::MAX];
        assert_eq!(median(NdArray::new(&[4], &unsigned).unwrap()), 18_446_744_073_709_551_614.0);
        // An order that only exact numbers have.
        let array = NdArray::new(&[3], &[LARGE + 1, LARGE, LARGE - 1]).unwrap();
        let read = Finite::<i64>::Read(&array).percentiles(&[0.0, 25.0, 100.0], (-1e300, 1e300)).unwrap();
        assert_eq!(read, array.percentiles(&[0.0, 25.0, 100.0]).unwrap());
        assert_eq!(array.clipped(3.0, 5).unwrap().median, Some(9_007_199_254_740_992.0));
    }

    proptest! {
        #[test]
        fn digits_and_memory_find_the_same_integers(
            numbers in proptest::collection::vec(any::<i64>(), 1..60),
            percents in proptest::collection::vec(0.0..=100.0_f64, 1..5),
        ) {
            let array = NdArray::new(&[numbers.len() as u64], &numbers).unwrap();
            let everything = (f64::NEG_INFINITY, f64::INFINITY);
            let wide: Vec<i128> = numbers.iter().map(|&number| number.into()).collect();
            let wide = NdArray::new(&[numbers.len() as u64], &wide).unwrap();
            let found = array.percentiles(&percents).unwrap();
            prop_assert_eq!(&Finite::<i64>::Read(&array).percentiles(&percents, everything).unwrap(), &found);
            prop_assert_eq!(&Finite::<i128>::Read(&wide).percentiles(&percents, everything).unwrap(), &found);
        }

        #[test]
        fn digits_and_memory_find_the_same(
            numbers in proptest::collection::vec(-1e3..1e3_f64, 1..60),
            percents in proptest::collection::vec(0.0..=100.0_f64, 1..5),
        ) {
            let array = array(&numbers);
            let everything = (f64::NEG_INFINITY, f64::INFINITY);
            let read = Finite::<f64>::Read(&array).percentiles(&percents, everything).unwrap().unwrap();
            prop_assert_eq!(array.percentiles(&percents).unwrap().unwrap(), read.clone());
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            for (percent, found) in percents.iter().zip(read) {
                let rank = percent / 100.0 * (sorted.len() - 1) as f64;
                let (below, above) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
                prop_assert!(found >= below && found <= above);
            }
            let clipped = |elements: &Finite<'_, f64>| elements.within((-500.0, 500.0)).unwrap();
            prop_assert_eq!(clipped(&Finite::of(&array).unwrap()), clipped(&Finite::Read(&array)));
        }
    }
}

//! Slices: which part of an array is selected.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::str::FromStr;

use crate::error::{Error, Result};

/// What to select along one axis, by the rules of Python and numpy.
///
/// Negative numbers count from the end. Ranges exclude their end and are cut to the axis. An index outside
/// the axis is an error.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_core::array::Slice;
///
/// let image = NdArray::new(&[3, 4], &[0_u8, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23])?;
/// let part = image.slice(&[Slice::from(1..), Slice::from(..).step(2)])?;
/// assert_eq!((part.shape(), part.read::<u8>()?), ([2, 2].as_slice(), vec![10, 12, 20, 22]));
///
/// // The same, as text.
/// let part = image.slice(&Slice::parse("1:, ::2")?)?;
/// assert_eq!(part.read::<u8>()?, [10, 12, 20, 22]);
/// assert_eq!(image.slice(&Slice::parse("-1, ::-1")?)?.read::<u8>()?, [23, 22, 21, 20]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "slicing")]
pub enum Slice {
    /// One index. The axis is removed.
    Index(i64),
    /// Every `step`-th index from `start` up to, but not including, `end`. A negative step goes backwards;
    /// its default range is from the last index to the first.
    Range {
        /// The first index. The default is the first index of the axis, or the last if the step is negative.
        start: Option<i64>,
        /// The index before which the range ends. The default is the end of the axis.
        end: Option<i64>,
        /// The distance from one index to the next; not 0.
        step: i64,
    },
    /// All axes that no other slice selects, whole. Allowed once; implied after the last slice.
    Ellipsis,
    /// A new axis of length 1.
    NewAxis,
}

impl Slice {
    /// A whole axis.
    pub const ALL: Self = Self::Range { start: None, end: None, step: 1 };

    /// Returns the same range with a step. Other slices stay as they are.
    #[must_use]
    pub fn step(self, step: i64) -> Self {
        match self {
            Self::Range { start, end, .. } => Self::Range { start, end, step },
            other => other,
        }
    }

    /// Parses slices from text, as between numpy's brackets.
    ///
    /// For example `0:100, ::4`, `-1`, `...`, and `new`, `None` or `newaxis` for a new axis. Brackets around
    /// the list are allowed, and so is an empty list.
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if the text is anything else, or a step is 0.
    pub fn parse(text: &str) -> Result<Vec<Self>> {
        let text = text.trim();
        let inner = match text.strip_prefix('[') {
            Some(inner) => inner.strip_suffix(']').ok_or_else(|| wrong(text))?,
            None => text,
        };
        if inner.trim().is_empty() {
            return Ok(Vec::new());
        }
        // Python allows a trailing comma.
        let inner = inner.trim_end().strip_suffix(',').unwrap_or(inner);
        inner.split(',').map(str::parse).collect()
    }

    /// Returns the first index, the step and the number of indices in an axis of length `n`. For an index,
    /// the number is `None`.
    pub(super) fn resolve(self, axis: usize, n: u64) -> Result<(u64, i64, Option<u64>)> {
        let n = i128::from(n);
        let of_end = |index: i64| if index < 0 { i128::from(index) + n } else { i128::from(index) };
        let fits = |index: i128| u64::try_from(index).unwrap_or(0);
        match self {
            Self::Index(index) => {
                let at = of_end(index);
                if at < 0 || at >= n {
                    return Err(Error::mismatch(format!(
                        "index {index} is outside axis {axis}, which has {n} entries"
                    )));
                }
                Ok((fits(at), 1, None))
            }
            Self::Range { step: 0, .. } => Err(zero_step()),
            Self::Range { start, end, step } if step > 0 => {
                let start = start.map_or(0, of_end).clamp(0, n);
                let end = end.map_or(n, of_end).clamp(start, n);
                let step = i128::from(step);
                Ok((fits(start), to_i64(step), Some(fits((end - start + step - 1) / step))))
            }
            Self::Range { start, end, step } => {
                let start = start.map_or(n - 1, of_end).clamp(-1, n - 1);
                let end = end.map_or(-1, of_end).clamp(-1, start);
                let back = -i128::from(step);
                Ok((fits(start.max(0)), step, Some(fits((start - end + back - 1) / back))))
            }
            Self::Ellipsis | Self::NewAxis => Ok((0, 1, Some(fits(n)))),
        }
    }
}

fn to_i64(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn zero_step() -> Error {
    Error::usage("the step of a slice must not be 0")
        .with_hint("use a positive or negative step, as in `::2` or `::-1`")
}

fn wrong(text: &str) -> Error {
    Error::usage(format!("'{}' is not a slice", text.escape_debug()))
        .with_hint("write slices as `5`, `0:100`, `::4`, `::-1`, `...` or `new`, separated by commas")
}

impl FromStr for Slice {
    type Err = Error;

    /// Parses one slice; see [`parse`](Slice::parse).
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        match text {
            "..." | "…" => return Ok(Self::Ellipsis),
            "new" | "newaxis" | "None" => return Ok(Self::NewAxis),
            _ => {}
        }
        let number = |part: &str| part.trim().parse::<i64>().map_err(|_| wrong(text));
        let optional = |part: &str| Some(part).filter(|part| !part.trim().is_empty()).map(number).transpose();
        let parts: Vec<&str> = text.split(':').collect();
        match parts.as_slice() {
            [index] => number(index).map(Self::Index),
            [start, end] => Ok(Self::Range { start: optional(start)?, end: optional(end)?, step: 1 }),
            [start, end, step] => {
                let step = optional(step)?.unwrap_or(1);
                if step == 0 {
                    return Err(zero_step());
                }
                Ok(Self::Range { start: optional(start)?, end: optional(end)?, step })
            }
            _ => Err(wrong(text)),
        }
    }
}

impl fmt::Display for Slice {
    /// Writes the text that [`parse`](Slice::parse) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{index}"),
            Self::Range { start, end, step } => {
                if let Some(start) = start {
                    write!(f, "{start}")?;
                }
                f.write_str(":")?;
                if let Some(end) = end {
                    write!(f, "{end}")?;
                }
                if *step == 1 { Ok(()) } else { write!(f, ":{step}") }
            }
            Self::Ellipsis => f.write_str("..."),
            Self::NewAxis => f.write_str("new"),
        }
    }
}

impl From<i64> for Slice {
    fn from(index: i64) -> Self {
        Self::Index(index)
    }
}

impl From<Range<i64>> for Slice {
    fn from(range: Range<i64>) -> Self {
        Self::Range { start: Some(range.start), end: Some(range.end), step: 1 }
    }
}

impl From<RangeFrom<i64>> for Slice {
    fn from(range: RangeFrom<i64>) -> Self {
        Self::Range { start: Some(range.start), end: None, step: 1 }
    }
}

impl From<RangeTo<i64>> for Slice {
    fn from(range: RangeTo<i64>) -> Self {
        Self::Range { start: None, end: Some(range.end), step: 1 }
    }
}

/// Returns the index after `end`, or the end of the axis for -1.
fn after(end: i64) -> Option<i64> {
    end.checked_add(1).filter(|&end| end != 0)
}

impl From<RangeInclusive<i64>> for Slice {
    fn from(range: RangeInclusive<i64>) -> Self {
        Self::Range { start: Some(*range.start()), end: after(*range.end()), step: 1 }
    }
}

impl From<RangeToInclusive<i64>> for Slice {
    fn from(range: RangeToInclusive<i64>) -> Self {
        Self::Range { start: None, end: after(range.end), step: 1 }
    }
}

impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_is_read_and_printed() {
        for text in ["5", "-1", ":", "0:100", "::4", "10:0:-2", "...", "new", ":-1", "3:"] {
            assert_eq!(text.parse::<Slice>().unwrap().to_string(), text);
        }
        let parsed = Slice::parse(" [0:100, ::4 , -1, ..., None,] ").unwrap();
        assert_eq!(
            parsed,
            [Slice::from(0..100), Slice::ALL.step(4), Slice::Index(-1), Slice::Ellipsis, Slice::NewAxis]
        );
        assert_eq!((Slice::parse(""), Slice::parse("[]")).0.unwrap(), []);
        for text in ["a", "1:2:3:4", "1,,2", "[1", "1.5", "::0", "1]", ",", "0x10"] {
            assert!(Slice::parse(text).is_err(), "{text}");
        }
        assert_eq!(Slice::from(1..=3), Slice::from(1..4));
        assert_eq!(Slice::from(..=-1), Slice::ALL);
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        for n in [0, 1, u64::MAX] {
            for step in [1, -1, i64::MAX, i64::MIN] {
                for (start, end) in
                    [(Some(i64::MIN), Some(i64::MAX)), (None, None), (Some(i64::MAX), Some(i64::MIN))]
                {
                    let (first, _, count) = Slice::Range { start, end, step }.resolve(0, n).unwrap();
                    assert!(count.unwrap() <= n && (count == Some(0) || first < n));
                }
            }
        }
        assert!(Slice::Index(i64::MIN).resolve(0, 5).is_err());
    }

    proptest! {
        /// Compares with the definition: walk from the start, by the step, while inside.
        #[test]
        fn ranges_are_as_in_python(n in 0..8_i64, start in prop::option::of(-10..10_i64), end in prop::option::of(-10..10_i64), step in -4..4_i64) {
            prop_assume!(step != 0);
            let fix = |index: i64, low: i64, high: i64| (if index < 0 { index + n } else { index }).clamp(low, high);
            let (from, to) = if step > 0 {
                (start.map_or(0, |i| fix(i, 0, n)), end.map_or(n, |i| fix(i, 0, n)))
            } else {
                (start.map_or(n - 1, |i| fix(i, -1, n - 1)), end.map_or(-1, |i| fix(i, -1, n - 1)))
            };
            let mut expected = Vec::new();
            let mut at = from;
            while (step > 0 && at < to) || (step < 0 && at > to) {
                expected.push(at);
                at += step;
            }
            let (first, by, count) = Slice::Range { start, end, step }.resolve(0, n.unsigned_abs()).unwrap();
            let got: Vec<i64> = (0..count.unwrap()).map(|k| i64::try_from(first).unwrap() + by * i64::try_from(k).unwrap()).collect();
            prop_assert_eq!(got, expected);
        }
    }
}

//! `Limits`: the choice of the display range.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the position of a percentile among numbers in memory"
)]

use std::fmt;
use std::str::FromStr;

use asdf_core::Error;

/// The method that chooses the display range: the numbers of the first and last colour.
///
/// Parses from `zscale` and `minmax`, from the middle part of all elements (`99.5%`), from two percentiles
/// (`1%,99%`), and from two numbers (`0,1000`).
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_picture::Limits;
///
/// let limits: Limits = "90%".parse()?;
/// assert_eq!(limits, Limits::Percentiles(5.0, 95.0));
/// let array = NdArray::new(&[101], &(0..=100).collect::<Vec<u8>>())?;
/// assert_eq!(limits.range(&array)?, Some((5.0, 95.0)));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Limits {
    /// The algorithm of IRAF's `display`, with the parameters of astropy's `ZScaleInterval`.
    #[doc(alias = "ZScaleInterval")]
    Zscale,
    /// The smallest and largest finite number.
    #[doc(alias = "MinMaxInterval")]
    MinMax,
    /// Two percentiles of the finite numbers, from 0 to 100.
    #[doc(alias = "PercentileInterval")]
    #[doc(alias = "AsymmetricPercentileInterval")]
    Percentiles(f64, f64),
    /// Two given numbers.
    #[doc(alias = "ManualInterval")]
    Numbers(f64, f64),
}

/// Returns a percentile, interpolated linearly between two numbers.
pub(crate) fn percentile(numbers: &mut [f64], percent: f64) -> Option<f64> {
    let last = numbers.len().checked_sub(1)?;
    let place = percent / 100.0 * last as f64;
    let below = (place.floor() as usize).min(last);
    let (_, &mut lower, above) = numbers.select_nth_unstable_by(below, f64::total_cmp);
    let upper = above.iter().copied().min_by(f64::total_cmp).unwrap_or(lower);
    let part = place - below as f64;
    Some(lower * (1.0 - part) + upper * part)
}

impl FromStr for Limits {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::usage("expected zscale, minmax, 99.5%, 1%,99% or two numbers such as 0,1000");
        match text {
            "zscale" => return Ok(Self::Zscale),
            "minmax" => return Ok(Self::MinMax),
            _ => {}
        }
        let percent = |text: &str| {
            let number = text.trim().strip_suffix('%')?.parse::<f64>().ok()?;
            (0.0..=100.0).contains(&number).then_some(number)
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let limits = match text.split_once(',') {
            None => percent(text).map(|part| Self::Percentiles(50.0 - part / 2.0, 50.0 + part / 2.0)),
            Some((low, high)) => match (percent(low), percent(high)) {
                (Some(low), Some(high)) if low < high => Some(Self::Percentiles(low, high)),
                (None, None) => match (number(low), number(high)) {
                    (Some(low), Some(high)) if low < high => Some(Self::Numbers(low, high)),
                    _ => None,
                },
                _ => None,
            },
        };
        limits.ok_or_else(wrong)
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zscale => f.write_str("zscale"),
            Self::MinMax => f.write_str("minmax"),
            Self::Percentiles(low, high) => write!(f, "{low}%,{high}%"),
            Self::Numbers(low, high) => write!(f, "{low},{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers() {
        for (text, shown) in [
            ("zscale", "zscale"),
            ("minmax", "minmax"),
            ("90%", "5%,95%"),
            ("1%,99.5%", "1%,99.5%"),
            ("-5,1e3", "-5,1000"),
        ] {
            assert_eq!(text.parse::<Limits>().unwrap().to_string(), shown);
        }
        for text in ["", "5", "101%", "3,2", "99%,1%", "1%,5", "nan,1", "%"] {
            assert!(text.parse::<Limits>().is_err(), "{text}");
        }
        assert_eq!(percentile(&mut [], 1.0), None);
    }
}

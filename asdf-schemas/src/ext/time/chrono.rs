//! Conversions to and from the crate `chrono` (feature `chrono`).

use ::chrono::{DateTime, TimeZone, Utc};

use asdf_core::{Error, Result};

use super::instant::{DAY, Instant, has_leap_second};
use super::unix::Unix;
use crate::time::Time;

const SECOND: i128 = 1_000_000_000;

impl TryFrom<Instant> for DateTime<Utc> {
    type Error = Error;

    /// Converts to UTC, rounded to nanoseconds. A leap second stays a leap second.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    /// use asdf_schemas::time::{Time, TimeScale};
    /// use chrono::{DateTime, Utc};
    ///
    /// let tai = Instant::parse("2017-01-01T00:00:36.5", TimeScale::Tai)?;
    /// let utc = DateTime::<Utc>::try_from(tai)?;
    /// assert_eq!(utc.to_rfc3339(), "2016-12-31T23:59:60.500+00:00");
    /// assert_eq!(Time::try_from(utc)?.to_string(), "2016-12-31T23:59:60.5");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// An instant on TAI, TT or TCG is converted to UTC. An instant on TDB or TCB is an error, because the conversion loses
    /// precision, and so is one that [`Instant::to`] cannot convert to UTC.
    fn try_from(instant: Instant) -> Result<Self> {
        let unix = Unix::of(instant)?;
        let rest = u32::try_from(unix.nanoseconds.rem_euclid(SECOND)).unwrap_or_default();
        // In chrono, a leap second is a fraction of more than one second.
        let rest = if unix.leap { rest + 1_000_000_000 } else { rest };
        let seconds = i64::try_from(unix.nanoseconds.div_euclid(SECOND)).ok();
        seconds
            .and_then(|seconds| Self::from_timestamp(seconds, rest))
            .ok_or_else(|| Error::unsupported(format!("{instant} is out of range for chrono")))
    }
}

impl TryFrom<&Time> for DateTime<Utc> {
    type Error = Error;

    /// Converts the single time of the value, like its [`Instant`].
    fn try_from(time: &Time) -> Result<Self> {
        time.instant()?.try_into()
    }
}

impl<Z: TimeZone> TryFrom<DateTime<Z>> for Instant {
    type Error = Error;

    /// Makes an instant on UTC. A leap second on a day without one is an error.
    fn try_from(time: DateTime<Z>) -> Result<Self> {
        let fraction = i128::from(time.timestamp_subsec_nanos());
        let leap = fraction >= SECOND;
        let fraction = if leap { fraction - SECOND } else { fraction };
        let unix = Unix { nanoseconds: i128::from(time.timestamp()) * SECOND + fraction, leap };
        let instant = unix.instant();
        if leap && !(has_leap_second(instant.day()) && instant.seconds() >= DAY) {
            let utc = time.naive_utc();
            return Err(Error::mismatch(format!("found {utc:?}, but UTC has no leap second at this time")));
        }
        Ok(instant)
    }
}

impl<Z: TimeZone> TryFrom<DateTime<Z>> for Time {
    type Error = Error;

    /// Makes a time as text on UTC. A leap second on a day without one is an error.
    fn try_from(time: DateTime<Z>) -> Result<Self> {
        Instant::try_from(time).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use ::chrono::FixedOffset;
    use proptest::prelude::*;

    use super::*;
    use crate::time::TimeScale;

    #[test]
    fn leap_seconds_are_kept() {
        let utc: Instant = "2016-12-31T23:59:60.25".parse().unwrap();
        let there = DateTime::<Utc>::try_from(utc).unwrap();
        assert_eq!(there, DateTime::parse_from_rfc3339("2016-12-31T23:59:60.25Z").unwrap());
        assert_eq!(Instant::try_from(there).unwrap(), utc);
        let east = there.with_timezone(&FixedOffset::east_opt(5400).unwrap());
        assert_eq!(Instant::try_from(east).unwrap(), utc);
        for text in ["2015-12-31T23:59:60Z", "2016-12-31T22:59:60Z"] {
            let error = Instant::try_from(DateTime::parse_from_rfc3339(text).unwrap()).unwrap_err();
            assert!(error.to_string().contains("UTC has no leap second at this time"), "{error}");
        }
    }

    #[test]
    fn unsupported_instants_are_errors() {
        for (instant, text) in [
            (Instant::new(1_000_000_000, 0.0, TimeScale::Utc), "out of range for chrono"),
            (Instant::new(60_000, 0.0, TimeScale::Tcb), "without loss"),
            (Instant::new(60_000, f64::NAN, TimeScale::Utc), "NaT"),
        ] {
            let error = DateTime::<Utc>::try_from(instant).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    proptest! {
        /// chrono's own parser judges what is written.
        #[test]
        fn there_and_back(seconds in -62_167_219_200_i64..253_402_300_800, n in 0..1_000_000_000_u32) {
            let utc = DateTime::<Utc>::from_timestamp(seconds, n).unwrap();
            let time = Time::try_from(utc).unwrap();
            let judged: DateTime<Utc> = format!("{time}Z").parse().unwrap();
            prop_assert_eq!(judged, utc);
            prop_assert_eq!(DateTime::<Utc>::try_from(&time).unwrap(), utc);
        }
    }
}

//! Conversions to and from the crate `jiff` (feature `jiff`).

use ::jiff::{Timestamp, Zoned};

use asdf_core::{Error, Result};

use super::instant::Instant;
use super::unix::Unix;
use crate::time::Time;

impl TryFrom<Instant> for Timestamp {
    type Error = Error;

    /// Converts to UTC, rounded to nanoseconds.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    /// use asdf_schemas::time::{Time, TimeScale};
    /// use jiff::Timestamp;
    ///
    /// let tai = Instant::parse("2026-01-01T00:00:37.5", TimeScale::Tai)?;
    /// let utc = Timestamp::try_from(tai)?;
    /// assert_eq!(utc.to_string(), "2026-01-01T00:00:00.5Z");
    /// assert_eq!(Time::from(utc).to_string(), "2026-01-01T00:00:00.5");
    ///
    /// let leap = Instant::parse("2016-12-31T23:59:60", TimeScale::Utc)?;
    /// assert!(Timestamp::try_from(leap).is_err());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// An instant on TAI, TT or TCG is converted to UTC. These are errors, because the conversion would lose something: an
    /// instant in a leap second, on TDB or TCB, or one that [`Instant::to`] cannot convert to UTC.
    fn try_from(instant: Instant) -> Result<Self> {
        let nanoseconds = Unix::without_leap_second(instant, "jiff")?;
        Self::from_nanosecond(nanoseconds)
            .map_err(|_| Error::unsupported(format!("{instant} is out of range for jiff")))
    }
}

impl TryFrom<&Time> for Timestamp {
    type Error = Error;

    /// Converts the single time of the value, like its [`Instant`].
    fn try_from(time: &Time) -> Result<Self> {
        time.instant()?.try_into()
    }
}

impl From<Timestamp> for Instant {
    /// Makes an instant on UTC.
    fn from(time: Timestamp) -> Self {
        Unix { nanoseconds: time.as_nanosecond(), leap: false }.instant()
    }
}

impl From<&Zoned> for Instant {
    /// Makes an instant on UTC. The time zone is lost.
    fn from(time: &Zoned) -> Self {
        time.timestamp().into()
    }
}

impl From<Timestamp> for Time {
    /// Makes a time as text on UTC.
    fn from(time: Timestamp) -> Self {
        Instant::from(time).into()
    }
}

impl From<&Zoned> for Time {
    /// Makes a time as text on UTC. The time zone is lost.
    fn from(time: &Zoned) -> Self {
        time.timestamp().into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::TimeScale;

    #[test]
    fn unsupported_instants_are_errors() {
        for (instant, text) in [
            (
                "2016-12-31T23:59:60.25".parse().unwrap(),
                "2016-12-31T23:59:60.25 is in a leap second, which jiff does not",
            ),
            (Instant::new(10_000_000, 0.0, TimeScale::Utc), "out of range for jiff"),
            (Instant::new(60_000, 0.0, TimeScale::Tdb), "without loss"),
        ] {
            let error = Timestamp::try_from(instant).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    proptest! {
        /// jiff's own parser checks the written text.
        #[test]
        fn there_and_back(seconds in -62_167_219_200_i64..253_402_207_200, n in 0..1_000_000_000_i32) {
            let utc = Timestamp::new(seconds, n).unwrap();
            prop_assume!(utc.to_string().find('-') == Some(4));
            let time = Time::from(utc);
            prop_assert_eq!(format!("{time}Z").parse::<Timestamp>().unwrap(), utc);
            prop_assert_eq!(Timestamp::try_from(&time).unwrap(), utc);
            let zoned = utc.to_zoned(::jiff::tz::TimeZone::fixed(::jiff::tz::offset(5)));
            prop_assert_eq!(Instant::from(&zoned), Instant::from(utc));
        }
    }
}

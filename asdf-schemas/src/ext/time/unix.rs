//! Unix time: conversions to and from the system clock, and the parts that the date crates share.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use asdf_core::{Error, Result};

use super::instant::{Instant, has_leap_second};
use crate::time::{Time, TimeScale};

/// The Modified Julian Day number of 1970-01-01.
const START: i64 = 40_587;
const SECOND: i128 = 1_000_000_000;
const DAY_NANOSECONDS: i128 = 86_400 * SECOND;

/// An instant on UTC in nanoseconds since 1970-01-01, without leap seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unix {
    /// In a leap second, the time of the second before it.
    pub(super) nanoseconds: i128,
    /// Whether the instant is in the leap second after that second.
    pub(super) leap: bool,
}

impl Unix {
    /// Converts an instant, rounded to nanoseconds.
    pub(super) fn of(instant: Instant) -> Result<Self> {
        if matches!(instant.scale(), TimeScale::Tdb | TimeScale::Tcb) {
            return Err(Error::unsupported("TDB and TCB cannot be converted to UTC without loss").with_hint(
                "convert with `to(TimeScale::Utc)`, which is accurate to 30 microseconds from 1900 to 2100",
            ));
        }
        let utc = instant.to(TimeScale::Utc)?;
        if !utc.seconds().is_finite() {
            return Err(Error::mismatch("found NaT (not a time), expected a time"));
        }
        #[allow(clippy::cast_possible_truncation, reason = "a little more than a day of nanoseconds")]
        let within = (utc.seconds() * 1e9).round() as i128;
        let beyond = has_leap_second(utc.day()) && within >= DAY_NANOSECONDS;
        // An instant that rounds up to the end of the leap second is the start of the next day.
        let leap = beyond && within < DAY_NANOSECONDS + SECOND;
        let within = if beyond { within - SECOND } else { within };
        let days = i128::from(utc.day()) - i128::from(START);
        Ok(Self { nanoseconds: days * DAY_NANOSECONDS + within, leap })
    }

    /// Returns the nanoseconds of an instant. In a leap second, returns an error that says that `name` has none.
    pub(super) fn without_leap_second(instant: Instant, name: &str) -> Result<i128> {
        let unix = Self::of(instant)?;
        if unix.leap {
            let utc = instant.to(TimeScale::Utc)?;
            return Err(Error::unsupported(format!("{utc} is in a leap second, which {name} does not have")));
        }
        Ok(unix.nanoseconds)
    }

    /// Returns the instant, on UTC.
    pub(super) fn instant(self) -> Instant {
        let (days, rest) =
            (self.nanoseconds.div_euclid(DAY_NANOSECONDS), self.nanoseconds.rem_euclid(DAY_NANOSECONDS));
        let day = START.saturating_add(i64::try_from(days).unwrap_or(i64::MAX));
        #[allow(clippy::cast_precision_loss, reason = "less than a day of nanoseconds")]
        let seconds = rest as f64 / 1e9;
        if self.leap {
            return Instant::with_leap_second(day, seconds + 1.0, TimeScale::Utc);
        }
        Instant::new(day, seconds, TimeScale::Utc)
    }
}

impl Instant {
    /// Returns the current time of the system clock, on UTC.
    ///
    /// Not available on `wasm32-unknown-unknown`, which has no clock.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    ///
    /// assert!(Instant::now().mjd() > 61_000.0); // 2025-11-21
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn now() -> Self {
        SystemTime::now().into()
    }
}

impl Time {
    /// Returns the current time of the system clock, as text on UTC.
    ///
    /// Not available on `wasm32-unknown-unknown`, which has no clock.
    ///
    /// ```
    /// use asdf_core::File;
    /// use asdf_schemas::time::Time;
    ///
    /// let mut file = File::new();
    /// file.set("/written", &Time::now())?; // !time/time-1.4.0 2026-11-23T15:04:54.123456789
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn now() -> Self {
        Instant::now().into()
    }
}

impl From<SystemTime> for Instant {
    /// Makes an instant on UTC, to nanoseconds.
    ///
    /// System clocks do not count leap seconds, so the instant is never in one.
    fn from(time: SystemTime) -> Self {
        let nanoseconds = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
        let nanoseconds = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => nanoseconds(after),
            Err(before) => -nanoseconds(before.duration()),
        };
        Unix { nanoseconds, leap: false }.instant()
    }
}

impl TryFrom<Instant> for SystemTime {
    type Error = Error;

    /// Converts to UTC, rounded to nanoseconds, or to 100 nanoseconds on Windows.
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use asdf_schemas::Instant;
    /// use asdf_schemas::time::TimeScale;
    ///
    /// let tai = Instant::parse("2026-01-01T00:00:37", TimeScale::Tai)?;
    /// let time = SystemTime::try_from(tai)?;
    /// assert_eq!(Instant::from(time).to_string(), "2026-01-01T00:00:00");
    ///
    /// let leap = Instant::parse("2016-12-31T23:59:60", TimeScale::Utc)?;
    /// assert!(SystemTime::try_from(leap).is_err());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// An instant on TAI, TT or TCG is converted to UTC. These are errors, because the conversion would lose something: an
    /// instant in a leap second, on TDB or TCB, or one that [`Instant::to`] cannot convert to UTC.
    fn try_from(instant: Instant) -> Result<Self> {
        let nanoseconds = Unix::without_leap_second(instant, "Unix time")?;
        let size = nanoseconds.unsigned_abs();
        let whole = u64::try_from(size / SECOND.unsigned_abs()).ok();
        let rest = u32::try_from(size % SECOND.unsigned_abs()).unwrap_or_default();
        let time = whole.map(|seconds| Duration::new(seconds, rest)).and_then(|duration| {
            if nanoseconds < 0 { UNIX_EPOCH.checked_sub(duration) } else { UNIX_EPOCH.checked_add(duration) }
        });
        time.ok_or_else(|| Error::unsupported(format!("{instant} is out of range for the system time")))
    }
}

impl From<SystemTime> for Time {
    /// Makes a time as text on UTC, to nanoseconds.
    fn from(time: SystemTime) -> Self {
        Instant::from(time).into()
    }
}

impl TryFrom<&Time> for SystemTime {
    type Error = Error;

    /// Converts the single time of the value, like its [`Instant`].
    fn try_from(time: &Time) -> Result<Self> {
        time.instant()?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utc(text: &str) -> Instant {
        text.parse().unwrap()
    }

    #[test]
    fn the_clock_goes() {
        let before = Instant::from(SystemTime::now());
        let now = Time::now().instant().unwrap();
        assert!((now.mjd() - before.mjd()).abs() < 1e-3 && now.scale() == TimeScale::Utc);
    }

    #[test]
    fn times_of_the_system() {
        let time = |seconds| UNIX_EPOCH + Duration::from_millis(seconds);
        for (text, expected) in [
            ("1970-01-01", UNIX_EPOCH),
            ("2026-01-01T12:34:56.789", time(1_767_270_896_789)),
            ("1969-12-31T23:59:59.5", UNIX_EPOCH - Duration::from_millis(500)),
            ("0000-01-01", UNIX_EPOCH - Duration::from_secs(62_167_219_200)),
        ] {
            assert_eq!(SystemTime::try_from(utc(text)).unwrap(), expected, "{text}");
            assert_eq!(Instant::from(expected), utc(text));
            assert_eq!(SystemTime::try_from(&Time::from(expected)).unwrap(), expected);
        }
        let tt = utc("2026-01-01").to(TimeScale::Tt).unwrap();
        assert_eq!(SystemTime::try_from(tt).unwrap(), time(1_767_225_600_000));
    }

    #[test]
    fn unsupported_instants_are_errors() {
        let fails = |instant: Instant, text: &str| {
            let error = SystemTime::try_from(instant).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        };
        fails(
            utc("2016-12-31T23:59:60.5"),
            "2016-12-31T23:59:60.5 is in a leap second, which Unix time does not have",
        );
        fails(utc("2016-12-31T23:59:60.5").to(TimeScale::Tai).unwrap(), "is in a leap second");
        fails(
            utc("2026-01-01").to(TimeScale::Tdb).unwrap(),
            "TDB and TCB cannot be converted to UTC without loss",
        );
        fails(Instant::new(0, f64::NAN, TimeScale::Utc), "found NaT (not a time)");
        fails(Instant::new(i64::MAX, 0.0, TimeScale::Utc), "out of range for the system time");
        fails(Instant::new(60_000, 0.0, TimeScale::Ut1), "UT1 are not supported");
    }

    /// Less than half a nanosecond before and after a leap second.
    #[test]
    fn leap_seconds_are_rounded() {
        let at = |seconds| Unix::of(Instant::with_leap_second(57_753, seconds, TimeScale::Utc)).unwrap();
        let next = Unix::of(utc("2017-01-01")).unwrap().nanoseconds;
        assert_eq!(
            (at(86_399.999_999_999_9).nanoseconds, at(86_399.999_999_999_9).leap),
            (next - SECOND, true)
        );
        assert_eq!((at(86_400.999_999_999_9).nanoseconds, at(86_400.999_999_999_9).leap), (next, false));
        assert_eq!((at(86_400.25).nanoseconds, at(86_400.25).leap), (next - SECOND * 3 / 4, true));
    }

    #[test]
    fn instants_without_a_text_form_are_valid_times() {
        let year = |year: f64| Instant::new(0, year * 365.25 * DAY, TimeScale::Tai);
        for instant in [year(-5000.0), year(20_000.0), Instant::new(0, f64::NAN, TimeScale::Utc)] {
            let time = Time::from(instant);
            let mut file = asdf_core::File::new();
            file.set("/time", &time).unwrap();
            assert!(crate::Validator::standard().validate_file(&file).is_valid());
            let back = file.get::<Time>("/time").unwrap().instant().unwrap();
            assert_eq!((back.mjd().to_bits(), back.scale()), (instant.mjd().to_bits(), instant.scale()));
        }
    }

    const DAY: f64 = 86_400.0;

    proptest! {
        #[test]
        fn there_and_back(seconds in -62_167_219_200_i64..253_402_300_800, n in 0..1_000_000_000_u32) {
            let from = if seconds < 0 {
                UNIX_EPOCH - Duration::from_secs(seconds.unsigned_abs())
            } else {
                UNIX_EPOCH + Duration::from_secs(seconds.unsigned_abs())
            };
            let time = from + Duration::from_nanos(u64::from(n));
            prop_assert_eq!(SystemTime::try_from(Instant::from(time)).unwrap(), time);
            prop_assert_eq!(SystemTime::try_from(&Time::from(time)).unwrap(), time);
        }
    }
}

//! Moments and timestamps from the system clock.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Moment, Timestamp};
use crate::error::{Error, Result};

impl TryFrom<SystemTime> for Moment {
    type Error = Error;

    /// Converts the time to UTC.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) before the year 0 and after 9999, the range of
    /// timestamps.
    fn try_from(time: SystemTime) -> Result<Self> {
        const DAY: i64 = 86_400;
        let (seconds, nanosecond) = since_1970(time).ok_or_else(out_of_range)?;
        let second = small(seconds.rem_euclid(DAY) % 60);
        let minute = small(seconds.rem_euclid(DAY) / 60 % 60);
        let hour = small(seconds.rem_euclid(DAY) / 3_600);
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let year = u16::try_from(year).ok().filter(|year| *year <= 9999).ok_or_else(out_of_range)?;
        Ok(Self { year, month, day, hour, minute, second, nanosecond, offset: Some(0), has_time: true })
    }
}

impl TryFrom<SystemTime> for Timestamp {
    type Error = Error;

    /// Converts the time to UTC.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) before the year 0 and after 9999, the range of
    /// timestamps.
    fn try_from(time: SystemTime) -> Result<Self> {
        Moment::try_from(time)?.try_into()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Timestamp {
    /// Returns the current time in UTC.
    ///
    /// Not available on `wasm32-unknown-unknown`, whose standard library has no clock.
    #[doc(alias = "datetime")]
    #[must_use]
    pub fn now() -> Self {
        // A clock beyond the year 9999 was never set.
        Self::try_from(SystemTime::now()).unwrap_or_else(|_| Self::known("1970-01-01T00:00:00Z".to_owned()))
    }
}

/// Returns the seconds since 1970, rounded down, and the remaining nanoseconds.
fn since_1970(time: SystemTime) -> Option<(i64, u32)> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => Some((i64::try_from(after.as_secs()).ok()?, after.subsec_nanos())),
        Err(error) => {
            let before = error.duration();
            let seconds = i64::try_from(before.as_secs()).ok()?.checked_neg()?;
            match before.subsec_nanos() {
                0 => Some((seconds, 0)),
                nanos => Some((seconds.checked_sub(1)?, 1_000_000_000 - nanos)),
            }
        }
    }
}

/// Converts a day since 1970 to year, month and day of the Gregorian calendar.
fn date(day: i64) -> (i64, u8, u8) {
    // Years that begin on 1 March end with the leap day.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, small(month), small(day))
}

/// Converts a part of a date or time, all of which are below 256.
fn small(number: i64) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

fn out_of_range() -> Error {
    Error::usage("cannot convert the time to a timestamp: its year is outside 0 to 9999")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_agree_with_date() {
        // The output of `date -u -d @N`.
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_795_176_000, "2026-11-20T12:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(Moment::try_from(time).unwrap().to_string(), text);
        }
        let before = UNIX_EPOCH - Duration::from_millis(1_500);
        assert_eq!(Moment::try_from(before).unwrap().to_string(), "1969-12-31T23:59:58.5Z");
        // The first and the last second of the supported range, and their neighbors.
        let (first, last) = (Duration::from_secs(62_167_219_200), Duration::from_secs(253_402_300_799));
        assert_eq!(Moment::try_from(UNIX_EPOCH - first).unwrap().to_string(), "0000-01-01T00:00:00Z");
        assert_eq!(Moment::try_from(UNIX_EPOCH + last).unwrap().to_string(), "9999-12-31T23:59:59Z");
        for time in [UNIX_EPOCH - first - Duration::from_nanos(1), UNIX_EPOCH + last + Duration::from_secs(1)]
        {
            assert!(Timestamp::try_from(time).unwrap_err().message().contains("outside 0 to 9999"));
        }
    }

    #[test]
    fn now_lies_between_two_readings_of_the_clock() {
        let of = |time| Timestamp::try_from(time).unwrap().moment().unwrap();
        let before = SystemTime::now();
        let now = Timestamp::now().moment().unwrap();
        let parts = |moment: Moment| (moment.year, moment.month, moment.day, moment.hour, moment.minute);
        assert!((parts(of(before))..=parts(of(SystemTime::now()))).contains(&parts(now)));
    }
}

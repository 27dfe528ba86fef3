//! The parts of a timestamp.

use std::fmt;

use crate::tree::{Kind, resolve};

/// A date, or a date and time, in numbers: the parts of a [`Timestamp`](super::Timestamp).
///
/// The calendar is Gregorian. Nothing is converted: the time is local to its offset.
///
/// # Examples
/// ```
/// use asdf_core::value::Moment;
///
/// let moment = Moment::parse("2026-11-20T12:30:00.25+01:00").unwrap();
/// assert_eq!((moment.year, moment.hour, moment.nanosecond), (2026, 12, 250_000_000));
/// assert_eq!((moment.offset, moment.has_time), (Some(60), true));
/// assert_eq!(Moment::parse("2026-02-30"), None);
/// ```
#[doc(alias = "datetime")]
#[doc(alias = "date")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The year, 0 to 9999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day, from 1 to the last of the month.
    pub day: u8,
    /// The hour, 0 to 23; 0 without a time.
    pub hour: u8,
    /// The minute, 0 to 59; 0 without a time.
    pub minute: u8,
    /// The second, 0 to 59, or 60 for a leap second; 0 without a time.
    pub second: u8,
    /// The nanosecond, 0 to 999,999,999; further digits are cut off.
    pub nanosecond: u32,
    /// The offset from UTC in minutes, less than a day in either direction; 0 for `Z`.
    ///
    /// `None` if the text has no offset. YAML then means UTC, but many writers mean local time.
    pub offset: Option<i16>,
    /// Whether there is a time, not only a date.
    pub has_time: bool,
}

impl Moment {
    /// Parses a timestamp of YAML 1.1.
    ///
    /// Examples are `2001-12-14`, `2001-12-14t21:59:43.10-05:00` and `2001-12-14 21:59:43.10 -5`.
    ///
    /// Returns `None` for other text, and for dates and times that do not exist, such as `2001-02-30`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if resolve(text) != Kind::Timestamp {
            return None;
        }
        let (date, time) = match text.find(['T', 't', ' ', '\t']) {
            Some(at) => (text.get(..at)?, Some(text.get(at + 1..)?.trim_start_matches([' ', '\t']))),
            None => (text, None),
        };
        let mut date = date.splitn(3, '-');
        let year: u16 = date.next()?.parse().ok()?;
        let month = number(date.next()?, 1, 12)?;
        let day = number(date.next()?, 1, days(year, month))?;
        let moment = Self {
            year,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
            nanosecond: 0,
            offset: None,
            has_time: false,
        };
        match time {
            Some(time) => moment.at(time),
            None => Some(moment),
        }
    }

    fn at(self, time: &str) -> Option<Self> {
        let (clock, zone) = match time.find(['Z', '+', '-']) {
            Some(at) => (time.get(..at)?, Some(time.get(at..)?)),
            None => (time, None),
        };
        let mut parts = clock.trim_end_matches([' ', '\t']).splitn(3, ':');
        let hour = number(parts.next()?, 0, 23)?;
        let minute = number(parts.next()?, 0, 59)?;
        let (second, fraction) = parts.next()?.split_once('.').unwrap_or((parts_end(clock), ""));
        let second = number(second, 0, 60)?;
        let nanosecond = format!("{:0<9}", fraction.get(..fraction.len().min(9))?).parse().ok()?;
        let offset = match zone {
            Some(zone) => Some(offset(zone)?),
            None => None,
        };
        Some(Self { hour, minute, second, nanosecond, offset, has_time: true, ..self })
    }
}

/// Returns the seconds of a clock without a fraction.
fn parts_end(clock: &str) -> &str {
    let clock = clock.trim_end_matches([' ', '\t']);
    clock.rsplit(':').next().unwrap_or(clock)
}

fn offset(zone: &str) -> Option<i16> {
    let (sign, digits) = match zone.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, zone.strip_prefix('+').unwrap_or("0")),
    };
    let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
    let minutes = i16::from(number(hours, 0, 23)?) * 60 + i16::from(number(minutes, 0, 59)?);
    Some(sign * minutes)
}

impl fmt::Display for Moment {
    /// Writes a timestamp of YAML 1.1 in its canonical form: `2026-11-20T12:30:00.25Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second, nanosecond, offset, has_time } = *self;
        write!(f, "{year:04}-{month:02}-{day:02}")?;
        if !has_time {
            return Ok(());
        }
        write!(f, "T{hour:02}:{minute:02}:{second:02}")?;
        if nanosecond > 0 {
            let digits = format!("{nanosecond:09}");
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        match offset {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(minutes) => {
                let (sign, size) = (if minutes < 0 { '-' } else { '+' }, minutes.unsigned_abs());
                write!(f, "{sign}{:02}:{:02}", size / 60, size % 60)
            }
        }
    }
}

fn number(digits: &str, least: u8, most: u8) -> Option<u8> {
    digits.parse().ok().filter(|number| (least..=most).contains(number))
}

fn days(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Parts = (u16, u8, u8, u8, u8, u8, u32, Option<i16>);

    fn parts(text: &str) -> Option<Parts> {
        let m = Moment::parse(text)?;
        Some((m.year, m.month, m.day, m.hour, m.minute, m.second, m.nanosecond, m.offset))
    }

    #[test]
    fn every_form_of_yaml_1_1() {
        for (text, expected) in [
            ("2001-12-14", (2001, 12, 14, 0, 0, 0, 0, None)),
            ("2001-12-14t21:59:43.10-05:00", (2001, 12, 14, 21, 59, 43, 100_000_000, Some(-300))),
            ("2001-12-14 21:59:43.10 -5", (2001, 12, 14, 21, 59, 43, 100_000_000, Some(-300))),
            ("2001-12-15 2:59:43.10", (2001, 12, 15, 2, 59, 43, 100_000_000, None)),
            ("2001-1-1 2:59:43", (2001, 1, 1, 2, 59, 43, 0, None)),
            ("2001-12-14T21:59:43 \t Z", (2001, 12, 14, 21, 59, 43, 0, Some(0))),
            ("2026-01-01 00:00:00+05:45", (2026, 1, 1, 0, 0, 0, 0, Some(345))),
            ("2016-12-31T23:59:60Z", (2016, 12, 31, 23, 59, 60, 0, Some(0))),
            ("2001-12-14T21:59:43.Z", (2001, 12, 14, 21, 59, 43, 0, Some(0))),
            ("2001-12-14T21:59:43.1234567899Z", (2001, 12, 14, 21, 59, 43, 123_456_789, Some(0))),
            ("2000-02-29", (2000, 2, 29, 0, 0, 0, 0, None)),
        ] {
            assert_eq!(parts(text), Some(expected), "{text}");
        }
        assert!(!Moment::parse("2001-12-14").unwrap().has_time);
        assert!(Moment::parse("2001-12-14 0:00:00").unwrap().has_time);
    }

    #[test]
    fn days_and_times_that_do_not_exist() {
        for text in [
            "2001-02-30",
            "1900-02-29",
            "2001-04-31",
            "2001-13-01",
            "2001-00-01",
            "2001-01-00",
            "2001-01-01T24:00:00",
            "2001-01-01T00:60:00",
            "2001-01-01T00:00:61",
            "2001-01-01T00:00:00+24:00",
            "2001-01-01T00:00:00+01:60",
            "2001-1-1",
            "today",
            "",
            "2001-01-01T00:00",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-+:.TtZ 0-9é]{0,30}") {
            let _ = Moment::parse(&text);
        }

        #[test]
        fn moments_are_written_as_they_are_read(y in 0..10_000_u16, n in 0..1_000_000_000_u32, zone in -1439..1440_i16) {
            let moment = Moment { year: y, nanosecond: n, offset: Some(zone), ..Moment::parse("2001-12-14T21:59:43").unwrap() };
            prop_assert_eq!(Moment::parse(&moment.to_string()), Some(moment));
            let local = Moment { offset: None, ..moment };
            prop_assert_eq!(Moment::parse(&local.to_string()), Some(local));
        }

        #[test]
        fn what_is_written_is_read(y in 0..10_000_u16, m in 1..13_u8, d in 1..29_u8, h in 0..24_u8, n in 0..1_000_000_000_u32) {
            let text = format!("{y:04}-{m:02}-{d:02} {h:02}:30:59.{n:09}");
            prop_assert_eq!(parts(&text), Some((y, m, d, h, 30, 59, n, None)));
        }
    }
}

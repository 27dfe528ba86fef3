//! Dates of the Gregorian calendar, and times as text.

use std::fmt;

use asdf_core::{Error, Result};

use super::{DAY, Instant, has_leap_second};
use crate::time::TimeScale;

/// The MJD of 1 March of the year 0, from which the months are counted.
const MARCH_0: i64 = -678_881;

/// The Modified Julian Day number of a date.
pub(super) fn day(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + MARCH_0
}

/// Year, month and day of a Modified Julian Day number.
fn date(day: i64) -> (i64, i64, i64) {
    let days = day.saturating_sub(MARCH_0);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Year, month, day, hour, minute and seconds.
pub(super) fn parts(day: i64, seconds: f64) -> (i64, u8, u8, u8, u8, f64) {
    let (year, month, of_month) = date(day);
    let byte = |number: i64| u8::try_from(number).unwrap_or(u8::MAX);
    let last = if seconds >= DAY { 1439 } else { super::whole((seconds / 60.0).floor()) };
    #[allow(clippy::cast_precision_loss, reason = "at most 1439")]
    let rest = seconds - last as f64 * 60.0;
    (year, byte(month), byte(of_month), byte(last / 60), byte(last % 60), rest)
}

pub(super) fn write(day: i64, seconds: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !seconds.is_finite() {
        return f.write_str("NaT");
    }
    // Rounded first, so that no minute has 60 seconds.
    let rounded = (seconds * 1e9).round() / 1e9;
    let (day, rounded) = if rounded >= DAY && seconds < DAY { (day + 1, 0.0) } else { (day, rounded) };
    let (year, month, of_month, hour, minute, rest) = parts(day, rounded);
    let text = format!("{rest:012.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    write!(f, "{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{text}")
}

/// Parses the notations that need no format name.
pub(super) fn parse(text: &str, scale: TimeScale) -> Result<Instant> {
    let text = text.trim();
    let epoch = |rest: &str| rest.parse::<f64>().ok().filter(|epoch| epoch.is_finite());
    let found = if let Some(rest) = text.strip_prefix('J') {
        epoch(rest).map(|epoch| julian_epoch(epoch, scale))
    } else if let Some(rest) = text.strip_prefix('B') {
        epoch(rest).map(|epoch| besselian_epoch(epoch, scale))
    } else {
        dated(text, scale)
    };
    found.ok_or_else(|| {
        let text = text.chars().take(60).collect::<String>();
        Error::mismatch(format!("found '{}', expected a time", text.escape_debug()))
            .with_hint("write a time as 2026-01-02T03:04:05.6, 2026:002:03:04:05.6, J2026.0 or B1950.0")
    })
}

/// Julian years are days of TT: J2000.0 is MJD 51544.5.
pub(in crate::ext::time) fn julian_epoch(epoch: f64, scale: TimeScale) -> Instant {
    let days = (epoch - 2000.0) * 365.25;
    Instant::new(51_544, DAY / 2.0 + days * DAY, scale)
}

/// B1900.0 is MJD 15019.81352; Besselian years are tropical ones.
pub(in crate::ext::time) fn besselian_epoch(epoch: f64, scale: TimeScale) -> Instant {
    let days = (epoch - 1900.0) * 365.242_198_781;
    Instant::new(15_019, (0.813_52 + days) * DAY, scale)
}

/// Calendar years and the elapsed part of them.
pub(in crate::ext::time) fn decimal_year(value: f64, scale: TimeScale) -> Result<Instant> {
    let year = super::whole(value.floor());
    let (first, next) = (day(year, 1, 1), day(year + 1, 1, 1));
    #[allow(clippy::cast_precision_loss, reason = "365 or 366")]
    let length = (next - first) as f64 * DAY;
    let part = value - value.floor();
    let (start, end) = (Instant::new(first, 0.0, scale), Instant::new(next, 0.0, scale));
    // Leap seconds make a year of UTC longer.
    match (scale == TimeScale::Utc).then(|| (start.to(TimeScale::Tai), end.to(TimeScale::Tai))) {
        Some((Ok(start), Ok(end))) => {
            let length = length + (end.seconds() - start.seconds());
            Instant::new(start.day(), start.seconds() + part * length, TimeScale::Tai).to(scale)
        }
        _ => Ok(Instant::new(first, part * length, scale)),
    }
}

/// Parses `2026-01-02T03:04:05.6` and `2026:002:03:04:05.6`. The time of day, or its last parts, can be missing.
fn dated(text: &str, scale: TimeScale) -> Option<Instant> {
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit()) && (1..=9).contains(&text.len());
        if digits { text.parse::<i64>().ok() } else { None }
    };
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let at = rest.find(['-', ':'])?;
    let (year, rest) = (sign * number(rest.get(..at)?)?, rest.get(at..)?);
    let (day, clock) = if let Some(rest) = rest.strip_prefix('-') {
        let (date, clock) = match rest.find(['T', ' ']) {
            Some(at) => (rest.get(..at)?, rest.get(at + 1..)?),
            None => (rest, ""),
        };
        let (month, of_month) = date.split_once('-')?;
        let (month, of_month) = (number(month)?, number(of_month)?);
        (1..=12).contains(&month).then_some(())?;
        let next = if month == 12 { self::day(year + 1, 1, 1) } else { self::day(year, month + 1, 1) };
        let day = self::day(year, month, of_month);
        (of_month >= 1 && day < next).then_some((day, clock))?
    } else {
        let rest = rest.strip_prefix(':')?;
        let (of_year, clock) = rest.split_once(':').unwrap_or((rest, ""));
        let of_year = number(of_year).filter(|&of_year| of_year >= 1)?;
        let day = self::day(year, 1, 1) + of_year - 1;
        (day < self::day(year + 1, 1, 1)).then_some((day, clock))?
    };
    let mut parts = clock.trim_end_matches('Z').splitn(3, ':');
    let whole = |part: Option<&str>, below: i64| match part {
        None | Some("") => Some(0),
        Some(part) => number(part).filter(|&part| part < below),
    };
    let (hour, minute) = (whole(parts.next(), 25)?, whole(parts.next(), 60)?);
    let seconds = match parts.next() {
        None => 0.0,
        Some(part) if part.starts_with(|c: char| c.is_ascii_digit()) => part.parse::<f64>().ok()?,
        Some(_) => return None,
    };
    // The hour 24 is the end of the day. The second 60 exists only in a leap second.
    let minutes = i32::try_from(hour * 60 + minute).ok()?;
    let total = f64::from(minutes) * 60.0 + seconds;
    let leap = scale == TimeScale::Utc && minutes == 1439 && has_leap_second(day);
    let possible = seconds < 60.0 || (leap && seconds < 61.0);
    (possible && (hour < 24 || total == DAY)).then_some(())?;
    Some(if leap && seconds >= 60.0 {
        Instant::with_leap_second(day, total, scale)
    } else {
        Instant::new(day, total, scale)
    })
}

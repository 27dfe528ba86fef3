//! Instants on time scales, and conversions between scales.

pub(super) mod calendar;

use std::fmt;
use std::str::FromStr;

use asdf_core::{Error, Result};

use crate::time::TimeScale;

/// An instant on a time scale: a Modified Julian Day number and the seconds in that day.
///
/// With two numbers, the precision is about 15 picoseconds on any day. The single number [`mjd`](Self::mjd) has a precision of
/// about a microsecond. A UTC day that ends with a leap second has 86,401 seconds.
///
/// # Examples
///
/// ```
/// use asdf_schemas::Instant;
/// use asdf_schemas::time::TimeScale;
///
/// let utc = Instant::parse("2016-12-31T23:59:60.5", TimeScale::Utc)?;
/// let tai = utc.to(TimeScale::Tai)?;
/// assert_eq!(tai.to_string(), "2017-01-01T00:00:36.5");
/// assert_eq!(tai.to(TimeScale::Utc)?, utc);
/// assert_eq!(tai.to(TimeScale::Tt)?.to_string(), "2017-01-01T00:01:08.684");
/// assert_eq!(Instant::from_mjd(60000.25, TimeScale::Tt).to_string(), "2023-02-25T06:00:00");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias = "Time")]
#[doc(alias = "isot")]
#[doc(alias = "mjd")]
#[doc(alias = "datetime")]
pub struct Instant {
    day: i64,
    seconds: f64,
    scale: TimeScale,
}

pub(super) const DAY: f64 = 86_400.0;

impl Instant {
    /// Makes an instant from a Modified Julian Day number and seconds.
    ///
    /// The seconds can be negative or exceed a day.
    #[must_use]
    pub fn new(day: i64, seconds: f64, scale: TimeScale) -> Self {
        if !seconds.is_finite() || (0.0..DAY).contains(&seconds) {
            return Self { day, seconds, scale };
        }
        let days = (seconds / DAY).floor();
        let rest = seconds - days * DAY;
        // A tiny negative number can round to a whole day.
        let (days, rest) = if rest >= DAY { (days + 1.0, 0.0) } else { (days, rest) };
        Self { day: day.saturating_add(whole(days)), seconds: rest, scale }
    }

    /// Makes an instant from a Modified Julian Date, in days.
    #[must_use]
    pub fn from_mjd(mjd: f64, scale: TimeScale) -> Self {
        let day = mjd.floor();
        Self::new(whole(day), (mjd - day) * DAY, scale)
    }

    /// Parses a time: `2026-01-02`, `2026-01-02T03:04:05.6`, `2026:002:03:04:05.6`, `J2026.0` or `B1950.0`.
    ///
    /// A blank can replace the `T`.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the text has another form, or the date or time does not exist.
    #[doc(alias = "isot")]
    #[doc(alias = "yday")]
    #[doc(alias = "jyear_str")]
    pub fn parse(text: &str, scale: TimeScale) -> Result<Self> {
        calendar::parse(text, scale)
    }

    /// Returns the Modified Julian Day number. Day 0 is 17 November 1858.
    #[must_use]
    pub fn day(&self) -> i64 {
        self.day
    }

    /// Returns the seconds since the beginning of the day.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns the time scale.
    #[must_use]
    pub fn scale(&self) -> TimeScale {
        self.scale
    }

    /// Returns the Modified Julian Date, in days. In a leap second, it is the end of the day.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "days up to 2^53 are exact")]
    pub fn mjd(&self) -> f64 {
        self.day as f64 + if self.seconds > DAY { DAY } else { self.seconds } / DAY
    }

    /// Returns the Julian Date, in days: 2,400,000.5 more than the Modified Julian Date.
    #[must_use]
    pub fn jd(&self) -> f64 {
        self.mjd() + 2_400_000.5
    }

    /// Returns the year, month, day, hour, minute and seconds in the proleptic Gregorian calendar.
    ///
    /// The year before 1 is 0. In a leap second, the seconds are 60 or more.
    #[must_use]
    pub fn calendar(&self) -> (i64, u8, u8, u8, u8, f64) {
        calendar::parts(self.day, self.seconds)
    }

    pub(super) fn with_leap_second(day: i64, seconds: f64, scale: TimeScale) -> Self {
        Self { day, seconds, scale }
    }

    /// Converts the instant to another scale.
    ///
    /// Between UTC (since 1972, with the leap seconds known in 2026), TAI, TT and TCG the conversion is exact to the precision
    /// of this type. TDB and TCB are computed from TT with the largest terms, for the centre of the Earth. They are accurate to
    /// 30 microseconds from 1900 to 2100.
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) for UT1, which has to be measured, and for UTC before 1972.
    pub fn to(&self, scale: TimeScale) -> Result<Self> {
        if scale == self.scale {
            return Ok(*self);
        }
        self.to_tt()?.of_tt(scale)
    }

    fn shifted(&self, seconds: f64, scale: TimeScale) -> Self {
        Self::new(self.day, self.seconds + seconds, scale)
    }

    fn to_tt(self) -> Result<Self> {
        let tt = TimeScale::Tt;
        Ok(match self.scale {
            TimeScale::Tt => self,
            TimeScale::Tai => self.shifted(TT_TAI, tt),
            TimeScale::Utc => self.shifted(TT_TAI + leaps(self.day)?, tt),
            TimeScale::Tcg => self.shifted(-LG * self.since_1977(), tt),
            TimeScale::Tdb => self.shifted(-self.tdb_less_tt(), tt),
            TimeScale::Tcb => self.shifted(-LB * self.since_1977() + TDB0, TimeScale::Tdb).to_tt()?,
            TimeScale::Ut1 => return Err(ut1()),
        })
    }

    fn of_tt(self, scale: TimeScale) -> Result<Self> {
        Ok(match scale {
            TimeScale::Tt => self,
            TimeScale::Tai => self.shifted(-TT_TAI, scale),
            TimeScale::Utc => {
                let tai = self.shifted(-TT_TAI, scale);
                // The UTC day is the TAI day or the one before.
                let here = tai.shifted(-leaps(tai.day)?, scale);
                if here.day == tai.day {
                    return Ok(here);
                }
                let before = leaps(tai.day - 1)?;
                let seconds = tai.seconds + DAY - before;
                let length = DAY + leaps(tai.day)? - before;
                if seconds < length {
                    Self::with_leap_second(tai.day - 1, seconds, scale)
                } else {
                    Self::new(tai.day, seconds - length, scale)
                }
            }
            TimeScale::Tcg => self.shifted(LG / (1.0 - LG) * self.since_1977(), scale),
            TimeScale::Tdb => self.shifted(self.tdb_less_tt(), scale),
            TimeScale::Tcb => {
                let tdb = self.of_tt(TimeScale::Tdb)?;
                tdb.shifted((LB * tdb.since_1977() - TDB0) / (1.0 - LB), scale)
            }
            TimeScale::Ut1 => return Err(ut1()),
        })
    }

    /// Seconds since 1977-01-01T00:00:32.184, when TT, TCG and TCB were the same.
    fn since_1977(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "days up to 2^53 are exact")]
        let days = self.day.saturating_sub(43_144) as f64;
        days * DAY + self.seconds - TT_TAI
    }

    /// The largest terms of Fairhead and Bretagnon's series, as in the Explanatory Supplement (2013).
    fn tdb_less_tt(&self) -> f64 {
        let centuries = (self.mjd() - 51_544.5) / 36_525.0;
        let wave = |size: f64, rate: f64, phase: f64| size * (rate * centuries + phase).sin();
        wave(0.001_657, 628.3076, 6.2401)
            + wave(0.000_022, 575.3385, 4.2970)
            + wave(0.000_014, 1256.6152, 6.1969)
            + wave(0.000_005, 606.9777, 4.0212)
            + wave(0.000_005, 52.9691, 0.4444)
            + wave(0.000_002, 21.3299, 5.5431)
            + centuries * wave(0.000_010, 628.3076, 4.2490)
    }
}

impl fmt::Display for Instant {
    /// Writes `2026-01-02T03:04:05.6`, to nanoseconds, without trailing zeros and without the scale.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        calendar::write(self.day, self.seconds, f)
    }
}

impl FromStr for Instant {
    type Err = Error;

    /// Parses an instant on UTC. [`parse`](Self::parse) has a parameter for the scale.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    ///
    /// let instant: Instant = "2026-01-02 03:04:05.6".parse()?;
    /// assert_eq!(instant.to_string(), "2026-01-02T03:04:05.6");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, TimeScale::Utc)
    }
}

/// TT - TAI, in seconds.
const TT_TAI: f64 = 32.184;
/// The rates of TCG and TCB (IAU 2000 and 2006), and the constant term of TDB - TCB, in seconds.
const LG: f64 = 6.969_290_134e-10;
const LB: f64 = 1.550_519_768e-8;
const TDB0: f64 = -6.55e-5;

fn ut1() -> Error {
    Error::unsupported("conversions to and from UT1 are not supported: they need the tables of the IERS")
}

/// TAI - UTC on a day of UTC.
fn leaps(day: i64) -> Result<f64> {
    let after = LEAPS.partition_point(|&first| first <= day);
    if after == 0 {
        return Err(Error::unsupported(format!("UTC before 1972-01-01 is not supported: found MJD {day}"))
            .with_hint("use another scale than UTC: leap seconds began on 1972-01-01"));
    }
    #[allow(clippy::cast_precision_loss, reason = "there are 28 of them")]
    let seconds = (after + 9) as f64;
    Ok(seconds)
}

/// Whether a day of UTC ends with a leap second.
pub(super) fn has_leap_second(day: i64) -> bool {
    LEAPS.iter().skip(1).any(|&first| first - 1 == day)
}

/// The first days of each number of leap seconds, from 10 on: IERS Bulletin C.
const LEAPS: [i64; 28] = [
    41_317, 41_499, 41_683, 42_048, 42_413, 42_778, 43_144, 43_509, 43_874, 44_239, 44_786, 45_151, 45_516,
    46_247, 47_161, 47_892, 48_257, 48_804, 49_169, 49_534, 50_083, 50_630, 51_179, 53_736, 54_832, 56_109,
    57_204, 57_754,
];

#[allow(clippy::cast_possible_truncation, reason = "saturates at the limits")]
pub(super) fn whole(days: f64) -> i64 {
    (days as i64).clamp(-1_000_000_000_000, 1_000_000_000_000)
}

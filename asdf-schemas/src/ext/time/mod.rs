//! `Time`: its instants, in all notations.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "hifitime")]
mod epoch;
mod instant;
#[cfg(feature = "jiff")]
mod jiff;
mod text;
mod unix;

use std::fmt;
use std::str::FromStr;

use asdf_core::array::Value;
use asdf_core::value::Number;
use asdf_core::{Error, Result};

pub use instant::Instant;
use instant::{DAY, calendar};
pub use text::TimeText;

use crate::time::{
    Time, TimeFormat, TimeRecord, TimeRecordValue, TimeScale, TimeStrings, TimeStringsItem, TimeValue,
};

impl Time {
    /// Makes a time on UTC from text, such as `2026-01-02T03:04:05.6`.
    ///
    /// [`Instant::parse`] lists the notations.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the text is not a time.
    #[doc(alias = "isot")]
    pub fn parse(text: &str) -> Result<Self> {
        Instant::parse(text, TimeScale::Utc)?;
        Ok(Self::new(TimeValue::Text(TimeText::new(text)?)))
    }

    /// Returns the time scale: the property `scale`, or UTC without it.
    ///
    /// A format that counts seconds has a scale of its own. Then the property is the scale on which the writer displayed the
    /// time, and [`instants`](Self::instants) are on the scale of the format.
    #[must_use]
    pub fn scale(&self) -> TimeScale {
        match &self.0 {
            TimeValue::Record(record) => record.scale.unwrap_or(TimeScale::Utc),
            _ => TimeScale::Utc,
        }
    }

    /// Returns the format, if the file has one. Text does not need it.
    #[must_use]
    pub fn format(&self) -> Option<TimeFormat> {
        match &self.0 {
            TimeValue::Record(record) => record.format,
            _ => None,
        }
    }

    /// Returns the shape in C order. It is empty for a single time.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        match &self.0 {
            TimeValue::Text(_) => Vec::new(),
            TimeValue::Strings(list) => shape(list),
            TimeValue::Record(record) => match &record.value {
                TimeRecordValue::Text(_) | TimeRecordValue::Number(_) => Vec::new(),
                TimeRecordValue::Strings(list) => shape(list),
                TimeRecordValue::NdArray(array) => array.shape().to_vec(),
            },
        }
    }

    /// Returns the instant of a single time.
    ///
    /// ```
    /// use asdf_schemas::time::{Time, TimeScale};
    ///
    /// let time = Time::parse("2026-01-01 12:34:56.789")?;
    /// assert_eq!(time.instant()?.mjd(), 61041.524_268_391_2);
    /// assert_eq!(time.instant()?.to(TimeScale::Tai)?.to_string(), "2026-01-01T12:35:33.789");
    ///
    /// let tree = asdf_core::yaml::parse("{format: gps, value: 1451306114.789}")?;
    /// let gps: Time = tree.get("")?;
    /// assert_eq!(gps.instant()?.to(TimeScale::Utc)?.to_string(), "2026-01-01T12:34:56.789000034");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if there are several times or none, and those of
    /// [`instants`](Self::instants).
    pub fn instant(&self) -> Result<Instant> {
        match self.instants()?.as_slice() {
            [instant] => Ok(*instant),
            several => Err(Error::mismatch(format!("found {} times, expected 1", several.len()))
                .with_hint("use `instants` to get all of them")),
        }
    }

    /// Returns the instants in C order, on the scale of the value.
    ///
    /// A format that counts seconds has a scale of its own: `gps`, `unix_tai` and `tai_seconds` are on TAI, `cxcsec` is on TT,
    /// and `unix`, `utime` and `galexsec` are on UTC.
    ///
    /// Numbers are doubles. The precision of a Julian date is about 40 microseconds. That of formats that count seconds is
    /// better than one microsecond.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if a text is not a time in its format, or a number has no format. Also
    /// fails if an array cannot be read.
    pub fn instants(&self) -> Result<Vec<Instant>> {
        let mut found = Vec::new();
        let scale = self.scale();
        match &self.0 {
            TimeValue::Text(text) => found.push(Instant::parse(text.as_str(), scale)?),
            TimeValue::Strings(list) => of_texts(list, None, scale, &mut found)?,
            TimeValue::Record(record) => {
                of_record(record, scale, &mut found).map_err(|error| error.under("value"))?;
            }
        }
        Ok(found)
    }
}

impl From<Instant> for Time {
    /// Makes a single time as text, to nanoseconds, with its scale unless it is UTC.
    ///
    /// Text has only the years 0 to 9999. Other instants, and NaN, become Modified Julian Dates.
    fn from(instant: Instant) -> Self {
        let scale = Some(instant.scale()).filter(|&scale| scale != TimeScale::Utc);
        let text = TimeText::of(&instant);
        let record = match (text, scale) {
            (Some(text), None) => return Self::new(TimeValue::Text(text)),
            (Some(text), Some(_)) => TimeRecord::new(TimeRecordValue::Text(text)),
            (None, _) => {
                let mjd = TimeRecordValue::Number(instant.mjd().into());
                TimeRecord { format: Some(TimeFormat::Mjd), ..TimeRecord::new(mjd) }
            }
        };
        Self::new(TimeValue::Record(TimeRecord { scale, ..record }))
    }
}

impl FromStr for Time {
    type Err = Error;

    /// Parses a single time on UTC, like [`Time::parse`].
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Time {
    /// Writes the value as in the file, then the format and the scale, if the file has them. For an array, writes its datatype
    /// and shape.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    /// use asdf_schemas::time::{Time, TimeScale};
    ///
    /// let time: Time = "2026-01-02 03:04:05.6".parse()?;
    /// assert_eq!(time.to_string(), "2026-01-02 03:04:05.6");
    /// let tai = Time::from(Instant::from_mjd(61042.5, TimeScale::Tai));
    /// assert_eq!(tai.to_string(), "2026-01-02T12:00:00 (tai)");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = match &self.0 {
            TimeValue::Text(text) => return text.fmt(f),
            TimeValue::Strings(list) => return show(list, f),
            TimeValue::Record(record) => record,
        };
        match &record.value {
            TimeRecordValue::Text(text) => text.fmt(f)?,
            TimeRecordValue::Strings(list) => show(list, f)?,
            TimeRecordValue::Number(Number::Int(number)) => number.fmt(f)?,
            TimeRecordValue::Number(Number::Float(number)) => number.fmt(f)?,
            TimeRecordValue::NdArray(array) => write!(f, "{} {:?}", array.datatype(), array.shape())?,
        }
        match (record.format, record.scale) {
            (Some(format), Some(scale)) => write!(f, " ({format}, {scale})"),
            (Some(format), None) => write!(f, " ({format})"),
            (None, Some(scale)) => write!(f, " ({scale})"),
            (None, None) => Ok(()),
        }
    }
}

fn show(list: &TimeStrings, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("[")?;
    for (index, item) in list.0.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        match item {
            TimeStringsItem::Strings(inner) => show(inner, f)?,
            TimeStringsItem::Text(text) => fmt::Display::fmt(text, f)?,
        }
    }
    f.write_str("]")
}

fn shape(list: &TimeStrings) -> Vec<u64> {
    let mut shape = vec![list.0.len() as u64];
    if let Some(TimeStringsItem::Strings(inner)) = list.0.first() {
        shape.extend(self::shape(inner));
    }
    shape
}

fn of_texts(
    list: &TimeStrings,
    format: Option<TimeFormat>,
    scale: TimeScale,
    found: &mut Vec<Instant>,
) -> Result<()> {
    for (index, item) in list.0.iter().enumerate() {
        let read = match item {
            TimeStringsItem::Strings(inner) => of_texts(inner, format, scale, found),
            TimeStringsItem::Text(text) => {
                of_text(text.as_str(), format, scale).map(|instant| found.push(instant))
            }
        };
        read.map_err(|error| error.under(index))?;
    }
    Ok(())
}

fn of_record(record: &TimeRecord, scale: TimeScale, found: &mut Vec<Instant>) -> Result<()> {
    match &record.value {
        TimeRecordValue::Text(text) => found.push(of_text(text.as_str(), record.format, scale)?),
        TimeRecordValue::Strings(list) => of_texts(list, record.format, scale, found)?,
        TimeRecordValue::Number(number) => found.push(of_number(number.to_f64(), record.format, scale)?),
        TimeRecordValue::NdArray(array) => {
            for element in array.elements()? {
                found.push(match element {
                    Value::Text(text) => of_text(&text, record.format, scale)?,
                    #[allow(clippy::cast_precision_loss, reason = "times are doubles")]
                    Value::Int(number) => of_number(number as f64, record.format, scale)?,
                    Value::Float(number) => of_number(number, record.format, scale)?,
                    Value::Missing => Instant::new(0, f64::NAN, scale),
                    _ => {
                        return Err(Error::mismatch(format!("found {}, expected times", array.datatype())));
                    }
                });
            }
        }
    }
    Ok(())
}

fn of_text(text: &str, format: Option<TimeFormat>, scale: TimeScale) -> Result<Instant> {
    let number = || text.trim().parse::<f64>().ok().filter(|_| format.is_some());
    match number() {
        Some(number) => of_number(number, format, scale),
        None => Instant::parse(text, scale),
    }
}

fn of_number(value: f64, format: Option<TimeFormat>, scale: TimeScale) -> Result<Instant> {
    let Some(format) = format else {
        return Err(Error::mismatch(format!(
            "found the number {value} without a format, expected a `format`"
        ))
        .with_hint("set `format` to the meaning of the number, such as jd or unix"));
    };
    let since = |day: i64, seconds: f64, scale| {
        // The days are split off first, to keep the precision.
        let days = (value / DAY).floor();
        Instant::new(day + instant::whole(days), value - days * DAY + seconds, scale)
    };
    Ok(match format {
        TimeFormat::Jd => {
            // A Julian day begins at noon.
            let days = value.floor();
            Instant::new(instant::whole(days) - 2_400_001, (value - days + 0.5) * DAY, scale)
        }
        TimeFormat::Mjd => Instant::from_mjd(value, scale),
        TimeFormat::Byear => calendar::besselian_epoch(value, scale),
        TimeFormat::Jyear => calendar::julian_epoch(value, scale),
        TimeFormat::Decimalyear => calendar::decimal_year(value, scale)?,
        TimeFormat::Gps => since(44_244, 19.0, TimeScale::Tai),
        TimeFormat::Unix => since(40_587, 0.0, TimeScale::Utc),
        TimeFormat::Utime => since(43_874, 0.0, TimeScale::Utc),
        TimeFormat::Galexsec => since(44_244, 0.0, TimeScale::Utc),
        TimeFormat::UnixTai => since(40_587, 0.0, TimeScale::Tai),
        TimeFormat::TaiSeconds => since(36_204, 0.0, TimeScale::Tai),
        TimeFormat::Cxcsec => since(50_814, 0.0, TimeScale::Tt),
        TimeFormat::Iso | TimeFormat::Yday => {
            return Err(Error::mismatch(format!("found the number {value}, expected text"))
                .with_hint("write times of the formats iso and yday as text"));
        }
    })
}

//! The equinox of a reference frame.

use asdf_core::tree::{Kind, NodeRef};

/// The equinox of a frame as the file gives it: a time of `time/time-1.*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Equinox {
    text: String,
    /// The format of a number, such as `jyear`; empty if the text says it itself.
    format: String,
}

/// How years are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Years {
    /// Years of 365.25 days, as in J2000.0.
    Julian,
    /// Tropical years, as in B1950.0.
    Besselian,
}

/// The Julian date of J2000.0.
const J2000: f64 = 2_451_545.0;

/// The days from B1900.0 to J2000.0, as in ERFA.
const B1900_TO_J2000: f64 = 36_524.686_48;

/// The days of a tropical year, as in ERFA.
const TROPICAL_YEAR: f64 = 365.242_198_781;

const JULIAN_YEAR: f64 = 365.25;

impl Years {
    fn to_date(self, year: f64) -> f64 {
        match self {
            Self::Julian => J2000 + (year - 2000.0) * JULIAN_YEAR,
            Self::Besselian => J2000 - B1900_TO_J2000 + (year - 1900.0) * TROPICAL_YEAR,
        }
    }

    fn of_date(self, date: f64) -> f64 {
        match self {
            Self::Julian => 2000.0 + (date - J2000) / JULIAN_YEAR,
            Self::Besselian => 1900.0 + (date - J2000 + B1900_TO_J2000) / TROPICAL_YEAR,
        }
    }
}

impl Equinox {
    /// Reads the equinox of a reference frame. Old files have it beside the type of the frame.
    pub(super) fn read(frame: NodeRef<'_>) -> Option<Self> {
        let attribute = frame.get("frame_attributes").and_then(|attributes| attributes.get("equinox"));
        let time = attribute.or_else(|| frame.get("equinox")).filter(|time| !time.is_null())?;
        let text = |node: NodeRef<'_>| node.text().unwrap_or_default().to_owned();
        if time.kind() != Kind::Mapping {
            return Some(Self { text: text(time), format: String::new() });
        }
        let item = |key: &str| time.get(key).map(text);
        let format = item("format").or_else(|| item("base_format")).unwrap_or_default();
        Some(Self { text: item("value").unwrap_or_default(), format })
    }

    /// Returns the text of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the year of the equinox. `None` if the file gives it in a form that is not understood.
    ///
    /// Differences between time scales are ignored. They are about a minute, in which the equinox moves by 0.1 mas.
    pub(crate) fn year(&self, years: Years) -> Option<f64> {
        let text = self.text.trim();
        let year = |text: &str, own: Years| {
            let year = text.parse::<f64>().ok()?;
            Some(if own == years { year } else { years.of_date(own.to_date(year)) })
        };
        let date = |text: &str, zero: f64| Some(years.of_date(text.parse::<f64>().ok()? + zero));
        let found = match (text.split_at_checked(1), self.format.as_str()) {
            (Some(("J", rest)), _) => year(rest, Years::Julian),
            (Some(("B", rest)), _) => year(rest, Years::Besselian),
            (_, "jyear") => year(text, Years::Julian),
            (_, "byear") => year(text, Years::Besselian),
            (_, "jd") => date(text, 0.0),
            (_, "mjd") => date(text, 2_400_000.5),
            (_, "" | "iso" | "isot" | "fits" | "datetime") => calendar(text).map(|date| years.of_date(date)),
            _ => None,
        };
        found.filter(|year| year.is_finite())
    }
}

/// Returns the Julian date of a date of the Gregorian calendar, such as `2015-07-01T12:00:00.000`.
fn calendar(text: &str) -> Option<f64> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<u16>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !((1..=12).contains(&month) && (1..=31).contains(&day)) {
        return None;
    }
    // The months count from March, so that the day that is added in a leap year is the last one.
    let (year, month) = (i64::from(year), i64::from(month));
    let since_march = (month + 9) % 12;
    let year = year - i64::from(month < 3);
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * since_march + 2) / 5
        + i64::from(day)
        - 1;
    // The first of March of the year 0 began at this date.
    const FIRST: f64 = 1_721_119.5;
    let units = [3600.0, 60.0, 1.0];
    let seconds = match time {
        "" => 0.0,
        time => time.splitn(3, ':').zip(units).try_fold(0.0, |sum, (part, unit)| {
            let part = part.parse::<f64>().ok().filter(|part| (0.0..61.0).contains(part))?;
            Some(sum + part * unit)
        })?,
    };
    #[expect(clippy::cast_precision_loss, reason = "years have five digits at most")]
    let date = FIRST + days as f64 + seconds / 86_400.0;
    Some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The years of both kinds, as `astropy.time.Time` gives them in the scale TT.
    #[test]
    fn years_are_those_of_astropy() {
        for (text, format, julian, besselian) in [
            ("J2000.000", "", 2000.0, 2_000.001_277_513_665),
            ("J1975.000", "jyear", 1975.0, 1_975.000_743_537_920_7),
            ("B1950.000", "", 1_949.999_790_442_299_9, 1950.0),
            ("B1975.000", "byear", 1_974.999_256_477_960_2, 1975.0),
            ("1960", "jyear", 1960.0, 1_960.000_423_152_474),
            ("2450000.5", "jd", 1_995.771_389_459_274_4, 1_995.772_576_653_921),
            ("50000.0", "mjd", 1_995.771_389_459_274_4, 1_995.772_576_653_921),
            ("2015-07-01T00:00:00.000", "", 2_015.494_866_529_774, 2_015.496_474_998_754_8),
            ("2015-07-01", "iso", 2_015.494_866_529_774, 2_015.496_474_998_754_8),
        ] {
            let equinox = Equinox { text: text.to_owned(), format: format.to_owned() };
            for (years, expected) in [(Years::Julian, julian), (Years::Besselian, besselian)] {
                let found = equinox.year(years).unwrap();
                // The expected dates of UTC have been converted to TT, which is a minute later.
                assert!((found - expected).abs() < 3e-6, "{text} {years:?}: {found}");
            }
        }
    }

    #[test]
    fn dates_of_the_calendar_are_julian_dates() {
        for (text, date) in [
            ("2000-01-01T12:00:00", J2000),
            ("1858-11-17 00:00:00", 2_400_000.5),
            ("2000-02-29", 2_451_603.5),
            ("2000-03-01", 2_451_604.5),
            ("1999-12-31T18:00", 2_451_544.25),
        ] {
            assert_eq!(calendar(text), Some(date), "{text}");
        }
        for wrong in ["", "2000", "2000-13-01", "2000-01-32", "2000-01-01T25:0x:00", "2015:100:00:00:00"] {
            assert_eq!(calendar(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn other_forms_are_not_guessed() {
        for (text, format) in
            [("1e9", "unix"), ("", ""), ("J", ""), ("Jinf", ""), ("2015:100", "yday"), ("é", "")]
        {
            let equinox = Equinox { text: text.to_owned(), format: format.to_owned() };
            assert_eq!(equinox.year(Years::Julian), None, "{text}");
        }
    }
}

//! Dates and times of the crate `chrono` (feature `chrono`).
//!
//! | type | in the file |
//! |---|---|
//! | `NaiveDate` | a timestamp with only a date |
//! | `NaiveDateTime` | a timestamp without an offset |
//! | `DateTime<FixedOffset>` | a timestamp with its offset; in UTC if the offset has seconds |
//! | `DateTime<Utc>` | a timestamp in UTC; others are converted |
//!
//! Leap seconds are preserved. chrono represents one as a fraction of one second or more.

use ::chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, Timelike as _,
    Utc,
};

use super::Moment;
use super::dates;
use crate::error::Result;
use crate::tree::{NodeId, Tree};

fn date(moment: &Moment) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(moment.year.into(), moment.month.into(), moment.day.into())
}

fn local(moment: &Moment) -> Option<NaiveDateTime> {
    // chrono represents a leap second as a fraction of one second or more.
    let leap = u32::from(moment.second / 60);
    let time = NaiveTime::from_hms_nano_opt(
        moment.hour.into(),
        moment.minute.into(),
        u32::from(moment.second) - leap,
        moment.nanosecond + leap * 1_000_000_000,
    );
    Some(date(moment)?.and_time(time?))
}

fn instant(moment: &Moment) -> Option<DateTime<FixedOffset>> {
    let offset = FixedOffset::east_opt(i32::from(moment.offset.unwrap_or(0)) * 60)?;
    local(moment)?.and_local_timezone(offset).single()
}

fn write(
    tree: &mut Tree,
    date: NaiveDate,
    time: Option<NaiveTime>,
    offset: Option<FixedOffset>,
) -> Result<NodeId> {
    // chrono represents a leap second as a fraction of one second or more.
    let number = |value: u32| u8::try_from(value).unwrap_or_default();
    let time_of = time.unwrap_or_default();
    let leap = time_of.nanosecond() / 1_000_000_000;
    let offset = offset.map(|offset| i16::try_from(offset.local_minus_utc() / 60).unwrap_or_default());
    let moment = Moment {
        year: 0,
        month: number(date.month()),
        day: number(date.day()),
        hour: number(time_of.hour()),
        minute: number(time_of.minute()),
        second: number(time_of.second() + leap),
        nanosecond: time_of.nanosecond() % 1_000_000_000,
        offset,
        has_time: time.is_some(),
    };
    dates::write(tree, date.year(), moment)
}

dates::types! {
    dates::read, write;
    NaiveDate, Date, date, |date: NaiveDate| (date, None, None);
    NaiveDateTime, Local, local, |local: NaiveDateTime| (local.date(), Some(local.time()), None);
    DateTime<FixedOffset>, Instant, instant, |instant: DateTime<FixedOffset>| {
        // Timestamps have offsets in minutes.
        let whole = instant.offset().local_minus_utc() % 60 == 0;
        let instant = if whole { instant } else { instant.with_timezone(&Utc.fix()) };
        let local = instant.naive_local();
        (local.date(), Some(local.time()), Some(*instant.offset()))
    };
    DateTime<Utc>, Instant, |moment| instant(moment).map(|instant| instant.to_utc()), |instant: DateTime<Utc>| {
        let local = instant.naive_utc();
        (local.date(), Some(local.time()), Some(Utc.fix()))
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::Node;
    use crate::value::{Timestamp, ToNode};
    use crate::yaml;

    fn written<T: ToNode>(value: &T) -> String {
        Node::new(value).unwrap().view().text().unwrap_or_default().to_owned()
    }

    #[test]
    fn dates_round_trip() {
        for text in ["2026-11-20T12:30:00.500000000+05:30", "2026-11-20T12:30:00Z", "2016-12-31T23:59:60Z"] {
            let value: DateTime<FixedOffset> = yaml::parse(text).unwrap().get("").unwrap();
            let again: DateTime<FixedOffset> = yaml::parse(&written(&value)).unwrap().get("").unwrap();
            assert_eq!(value, again, "{text}");
        }
        let utc: DateTime<Utc> = yaml::parse("2026-11-20 12:30:00+02:00").unwrap().get("").unwrap();
        assert_eq!(written(&utc), "2026-11-20T10:30:00Z");
        let utc: DateTime<Utc> = yaml::parse("'2026-11-20T12:30:00.25'").unwrap().get("").unwrap();
        assert_eq!(written(&utc), "2026-11-20T12:30:00.25Z");
        let east = FixedOffset::east_opt(3630).unwrap();
        assert_eq!(written(&utc.with_timezone(&east)), "2026-11-20T12:30:00.25Z");
        let local: NaiveDateTime = yaml::parse("2026-11-20 12:30:00").unwrap().get("").unwrap();
        assert_eq!(written(&local), "2026-11-20T12:30:00");
        let date: NaiveDate = yaml::parse("2026-11-20").unwrap().get("").unwrap();
        assert_eq!(written(&date), "2026-11-20");
    }

    #[test]
    fn wrong_dates_are_reported() {
        let tree = yaml::parse("[2026-11-20 12:30:00Z, 2026-11-20, 2026-02-30, 5]").unwrap();
        for (at, expected) in
            [("/1", "a date and time,"), ("/2", "a date and time,"), ("/3", "a date and time,")]
        {
            let error = tree.get::<DateTime<Utc>>(at).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(tree.get::<NaiveDate>("/0").unwrap_err().to_string().contains("expected a date,"));
        assert!(tree.get::<NaiveDateTime>("/0").unwrap_err().to_string().contains("without an offset"));
        let late = NaiveDate::from_ymd_opt(12026, 1, 1).unwrap();
        assert!(Node::new(&late).unwrap_err().to_string().contains("its year 12026"));
    }

    proptest! {
        /// Compares with chrono's own parser and printer.
        #[test]
        fn timestamps_agree_with_chrono(seconds in -62_167_219_200_i64..253_402_300_800, n in 0..1_000_000_000_u32, zone in -1439..1440_i32) {
            let utc = DateTime::<Utc>::from_timestamp(seconds, n).unwrap();
            let timestamp = Timestamp::try_from(utc).unwrap();
            prop_assert_eq!(DateTime::parse_from_rfc3339(timestamp.as_str()).unwrap(), utc);
            prop_assert_eq!(DateTime::<Utc>::try_from(&timestamp).unwrap(), utc);
            let east = utc.with_timezone(&FixedOffset::east_opt(zone * 60).unwrap());
            prop_assume!((0..10_000).contains(&east.year()));
            let timestamp = Timestamp::try_from(east).unwrap();
            prop_assert_eq!(DateTime::parse_from_rfc3339(timestamp.as_str()).unwrap(), east);
            let back = DateTime::<FixedOffset>::try_from(&timestamp).unwrap();
            prop_assert_eq!((back, back.offset()), (east, east.offset()));
            let local = utc.naive_utc();
            prop_assert_eq!(NaiveDateTime::try_from(&Timestamp::try_from(local).unwrap()).unwrap(), local);
        }
    }

    #[test]
    fn timestamps_that_do_not_convert_are_reported() {
        let date = Timestamp::try_from(NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()).unwrap();
        assert_eq!(
            DateTime::<Utc>::try_from(&date).unwrap_err().to_string(),
            "found the timestamp 2026-11-20, expected a date and time, such as 2026-11-20T12:30:00Z"
        );
        assert!(Timestamp::try_from(NaiveDate::from_ymd_opt(-1, 1, 1).unwrap()).is_err());
    }
}

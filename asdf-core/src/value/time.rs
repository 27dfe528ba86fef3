//! Dates and times of the crate `time` (feature `time`).
//!
//! | type | in the file |
//! |---|---|
//! | `Date` | a timestamp with only a date |
//! | `PrimitiveDateTime` | a timestamp without an offset |
//! | `OffsetDateTime` | a timestamp with its offset; in UTC if the offset has seconds |
//!
//! A leap second is read as the last nanosecond before it, because `time` does not support leap seconds.

use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::Moment;
use super::dates;
use crate::error::Result;
use crate::tree::{NodeId, Tree};

fn date(moment: &Moment) -> Option<Date> {
    Date::from_calendar_date(moment.year.into(), Month::try_from(moment.month).ok()?, moment.day).ok()
}

fn local(moment: &Moment) -> Option<PrimitiveDateTime> {
    let (second, nanosecond) = match moment.second {
        60 => (59, 999_999_999),
        second => (second, moment.nanosecond),
    };
    let time = Time::from_hms_nano(moment.hour, moment.minute, second, nanosecond).ok()?;
    Some(PrimitiveDateTime::new(date(moment)?, time))
}

fn instant(moment: &Moment) -> Option<OffsetDateTime> {
    let offset = UtcOffset::from_whole_seconds(i32::from(moment.offset.unwrap_or(0)) * 60).ok()?;
    Some(local(moment)?.assume_offset(offset))
}

fn write(tree: &mut Tree, date: Date, time: Option<Time>, offset: Option<UtcOffset>) -> Result<NodeId> {
    let time_of = time.unwrap_or(Time::MIDNIGHT);
    let moment = Moment {
        year: 0,
        month: date.month().into(),
        day: date.day(),
        hour: time_of.hour(),
        minute: time_of.minute(),
        second: time_of.second(),
        nanosecond: time_of.nanosecond(),
        offset: offset.map(UtcOffset::whole_minutes),
        has_time: time.is_some(),
    };
    dates::write(tree, date.year(), moment)
}

dates::types! {
    dates::read, write;
    Date, Date, date, |date: Date| (date, None, None);
    PrimitiveDateTime, Local, local, |local: PrimitiveDateTime| (local.date(), Some(local.time()), None);
    OffsetDateTime, Instant, instant, |instant: OffsetDateTime| {
        // Timestamps have offsets in minutes.
        let whole = instant.offset().seconds_past_minute() == 0;
        let instant = if whole { instant } else { instant.to_offset(UtcOffset::UTC) };
        (instant.date(), Some(instant.time()), Some(instant.offset()))
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::value::{FromNode, Timestamp, ToNode};
    use crate::yaml;

    #[test]
    fn timestamps_convert_to_and_from_times() {
        let timestamp = Timestamp::new("2026-11-20T12:30:00.5+05:30").unwrap();
        let there = OffsetDateTime::try_from(&timestamp).unwrap();
        assert_eq!((there.hour(), there.offset().whole_minutes()), (12, 330));
        assert_eq!(Timestamp::try_from(there).unwrap(), timestamp);
        assert!(Date::try_from(&timestamp).unwrap_err().message().contains("expected a date"));
    }

    #[test]
    fn dates_round_trip() {
        fn check<T: FromNode + ToNode>(text: &str, expected: &str) {
            let value: T = yaml::parse(text).unwrap().get("").unwrap();
            assert_eq!(Node::new(&value).unwrap().view().text(), Some(expected));
        }
        check::<OffsetDateTime>("2026-11-20 12:30:00.5 +5:30", "2026-11-20T12:30:00.5+05:30");
        check::<OffsetDateTime>("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999999Z");
        check::<PrimitiveDateTime>("'2026-11-20 12:30:00'", "2026-11-20T12:30:00");
        check::<Date>("2026-11-20", "2026-11-20");
        let utc: OffsetDateTime = yaml::parse("2026-11-20T12:30:00Z").unwrap().get("").unwrap();
        let east = utc.to_offset(UtcOffset::from_whole_seconds(3630).unwrap());
        assert_eq!(Node::new(&east).unwrap().view().text(), Some("2026-11-20T12:30:00Z"));
        let error = yaml::parse("[noon]").unwrap().get::<OffsetDateTime>("/0").unwrap_err();
        assert!(error.to_string().contains("found the string 'noon', expected a date and time"), "{error}");
    }
}

//! Dates and times of the crate `jiff` (feature `jiff`).
//!
//! | type | in the file |
//! |---|---|
//! | `jiff::Timestamp` | a timestamp in UTC; others are converted |
//! | `civil::DateTime` | a timestamp without an offset |
//! | `civil::Date` | a timestamp with only a date |
//!
//! Timestamps of YAML have offsets but no time zones, so `Zoned` is not supported: write `zoned.timestamp()`.
//! A leap second is an error, because jiff does not support leap seconds.

use ::jiff::civil::{Date, DateTime, Time};
use ::jiff::tz::Offset;

use super::dates::{self, Holds};
use super::{FromNode, Moment, Timestamp};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

fn date(moment: &Moment) -> Option<Date> {
    let month = i8::try_from(moment.month).ok()?;
    Date::new(i16::try_from(moment.year).ok()?, month, i8::try_from(moment.day).ok()?).ok()
}

fn local(moment: &Moment) -> Option<DateTime> {
    let [hour, minute, second] = [moment.hour, moment.minute, moment.second].map(i8::try_from);
    let nanosecond = i32::try_from(moment.nanosecond).ok()?;
    let time = Time::new(hour.ok()?, minute.ok()?, second.ok()?, nanosecond).ok()?;
    Some(date(moment)?.to_datetime(time))
}

fn instant(moment: &Moment) -> Option<::jiff::Timestamp> {
    let offset = Offset::from_seconds(i32::from(moment.offset.unwrap_or(0)) * 60).ok()?;
    offset.to_timestamp(local(moment)?).ok()
}

fn read<T>(node: NodeRef<'_>, holds: Holds, make: impl FnOnce(&Moment) -> Option<T>) -> Result<T> {
    let moment = Timestamp::from_node(node).ok().and_then(|timestamp| Moment::parse(timestamp.as_str()));
    if moment.is_some_and(|moment| moment.second == 60) {
        return Err(node.expected("a time outside a leap second, which jiff does not support"));
    }
    dates::read(node, holds, make)
}

fn write(tree: &mut Tree, date: Date, time: Option<Time>, offset: Option<i16>) -> Result<NodeId> {
    let number = |value: i8| u8::try_from(value).unwrap_or_default();
    let time_of = time.unwrap_or_default();
    let moment = Moment {
        year: 0,
        month: number(date.month()),
        day: number(date.day()),
        hour: number(time_of.hour()),
        minute: number(time_of.minute()),
        second: number(time_of.second()),
        nanosecond: u32::try_from(time_of.subsec_nanosecond()).unwrap_or_default(),
        offset,
        has_time: time.is_some(),
    };
    dates::write(tree, date.year().into(), moment)
}

dates::types! {
    read, write;
    Date, Date, date, |date: Date| (date, None, None);
    DateTime, Local, local, |local: DateTime| (local.date(), Some(local.time()), None);
    ::jiff::Timestamp, Instant, instant, |instant: ::jiff::Timestamp| {
        let utc = Offset::UTC.to_datetime(instant);
        (utc.date(), Some(utc.time()), Some(0))
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::Node;
    use crate::value::ToNode;
    use crate::yaml;

    #[test]
    fn dates_round_trip() {
        fn check<T: FromNode + ToNode>(text: &str, expected: &str) {
            let value: T = yaml::parse(text).unwrap().get("").unwrap();
            assert_eq!(Node::new(&value).unwrap().view().text(), Some(expected));
        }
        check::<::jiff::Timestamp>("2026-11-20 12:30:00.5 +5:30", "2026-11-20T07:00:00.5Z");
        check::<::jiff::Timestamp>("'2026-11-20T12:30:00'", "2026-11-20T12:30:00Z");
        check::<DateTime>("'2026-11-20 12:30:00'", "2026-11-20T12:30:00");
        check::<Date>("0000-02-29", "0000-02-29");
    }

    #[test]
    fn unsupported_dates_are_reported() {
        let tree = yaml::parse("[2016-12-31T23:59:60Z, 2026-11-20, noon]").unwrap();
        let error = tree.get::<::jiff::Timestamp>("/0").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 2: /0: found the timestamp 2016-12-31T23:59:60Z, expected a time outside a leap second, which jiff does not support"
        );
        assert!(
            tree.get::<::jiff::Timestamp>("/1").unwrap_err().to_string().contains("expected a date and time")
        );
        assert!(tree.get::<DateTime>("/2").unwrap_err().to_string().contains("without an offset"));
        let before = Date::new(-1, 1, 1).unwrap();
        assert!(
            Timestamp::try_from(before).unwrap_err().to_string().contains("its year -1 is outside 0 to 9999")
        );
    }

    proptest! {
        /// Compares with jiff's own parser and printer.
        #[test]
        fn timestamps_agree_with_jiff(seconds in -62_167_219_200_i64..253_402_207_200, n in 0..1_000_000_000_i32) {
            let instant = ::jiff::Timestamp::new(seconds, n).unwrap();
            prop_assume!(Offset::UTC.to_datetime(instant).year() >= 0);
            let timestamp = Timestamp::try_from(instant).unwrap();
            prop_assert_eq!(timestamp.as_str().parse::<::jiff::Timestamp>().unwrap(), instant);
            prop_assert_eq!(::jiff::Timestamp::try_from(&timestamp).unwrap(), instant);
            prop_assert_eq!(timestamp.as_str(), instant.to_string());
            let local = Offset::UTC.to_datetime(instant);
            let timestamp = Timestamp::try_from(local).unwrap();
            prop_assert_eq!(timestamp.as_str().parse::<DateTime>().unwrap(), local);
            prop_assert_eq!(DateTime::try_from(&timestamp).unwrap(), local);
            let date = Timestamp::try_from(local.date()).unwrap();
            prop_assert_eq!(Date::try_from(&date).unwrap(), local.date());
        }
    }
}

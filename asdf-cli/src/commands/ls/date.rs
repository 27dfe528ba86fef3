//! Times of files as people and programs write them.

use std::time::{SystemTime, UNIX_EPOCH};

use asdf_core::value::Moment;

/// A time in UTC by ISO 8601, to the second: `2026-11-20T12:30:00Z`. Its text sorts as the time does. Times before
/// 1970 or after 9999 are shown as the start of 1970.
pub(super) fn of(time: SystemTime) -> String {
    let time = if time < UNIX_EPOCH { UNIX_EPOCH } else { time };
    let moment = Moment::try_from(time).or_else(|_| Moment::try_from(UNIX_EPOCH));
    moment.map(|moment| Moment { nanosecond: 0, ..moment }.to_string()).unwrap_or_default()
}

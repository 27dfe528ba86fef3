//! Times of files in ISO 8601.

use std::time::{SystemTime, UNIX_EPOCH};

use asdf_core::value::Moment;

/// Formats a time in UTC by ISO 8601, to the second: `2026-11-20T12:30:00Z`. The texts sort like the times. Times
/// before 1970 or after 9999 become the start of 1970.
pub(super) fn of(time: SystemTime) -> String {
    let time = if time < UNIX_EPOCH { UNIX_EPOCH } else { time };
    let moment = Moment::try_from(time).or_else(|_| Moment::try_from(UNIX_EPOCH));
    moment.map(|moment| Moment { nanosecond: 0, ..moment }.to_string()).unwrap_or_default()
}

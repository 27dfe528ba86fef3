//! Times of files as people and programs write them.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in UTC by ISO 8601, to the second: `2026-11-20T12:30:00Z`. Its text sorts as the time does.
pub(super) fn of(time: SystemTime) -> String {
    // Files from before 1970 are shown as of its first second.
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Counted from 1 March 0000, a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_those_of_date() {
        // What `date -u -d @N` prints.
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_795_176_000, "2026-11-20T12:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(of(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}

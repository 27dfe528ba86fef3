//! Times as text.

use asdf_core::{Asdf, Timestamp};

use super::Instant;

/// A time as text, in one of the notations that can be told apart by themselves: `2026-01-02T03:04:05.6`,
/// `B1950.0`, `J2000.0`, `2026:185:22:15:30.250`. The text is kept as it stands.
///
/// What is checked is what the schemas of all versions say, which is little: that one of their patterns is
/// found somewhere. Whether it is a time, [`Time::instants`](crate::time::Time::instants) tells.
// In the file it may be a plain scalar, which YAML takes for a timestamp, so that no `String` would do.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(check(
    pattern = "(?:[0-9]{4}-(0[1-9])|(1[0-2])-(0[1-9])|([1-2][0-9])|(3[0-1])[T ]([0-1][0-9])|(2[0-4]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?)|(?:B[0-9]+(.[0-9]+)?)|(?:J[0-9]+(.[0-9]+)?)|(?:[0-9]{4}:(00[1-9])|(0[1-9][0-9])|([1-2][0-9][0-9])|(3[0-5][0-9])|(36[0-5]):([0-1][0-9])|([0-1][0-9])|(2[0-4]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?)"
))]
pub struct TimeText(Timestamp);

impl TimeText {
    /// The text of a moment, which is in the notation of the first pattern.
    pub(super) fn of(instant: &Instant) -> Self {
        Self(Timestamp::new(instant.to_string()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.get().as_str()
    }
}

//! Conversions to and from the crate `hifitime` (feature `hifitime`).

use hifitime::{Duration, Epoch};

use asdf_core::{Error, Result};

use super::instant::Instant;
use crate::time::TimeScale;

/// 1900-01-01, the start of hifitime's count.
const START: i64 = 15_020;

impl TryFrom<Instant> for Epoch {
    type Error = Error;

    /// Converts to an epoch on TAI, rounded to nanoseconds.
    ///
    /// ```
    /// use asdf_schemas::Instant;
    /// use asdf_schemas::time::Time;
    /// use hifitime::Epoch;
    ///
    /// let epoch = Epoch::try_from(Time::parse("2026-01-01T12:34:56.789")?.instant()?)?;
    /// assert_eq!(epoch, Epoch::from_gregorian_utc(2026, 1, 1, 12, 34, 56, 789_000_000));
    /// assert_eq!(Instant::from(epoch).to_string(), "2026-01-01T12:35:33.789");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    fn try_from(instant: Instant) -> Result<Self> {
        let tai = instant.to(TimeScale::Tai)?;
        let days = tai.day() - START;
        if days.abs() > 10_000_000 || !tai.seconds().is_finite() {
            return Err(Error::unsupported(format!("{tai} is out of range for hifitime")));
        }
        #[allow(clippy::cast_possible_truncation, reason = "less than a day of nanoseconds")]
        let nanoseconds = (tai.seconds() * 1e9).round() as i128;
        let total = i128::from(days) * 86_400_000_000_000 + nanoseconds;
        Ok(Self::from_tai_duration(Duration::from_total_nanoseconds(total)))
    }
}

impl From<Epoch> for Instant {
    /// Makes an instant on TAI.
    fn from(epoch: Epoch) -> Self {
        let total = epoch.to_tai_duration().total_nanoseconds();
        let (days, rest) = (total.div_euclid(86_400_000_000_000), total.rem_euclid(86_400_000_000_000));
        #[allow(clippy::cast_precision_loss, reason = "less than a day of nanoseconds")]
        let seconds = rest as f64 / 1e9;
        Self::new(START + i64::try_from(days).unwrap_or(0), seconds, TimeScale::Tai)
    }
}

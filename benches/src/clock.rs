//! Time that passed while something was done.

use std::time::{Duration, Instant};

/// What something took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// Processor time of this thread, which other programs on the machine disturb less than the clock's.
    pub processor: Duration,
    /// Time of the clock on the wall.
    pub wall: Duration,
}

/// A moment, to measure from.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    processor: Duration,
    wall: Instant,
}

impl Moment {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        let wall = Instant::now();
        Self { processor: processor(), wall }
    }

    /// What was used up since.
    #[must_use]
    pub fn cost(self) -> Cost {
        Cost { processor: processor().saturating_sub(self.processor), wall: self.wall.elapsed() }
    }
}

/// Processor time of this thread. The kernel's accounts under `/proc` move in ticks of milliseconds; this
/// clock counts nanoseconds.
#[cfg(unix)]
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where there is no such clock in reach, the wall's has to do.
#[cfg(not(unix))]
fn processor() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_costs_processor_time_and_sleep_does_not() {
        let begin = Moment::now();
        std::thread::sleep(Duration::from_millis(30));
        let slept = begin.cost();
        assert!(slept.wall >= Duration::from_millis(30), "{slept:?}");
        assert!(!cfg!(unix) || slept.processor < Duration::from_millis(20), "{slept:?}");
        let begin = Moment::now();
        let mut sum = 0_u64;
        while begin.wall.elapsed() < Duration::from_millis(30) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(begin.cost().processor > Duration::ZERO);
    }
}

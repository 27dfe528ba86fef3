//! Measures CPU time and wall time.

use std::time::{Duration, Instant};

/// The time that some work took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// CPU time of this thread. Other load on the machine affects it less than wall time.
    pub processor: Duration,
    /// Wall time.
    pub wall: Duration,
}

/// A point in time to measure from.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    processor: Duration,
    wall: Instant,
}

impl Moment {
    /// Returns the current time.
    #[must_use]
    pub fn now() -> Self {
        let wall = Instant::now();
        Self { processor: processor(), wall }
    }

    /// Returns the time since this point.
    #[must_use]
    pub fn cost(self) -> Cost {
        Cost { processor: processor().saturating_sub(self.processor), wall: self.wall.elapsed() }
    }
}

/// Returns the CPU time of this thread, in nanoseconds. Times under `/proc` only have a resolution of milliseconds.
#[cfg(unix)]
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns wall time on systems without a CPU clock for threads.
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

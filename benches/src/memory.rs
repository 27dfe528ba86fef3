//! Measures the peak memory of this process. Only on Linux; on other systems all values are 0.

/// The resident memory of the process, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Peak {
    /// The memory at the start of the measurement.
    pub before: u64,
    /// The peak since then, including the memory at the start.
    pub highest: u64,
}

impl Peak {
    /// Runs a function and measures the peak memory meanwhile.
    pub fn during<T>(work: impl FnOnce() -> T) -> (T, Self) {
        // 5 resets the high-water mark to the current memory.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let before = highest();
        let done = work();
        (done, Self { before, highest: highest() })
    }

    /// Returns the increase over the memory at the start.
    #[must_use]
    pub fn rise(self) -> u64 {
        self.highest.saturating_sub(self.before)
    }
}

/// Returns the peak since the start of the process or of the last [`Peak::during`].
#[must_use]
pub fn highest() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    kilobytes
        .and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<u64>().ok())
        .map_or(0, |kb| kb * 1024)
}

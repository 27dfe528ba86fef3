//! The most memory that this process held. Linux only; elsewhere all of it is 0.

/// Bytes, of the process's resident set.
#[derive(Debug, Clone, Copy)]
pub struct Peak {
    /// Held when the watch began.
    pub before: u64,
    /// Held at most since then, what was there before included.
    pub highest: u64,
}

impl Peak {
    /// Does something and sees how far memory rises meanwhile.
    pub fn during<T>(work: impl FnOnce() -> T) -> (T, Self) {
        // 5 sets the high-water mark to what is held now.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let before = highest();
        let done = work();
        (done, Self { before, highest: highest() })
    }

    /// How much came on top.
    #[must_use]
    pub fn rise(self) -> u64 {
        self.highest.saturating_sub(self.before)
    }
}

/// Held at most since the process began, or since the last [`Peak::during`] did.
#[must_use]
pub fn highest() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    kilobytes
        .and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<u64>().ok())
        .map_or(0, |kb| kb * 1024)
}

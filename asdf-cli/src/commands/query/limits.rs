//! The limits of a filter.

use crate::bytes;

/// The options that limit what a filter can use.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits of the filter")]
pub(super) struct Limits {
    /// Limit the memory of the filter to BYTES
    #[arg(long, hide_short_help = true, value_name = "BYTES", value_parser = bytes::parse, default_value = "4G")]
    pub(super) limit_filter_memory: u64,

    /// Limit the stack of the filter to BYTES
    ///
    /// Functions that call themselves need it, and nested values.
    #[arg(long, hide_short_help = true, value_name = "BYTES", value_parser = bytes::parse, default_value = "256M")]
    pub(super) limit_filter_stack: u64,

    /// Limit the computing time to SECONDS for each file
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) limit_filter_time: u32,
}

impl Limits {
    /// Returns the options as words of a command line.
    pub(super) fn words(&self) -> [String; 3] {
        [
            format!("--limit-filter-memory={}", self.limit_filter_memory),
            format!("--limit-filter-stack={}", self.limit_filter_stack),
            format!("--limit-filter-time={}", self.limit_filter_time),
        ]
    }

    /// Limits the memory of this process, and removes its core dumps.
    ///
    /// A limit that the system refuses is left out: it is then already lower.
    #[cfg(unix)]
    pub(super) fn limit_memory(&self) {
        use rustix::process::Resource;
        // Linux counts the memory that is used, and other systems have only the address space.
        let memory = if cfg!(target_os = "linux") { Resource::Data } else { Resource::As };
        lower(memory, self.limit_filter_memory.saturating_add(self.limit_filter_stack));
        lower(Resource::Core, 0);
        // If the program is killed, the filter ends too.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }

    #[cfg(not(unix))]
    pub(super) fn limit_memory(&self) {}

    /// Gives this process its computing time anew, for the next file.
    #[cfg(unix)]
    pub(super) fn renew_time(&self) {
        use rustix::time::{ClockId, clock_gettime};
        let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or_default();
        // The system counts whole seconds.
        lower(rustix::process::Resource::Cpu, used + 1 + u64::from(self.limit_filter_time));
    }

    #[cfg(not(unix))]
    pub(super) fn renew_time(&self) {}
}

/// Sets the limit of a resource. The limit can be set again, up to that of the user.
#[cfg(unix)]
fn lower(resource: rustix::process::Resource, most: u64) {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(resource).maximum;
    let current = Some(maximum.map_or(most, |maximum| maximum.min(most)));
    let _ = setrlimit(resource, Rlimit { current, maximum });
}

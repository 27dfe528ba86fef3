//! Messages of the processes of a cluster on standard error.

use std::io::Write as _;

use log::{Level, LevelFilter, Log, Metadata, Record};

struct Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = asdf_core::printable::line(&record.args().to_string());
            // A failure to print a message cannot be reported.
            let _ = writeln!(std::io::stderr(), "{}: {text}", record.level().as_str().to_ascii_lowercase());
        }
    }

    fn flush(&self) {}
}

/// Prints warnings and errors of all libraries.
pub(crate) fn start() {
    static LOGGER: Stderr = Stderr;
    if log::set_logger(&LOGGER).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

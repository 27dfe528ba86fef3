//! The number of threads on the command line.

use std::num::NonZeroUsize;

use asdf_core::Threads;

/// Parses the value of `--jobs` and of `--threads`.
pub(crate) fn parse(text: &str) -> Result<Threads, String> {
    let count = text.parse::<NonZeroUsize>().map_err(|_| "expected a number of at least 1")?;
    Ok(Threads::new(count.get()))
}

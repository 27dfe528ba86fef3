//! The number of threads, as a command line gives it.

use std::num::NonZeroUsize;

use asdf_core::Threads;

/// Parses the value of `--jobs` and of `--threads`.
pub(crate) fn parse(text: &str) -> Result<Threads, String> {
    let count = text.parse::<NonZeroUsize>().map_err(|_| "expected a number from 1 on")?;
    Ok(Threads::new(count.get()))
}

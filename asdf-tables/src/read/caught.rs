//! Panics in the crates of the Arrow project, which damaged files cause.

use std::cell::Cell;
#[cfg(feature = "arrow")]
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(feature = "arrow")]
use asdf_core::{Error, Result};

thread_local! {
    static CATCHES: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread becomes an error of [`ReadOptions::read`](crate::ReadOptions::read).
///
/// Damaged Arrow and Parquet files make the crates that read them panic. The panic hook runs even so, and by default it
/// prints a message. A program whose users should see only the error can ask this in a hook of its own.
///
/// # Examples
/// ```
/// let usual = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !asdf_tables::catches_panic() {
///         usual(panic);
///     }
/// }));
/// ```
#[must_use]
pub fn catches_panic() -> bool {
    CATCHES.get()
}

/// Calls a function that reads a file with these crates, and makes an error of a panic.
///
/// They check many lengths and offsets of a file only with assertions.
#[cfg(feature = "arrow")]
pub(crate) fn caught<T>(format: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    CATCHES.set(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    CATCHES.set(false);
    done.unwrap_or_else(|_| {
        Err(Error::malformed(format!(
            "cannot read the file as {format}: found lengths or offsets that do not fit together"
        )))
    })
}

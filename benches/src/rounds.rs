//! Measures on request, so that two programs can take turns.
//!
//! A program prints `ready` and a description of its input. Then it does its work once for each line that it receives,
//! and answers with one line of seconds. The peers under `benches/peers/` do the same.

use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Serves rounds until the input ends.
///
/// # Errors
/// If a line cannot be read or written, or the work fails.
pub fn serve<E: From<io::Error>>(
    ready: &str,
    mut round: impl FnMut() -> Result<Vec<Duration>, E>,
) -> Result<(), E> {
    let mut out = io::stdout().lock();
    writeln!(out, "ready {ready}")?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        line?;
        let seconds: Vec<String> =
            round()?.into_iter().map(|time| format!("{:.9}", time.as_secs_f64())).collect();
        writeln!(out, "{}", seconds.join(" "))?;
        out.flush()?;
    }
    Ok(())
}

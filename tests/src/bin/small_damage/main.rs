//! Damages small files in every place: cuts them at every length, and sets every byte to three other values.
//!
//! No damage may cause a panic. Reading the same file twice gives the same results. If only blocks are damaged, an array
//! whose block has a checksum never changes without an error, also after the file was written in another form.
//!
//! ```sh
//! cargo run --release -p asdf-tests --bin small_damage -- [EVERY]
//! ```
//!
//! `EVERY` makes it try only each EVERY-th damage.

#![allow(clippy::print_stdout, reason = "a program prints its results")]

mod contents;
mod damages;
mod samples;
mod trial;
mod writing;

use std::process::ExitCode;
use std::time::Duration;

use asdf_core::{Error, Limits, OpenOptions, Result, Threads};

use trial::{Counts, Trials};

/// Compressed blocks of files of some kilobytes can decode to this size.
const DECODED: u64 = 1 << 20;

/// The longest time that one damaged file may take. A typical one takes a millisecond.
const SLOWEST: Duration = Duration::from_secs(10);

fn main() -> Result<ExitCode> {
    let every = match std::env::args().nth(1) {
        Some(number) => number.parse().map_err(|_| Error::usage("small_damage [EVERY]"))?,
        None => 1,
    };
    // Panics are counted.
    std::panic::set_hook(Box::new(|_| {}));
    let folder = std::env::temp_dir().join(format!("asdf-small-damage-{}", std::process::id()));
    let io = |error| Error::io("making a folder", error);
    std::fs::create_dir_all(&folder).map_err(io)?;
    let counts = run(&folder, every);
    std::fs::remove_dir_all(&folder).map_err(io)?;
    let counts = counts?;
    let is_right = counts.wrong == 0 && counts.panics == 0 && counts.slowest < SLOWEST;
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run(folder: &std::path::Path, every: usize) -> Result<Counts> {
    let samples = samples::samples(folder)?;
    for sample in &samples {
        if let Some((path, _)) = &sample.paths {
            std::fs::write(path, &sample.bytes).map_err(|error| Error::io("writing", error))?;
        }
    }
    println!(
        "| file | bytes | {} |\n|---|---|{}",
        Counts::COLUMNS.join(" | "),
        "---|".repeat(Counts::COLUMNS.len())
    );
    let mut all = Counts::default();
    for sample in &samples {
        let counts = Trials::new(sample, folder)?.run(every);
        println!("| {} | {} | {counts} |", sample.name, sample.bytes.len());
        all.add(&counts);
    }
    println!(
        "| all {} | {} | {all} |",
        samples.len(),
        samples.iter().map(|sample| sample.bytes.len()).sum::<usize>()
    );
    println!(
        "\nslowest: {:.0?}, most memory: {}",
        all.slowest,
        most_memory().as_deref().unwrap_or("unknown")
    );
    Ok(all)
}

/// The options for damaged files: small limits, and one thread.
fn options(verify: bool) -> OpenOptions {
    let mut limits = Limits::default();
    limits.decoded_size = DECODED;
    limits.decoded_total = Some(64 * DECODED);
    OpenOptions::new().verify_checksums(verify).limits(limits).threads(Threads::ONE)
}

/// The most memory of this process so far, as Linux says it.
fn most_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

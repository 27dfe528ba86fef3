//! Decides which mutant is active: the one that the environment variable `MUTANT` names.
//!
//! With `MUTANTS_REACHED=FILE`, none is active, and the numbers of the mutants that are reached are written to the file.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
const RECORDING: u32 = u32::MAX - 1;
static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; 1 << 15] = [const { AtomicBool::new(false) }; 1 << 15];

/// Returns whether a mutant is active.
pub fn is(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    match active {
        ..RECORDING => active == number,
        RECORDING if REACHED[number as usize].load(Relaxed) => false,
        RECORDING.. => is_first(number),
    }
}

#[cold]
fn is_first(number: u32) -> bool {
    let Some(file) = std::env::var_os("MUTANTS_REACHED") else {
        let active = std::env::var("MUTANT").map_or(0, |number| number.parse().expect("a number"));
        ACTIVE.store(active, Relaxed);
        return active == number;
    };
    ACTIVE.store(RECORDING, Relaxed);
    if !REACHED[number as usize].swap(true, Relaxed) {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).expect("a file");
        file.write_all(format!("{number}\n").as_bytes()).expect("space");
    }
    false
}

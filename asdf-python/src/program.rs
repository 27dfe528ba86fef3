//! The program of the command line.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

/// The name of the program in its help and hints.
const NAME: &str = "asdfast";

/// The exit code of a Rust program that panics.
const PANICKED: u8 = 101;

/// Run the program, and return its exit code; see `asdfast._program`.
#[pyfunction]
pub(crate) fn _run_program(
    py: Python<'_>,
    arguments: Vec<OsString>,
    command: Vec<OsString>,
    folder: OsString,
) -> u8 {
    let program = asdf_cli::Program::new(NAME, command, folder);
    let arguments = std::iter::once(NAME.into()).chain(arguments);
    // The panic was printed, and a traceback of Python would say nothing more.
    py.detach(|| catch_unwind(AssertUnwindSafe(|| asdf_cli::run(&program, arguments))).unwrap_or(PANICKED))
}

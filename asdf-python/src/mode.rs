//! What may be done with an open file.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Whether changes can be written back to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    Read,
    ReadWrite,
    /// The file was made in memory.
    #[default]
    New,
}

impl Mode {
    /// Reads the argument of `open`.
    pub(crate) fn new(mode: &str) -> PyResult<Self> {
        match mode {
            "r" => Ok(Self::Read),
            "rw" => Ok(Self::ReadWrite),
            _ => {
                let mode = mode.escape_debug();
                Err(PyValueError::new_err(format!("found the mode '{mode}', expected \"r\" or \"rw\"")))
            }
        }
    }
}

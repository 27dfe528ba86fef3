//! Errors of files that end too early.

use asdf_core::Error;

const HINT: &str = "download or copy the file again: it is cut off";

/// Returns the error of a file that ends before the `END` card of a header.
pub(crate) fn in_header() -> Error {
    Error::malformed("the FITS file ends inside a header").with_hint(HINT)
}

/// Returns the error of a file that ends before the data of a unit.
pub(crate) fn in_data(size: u64, left: u64) -> Error {
    Error::malformed(format!("the data has {size} bytes, but only {left} follow")).with_hint(HINT)
}

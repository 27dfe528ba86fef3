//! The fuzz targets: functions that check what must hold for any input. See `fuzz/README.md`.

mod codec;
mod codegen;
mod csv;
mod derive;
#[cfg(fuzzing)]
mod differential;
mod fits;
mod header;
mod journal;
mod open;
mod parse;
mod query;
mod repair;
// The checks of the property tests.
#[path = "../../../tests/src/round_trip/mod.rs"]
pub mod round_trip;
mod schema;
mod tables;
mod texts;
mod units;
mod update;
mod validate;
mod wcs;

// The modules of the program that are compiled here use it by this path.
use asdf_core::printable;
use tempfile::TempDir;

/// Checks what must hold for an input, and panics if it does not.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("parse", parse::run),
    ("round_trip", texts::run),
    // Needs the reference parser of asdf-core.
    #[cfg(fuzzing)]
    ("differential", differential::run),
    ("open", open::run),
    ("header", header::run),
    ("codec", codec::run),
    ("update", update::run),
    ("repair", repair::run),
    ("validate", validate::run),
    ("schema", schema::run),
    ("fits", fits::run),
    ("npy", tables::npy),
    ("csv", csv::run),
    ("ecsv", tables::ecsv),
    ("json", tables::json),
    ("votable", tables::votable),
    ("arrow", tables::arrow),
    ("parquet", tables::parquet),
    ("units", units::run),
    ("codegen", codegen::run),
    ("derive", derive::run),
    ("query", query::run),
    ("wcs", wcs::run),
];

/// Creates an empty folder for the files of a target.
fn folder() -> TempDir {
    tempfile::Builder::new().prefix("asdf-fuzz-").tempdir().expect("a folder for the files of a target")
}

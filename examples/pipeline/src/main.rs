//! A step of a pipeline for the Roman Space Telescope: `asdf-pipeline L2 L3` makes a mosaic (Level 3) from one
//! calibrated image (Level 2).
//!
//! `build.rs` generates the types `WfiImage` and `WfiMosaic` from the schemas of `rad`, the package that
//! `roman_datamodels` uses. A value of these types that does not conform to its schema cannot be written.

#[cfg(rad)]
mod mosaic;
#[cfg(rad)]
#[allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    clippy::large_enum_variant,
    clippy::module_inception,
    reason = "generated; a program uses few of the types"
)]
mod rad {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}

#[cfg(rad)]
fn main() -> asdf_core::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(l2), Some(l3)) = (arguments.next(), arguments.next()) else {
        return Err(asdf_core::Error::usage("expected two arguments: a Level 2 file and a Level 3 file"));
    };
    mosaic::run(l2.as_ref(), l3.as_ref())
}

#[cfg(not(rad))]
#[allow(clippy::print_stdout, reason = "a program prints how to build it")]
fn main() {
    println!("this build lacks the types of rad: build with RAD=FOLDER, as tests/pipeline/run does");
}

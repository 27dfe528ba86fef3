//! Reads the list `times` of a file and prints each time on TAI as the day (MJD) and the seconds in the day, for
//! `tests/interop/times.py`.

use std::io::Write;

use asdf_core::{Error, File, Result};
use asdf_schemas::time::{Time, TimeScale};

fn main() -> Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| Error::usage("times FILE"))?;
    let times: Vec<Time> = File::open(path)?.get("/times")?;
    let mut out = std::io::stdout().lock();
    for time in times {
        let tai = time.instant()?.to(TimeScale::Tai)?;
        writeln!(out, "{} {:.12}", tai.day(), tai.seconds()).map_err(|error| Error::io("printing", error))?;
    }
    Ok(())
}

//! `rewrite IN OUT` opens a file, changes one value and writes another file.

use asdf_core::{Error, File, Result};

fn main() -> Result<()> {
    let mut paths = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (paths.next(), paths.next()) else {
        return Err(Error::usage("rewrite IN OUT"));
    };
    let mut file = File::open(from)?;
    file.set("/rewritten", &true)?;
    file.write(to)
}

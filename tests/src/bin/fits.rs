//! `fits FROM TO` converts a FITS file to an ASDF file and back to FITS, for `tests/interop/fits.py`.

use asdf_core::{Error, File, Result};
use asdf_fits::Fits;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("fits FROM TO"));
    };
    let mut file = File::new();
    file.set("/fits", &asdf_fits::open(from)?)?;
    let file = File::from_bytes(file.to_bytes()?)?;
    let bytes = file.get::<Fits>("/fits")?.to_bytes()?;
    std::fs::write(&to, bytes).map_err(|error| Error::io("writing", error).at_file(&to))
}

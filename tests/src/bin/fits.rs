//! `fits FROM TO`: reads a FITS file into the types of the standard, takes it through an ASDF file, and
//! writes it as FITS again, for `tests/interop/fits.py`.

use asdf_core::{Error, File, Result};
use asdf_schemas::fits::Fits;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("fits FROM TO"));
    };
    let mut file = File::new();
    file.set("/fits", &Fits::open_fits(from)?)?;
    let file = File::from_bytes(file.to_bytes()?)?;
    file.get::<Fits>("/fits")?.write_fits(to)
}

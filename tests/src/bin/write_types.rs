//! Writes values of the generated types, made from random bytes, one file for each value, for Python to check:
//! `write_types FOLDER`.

use std::path::{Path, PathBuf};

use asdf_core::{Asdf, File, Result};
use asdf_schemas::sample::Sampler;
use asdf_schemas::{basic, fits, table, time, unit, wcs};

/// The number of values for each type.
const VALUES: u8 = 12;

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    let mut sampler = Sampler::standard();
    macro_rules! write {
        ($($type:ty),* $(,)?) => {$( write::<$type>(&mut sampler, &folder)?; )*};
    }
    asdf_tests::standard_types!(write);
    Ok(())
}

fn write<T: Asdf>(sampler: &mut Sampler, folder: &Path) -> Result<()> {
    let name = T::TAG.rsplit_once("asdf/").map_or(T::TAG, |(_, name)| name).replace('/', "-");
    for number in 0..VALUES {
        // The first value is made from no bytes and is the smallest.
        let bytes: Vec<u8> =
            (0..number.saturating_mul(8)).map(|at| at.wrapping_mul(167) ^ number.wrapping_mul(59)).collect();
        let Some(value) = sampler.sample_type::<T>(&bytes)? else { continue };
        let mut file = File::new();
        // Skip values that contradict themselves and cannot be written.
        if file.set("/value", &value).is_ok() {
            file.write(folder.join(format!("{name}-{number:02}.asdf")))?;
        }
    }
    Ok(())
}

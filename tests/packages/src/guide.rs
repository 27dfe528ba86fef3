//! The program of the guide's chapter `types_from_packages`, which contains this file.

// chapter
use std::path::Path;

use asdf_core::{File, NdArray, Result};

#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::large_enum_variant,
    clippy::module_inception,
    reason = "generated"
)]
pub(crate) mod roman {
    include!(concat!(env!("OUT_DIR"), "/roman/types.rs"));
}

use roman::WfiImage;

/// Subtracts a background from a Level 2 image, and marks the pixels that are negative then.
pub(crate) fn subtract(background: f32, from: &Path, to: &Path) -> Result<()> {
    let mut file = File::open(from)?;
    let mut image: WfiImage = file.get("/roman")?;

    let shape = image.data.shape().to_vec();
    let data: Vec<f32> = image.data.values()?.iter().map(|value| value - background).collect();
    let mut flags: Vec<u32> = image.dq.values()?.iter().collect();
    for (flag, value) in flags.iter_mut().zip(&data) {
        *flag |= u32::from(*value < 0.0);
    }
    image.data = NdArray::new(&shape, &data)?.try_into()?;
    image.dq = NdArray::new(&shape, &flags)?.try_into()?;

    file.set("/roman", &image)?;
    file.write(to)
}
// end

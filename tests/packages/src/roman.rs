//! Tries the program of the guide on a Level 2 image that is made from the schemas.

use std::sync::Arc;

use asdf_core::file::Version;
use asdf_core::{Asdf as _, Error, File, FromNode as _, NdArray, Result};
use asdf_schemas::sample::Sampler;
use asdf_schemas::{Registry, Validator};

use crate::guide::{roman::WfiImage, subtract};

pub(crate) fn run(registry: Arc<Registry>) -> Result<()> {
    let mut sampler = Sampler::new(registry.clone(), Version::new(1, 6, 0))?;
    let node = sampler.sample_tag(WfiImage::TAG, &[])?;
    let node = node.ok_or_else(|| Error::usage("no Level 2 image could be made"))?;
    let mut image = WfiImage::from_node(node.view())?;
    image.data = NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?.try_into()?;
    image.dq = NdArray::new(&[2, 2], &[0_u32, 4, 0, 0])?.try_into()?;
    let folder = std::env::temp_dir().join(format!("asdf-packages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| Error::io("making a folder", error).at_file(&folder))?;
    let (from, to) = (folder.join("l2.asdf"), folder.join("subtracted.asdf"));
    let mut file = File::new();
    file.set("/roman", &image)?;
    file.write(&from)?;
    subtract(2.5, &from, &to)?;
    let file = File::open(&to)?;
    let image: WfiImage = file.get("/roman")?;
    let right = image.data.values()?.to_vec() == [-1.5, -0.5, 0.5, 1.5]
        && image.dq.values()?.to_vec() == [1, 5, 0, 0];
    let report = Validator::new(registry).validate_file(&file);
    std::fs::remove_dir_all(&folder)
        .map_err(|error| Error::io("removing a folder", error).at_file(&folder))?;
    if !right || !report.is_valid() {
        return Err(Error::usage(format!("the guide's program does not work: {:?}", report.violations())));
    }
    println!("the guide's program: the file is valid");
    Ok(())
}

//! Makes files to open.

use std::path::Path;

use asdf_core::{Error, File, NdArray, Result, yaml};

use super::texts;

/// Returns the bytes of a file with one array of `elements` `f32`.
///
/// # Errors
/// If the file cannot be made.
pub fn one_array(elements: u32) -> Result<Vec<u8>> {
    #[allow(clippy::cast_precision_loss, reason = "any numbers do")]
    let data: Vec<f32> = (0..elements).map(|i| (i % 4096) as f32 * 0.25).collect();
    let mut file = File::new();
    file.set("/data", &NdArray::new(&[u64::from(elements)], &data)?)?;
    file.to_bytes()
}

/// Returns `count` numbers. Adjacent numbers differ.
pub fn numbers(count: u32) -> impl Iterator<Item = f64> {
    (0..count).map(|i| f64::from(i.wrapping_mul(0x9e37_79b1)) * 1e-6)
}

/// Writes a file of `count` arrays of 16 × 16 `f64`, each in its own block, with checksums and a block index.
///
/// # Errors
/// If the file cannot be made or written.
pub fn many_arrays(count: u32, path: &Path) -> Result<()> {
    let mut file = File::new();
    for number in 0..count {
        let data: Vec<f64> = (0..256).map(|i| f64::from(number) + f64::from(i) * 0.5).collect();
        file.set(&format!("/array_{number:06}"), &NdArray::new(&[16, 16], &data)?)?;
    }
    file.write(path)
}

/// Writes `count` small files, a hundred in each folder. Each holds metadata and two arrays, with different values.
///
/// # Errors
/// If the files cannot be made or written.
pub fn small_files(count: u32, folder: &Path) -> Result<()> {
    for number in 0..count {
        let below = folder.join(format!("{:03}", number / 100));
        std::fs::create_dir_all(&below)
            .map_err(|error| Error::io("creating a folder", error).at_file(&below))?;
        let mut file = File::new();
        *file.tree_mut() = yaml::parse(&texts::metadata(1000 + number as usize % 7 * 500))?;
        let data: Vec<f64> = (0..256).map(|i| f64::from(number) + f64::from(i) * 0.5).collect();
        file.set("/data", &NdArray::new(&[16, 16], &data)?)?;
        file.set("/err", &NdArray::new(&[256], &data)?)?;
        file.write(below.join(format!("{number:05}.asdf")))?;
    }
    Ok(())
}

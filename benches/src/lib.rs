//! What the benchmarks measure on.

use std::fmt::Write as _;

use asdf_core::{File, NdArray, Result};

/// A tree of so many inline arrays, tagged nodes among them, as text.
#[must_use]
pub fn tree_text(arrays: usize) -> String {
    let mut text = String::from("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n");
    for index in 0..arrays {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "array_{index:06}: !core/ndarray-1.1.0\n  source: {index}\n  datatype: float64\n  byteorder: little\n  \
             shape: [16, 16]\nunit_{index:06}: !unit/unit-1.0.0 m s-1\n"
        );
    }
    text.push_str("...\n");
    text
}

/// A file with one array of so many `f32`, as bytes.
///
/// # Errors
/// When it cannot be made.
pub fn file_bytes(elements: u32) -> Result<Vec<u8>> {
    #[allow(clippy::cast_precision_loss, reason = "any numbers do")]
    let data: Vec<f32> = (0..elements).map(|i| (i % 4096) as f32 * 0.25).collect();
    let mut file = File::new();
    file.set("/data", &NdArray::new(&[u64::from(elements)], &data)?)?;
    file.to_bytes()
}

//! Compares the parser with the reference parser: the same trees, or two errors, except for known differences.

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(found) = asdf_core::yaml::surprise(text) {
        panic!("{found}\n{text:?}");
    }
}

//! Compares the parser with the reference parser: the same trees, or two errors, except for known differences.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(found) = asdf_core::yaml::surprise(text) {
        panic!("{found}\n{text:?}");
    }
});

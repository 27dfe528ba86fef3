//! CSV files from any bytes, with any delimiter: what was read is written and read again, and is the same.

use asdf_tables::{Format, ReadOptions};

use crate::tables;

pub fn run(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    // Arrays of texts pad them with NUL, so they lose it at the end of a text.
    if data.contains(&0) {
        return;
    }
    // The first byte is the delimiter of a file without a header; a letter is not one.
    match first {
        b';' | b'\t' | b'|' | b' ' => {
            tables::check(rest, Format::Csv, &ReadOptions::new().delimiter(first).header(false));
        }
        _ => tables::check(data, Format::Csv, &ReadOptions::new()),
    }
}

//! npy files from any bytes: what was read is written and read again, and is the same.

#![no_main]

use asdf_fuzz::tables;
use asdf_tables::{Format, ReadOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| tables::check(data, Format::Npy, &ReadOptions::new()));

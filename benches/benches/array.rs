//! Benchmarks arrays, from the bytes of a file to numbers.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start should stop")]

use asdf_core::{Compression, File, WriteOptions};
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

const ELEMENTS: u32 = 4 << 20;

#[divan::bench]
fn read_packed(bencher: Bencher<'_, '_>) {
    let file = File::from_bytes(asdf_benches::files::one_array(ELEMENTS).unwrap()).unwrap();
    let array = file.array("/data").unwrap();
    bencher.counter(BytesCount::new(ELEMENTS * 4)).bench(|| array.read::<f32>().unwrap());
}

#[divan::bench]
fn one_element_of_a_view(bencher: Bencher<'_, '_>) {
    let file = File::from_bytes(asdf_benches::files::one_array(ELEMENTS).unwrap()).unwrap();
    let array = file.array("/data").unwrap();
    bencher.bench(|| array.view::<f32>().unwrap().get(&[1000]).unwrap());
}

#[divan::bench(args = [Compression::NONE, Compression::LZ4, Compression::ZLIB, Compression::BZP2])]
fn open_and_read(bencher: Bencher<'_, '_>, compression: Compression) {
    let file = File::from_bytes(asdf_benches::files::one_array(ELEMENTS).unwrap()).unwrap();
    let bytes: asdf_core::source::Bytes =
        WriteOptions::new().compression(compression).to_bytes(&file).unwrap().into();
    bencher.counter(BytesCount::new(ELEMENTS * 4)).bench(|| {
        let file = File::from_bytes(bytes.clone()).unwrap();
        file.array("/data").unwrap().read::<f32>().unwrap()
    });
}

//! Our side of comparing codecs. `benches/run codecs` starts this program, requests rounds and compares their times.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;

use asdf_benches::clock::Moment;
use asdf_benches::images::IMAGES;
use asdf_benches::rounds;
use asdf_core::{Compression, File, WriteOptions};

const USAGE: &str = "\
codecs make IMAGE BYTES FILE   writes a file of an image that is not compressed
codecs write FILE CODEC OUT    rounds of writing its array with a codec: the wall's seconds
codecs read FILE               rounds of opening a file and having all elements of its array: the wall's seconds";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["make", image, bytes, path] => {
            let image = IMAGES.iter().find(|known| known.name == *image).ok_or("unknown image")?;
            let mut file = File::new();
            file.set("/data", &(image.make)(bytes.parse()?)?)?;
            Ok(file.write(path)?)
        }
        ["write", path, codec, out] => write_rounds(path, codec.parse()?, out),
        ["read", path] => read_rounds(path),
        _ => Err(USAGE.into()),
    }
}

fn write_rounds(path: &str, compression: Compression, out: &str) -> Result<()> {
    let file = File::from_bytes(std::fs::read(path)?)?;
    let array = file.array("/data")?;
    rounds::serve(&format!("{} bytes", std::fs::metadata(path)?.len()), || {
        let begin = Moment::now();
        let mut file = File::new();
        file.set("/data", &array)?;
        WriteOptions::new().compression(compression).write(&file, out)?;
        Ok(vec![begin.cost().wall])
    })
}

fn read_rounds(path: &str) -> Result<()> {
    rounds::serve(&format!("{} bytes", std::fs::metadata(path)?.len()), || {
        let begin = Moment::now();
        let file = File::open(path)?;
        let array = file.array("/data")?;
        let found = match array.datatype().to_string().as_str() {
            "float32" => array.view::<f32>()?.get(&[1, 1]).map(f64::from),
            "uint16" => array.view::<u16>()?.get(&[1, 1]).map(f64::from),
            _ => array.view::<u32>()?.get(&[1, 1]).map(f64::from),
        };
        std::hint::black_box(found);
        let cost = begin.cost();
        drop((array, file));
        Ok(vec![cost.wall])
    })
}

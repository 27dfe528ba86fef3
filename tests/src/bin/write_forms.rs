//! Writes one file in every supported form into a folder, for Python to read.

use std::path::PathBuf;

use asdf_core::array::{ByteOrder, Field, Mask};
use asdf_core::file::{Padding, Storage, StreamOptions, StreamWriter, UpdateOptions};
use asdf_core::{Compression, Datatype, File, NdArray, Result, WriteOptions};

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    let options = WriteOptions::new;
    for (name, options) in [
        ("plain", options()),
        ("aligned", options().alignment(4096)),
        ("padded", options().padding(Padding::Percent(10))),
        ("aligned_padded", options().alignment(64).padding(Padding::Bytes(1000))),
        ("unsigned", options().sign(false).index(false).checksums(false)),
        ("inline", options().inline_below(100)),
        ("internal", options().storage(Storage::Internal)),
        ("exploded", options().storage(Storage::External)),
        ("exploded_zlib", options().storage(Storage::External).compression(Compression::ZLIB)),
        ("mixed", options().storage(Storage::External).storage_at("/image", Storage::Internal)),
    ] {
        options.write(&sample()?, folder.join(format!("{name}.asdf")))?;
    }
    let exploded = File::open(folder.join("exploded.asdf"))?;
    options().storage(Storage::Internal).write(&exploded, folder.join("imploded.asdf"))?;

    for (name, options) in [("stream", options()), ("stream_aligned", options().alignment(512))] {
        let path = folder.join(format!("{name}.asdf"));
        let stream = StreamOptions::new().write_options(options);
        let mut stream = stream.create(&path, &sample()?, "/rows", Datatype::Float32, &[2, 3])?;
        stream.extend((0..60_u16).map(f32::from))?;
        stream.finish()?;
        let mut stream = StreamWriter::append(&path)?;
        stream.push(&[0.5_f32; 6])?;
        stream.finish()?;
    }
    let path = folder.join("stream_empty.asdf");
    StreamOptions::new().create(&path, &File::new(), "/rows", Datatype::Int16, &[4])?.finish()?;

    for in_place in [false, true] {
        for padding in [0, 2000] {
            let path = folder.join(format!("updated_{in_place}_{padding}.asdf"));
            options().padding(Padding::Bytes(padding)).write(&sample()?, &path)?;
            let update = UpdateOptions::new().in_place(in_place);
            let mut file = File::open(&path)?;
            file.set("/note", "a word more")?;
            update.update(&mut file)?;
            // Update one block that fits in its old place and one that does not, and remove one.
            file.set("/image", &numbers(300)?)?;
            file.set("/new", &numbers(700)?.with_compression(Compression::LZ4)?)?;
            file.set("/zip", "no array any more")?;
            update.update(&mut file)?;
            file.set("/first", &numbers(5)?)?;
            update.update(&mut file)?;
        }
    }
    Ok(())
}

fn numbers(count: u16) -> Result<NdArray> {
    let elements: Vec<f64> = (0..count).map(|n| f64::from(n) / 8.0).collect();
    NdArray::new(&[u64::from(count)], &elements)
}

/// Returns a file with arrays of several kinds: one masked, two of one table, one used twice.
fn sample() -> Result<File> {
    let mut file = File::new();
    file.set("/first", &numbers(40)?)?;
    file.set("/image", &numbers(400)?)?;
    file.set("/small", &numbers(3)?)?;
    file.set("/one", &NdArray::new(&[], &[7_u8])?)?;
    file.set("/zip", &numbers(500)?.with_compression(Compression::ZLIB)?)?;
    let mask = NdArray::new(&[3], &[true, false, true])?;
    file.set("/masked", &numbers(3)?.with_mask(Mask::Array(Box::new(mask)))?)?;
    let fields = vec![Field::new("x", Datatype::Int16), Field::new("y", Datatype::Uint8)];
    let bytes = vec![0, 1, 2, 0, 3, 4, 0, 5, 6];
    let table = NdArray::from_bytes(Datatype::Struct(fields), ByteOrder::Big, &[3], bytes)?;
    file.set("/table", &table)?;
    file.set("/column", &table.field("x")?)?;
    file.set("/again", &table)?;
    file.set("/listed", &numbers(4)?.inlined()?)?;
    Ok(file)
}

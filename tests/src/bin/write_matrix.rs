//! Writes arrays of many layouts with every codec and in every storage: `write_matrix GIVEN FOLDER CODEC...`.
//!
//! The file GIVEN has the elements (`/base/NAME`), the layouts, which count in elements (`/layouts/NAME`), and the flags
//! of masked elements (`/flags`).

use std::path::Path;

use asdf_core::array::{ByteOrder, Mask};
use asdf_core::file::{Storage, StreamOptions};
use asdf_core::tree::NodeRef;
use asdf_core::{Compression, Error, File, NdArray, Result, WriteOptions};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [given, folder, codecs @ ..] = arguments.as_slice() else {
        return Err(Error::usage("expected GIVEN FOLDER CODEC..."));
    };
    let (given, folder) = (File::open(given)?, Path::new(folder));
    let file = arranged(&given)?;
    let inline = WriteOptions::new().storage(Storage::Inline);
    inline.write(&file, folder.join("inline.asdf"))?;
    for codec in codecs {
        let options = WriteOptions::new().compression(codec.parse::<Compression>()?);
        for (name, storage) in [("internal", Storage::Internal), ("external", Storage::External)] {
            let path = folder.join(format!("{name}_{codec}.asdf"));
            options.clone().storage(storage).write(&file, path)?;
        }
    }
    for name in keys(&given, "/base") {
        let array = file.array(&format!("/{name}/c"))?.with_byteorder(ByteOrder::NATIVE)?;
        let path = folder.join(format!("stream_{name}.asdf"));
        let datatype = array.datatype().clone();
        let mut stream = StreamOptions::new().create(path, &File::new(), "/rows", datatype, &[6])?;
        stream.push_bytes(&array.packed_bytes(ByteOrder::NATIVE)?)?;
        stream.finish()?;
    }
    Ok(())
}

fn keys(file: &File, at: &str) -> Vec<String> {
    let entries = file.at(at).into_iter().flat_map(NodeRef::entries);
    entries.filter_map(|(key, _)| key.as_str().map(str::to_owned)).collect()
}

/// Makes a file with an array at `/NAME/LAYOUT` for each name and layout. The arrays of a name are views of one block.
fn arranged(given: &File) -> Result<File> {
    let mut file = File::new();
    for name in keys(given, "/base") {
        let base = given.array(&format!("/base/{name}"))?;
        let views = file.tree_mut().add_mapping([]);
        file.tree_mut().edit(&format!("/{name}")).set(views)?;
        for layout in keys(given, "/layouts") {
            file.set(&format!("/{name}/{layout}"), &laid_out(given, &base, &layout)?)?;
        }
    }
    Ok(file)
}

/// Returns the elements of an array in the layout that a node describes.
fn laid_out(given: &File, base: &NdArray, layout: &str) -> Result<NdArray> {
    let of = |key: &str| format!("/layouts/{layout}/{key}");
    let size = i64::try_from(base.datatype().size()?).unwrap_or(0);
    let strides: Vec<i64> = given.get(&of("strides"))?;
    let strides: Vec<i64> = strides.into_iter().map(|stride| stride * size).collect();
    let offset = given.get::<i64>(&of("offset"))? * size;
    let mut view = File::new();
    view.set("/view", base)?;
    view.set("/view/shape", &given.get::<Vec<u64>>(&of("shape"))?)?;
    view.set("/view/strides", &strides)?;
    view.set("/view/offset", &offset)?;
    let array = view.array("/view")?;
    let mask = || given.array("/flags").map(|flags| Mask::Array(Box::new(flags)));
    if layout.starts_with("masked") { array.with_mask(mask()?) } else { Ok(array) }
}

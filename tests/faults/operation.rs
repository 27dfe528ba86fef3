//! The commands that are tested, and the files that they start from.

use std::error::Error;
use std::path::Path;

use asdf_core::file::Padding;
use asdf_core::{File, NdArray, Result, WriteOptions};

/// A command of the program that writes.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Commands that prepare the folder. They run without faults.
    pub(crate) before: &'static [&'static str],
    /// The command.
    pub(crate) run: &'static str,
    /// The files it writes. The first is the one that messages name.
    pub(crate) targets: &'static [&'static str],
    /// The command that must remove what an interrupted run left behind, if it is not `run`.
    pub(crate) again: Option<&'static str>,
    /// Whether the first target refers to the other files that are written, so that they are only right together.
    pub(crate) is_set: bool,
}

const fn operation(
    before: &'static [&'static str],
    run: &'static str,
    targets: &'static [&'static str],
) -> Operation {
    Operation { before, run, targets, again: None, is_set: false }
}

/// A command that cannot run twice on the same file.
const fn once(run: &'static str, targets: &'static [&'static str], again: &'static str) -> Operation {
    Operation { before: &[], run, targets, again: Some(again), is_set: false }
}

const fn set(
    before: &'static [&'static str],
    run: &'static str,
    targets: &'static [&'static str],
) -> Operation {
    Operation { before, run, targets, again: None, is_set: true }
}

/// Every command that writes, with and without a file at the target.
///
/// Words are separated by blanks. `first.asdf` is a file with three arrays, `other.asdf` one with the same keys and other
/// arrays, `padded.asdf` is the first with free space, and `cut.asdf` lacks the end of its block index.
pub(crate) const OPERATIONS: &[Operation] = &[
    operation(&[], "set first.asdf /title new", &["first.asdf"]),
    operation(&[], "set first.asdf /note/below 1 --parents", &["first.asdf"]),
    operation(&[], "set first.asdf /title new -f -o out.asdf", &["out.asdf"]),
    operation(&["convert other.asdf out.asdf"], "set first.asdf /title new -f -o out.asdf", &["out.asdf"]),
    operation(&[], "set first.asdf /title a_longer_title --in-place", &["first.asdf"]),
    operation(&[], "set padded.asdf /title new --in-place", &["padded.asdf"]),
    operation(&[], "set padded.asdf /title a_longer_title --in-place", &["padded.asdf"]),
    once("unset first.asdf /c", &["first.asdf"], "set first.asdf /title new"),
    once("unset first.asdf /b --in-place", &["first.asdf"], "set first.asdf /title new --in-place"),
    once("unset padded.asdf /b --in-place", &["padded.asdf"], "set padded.asdf /title new --in-place"),
    once("edit first.asdf", &["first.asdf"], "set first.asdf /title new"),
    once("edit padded.asdf --in-place", &["padded.asdf"], "set padded.asdf /title new --in-place"),
    operation(&[], "edit first.asdf -f -o out.asdf", &["out.asdf"]),
    operation(&[], "new -f out.asdf", &["out.asdf"]),
    operation(&["new out.asdf"], "new -f --set /k=[1,2] out.asdf", &["out.asdf"]),
    operation(&[], "new -f --schema unit/quantity --path /width out.asdf", &["out.asdf"]),
    operation(&[], "convert -f first.asdf out.asdf", &["out.asdf"]),
    operation(&[], "convert -f first.asdf first.asdf --padding 10%", &["first.asdf"]),
    operation(&["convert other.asdf out.asdf"], "convert -f -c zlib first.asdf out.asdf", &["out.asdf"]),
    operation(&[], "convert -f --inline first.asdf out.asdf", &["out.asdf"]),
    operation(
        &["convert other.asdf made/first.asdf", "convert other.asdf made/other.asdf"],
        "convert -f -c lz4 first.asdf other.asdf made",
        &["made/first.asdf", "made/other.asdf"],
    ),
    operation(&[], "defragment -f padded.asdf -o out.asdf", &["out.asdf"]),
    operation(&[], "defragment -f -c zlib padded.asdf -o padded.asdf", &["padded.asdf"]),
    set(&[], "explode -f first.asdf -o out.asdf", &["out.asdf"]),
    set(&["explode other.asdf -o out.asdf"], "explode -f first.asdf --output out.asdf", &["out.asdf"]),
    operation(&["explode other.asdf -o parts.asdf"], "implode -f parts.asdf -o out.asdf", &["out.asdf"]),
    set(&["explode other.asdf -o parts.asdf"], "set parts.asdf /title new", &["parts.asdf"]),
    operation(&[], "to_yaml -f first.asdf -o out.yaml", &["out.yaml"]),
    operation(&["to_yaml other.asdf -o out.yaml"], "to_yaml -f first.asdf -o out.yaml", &["out.yaml"]),
    operation(&[], "repair -f cut.asdf -o out.asdf", &["out.asdf"]),
    operation(&[], "repair -f cut.asdf -o cut.asdf", &["cut.asdf"]),
    operation(&[], "preview -f first.asdf --path /image -o out.png", &["out.png"]),
    operation(
        &["preview other.asdf --path /image -o out.jpg"],
        "preview -f first.asdf --path /image -o out.jpg",
        &["out.jpg"],
    ),
    operation(&[], "export -f first.asdf /b -o out.npy", &["out.npy"]),
    operation(&["export other.asdf /b -o out.npy"], "export -f first.asdf /b -o out.npy", &["out.npy"]),
    operation(
        &["export other.asdf /b --to raw -o out.raw"],
        "export -f first.asdf /b --to raw -o out.raw",
        &["out.raw"],
    ),
    operation(&["export other.asdf /b -o out.csv"], "export -f first.asdf /b -o out.csv", &["out.csv"]),
    operation(&[], "export -f first.asdf /image -o out.fits", &["out.fits"]),
    operation(
        &["export other.asdf /image -o out.fits"],
        "export -f first.asdf /image -o out.fits",
        &["out.fits"],
    ),
    operation(
        &["export other.asdf /b -o out.parquet"],
        "export -f first.asdf /b -o out.parquet",
        &["out.parquet"],
    ),
    operation(&["export other.asdf /b -o out.arrow"], "export -f first.asdf /b -o out.arrow", &["out.arrow"]),
    operation(&["export other.asdf /b -o out.h5"], "export -f first.asdf /b -o out.h5", &["out.h5"]),
    operation(&["export other.asdf /b -o out.vot"], "export -f first.asdf /b -o out.vot", &["out.vot"]),
    operation(&["export other.asdf /b -o out.json"], "export -f first.asdf /b -o out.json", &["out.json"]),
    operation(
        &["export other.asdf /image -o out.png"],
        "export -f first.asdf /image -o out.png",
        &["out.png"],
    ),
    operation(&["export first.asdf /b -o in.npy"], "import -f in.npy out.asdf", &["out.asdf"]),
    operation(
        &["export first.asdf /b -o in.csv", "convert other.asdf out.asdf"],
        "import -f in.csv out.asdf",
        &["out.asdf"],
    ),
    operation(
        &["export first.asdf /b -o in.parquet"],
        "import -f in.parquet out.asdf --compression lz4",
        &["out.asdf"],
    ),
    operation(
        &["export first.asdf /image -o in.fits", "convert other.asdf out.asdf"],
        "import -f in.fits out.asdf",
        &["out.asdf"],
    ),
    operation(&["export first.asdf /b -o in.vot"], "import -f in.vot out.asdf", &["out.asdf"]),
];

/// Writes the files that operations start from.
pub(crate) fn write_inputs(folder: &Path) -> std::result::Result<(), Box<dyn Error>> {
    let first = file_of(0)?;
    first.write(folder.join("first.asdf"))?;
    file_of(7)?.write(folder.join("other.asdf"))?;
    WriteOptions::new().padding(Padding::Bytes(700)).write(&first, folder.join("padded.asdf"))?;
    let bytes = first.to_bytes()?;
    let cut = bytes.get(..bytes.len().saturating_sub(20)).unwrap_or_default();
    std::fs::write(folder.join("cut.asdf"), cut)?;
    Ok(())
}

fn file_of(first: u32) -> Result<File> {
    let array = |len: u64| {
        let elements: Vec<u32> = (first..).take(usize::try_from(len).unwrap_or(0)).collect();
        NdArray::new(&[len], &elements)
    };
    let mut file = File::new();
    file.set("/title", "old")?;
    file.set("/a", &array(50)?)?;
    file.set("/b", &array(1100)?)?;
    let period = if first == 0 { 17 } else { 10 };
    let pixels: Vec<f32> = (0_u8..120).map(|pixel| f32::from(pixel % period)).collect();
    file.set("/image", &NdArray::new(&[10, 12], &pixels)?)?;
    file.set("/c", &array(90)?)?;
    Ok(file)
}

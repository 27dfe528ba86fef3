//! Reads a file of another format; what was read is written and read again, and is the same.

use asdf_core::array::Value;
use asdf_core::{Datatype, File, NdArray};
use asdf_tables::{Contents, Dataset, Format, ReadOptions, WriteOptions};

pub fn npy(data: &[u8]) {
    check(data, Format::Npy, &ReadOptions::new());
}

pub fn ecsv(data: &[u8]) {
    check(data, Format::Ecsv, &ReadOptions::new());
}

pub fn json(data: &[u8]) {
    check(data, Format::Json, &ReadOptions::new());
}

pub fn votable(data: &[u8]) {
    check(data, Format::VoTable, &ReadOptions::new());
}

pub fn arrow(data: &[u8]) {
    check(data, Format::Arrow, &ReadOptions::new());
}

pub fn parquet(data: &[u8]) {
    check(data, Format::Parquet, &ReadOptions::new());
}

/// Checks any bytes in a format.
pub fn check(bytes: &[u8], format: Format, options: &ReadOptions) {
    let contents = match options.read(bytes.to_vec(), format) {
        Ok(reading) => reading.contents,
        Err(error) => {
            assert!(error.to_string().len() < 2000, "{error}");
            return;
        }
    };
    let before = dataset(&contents);
    let mut out = Vec::new();
    // Not every table has a form in the format: CSV, for example, has no cells with several axes of no elements.
    let Ok(()) = WriteOptions::new().write(&before, format, &mut out) else { return };
    let again = ReadOptions::new().read(out.clone(), format);
    let again = again.unwrap_or_else(|error| panic!("{error}\n{:?}", String::from_utf8_lossy(&out)));
    let after = dataset(&again.contents);
    assert_eq!(shown(&after), shown(&before), "{:?}", String::from_utf8_lossy(&out));
}

fn dataset(contents: &Contents) -> Dataset {
    let mut file = File::new();
    file.set("/data", contents).expect("what was read can be set");
    Dataset::at(&file, "/data").expect("what was set is found")
}

/// The name, unit, datatype, shape and elements of each column.
fn shown(dataset: &Dataset) -> Vec<String> {
    match dataset {
        Dataset::Array { array, unit, .. } => vec![format!("{unit:?} {}", elements(array))],
        Dataset::Table { columns, .. } => {
            let columns = columns.as_slice().iter();
            columns
                .map(|column| format!("{:?} {:?} {}", column.name, column.unit, elements(&column.array)))
                .collect()
        }
        Dataset::Fits(_) => Vec::new(),
    }
}

fn elements(array: &NdArray) -> String {
    let values: Vec<Value> = array.elements().expect("what was read has elements").take(2000).collect();
    format!("{} {:?} {values:?}", kind(array.datatype()), array.shape())
}

/// Describes a datatype without what is not part of values: byte orders, and the padding of texts.
fn kind(datatype: &Datatype) -> String {
    match datatype {
        Datatype::Ascii(_) | Datatype::Ucs4(_) => "text".to_owned(),
        Datatype::Struct(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{:?} {} {:?}", field.name, kind(&field.datatype), field.shape))
                .collect();
            fields.join(", ")
        }
        plain => format!("{plain:?}"),
    }
}

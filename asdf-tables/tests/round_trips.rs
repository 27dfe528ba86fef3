//! Writes tables in each format and reads them back: names, values, datatypes, units and missing values.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails here has failed")]

use asdf_core::array::Mask;
use asdf_core::source::Bytes;
use asdf_core::{Datatype, File, NdArray, Result, error};
use asdf_tables::{Advice, Column, Columns, Contents, Dataset, Fill, Format, ReadOptions, WriteOptions};

/// Returns a table with numbers, missing elements, texts and arrays as cells.
fn sources() -> Columns {
    let mask = NdArray::new(&[3], &[false, true, false]).unwrap();
    let counts = NdArray::new(&[3], &[7_i64, 0, -9]).unwrap();
    let mut flux = Column::new("flux", NdArray::new(&[3], &[0.1_f32, 1e20, -2.5]).unwrap());
    flux.unit = Some("mJy".to_owned());
    flux.description = Some("of the source".to_owned());
    let names = [b"M31\0".as_slice(), b"M33\0", b"M101"].concat();
    Columns::new(vec![
        Column::new("count", counts.with_mask(Mask::Array(Box::new(mask))).unwrap()),
        flux,
        Column::new("good", NdArray::new(&[3], &[true, false, true]).unwrap()),
        Column::new(
            "name",
            NdArray::from_bytes(Datatype::Ascii(4), asdf_core::array::ByteOrder::Little, &[3], names)
                .unwrap(),
        ),
        Column::new("pair", NdArray::new(&[3, 2], &[1.5, 2.5, 3.5, 4.5, 5.5, 6.5]).unwrap()),
    ])
    .unwrap()
}

fn written(dataset: &Dataset, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    WriteOptions::new().fill(Some(Fill::Int(-1))).write(dataset, format, &mut out).unwrap();
    out
}

/// Reads a file, and returns the columns of its value in a tree.
fn columns(bytes: Vec<u8>, format: Format) -> Columns {
    let mut file = File::new();
    file.set("/data", &ReadOptions::new().read(bytes, format).unwrap().contents).unwrap();
    match Dataset::at(&file, "/data").unwrap() {
        Dataset::Table { columns, .. } => columns,
        other => panic!("{other:?}"),
    }
}

fn texts(column: &Column) -> Vec<String> {
    let datatype = column.array.datatype();
    column.array.elements().unwrap().map(|value| value.to_text(datatype, "--")).collect()
}

/// Compares the columns of a table that was written and read back with the original.
fn check(format: Format) {
    let before = sources();
    let table = Dataset::Table { columns: before.clone(), records: None };
    let after = columns(written(&table, format), format);
    assert_eq!(after.rows(), before.rows(), "{format}");
    for (before, after) in before.as_slice().iter().zip(after.as_slice()) {
        let name = format!("{format}: {}", before.name);
        assert_eq!(after.name, before.name, "{name}");
        assert_eq!(texts(after), texts(before), "{name}");
        assert_eq!(after.array.datatype(), before.array.datatype(), "{name}");
        assert_eq!(after.cell(), before.cell(), "{name}");
        assert_eq!((&after.unit, &after.description), (&before.unit, &before.description), "{name}");
    }
    assert_eq!(after.as_slice().len(), before.as_slice().len(), "{format}");
}

#[test]
fn ecsv_keeps_everything() {
    check(Format::Ecsv);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_keeps_everything() {
    check(Format::Parquet);
}

#[cfg(feature = "arrow")]
#[test]
fn arrow_keeps_everything() {
    check(Format::Arrow);
}

#[cfg(feature = "votable")]
#[test]
fn votable_keeps_everything_that_it_has() {
    check(Format::VoTable);
}

#[test]
fn csv_keeps_values_and_finds_types() {
    let table = Dataset::Table { columns: sources(), records: None };
    let after = columns(written(&table, Format::Csv), Format::Csv);
    let names: Vec<&str> = after.as_slice().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["count", "flux", "good", "name", "pair[0]", "pair[1]"]);
    let datatypes: Vec<Datatype> =
        after.as_slice().iter().map(|column| column.array.datatype().clone()).collect();
    let float = Datatype::Float64;
    let expected =
        [Datatype::Int64, float.clone(), Datatype::Bool8, Datatype::Ascii(4), float.clone(), float];
    assert_eq!(datatypes, expected);
    assert_eq!(texts(after.find("count").unwrap()), ["7", "--", "-9"]);
    assert_eq!(after.find("flux").unwrap().array.read::<f64>().unwrap(), [0.1, 1e20, -2.5]);
}

#[test]
fn json_keeps_values_and_missing_ones() {
    for format in [Format::Json, Format::JsonLines] {
        let table = Dataset::Table { columns: sources(), records: None };
        let after = columns(written(&table, format), format);
        assert_eq!(texts(after.find("count").unwrap()), ["7", "--", "-9"], "{format}");
        assert_eq!(after.find("pair").unwrap().cell(), [2], "{format}");
    }
}

#[test]
fn npy_keeps_arrays_and_writes_tables_as_records() {
    let array = NdArray::new(&[2, 3], &[1_i16, -2, 3, -4, 5, -6]).unwrap();
    let dataset = Dataset::from_column(Column::new("", array));
    let bytes = Bytes::from(written(&dataset, Format::Npy));
    assert_eq!(Format::from_bytes(&bytes), Some(Format::Npy));
    let reading = ReadOptions::new().read(bytes, Format::Npy).unwrap();
    let Contents::Array(array) = reading.contents else { panic!("{reading:?}") };
    assert_eq!((array.shape(), array.datatype()), (&[2, 3][..], &Datatype::Int16));
    assert_eq!(array.read::<i16>().unwrap(), [1, -2, 3, -4, 5, -6]);

    let table = Dataset::Table { columns: sources(), records: None };
    let after = columns(written(&table, Format::Npy), Format::Npy);
    // npy has no masks, so missing integers are filled in.
    assert_eq!(after.find("count").unwrap().array.read::<i64>().unwrap(), [7, -1, -9]);
    assert_eq!(texts(after.find("name").unwrap()), ["M31", "M33", "M101"]);
}

#[test]
fn fits_without_any_data_that_can_be_read_says_why() {
    let header = |cards: &[&str]| {
        let mut text: String = cards.iter().chain(&["END"]).map(|card| format!("{card:<80}")).collect();
        text.push_str(&" ".repeat(2880 - text.len()));
        text
    };
    let first = header(&[
        "SIMPLE  =                    T",
        "BITPIX  =                    8",
        "NAXIS   =                    0",
    ]);
    let foreign =
        header(&["XTENSION= 'FOREIGN '", "BITPIX  =                    8", "NAXIS   =                    0"]);
    let bytes = (first + &foreign).into_bytes();
    let error = ReadOptions::new().fits_arrays(true).read(bytes, Format::Fits).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Unsupported);
    assert_eq!(
        (error.offset(), error.hint()),
        (Some(5760), Some(&"select an image, a binary table or an ASCII table".into()))
    );
}

#[test]
fn fits_keeps_arrays_and_tables() {
    let image =
        Dataset::from_column(Column::new("", NdArray::new(&[2, 2], &[1_f32, 2.0, 3.0, 4.0]).unwrap()));
    let table = Dataset::Table { columns: sources(), records: None };
    let mut out = Vec::new();
    let units = [("sci".to_owned(), image), ("cat".to_owned(), table)];
    WriteOptions::new().fill(Some(Fill::Int(-99))).write_units(&units, &mut out).unwrap();
    let reading = ReadOptions::new().fits_arrays(true).read(out, Format::Fits).unwrap();
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    let mut file = File::new();
    file.set("/fits", &reading.contents).unwrap();
    assert_eq!(file.get::<NdArray>("/fits/SCI").unwrap().read::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let Dataset::Array { array, unit, .. } = Dataset::at(&file, "/fits/CAT/flux").unwrap() else { panic!() };
    assert_eq!((array.read::<f32>().unwrap(), unit.as_deref()), (vec![0.1, 1e20, -2.5], Some("mJy")));
    let Dataset::Array { array, .. } = Dataset::at(&file, "/fits/CAT/count").unwrap() else { panic!() };
    assert_eq!(texts(&Column::new("count", array)), ["7", "--", "-9"]);
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_is_written() {
    let table = Dataset::Table { columns: sources(), records: None };
    assert!(written(&table, Format::Hdf5).starts_with(b"\x89HDF\r\n\x1a\n"));
}

/// If this build lacks a format, the hint names the feature that adds it.
#[test]
fn every_format_is_written_or_names_its_feature() {
    let table = Dataset::Table { columns: sources(), records: None };
    for &format in Format::ALL {
        assert_eq!(format.name().parse::<Format>().unwrap(), format);
        let options = WriteOptions::new().fill(Some(Fill::Int(-1)));
        let missing = |result: Result<()>| match result {
            Ok(()) => None,
            Err(error) => Some(Advice::from_error(&error).unwrap_or_else(|| panic!("{error}"))),
        };
        let found = missing(options.write(&table, format, &mut Vec::new()));
        let expected = match format {
            Format::Arrow if !cfg!(feature = "arrow") => Some(Advice::Arrow),
            Format::Parquet if !cfg!(feature = "parquet") => Some(Advice::Parquet),
            Format::Hdf5 if !cfg!(feature = "hdf5") => Some(Advice::Hdf5),
            _ => None,
        };
        assert_eq!(found, expected, "{format}");
        if !format.can_be_read() {
            let error = ReadOptions::new().read(&b""[..], format).unwrap_err();
            assert_eq!(error.kind(), error::Kind::Unsupported);
        }
    }
    if cfg!(not(feature = "votable")) {
        let error = ReadOptions::new().read(&b"<VOTABLE/>"[..], Format::VoTable).unwrap_err();
        assert_eq!(Advice::from_error(&error), Some(Advice::VoTable));
    }
}

#[test]
fn hints_of_errors_are_advice() {
    let mask = NdArray::new(&[2], &[false, true]).unwrap();
    let gaps = NdArray::new(&[2], &[1_u8, 2]).unwrap().with_mask(Mask::Array(Box::new(mask))).unwrap();
    let gaps = Dataset::from_column(Column::new("", gaps));
    let advice = |options: WriteOptions| {
        let error = options.write(&gaps, Format::Npy, &mut Vec::new()).unwrap_err();
        Advice::from_error(&error)
    };
    assert_eq!(advice(WriteOptions::new()), Some(Advice::Fill));
    assert_eq!(advice(WriteOptions::new().fill(Some(Fill::Int(256)))), Some(Advice::OtherFill));
    let error = ReadOptions::new().read(&b"a,b\n1\n"[..], Format::Csv).unwrap_err();
    assert_eq!((Advice::from_error(&error), error.line()), (Some(Advice::Delimiter), Some(2)));
    let error = ReadOptions::new().read(&b"{}"[..], Format::Json).unwrap_err();
    assert_eq!(Advice::from_error(&error), Some(Advice::JsonLines));
    let table = Dataset::Table { columns: sources(), records: None };
    let error = table.slice(&asdf_core::array::Slice::parse("0, 1").unwrap()).unwrap_err();
    assert_eq!(Advice::from_error(&error), Some(Advice::Rows));
}

#[test]
fn tables_without_columns_are_refused() {
    for (format, text) in [
        (Format::Csv, ""),
        (Format::Ecsv, "# %ECSV 1.0\n# ---\n# datatype: []\n"),
        (Format::Json, "[{}]"),
        #[cfg(feature = "votable")]
        (
            Format::VoTable,
            "<VOTABLE version=\"1.4\"><RESOURCE><TABLE><DATA><TABLEDATA/></DATA></TABLE></RESOURCE></VOTABLE>",
        ),
    ] {
        let error = ReadOptions::new().read(text.as_bytes(), format).unwrap_err();
        assert!(error.message().contains("the file has no columns"), "{format}: {error}");
    }
}

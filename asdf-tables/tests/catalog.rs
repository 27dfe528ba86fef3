//! Catalogues of files that are in memory.
#![cfg(feature = "arrow")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int16Type, Int32Type};
use arrow_array::{Array as _, RecordBatch};
use asdf_core::{Error, File};
use asdf_schemas::{Registry, Validator};
use asdf_tables::Format;
use asdf_tables::catalog::{Found, Kind, Layout, Own, Reader, Reading, Row, Writer, archive_tables};

fn file(tree: &str) -> File {
    let header =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    File::from_bytes(format!("{header}{tree}\n...\n").into_bytes()).unwrap()
}

fn row(layout: &Layout, number: usize, tree: &str) -> Row {
    layout.read(&Found::named(format!("{number}.asdf")), &file(tree))
}

/// The names and types of the columns of trees, without those of the file itself.
fn columns(layout: &Layout) -> Vec<String> {
    let fields = layout.fields().iter().filter(|field| field.own().is_none());
    fields
        .map(|field| format!("{}: {}", field.name(), field.kind().map_or("?".to_owned(), Kind::to_string)))
        .collect()
}

fn batch(fields: &[&str], trees: &[&str]) -> (RecordBatch, Vec<String>) {
    let mut layout = Layout::new(fields.iter().map(|field| field.parse().unwrap())).unwrap();
    let rows: Vec<Row> = trees.iter().enumerate().map(|(number, tree)| row(&layout, number, tree)).collect();
    layout.settle(&rows);
    let batch = layout.batch(rows).unwrap();
    (batch.rows, batch.problems.iter().map(ToString::to_string).collect())
}

#[test]
fn values_that_do_not_fit_are_null_and_problems() {
    let (rows, problems) =
        batch(&["/a:int16", "b=/m/b:list<float64>"], &["a: 1\nm: {b: [1, .nan]}", "a: 1.5", "{}"]);
    let a = rows.column_by_name("a").unwrap().as_primitive::<Int16Type>();
    assert_eq!(a.iter().collect::<Vec<_>>(), [Some(1), None, None]);
    let b = rows.column_by_name("b").unwrap().as_list::<i32>();
    assert_eq!((b.is_null(0), b.is_null(1), b.value(0).len()), (false, true, 2));
    assert_eq!(problems, ["1.asdf:6:4: /a: found the float 1.5, expected int16"]);
    let texts = rows.column_by_name("_problems").unwrap().as_list::<i32>();
    assert_eq!((texts.is_null(0), texts.is_null(1), texts.is_null(2)), (true, false, true));
    assert_eq!(texts.value(1).as_string::<i32>().value(0), "/a: found the float 1.5, expected int16");
}

#[test]
fn the_first_values_decide_types() {
    let trees = ["a: 1\nb: x\nc: [1]\nd: {e: 1}", "a: 2.5\nb: 1\nc: []\nd: {e: 2, f: true}"];
    let (rows, problems) = batch(&["/a", "/b", "/c", "/d", "/none"], &trees);
    assert_eq!(problems, [""; 0]);
    let types: Vec<String> =
        rows.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types[4], "Float64");
    assert_eq!(types[5], "Utf8");
    assert_eq!(rows.column(5).as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["\"x\"", "1"]);
    assert!(types[6].starts_with("List(") && types[6].contains("Int64"), "{}", types[6]);
    assert!(types[7].contains("\"e\": Int64") && types[7].contains("\"f\": Boolean"), "{}", types[7]);
    assert_eq!(rows.column(8).null_count(), 2);
}

#[test]
fn quantities_have_the_unit_of_the_first() {
    let quantity =
        |value: &str, unit: &str| format!("q: !unit/quantity-1.1.0 {{value: {value}, unit: {unit}}}");
    let (rows, problems) =
        batch(&["/q"], &[&quantity("2", "m"), &quantity("300", "cm"), &quantity("1", "s")]);
    let q = rows.column_by_name("q").unwrap().as_primitive::<Float64Type>();
    assert_eq!(q.iter().collect::<Vec<_>>(), [Some(2.0), Some(3.0), None]);
    assert_eq!(rows.schema().field_with_name("q").unwrap().metadata()["unit"], "m");
    assert_eq!(problems.len(), 1);
}

#[test]
fn columns_are_found_in_files() {
    let trees = [
        "a: 1\nm: {t: 2026-01-02T03:04:05, l: [], o: {x: y}}\nhistory: {extensions: []}",
        "a: 1.5\na.b: 2\nm: {l: [x], list: [{a: 1}]}\ndata: !core/ndarray-1.1.0 [1, 2]\n_file: no",
    ];
    let files = trees.map(file);
    let layout = Layout::infer(files.iter().map(File::tree)).unwrap();
    let expected = [
        "a: float64",
        "m.t: timestamp",
        "m.l: list<string>",
        "m.o.x: string",
        "a.b: int64",
        "/_file: boolean",
    ];
    assert_eq!(columns(&layout), expected);
}

#[test]
fn repeated_aliases_are_bounded() {
    let mut tree = "x0: &x0 [a, a]\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        tree += &format!("x{level}: &x{level} [*x{before}, *x{before}]\n");
        tree += &format!(
            "m{level}: &m{level} {{a: *{0}, b: *{0}}}\n",
            if level == 1 { "x0".to_owned() } else { format!("m{before}") }
        );
    }
    let files = [file(&tree)];
    let layout = Layout::infer(files.iter().map(File::tree)).err().map(|error| error.message().to_owned());
    assert_eq!(layout.as_deref(), Some("found more than 4096 values in the files"));
    let layout = Layout::new(["/x39:json".parse().unwrap(), "/m39".parse().unwrap()]).unwrap();
    let row = row(&layout, 0, &tree);
    let problems: Vec<&str> = row.problems().iter().map(|problem| problem.message()).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems.iter().all(|problem| problem.contains("take more than 4 MiB") || problem.contains("levels"))
    );
}

/// Schemas of a package with a table for an archive. Old versions of a tag have other paths.
fn camera() -> Arc<Registry> {
    let mut registry = Registry::new();
    for schema in [
        "{id: 'asdf://x.org/schemas/image-1.0.0', properties: {meta: {allOf: [{$ref: common-1.0.0}]}}}",
        "{id: 'asdf://x.org/schemas/image-1.1.0', properties: {meta: {allOf: [{$ref: common-1.0.0}, {properties: {
          gain: {title: Gain, type: number, archive_catalog: {datatype: float, destination: [Image.gain]}},
          lens: {tag: 'asdf://x.org/tags/lens-1.*'},
          images: {type: array, items: {properties: {name: {archive_catalog: {datatype: nvarchar(9), destination: [Image.name]}}}}},
          odd: {archive_catalog: {datatype: geometry, destination: [Image.odd]}}}}]}}}",
        "{id: 'asdf://x.org/schemas/common-1.0.0', properties: {
          name: {type: string, archive_catalog: {datatype: nvarchar(9), destination: [Image.name, Lens.image]}},
          start: {tag: 'tag:stsci.edu:asdf/time/time-1.*', archive_catalog: {datatype: datetime2, destination: [Image.start]}},
          count: {type: integer, unit: s, archive_catalog: {datatype: int, destination: [Image.count]}},
          flag: {type: boolean, archive_catalog: {datatype: nchar(1), destination: [Image.flag]}},
          shape: {type: array, items: {type: integer}, archive_catalog: {datatype: nvarchar(max), destination: [Image.shape]}}}}",
        "{id: 'asdf://x.org/schemas/lens-1.0.0', properties: {mm: {type: [number, 'null'], archive_catalog: {datatype: real,
          destination: [Image.lens, Lens.mm]}}}}",
        "{id: 'asdf://x.org/schemas/keywords-1.0.0', properties: {GAIN: {type: string, archive_catalog: {datatype: nvarchar(9),
          destination: [Other.gain]}}}}",
    ] {
        registry.add_schema(schema).unwrap();
    }
    for (tag, schema) in
        [("image-1.0.0", "image-1.0.0"), ("image-1.1.0", "image-1.1.0"), ("lens-1.0.0", "lens-1.0.0")]
    {
        registry.add_tag(&format!("asdf://x.org/tags/{tag}"), &format!("asdf://x.org/schemas/{schema}"));
    }
    registry.into()
}

#[test]
fn schemas_describe_columns() {
    let layout = Layout::from_schema(&camera(), "image").unwrap();
    let expected = [
        "meta.name: string",
        "meta.start: timestamp",
        "meta.count: int64",
        "meta.flag: boolean",
        "meta.shape: list<int64>",
        "meta.gain: float64",
        "meta.lens.mm: float64",
        "meta.images: list<struct<name: json>>",
    ];
    assert_eq!(columns(&layout), expected);
    let count = layout.fields().iter().find(|field| field.name() == "meta.count").unwrap();
    assert_eq!(count.metadata()["unit"], "s");
    // The values are below the tag, in any version, wherever it is.
    let tree = "x: {y: !<asdf://x.org/tags/image-1.0.0> {meta: {count: 7, images: [{name: a}, {name: 2}]}}}";
    let rows = layout.batch(vec![row(&layout, 0, tree)]).unwrap().rows;
    let count = rows.column_by_name("meta.count").unwrap();
    assert_eq!(count.as_primitive::<arrow_array::types::Int64Type>().value(0), 7);
    let images = rows.column_by_name("meta.images").unwrap().as_list::<i32>().value(0);
    assert_eq!(images.as_struct().column(0).as_string::<i32>().value(1), "2");
    assert!(Layout::from_schema(&camera(), "common").is_err());
}

#[test]
fn annotations_describe_the_tables_of_an_archive() {
    assert_eq!(archive_tables(&camera()), ["Image", "Lens", "Other"]);
    let (layout, left_out) = Layout::from_table(&camera(), "Image").unwrap();
    let mut found = columns(&layout);
    found.sort();
    let expected = [
        "count: int32",
        "flag: boolean",
        "gain: float64",
        "lens: float32",
        "name: string",
        "shape: json",
        "start: timestamp",
    ];
    assert_eq!(found, expected);
    let reasons: Vec<String> =
        left_out.iter().map(|left| format!("{} at {}: {}", left.column, left.path, left.reason)).collect();
    let expected = [
        "Image.name at /meta/images/*/name: it is inside a list, of which a file can have several items",
        "Image.odd at /meta/odd: the datatype 'geometry' is unknown",
    ];
    assert_eq!(reasons, expected);
    let gain = layout.fields().iter().find(|field| field.name() == "gain").unwrap();
    assert_eq!(
        (gain.metadata()["archive_datatype"].as_str(), gain.metadata()["title"].as_str()),
        ("float", "Gain")
    );

    let tree = "r: !<asdf://x.org/tags/image-1.1.0> {meta: {name: a, count: 70000, shape: [1, 2], lens: !<asdf://x.org/tags/lens-1.0.0> {mm: 35}}}";
    let batch = layout.batch(vec![row(&layout, 0, tree)]).unwrap();
    assert_eq!(batch.problems.len(), 0);
    let count = batch.rows.column_by_name("count").unwrap().as_primitive::<Int32Type>();
    assert_eq!(count.value(0), 70000);
    assert_eq!(batch.rows.column_by_name("shape").unwrap().as_string::<i32>().value(0), "[1,2]");

    // A schema without a tag: at the root, or below one of its values.
    let (layout, _) = Layout::from_table(&camera(), "Other").unwrap();
    for tree in ["GAIN: high", "roman: {GAIN: high}"] {
        let rows = layout.batch(vec![row(&layout, 0, tree)]).unwrap().rows;
        let gain = rows.column_by_name("gain").unwrap().as_dictionary::<Int32Type>();
        assert_eq!(gain.values().as_string::<i32>().value(0), "high", "{tree}");
    }
    let error = Layout::from_table(&camera(), "Nothing").unwrap_err();
    assert_eq!(error.hint(), Some(&"the tables of these schemas are Image, Lens, Other".into()));
}

#[test]
fn layouts_are_data() {
    let (layout, _) = Layout::from_table(&camera(), "Image").unwrap();
    let layout = layout.and(Layout::new(["/x".parse().unwrap()]).unwrap()).unwrap().with_valid();
    let text = serde_json::to_string(&layout).unwrap();
    assert_eq!(serde_json::from_str::<Layout>(&text).unwrap(), layout);
    assert!(layout.matches(&layout) && !layout.matches(&layout.project(&[0]).unwrap()));
    assert!(layout.project(&[0, 1]).unwrap().is_listed() && !layout.is_listed());
    assert!(layout.project(&[99]).is_err());
    assert_eq!(layout.fields()[4].own(), Some(Own::Valid));
}

#[test]
fn files_that_cannot_be_opened_have_rows() {
    let layout = Layout::new(["/a:int16".parse().unwrap()]).unwrap().with_valid();
    let found = Found { size: Some(3), valid: Some(false), ..Found::named("x.asdf") };
    let error = Error::malformed("found no tree");
    let mut csv = Vec::new();
    let mut writer = Writer::new(layout.clone(), Format::Csv, &mut csv).unwrap();
    assert_eq!(writer.push(layout.unread(&found, &error)).unwrap().len(), 0);
    assert_eq!(writer.finish().unwrap().len(), 0);
    let expected =
        "_file,_size,_modified,_standard,_valid,a,_problems\nx.asdf,3,,,false,,\"[\"\"found no tree\"\"]\"\n";
    assert_eq!(String::from_utf8(csv).unwrap(), expected);
    assert!(Writer::new(layout, Format::Fits, &mut Vec::new()).is_err());
}

#[test]
fn readers_validate_for_the_column_and_pass_on_what_cannot_be_read() {
    let plain = Layout::new(["/a:int16".parse().unwrap()]).unwrap();
    let layout = plain.clone().with_valid();
    let validator = Validator::new(Registry::standard());
    let reader = Reader::new(&layout).validator(Some(&validator));
    assert_eq!((reader.files_at_once(false), reader.files_at_once(true)), (8, 1));
    let csv = |reader: Reader<'_>, layout: &Layout, open: &dyn Fn() -> asdf_core::Result<File>| {
        let mut csv = Vec::new();
        let mut writer = Writer::new(layout.clone(), Format::Csv, &mut csv).unwrap();
        let Reading::New(row, error) = reader.read(Found::named("x"), open).unwrap() else { unreachable!() };
        writer.push(row).unwrap();
        assert_eq!(writer.pushed(), 1);
        writer.finish().unwrap();
        (String::from_utf8(csv).unwrap().lines().nth(1).unwrap().to_owned(), error.is_some())
    };
    let (valid, invalid) = (|| Ok(file("a: 1")), || Ok(file("a: 1\nb: !core/complex-1.0.0 x")));
    assert_eq!(csv(reader, &layout, &valid), ("x,,,1.5.0,true,1,".to_owned(), false));
    assert_eq!(csv(reader, &layout, &invalid), ("x,,,1.5.0,false,1,".to_owned(), false));
    let broken = || Err(Error::malformed("found no tree"));
    assert_eq!(csv(reader, &layout, &broken), ("x,,,,false,,\"[\"\"found no tree\"\"]\"".to_owned(), true));
    // Without the column, the validator is not used.
    let without = Reader::new(&plain).validator(Some(&validator));
    assert_eq!(csv(without, &plain, &invalid), ("x,,,1.5.0,1,".to_owned(), false));
    let missing = || Err::<File, _>(Error::io("opening", std::io::ErrorKind::NotFound.into()));
    assert_eq!(reader.read(Found::named("x"), missing).unwrap_err().kind(), asdf_core::error::Kind::Io);
}

#[test]
fn files_that_cannot_be_opened_do_not_decide_columns() {
    let broken = |text: &str| Err(Error::malformed(text.to_owned()));
    let files = [broken("first"), Ok(file("a: 1")), broken("second"), Ok(file("b: x"))];
    assert_eq!(columns(&Layout::infer_files(files).unwrap()), ["a: int64", "b: string"]);
    let error = Layout::infer_files([broken("first"), broken("second")]).unwrap_err();
    assert_eq!(error.message(), "first");
    assert_eq!(columns(&Layout::infer_files::<File>([]).unwrap()), [""; 0]);
    // Only the first 100 are opened.
    let opened = std::cell::Cell::new(0);
    let many = (0..1_000).map(|_| {
        opened.set(opened.get() + 1);
        Ok(std::sync::Arc::new(file("a: 1")))
    });
    assert!(Layout::infer_files(many).is_ok() && opened.get() == 100);
}

#[cfg(feature = "parquet")]
mod parquet {
    use std::time::{Duration, SystemTime};

    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use asdf_core::source::Bytes;
    use asdf_tables::catalog::Previous;

    use super::*;

    fn found(number: u64, seconds: u64) -> Found {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        Found { size: Some(number), modified: Some(modified), ..Found::named(format!("{number}.asdf")) }
    }

    /// The names and values of the rows of a catalogue.
    fn rows(bytes: &[u8]) -> Vec<(String, i64)> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(bytes)).unwrap();
        let mut rows = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let names = batch.column_by_name("_file").unwrap().as_string::<i32>().clone();
            let values =
                batch.column_by_name("a").unwrap().as_primitive::<arrow_array::types::Int64Type>().clone();
            rows.extend(
                names
                    .iter()
                    .zip(values.iter())
                    .map(|(name, value)| (name.unwrap().to_owned(), value.unwrap())),
            );
        }
        rows
    }

    #[test]
    fn rows_of_unchanged_files_are_kept() {
        let layout = Layout::new(["/a".parse().unwrap(), "t=/t".parse().unwrap()]).unwrap();
        let read = |number: u64, seconds: u64, value: u64| {
            layout.read(&found(number, seconds), &file(&format!("a: {value}\nt: x{number}")))
        };
        let mut first = Vec::new();
        let mut writer = Writer::new(layout.clone(), Format::Parquet, &mut first).unwrap();
        (0..20_000).for_each(|number| drop(writer.push(read(number, 7, number)).unwrap()));
        writer.finish().unwrap();

        let (previous, known) = Previous::open(first).unwrap();
        assert_eq!(known.len(), 20_000);
        assert!(layout.matches(known.layout()));
        assert_eq!(known.layout().fields()[4].kind(), Some(&Kind::Int64));
        assert_eq!((known.row(&found(9_000, 7)), known.row(&found(9_000, 8))), (Some(9_000), None));
        // Files in another order, some changed, new or gone.
        let order = [15_000, 15_001, 3, 4, 5, 30_000, 19_999, 0];
        let mut second = Vec::new();
        let mut writer =
            Writer::new(known.layout().clone(), Format::Parquet, &mut second).unwrap().previous(previous);
        let reader = Reader::new(known.layout()).known(Some(&known));
        assert_eq!((reader.files_at_once(false), reader.files_at_once(true)), (128, 1));
        for number in order {
            let open = || Ok(file(&format!("a: {}\nt: y", number + 1)));
            match reader.read(found(number, if number == 4 { 8 } else { 7 }), open).unwrap() {
                Reading::Kept(row) => drop(writer.keep(row).unwrap()),
                Reading::New(row, error) => {
                    assert!(error.is_none());
                    writer.push(row).unwrap();
                }
            }
        }
        assert_eq!((writer.pushed(), writer.kept(), writer.is_unchanged()), (2, 6, false));
        writer.finish().unwrap();
        let value = |number: u64| if number == 4 || number == 30_000 { number + 1 } else { number };
        let expected: Vec<(String, i64)> = order
            .iter()
            .map(|number| (format!("{number}.asdf"), i64::try_from(value(*number)).unwrap()))
            .collect();
        assert_eq!(rows(&second), expected);
    }

    #[test]
    fn only_all_rows_in_their_order_are_unchanged() {
        let layout = Layout::new(["/a:int64".parse().unwrap()]).unwrap();
        let mut first = Vec::new();
        let mut writer = Writer::new(layout.clone(), Format::Parquet, &mut first).unwrap();
        (0..3).for_each(|number| drop(writer.push(row(&layout, number, "a: 1")).unwrap()));
        assert!(!writer.is_unchanged());
        writer.finish().unwrap();

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.parquet");
        assert!(Previous::open_file(&path).unwrap().is_none());
        assert!(
            Previous::open_file(folder.path()).unwrap_err().to_string().contains("reading the catalogue")
        );
        std::fs::write(&path, first).unwrap();
        for (kept, is_unchanged) in
            [([0, 1, 2].as_slice(), true), (&[0, 1], false), (&[1, 0, 2], false), (&[], false)]
        {
            let (previous, _) = Previous::open_file(&path).unwrap().unwrap();
            let mut out = Vec::new();
            let mut writer =
                Writer::new(layout.clone(), Format::Parquet, &mut out).unwrap().previous(previous);
            kept.iter().for_each(|row| drop(writer.keep(*row).unwrap()));
            assert_eq!(writer.is_unchanged(), is_unchanged, "{kept:?}");
            writer.push(row(&layout, 3, "a: 1")).unwrap();
            assert!(!writer.is_unchanged(), "{kept:?}");
        }
    }

    #[test]
    fn other_files_are_not_catalogues() {
        let layout = Layout::new([]).unwrap();
        let mut bytes = Vec::new();
        Writer::new(layout, Format::Parquet, &mut bytes).unwrap().finish().unwrap();
        assert!(Previous::open(bytes.clone()).unwrap().1.is_empty());
        assert!(Previous::open(bytes[..bytes.len() - 9].to_vec()).is_err());
        let at = bytes.windows(12).position(|part| part == b"asdf:catalog").unwrap();
        bytes[at] = b'A';
        let mut out = Vec::new();
        let mut writer = Writer::new(Layout::new([]).unwrap(), Format::Parquet, &mut out).unwrap();
        assert!(writer.keep(0).is_err());
        let error = Previous::open(bytes).err().map(|error| error.message().to_owned());
        assert_eq!(error.as_deref(), Some("the file is not a catalogue that this program wrote"));
    }
}

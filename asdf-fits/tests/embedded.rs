//! ASDF files in FITS files. `tests/interop/asdf_in_fits.py` compares with stdatamodels.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "the files are small")]

use std::io::Read;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use asdf_core::array::{Slice, Value};
use asdf_core::error::Kind;
use asdf_core::source::{Bytes, MemorySource, Source};
use asdf_core::{Datatype, File, Limits, NdArray, OpenOptions, Result};
use asdf_fits::{AsdfInFits, Card, Column, Data, Fits, Hdu, Table, open_asdf};
use flate2::Compression;
use flate2::read::GzEncoder;

const HEAD: &str =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

fn text(tree: &str) -> Vec<u8> {
    format!("{HEAD}{tree}\n...\n").into_bytes()
}

fn array(source: &str, datatype: &str, shape: &str) -> String {
    format!(
        "!core/ndarray-1.1.0 {{source: '{source}', datatype: {datatype}, byteorder: big, shape: {shape}}}"
    )
}

fn named(name: &str) -> Hdu {
    Hdu::new(vec![Card::new("EXTNAME", name, "")])
}

fn image(name: &str, data: NdArray) -> Hdu {
    named(name).with_data(Data::Image(data))
}

/// The extension that holds an ASDF file.
fn extension(asdf: &[u8]) -> Hdu {
    let bytes = NdArray::new(&[1, asdf.len() as u64], asdf).unwrap();
    let table = Table::new(vec![Column::new("ASDF_METADATA", bytes)]).unwrap();
    named("ASDF").with_data(Data::Table(table))
}

fn fits(units: Vec<Hdu>, asdf: &[u8]) -> Vec<u8> {
    let mut all = vec![Hdu::new(Vec::new())];
    all.extend(units);
    all.push(extension(asdf));
    Fits::new(all).to_bytes().unwrap()
}

fn options() -> OpenOptions {
    OpenOptions::new().container(AsdfInFits::format())
}

fn open(bytes: impl Into<Bytes>) -> Result<File> {
    options().open_bytes(bytes)
}

/// A unit with these cards and bytes.
fn raw(cards: &[&str], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for card in cards.iter().chain(&["END"]) {
        bytes.extend_from_slice(format!("{card:80}").as_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(2880), b' ');
    bytes.extend_from_slice(data);
    bytes.resize(bytes.len().next_multiple_of(2880), 0);
    bytes
}

/// A source that records what is read.
#[derive(Debug)]
struct Recorded(MemorySource, Arc<Mutex<Vec<Range<u64>>>>);

impl Source for Recorded {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.1.lock().unwrap().push(range.clone());
        self.0.read(range)
    }
}

#[test]
fn arrays_are_those_of_the_units() {
    let science = NdArray::new(&[2, 3], &[0.0_f32, 1.5, 2.0, 3.0, 4.0, 5.25]).unwrap();
    let flags = NdArray::new(&[3], &[0_u32, 1 << 31, u32::MAX]).unwrap();
    let inner = {
        let mut file = File::new();
        file.set("/small", &NdArray::new(&[3], &[7_u8, 8, 9]).unwrap()).unwrap();
        let mut bytes = file.to_bytes().unwrap();
        let end = bytes.windows(4).position(|part| part == b"\n...").unwrap();
        let (sci, dq) = (array("fits:SCI,1", "float32", "[2, 3]"), array("fits:2", "uint32", "[3]"));
        let more = format!("\ndata: {sci}\ndq: {dq}\nerr: {}", array("fits:sci,2", "int16", "[1]"));
        bytes.splice(end..end, more.bytes());
        bytes
    };
    let second = Hdu::new(vec![Card::new("EXTNAME", "SCI", ""), Card::new("EXTVER", 2_i64, "")])
        .with_data(Data::Image(NdArray::new(&[1], &[-5_i16]).unwrap()));
    let units = vec![image("SCI", science), image("", flags), second];
    let file = open(fits(units, &inner)).unwrap();
    assert_eq!(file.container().map(|container| container.format()), Some("FITS"));
    assert_eq!(file.array("/data").unwrap().read::<f32>().unwrap(), [0.0, 1.5, 2.0, 3.0, 4.0, 5.25]);
    assert_eq!(file.array("/dq").unwrap().read::<u32>().unwrap(), [0, 1 << 31, u32::MAX]);
    assert_eq!(file.array("/err").unwrap().read::<i16>().unwrap(), [-5]);
    assert_eq!(file.array("/small").unwrap().read::<u8>().unwrap(), [7, 8, 9]);
    assert_eq!(file.array("/data").unwrap().external(), Some("fits:SCI,1"));

    let plain = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(plain.blocks().unwrap().len(), 4);
    for path in ["/data", "/dq", "/err", "/small"] {
        let (old, new) = (file.array(path).unwrap(), plain.array(path).unwrap());
        assert!(new.source().is_some(), "{path}");
        assert_eq!(old, new, "{path}");
    }
}

#[test]
fn a_part_of_an_image_is_read_without_the_rest() {
    let rows: Vec<f64> = (0..1000 * 100).map(f64::from).collect();
    let asdf = text(&format!("data: {}", array("fits:SCI,1", "float64", "[1000, 100]")));
    let bytes = fits(vec![image("SCI", NdArray::new(&[1000, 100], &rows).unwrap())], &asdf);
    let reads = Arc::new(Mutex::new(Vec::new()));
    let source = Recorded(MemorySource::new(bytes), reads.clone());
    let file = options().open_from(source).unwrap();
    let read = || {
        std::mem::take(&mut *reads.lock().unwrap()).iter().map(|range| range.end - range.start).sum::<u64>()
    };
    let opened = read();
    assert!(opened < 150_000, "{opened} bytes of 800,000 for the headers and the tree");
    let data = file.array("/data").unwrap();
    assert_eq!(read(), 0);
    let slice = data.slice(&[Slice::from(500..502)]).unwrap();
    assert_eq!(slice.read::<f64>().unwrap(), &rows[50_000..50_200]);
    let sliced = read();
    assert!(sliced < 40_000, "{sliced}");
}

#[test]
fn tables_are_records_with_the_values_of_their_columns() {
    let columns = vec![
        Column::new("id", NdArray::new(&[2], &[1_i32, -2]).unwrap()),
        Column::new("flux", NdArray::new(&[2, 2], &[0.5_f32, 1.0, 1.5, 2.0]).unwrap()),
    ];
    let stored = named("CAT").with_data(Data::Table(Table::new(columns.clone()).unwrap()));
    let mut more = columns;
    more.push(Column::new("dq", NdArray::new(&[2], &[1_u16, u16::MAX]).unwrap()));
    more.push(Column::new("ok", NdArray::new(&[2], &[true, false]).unwrap()));
    let scaled = named("MORE").with_data(Data::Table(Table::new(more).unwrap()));
    // stdatamodels writes the datatypes of the columns before they are scaled.
    let plain = "[{name: id, datatype: int32, byteorder: big}, {name: flux, datatype: float32, byteorder: big, shape: [2]}]";
    let wrong = "[{name: id, datatype: int32, byteorder: little}, {name: flux, datatype: float32, shape: [2]}, \
                 {name: dq, datatype: int16}, {name: ok, datatype: int8}]";
    let tree =
        format!("cat: {}\nmore: {}", array("fits:CAT,1", plain, "[2]"), array("fits:MORE,1", wrong, "[2]"));
    let file = open(fits(vec![stored, scaled], &text(&tree))).unwrap();
    let (cat, more) = (file.array("/cat").unwrap(), file.array("/more").unwrap());
    assert_eq!(cat.field("flux").unwrap().read::<f32>().unwrap(), [0.5, 1.0, 1.5, 2.0]);
    assert_eq!(more.field("id").unwrap().read::<i32>().unwrap(), [1, -2]);
    assert_eq!(more.field("dq").unwrap().read::<u16>().unwrap(), [1, u16::MAX]);
    assert_eq!(more.field("ok").unwrap().read::<bool>().unwrap(), [true, false]);
    let Datatype::Struct(fields) = more.datatype() else { panic!("{}", more.datatype()) };
    assert_eq!(fields[3].datatype, Datatype::Bool8);
    let plain = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(plain.array("/more").unwrap().field("dq").unwrap().read::<u16>().unwrap(), [1, u16::MAX]);
    assert!(matches!(plain.array("/more").unwrap().elements().unwrap().next(), Some(Value::Record(_))));
}

#[test]
fn old_files_have_an_image_of_bytes_and_some_are_compressed() {
    let asdf = text("a: 5");
    let old = Fits::new(vec![
        Hdu::new(Vec::new()),
        image("ASDF", NdArray::new(&[asdf.len() as u64], &asdf).unwrap()),
    ]);
    let bytes = old.to_bytes().unwrap();
    assert_eq!(open(bytes.clone()).unwrap().get::<i64>("/a").unwrap(), 5);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, &bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.fits.gz");
    std::fs::write(&path, gzip.finish().unwrap()).unwrap();
    assert_eq!(open_asdf(&path, &OpenOptions::new()).unwrap().get::<i64>("/a").unwrap(), 5);
    // A stream is recognised as well.
    assert_eq!(options().open_reader(bytes.as_slice()).unwrap().get::<i64>("/a").unwrap(), 5);
}

#[test]
fn the_fits_file_is_never_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.fits");
    let asdf = text(&format!("data: {}", array("fits:SCI,1", "uint8", "[2]")));
    let bytes = fits(vec![image("SCI", NdArray::new(&[2], &[1_u8, 2]).unwrap())], &asdf);
    std::fs::write(&path, &bytes).unwrap();
    let mut file = open_asdf(&path, &OpenOptions::new()).unwrap();
    assert_eq!(file.path(), Some(path.as_path()));
    file.set("/a", &1).unwrap();
    for error in [file.update().unwrap_err(), file.write(&path).unwrap_err()] {
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("inside a FITS file, which cannot be changed"), "{error}");
    }
    let repair = asdf_core::file::repair::RepairOptions::new().plan(&file).unwrap_err();
    assert!(repair.message().contains("which cannot be changed"), "{repair}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let other = folder.path().join("below/x.asdf");
    std::fs::create_dir(other.parent().unwrap()).unwrap();
    file.write(&other).unwrap();
    let plain = File::open(&other).unwrap();
    assert_eq!(plain.array("/data").unwrap().read::<u8>().unwrap(), [1, 2]);
    assert_eq!(plain.get::<i64>("/a").unwrap(), 1);
}

/// Reads an array of a file with one unit `SCI`, of four int16.
fn fault(source: &str, datatype: &str, shape: &str) -> String {
    let asdf = text(&format!("a: {{b: {}}}", array(source, datatype, shape)));
    let unit = image("SCI", NdArray::new(&[2, 2], &[1_i16, 2, 3, 4]).unwrap());
    let file = open(fits(vec![unit], &asdf)).unwrap();
    let array = file.array("/a/b").unwrap();
    let error = array.packed_bytes(asdf_core::array::ByteOrder::Big).unwrap_err();
    assert!(array.check().is_err());
    assert!(file.to_bytes().is_err() || !source.starts_with("fits:"));
    error.to_string()
}

#[test]
fn arrays_that_do_not_fit_are_errors_when_they_are_read() {
    let missing = fault("fits:DQ,1", "int16", "[2, 2]");
    assert!(missing.contains("HDU DQ,1 does not exist"), "{missing}");
    assert!(fault("fits:7", "int16", "[2, 2]").contains("HDU 7 does not exist"));
    assert!(
        fault("fits:SCI,x", "int16", "[2, 2]").contains("found the source 'fits:SCI,x', expected an HDU")
    );
    assert!(fault("fits:", "int16", "[2, 2]").contains("found the source 'fits:', expected an HDU"));
    assert!(fault("fits:0", "int16", "[2, 2]").contains("the HDU has no data"));
    let shape = fault("fits:SCI,1", "int16", "[4]");
    assert!(shape.contains("the array has the shape [4], but 'fits:SCI,1' has [2, 2]"), "{shape}");
    assert!(fault("fits:SCI,1", "int16", "[2, 2000000]").contains("but 'fits:SCI,1' has [2, 2]"));
    // Without the prefix it is the URI of another file.
    let file = fault("SCI,1", "int16", "[2, 2]");
    assert!(file.contains("the data is in 'SCI,1', but this file was not opened from a path"), "{file}");
    // The extension that holds the ASDF file is a table of one row.
    assert!(fault("fits:ASDF,1", "uint8", "[2, 2]").contains("but 'fits:ASDF,1' has [1]"));
}

#[test]
fn the_datatype_is_that_of_the_unit() {
    let asdf = text(&format!("a: {}", array("fits:SCI,1", "float64", "[2, 2]")).replace("big", "little"));
    let unit = image("SCI", NdArray::new(&[2, 2], &[1_i16, 2, 3, 4]).unwrap());
    let file = open(fits(vec![unit], &asdf)).unwrap();
    let array = file.array("/a").unwrap();
    assert_eq!((array.datatype(), array.read::<i16>().unwrap()), (&Datatype::Int16, vec![1, 2, 3, 4]));
}

#[test]
fn an_array_can_be_the_extension_itself() {
    let asdf = |length: usize| {
        text(&format!(
            "a: !core/ndarray-1.1.0 {{source: 'fits:ASDF,1', datatype: uint8, byteorder: big, shape: [1]}}\n# {}",
            "x".repeat(length)
        ))
    };
    let file = open(fits(Vec::new(), &asdf(10))).unwrap();
    let array = file.array("/a").unwrap();
    let bytes = array.packed_bytes(asdf_core::array::ByteOrder::Big).unwrap();
    assert_eq!(bytes, asdf(10));
    let plain = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(plain.array("/a").unwrap(), array);
}

#[test]
fn files_without_the_extension_or_with_another_one_say_so() {
    let none = open(Fits::new(vec![Hdu::new(Vec::new())]).to_bytes().unwrap()).unwrap_err();
    assert_eq!(none.kind(), Kind::Unsupported);
    assert!(none.message().contains("has no extension ASDF"), "{none}");
    assert!(none.hint().unwrap().to_string().contains("asdf import"), "{none}");
    for (unit, expected) in [
        (image("ASDF", NdArray::new(&[2], &[1_i16, 2]).unwrap()), "an image of 16 bits"),
        (image("ASDF", NdArray::new(&[2], &[1_i8, 2]).unwrap()), "expected unscaled bytes"),
        (named("ASDF"), "with 0 axes"),
        (
            named("ASDF").with_data(Data::Table(
                Table::new(vec![Column::new("x", NdArray::new(&[1], &[1.5_f64]).unwrap())]).unwrap(),
            )),
            "expected a binary table with one column of bytes",
        ),
    ] {
        let error = open(Fits::new(vec![Hdu::new(Vec::new()), unit]).to_bytes().unwrap()).unwrap_err();
        assert!(
            error.message().contains("does not hold an ASDF file") && error.message().contains(expected),
            "{error}"
        );
    }
    // The extension holds something else, or a FITS file.
    assert_eq!(open(fits(Vec::new(), b"hello, world")).unwrap_err().kind(), Kind::Malformed);
    let twice = fits(Vec::new(), &fits(Vec::new(), &text("a: 1")));
    assert_eq!(open(twice).unwrap_err().kind(), Kind::Malformed);
    // Without the option, FITS files are what they were.
    assert!(
        File::from_bytes(fits(Vec::new(), &text("a: 1"))).unwrap_err().message().contains("not an ASDF file")
    );
}

#[test]
fn truncated_files_are_errors() {
    let asdf = text(&format!("data: {}", array("fits:SCI,1", "float32", "[900]")));
    let unit = image("SCI", NdArray::new(&[900], &[1.5_f32; 900]).unwrap());
    let bytes = fits(vec![unit], &asdf);
    let end = bytes.len() - 2880 + asdf.len();
    for length in (0..end).step_by(199).chain([end - 1]) {
        let error = open(bytes[..length].to_vec()).unwrap_err();
        assert!(matches!(error.kind(), Kind::Malformed | Kind::Unsupported), "{length}: {error}");
    }
    // Padding may be missing.
    let file = open(bytes[..end].to_vec()).unwrap();
    assert_eq!(file.array("/data").unwrap().read::<f32>().unwrap(), [1.5; 900]);
    // A damaged unit after the extension hides only itself.
    let mut more = bytes.clone();
    more.extend(raw(
        &["XTENSION= 'IMAGE   '", "BITPIX  =                    8", "NAXIS   =                    x"],
        &[],
    ));
    let file = open(more).unwrap();
    assert_eq!(file.array("/data").unwrap().read::<f32>().unwrap(), [1.5; 900]);
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let unit = image("SCI", NdArray::new(&[900], &[1.5_f32; 900]).unwrap());
    let bytes = fits(vec![unit], &text("a: 1"));
    let hint = Some("download or copy the file again: it is cut off".to_owned());
    for (length, expected) in [
        (30, "the FITS file ends inside a header"),
        (300, "the FITS file ends inside a header"),
        (3300, "HDU ASDF was not found; HDU 1: the FITS file ends inside a header"),
        (5860, "HDU ASDF was not found; HDU 1: the data has 3600 bytes, but only 100 follow"),
        (9000, "HDU ASDF was not found; HDU 1: the data has 3600 bytes, but only 3240 follow"),
    ] {
        let error = open(bytes[..length].to_vec()).unwrap_err();
        assert_eq!((error.kind(), error.message()), (Kind::Malformed, expected), "{length}");
        assert_eq!(error.hint().map(ToString::to_string), hint, "{length}");
        // Reading the FITS file itself says the same.
        let error = Fits::from_bytes(bytes[..length].to_vec()).unwrap_err();
        assert_eq!(error.hint().map(ToString::to_string), hint, "{length}: {error}");
    }
}

/// Endless input that begins like a FITS file, and counts the bytes that are read.
#[derive(Debug)]
struct Endless {
    /// What is repeated after the first card.
    card: [u8; 80],
    read: AtomicU64,
}

impl Endless {
    fn new(card: [u8; 80]) -> Self {
        Self { card, read: AtomicU64::new(0) }
    }

    /// Writes the bytes at an offset to `out`.
    fn fill(&self, at: u64, out: &mut [u8]) {
        let mut card = self.card;
        card.rotate_left((at % 80) as usize);
        out.chunks_mut(80).for_each(|part| part.copy_from_slice(&card[..part.len()]));
        let first = b"SIMPLE  =                    T";
        let first = usize::try_from(at).ok().and_then(|at| first.get(at..)).unwrap_or_default();
        out.iter_mut().zip(first).for_each(|(byte, first)| *byte = *first);
    }
}

impl Source for Endless {
    fn len(&self) -> u64 {
        1 << 40
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.read.fetch_add(range.end - range.start, Ordering::Relaxed);
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.fill(range.start, &mut bytes);
        Ok(bytes.into())
    }
}

impl Read for &Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let at = self.read.fetch_add(out.len() as u64, Ordering::Relaxed);
        self.fill(at, out);
        Ok(out.len())
    }
}

#[test]
fn endless_headers_end_soon() {
    /// 200,000 cards have 16 MB. Reads double.
    const MOST: u64 = 33_000_000;
    let mut comment = [b' '; 80];
    comment[..7].copy_from_slice(b"COMMENT");
    for card in [[0; 80], [b' '; 80], comment] {
        let refused = |error: asdf_core::Error, read: u64| {
            assert_eq!(error.kind(), Kind::Limit, "{error}");
            assert!(error.message().starts_with("found a header of more than 200000 cards"), "{error}");
            assert!(error.hint().is_some() && read < MOST, "{read}");
        };
        let endless = Endless::new(card);
        refused(options().open_reader(&endless).unwrap_err(), endless.read.load(Ordering::Relaxed));
        let endless = Arc::new(Endless::new(card));
        refused(options().open_from(endless.clone()).unwrap_err(), endless.read.load(Ordering::Relaxed));
        // Compressed, the stream ends much earlier.
        let plain = Endless::new(card);
        let mut packed = GzEncoder::new(&plain, Compression::fast()).take(1 << 20);
        refused(options().open_reader(&mut packed).unwrap_err(), (1 << 20) - packed.limit());
        let mut bytes = Vec::new();
        GzEncoder::new((&Endless::new(card)).take(17_000_000), Compression::fast())
            .read_to_end(&mut bytes)
            .unwrap();
        refused(open(bytes.clone()).unwrap_err(), bytes.len() as u64);
        refused(Fits::from_bytes(bytes).unwrap_err(), 0);
        let mut bytes = Vec::new();
        (&Endless::new(card)).take(17_000_000).read_to_end(&mut bytes).unwrap();
        refused(Fits::from_bytes(bytes).unwrap_err(), 0);
    }
}

#[test]
fn streams_can_be_short_or_have_long_headers() {
    // 20,000 cards.
    let cards = vec![Card::new("HISTORY", "a step of the pipeline", ""); 20_000];
    let mut units = vec![Hdu::new(cards.clone()), Hdu::new(cards)];
    units.push(extension(&text("a: 1")));
    let bytes = Fits::new(units).to_bytes().unwrap();
    let file = options().open_reader(bytes.as_slice()).unwrap();
    assert_eq!(file.get::<u32>("/a").unwrap(), 1);
    for length in [64, 100, 128, 3000, bytes.len() / 4] {
        let error = options().open_reader(&bytes[..length]).unwrap_err();
        assert_eq!(error.message(), "the FITS file ends inside a header", "{length}");
    }
    // The limit on streams is the lower one.
    let mut limits = Limits::default();
    limits.stream_size = 1000;
    let endless = Endless::new([0; 80]);
    let error = options().limits(limits).open_reader(&endless).unwrap_err();
    assert!(error.message().contains("than the limit of 1000"), "{error}");
    assert!(endless.read.load(Ordering::Relaxed) < 10_000);
}

#[test]
fn headers_cannot_claim_more_than_the_file_has() {
    let card = |keyword: &str, value: &str| format!("{keyword:8}= {value:>20}");
    let huge = |naxis1: &str, tform: &str| {
        let cards = [
            card("XTENSION", "'BINTABLE'"),
            card("BITPIX", "8"),
            card("NAXIS", "2"),
            card("NAXIS1", naxis1),
            card("NAXIS2", "1"),
            card("PCOUNT", "0"),
            card("GCOUNT", "1"),
            card("TFIELDS", "1"),
            card("TFORM1", tform),
            card("EXTNAME", "'ASDF    '"),
        ];
        let mut bytes = Fits::new(vec![Hdu::new(Vec::new())]).to_bytes().unwrap();
        bytes.extend(raw(&cards.each_ref().map(String::as_str), &text("a: 1")));
        bytes
    };
    assert!(open(huge("60", "'60B'")).is_err(), "the ASDF file is cut");
    for naxis1 in ["9223372036854775807", "99999999999999999999", "-1", "1000000000"] {
        let error = open(huge(naxis1, "'1B'")).unwrap_err();
        assert_eq!(error.kind(), Kind::Malformed, "{error}");
    }
    // A header without an end.
    let mut endless = b"SIMPLE  =                    T".to_vec();
    endless.resize(17 << 20, b' ');
    assert_eq!(open(endless).unwrap_err().kind(), Kind::Limit);
}

#[test]
fn decoded_units_count_for_the_limits() {
    let asdf = text(&format!(
        "a: {}\nb: {}",
        array("fits:A,1", "uint16", "[500]"),
        array("fits:B,1", "uint16", "[500]")
    ));
    let units = ["A", "B"].map(|name| image(name, NdArray::new(&[500], &[7_u16; 500]).unwrap()));
    let bytes = fits(units.to_vec(), &asdf);
    let opened = |size: u64, total: Option<u64>| {
        let mut limits = Limits::default();
        limits.decoded_size = size;
        limits.decoded_total = total;
        options().limits(limits).open_bytes(bytes.clone()).unwrap()
    };
    let read = |file: &File, path: &str| file.array(path).unwrap().read::<u16>();
    let small = read(&opened(999, None), "/a").unwrap_err();
    assert!(small.message().contains("1000 bytes, more than the limit of 999 bytes"), "{small}");
    assert_eq!(small.kind(), Kind::Limit);
    let file = opened(1000, Some(1500));
    assert_eq!(read(&file, "/a").unwrap(), [7; 500]);
    assert_eq!(read(&file, "/a").unwrap(), [7; 500], "it is decoded once");
    assert_eq!(read(&file, "/b").unwrap_err().kind(), Kind::Limit);
}

#[test]
fn columns_of_variable_length_are_refused() {
    let cards = [
        "XTENSION= 'BINTABLE'",
        "BITPIX  =                    8",
        "NAXIS   =                    2",
        "NAXIS1  =                    8",
        "NAXIS2  =                    1",
        "PCOUNT  =                    2",
        "GCOUNT  =                    1",
        "TFIELDS =                    1",
        "TFORM1  = '1PB(2)  '",
        "EXTNAME = 'VAR     '",
    ];
    let asdf = text(&format!("a: {}", array("fits:VAR,1", "int32", "[1]")));
    let mut bytes = fits(Vec::new(), &asdf);
    bytes.extend(raw(&cards, &[0, 0, 0, 2, 0, 0, 0, 0, 5, 6]));
    let error =
        open(bytes).unwrap().array("/a").unwrap().packed_bytes(asdf_core::array::ByteOrder::Big).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(error.message().contains("column 1 has arrays of variable length"), "{error}");
}

#[test]
fn a_compressed_image_is_decompressed() {
    // One tile: four big-endian int16, compressed with gzip.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, &[0, 1, 0, 2, 0xff, 0xfd, 0, 4]).unwrap();
    let tile = gzip.finish().unwrap();
    let length = tile.len();
    let cards = [
        "XTENSION= 'BINTABLE'".to_owned(),
        "BITPIX  =                    8".to_owned(),
        "NAXIS   =                    2".to_owned(),
        "NAXIS1  =                    8".to_owned(),
        "NAXIS2  =                    1".to_owned(),
        format!("PCOUNT  = {length:20}"),
        "GCOUNT  =                    1".to_owned(),
        "TFIELDS =                    1".to_owned(),
        "TTYPE1  = 'COMPRESSED_DATA'".to_owned(),
        format!("TFORM1  = '1PB({length})'"),
        "ZIMAGE  =                    T".to_owned(),
        "ZCMPTYPE= 'GZIP_1  '".to_owned(),
        "ZBITPIX =                   16".to_owned(),
        "ZNAXIS  =                    1".to_owned(),
        "ZNAXIS1 =                    4".to_owned(),
        "ZTILE1  =                    4".to_owned(),
        "BZERO   =                32768".to_owned(),
        "EXTNAME = 'SCI     '".to_owned(),
    ];
    let mut data = u32::try_from(length).unwrap().to_be_bytes().to_vec();
    data.extend([0; 4]);
    data.extend(tile);
    let asdf = text(&format!("a: {}", array("fits:SCI,1", "uint16", "[4]")));
    let mut bytes = fits(Vec::new(), &asdf);
    bytes.extend(raw(&cards.each_ref().map(String::as_str), &data));
    let file = open(bytes).unwrap();
    assert_eq!(file.array("/a").unwrap().read::<u16>().unwrap(), [32769, 32770, 32765, 32772]);
}

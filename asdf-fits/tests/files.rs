//! Writes FITS files and reads them back. `tests/interop/fits.py` compares with astropy.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::array::{Ascii, Mask, Value};
use asdf_core::error::Hint;
use asdf_core::value::Number;
use asdf_core::{File, NdArray, error};
use asdf_fits::{Card, CardValue, Column, Data, Fits, Hdu, ReadOptions, Table, WriteOptions};

fn image(data: NdArray) -> Hdu {
    Hdu::new(Vec::new()).with_data(Data::Image(data))
}

fn table(columns: Vec<Column>) -> Hdu {
    Hdu::new(vec![Card::new("EXTNAME", "CAT", "")]).with_data(Data::Table(Table::new(columns).unwrap()))
}

/// Writes the units into an ASDF file and reads them back.
fn through_asdf(fits: &Fits) -> Fits {
    let mut file = File::new();
    file.set("/fits", fits).unwrap();
    File::from_bytes(file.to_bytes().unwrap()).unwrap().get("/fits").unwrap()
}

fn back(units: Vec<Hdu>) -> Fits {
    let bytes = Fits::new(units).to_bytes().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(bytes.len() % 2880, 0);
    let fits = Fits::from_bytes(bytes.clone()).unwrap_or_else(|error| panic!("{error}"));
    assert!(through_asdf(&fits).to_bytes().unwrap() == bytes);
    fits
}

/// Returns the bytes of a file with a primary unit and an extension made of these cards.
fn file(cards: &[&str], data: &[u8]) -> Vec<u8> {
    let mut bytes = Fits::new(vec![Hdu::new(Vec::new())]).to_bytes().unwrap();
    for card in cards.iter().chain(&["END"]) {
        bytes.extend_from_slice(format!("{card:80}").as_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(2880), b' ');
    bytes.extend_from_slice(data);
    bytes.resize(bytes.len().next_multiple_of(2880), 0);
    bytes
}

#[test]
fn images_of_every_kind() {
    let fits = back(vec![
        image(NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6]).unwrap()),
        image(NdArray::new(&[3], &[-1_i16, 2, 3]).unwrap()),
        image(NdArray::new(&[1, 2], &[-1_i64, 1 << 40]).unwrap()),
        image(NdArray::new(&[2], &[1.5_f32, f32::MIN]).unwrap()),
        image(NdArray::new(&[2], &[0_u64, u64::MAX]).unwrap()),
        image(NdArray::new(&[2], &[-128_i8, 127]).unwrap()),
        Hdu::new(Vec::new()),
    ]);
    assert_eq!(fits.hdus[0].image().unwrap().shape(), [2, 3]);
    assert_eq!(fits.hdus[2].image().unwrap().read::<i64>().unwrap(), [-1, 1 << 40]);
    assert_eq!(fits.hdus[4].image().unwrap().read::<u64>().unwrap(), [0, u64::MAX]);
    assert_eq!(fits.hdus[5].image().unwrap().read::<i8>().unwrap(), [-128, 127]);
    assert!(fits.hdus[6].data.is_none() && fits.hdus.len() == 7);
}

#[test]
fn tables_of_every_kind() {
    let names = [Ascii::<5>::new("Vega").unwrap(), Ascii::new("Deneb").unwrap()];
    let columns = vec![
        Column::new("name", NdArray::from_records(&names).unwrap()),
        Column::new("ok", NdArray::new(&[2], &[true, false]).unwrap()),
        Column::new("flux", NdArray::new(&[2], &[1.5_f32, 2.5]).unwrap()).with_unit("DN / s"),
        Column::new("1", NdArray::new(&[2, 1, 2], &[1_i32, 2, 3, 4]).unwrap()),
        Column::new("count", NdArray::new(&[2], &[7_u16, 60_000]).unwrap()),
        Column::new("nothing", NdArray::new(&[2, 0], &[0_i16; 0]).unwrap()),
    ];
    let fits = back(vec![Hdu::new(Vec::new()), table(columns)]);
    let read = fits.hdu("cat").unwrap().table().unwrap();
    assert_eq!(read.column("ok").unwrap().data.read::<bool>().unwrap(), [true, false]);
    assert_eq!(read.column("1").unwrap().data.shape(), [2, 1, 2]);
    assert_eq!(read.column("flux").unwrap().unit.as_deref(), Some("DN / s"));
    assert_eq!(read.column("count").unwrap().data.read::<u16>().unwrap(), [7, 60_000]);
    // asdf-astropy keeps units in the cards only.
    let mut fits = fits;
    if let Some(Data::Table(table)) = &mut fits.hdus[1].data {
        table.columns[2].unit = None;
    }
    let again = Fits::from_bytes(fits.to_bytes().unwrap()).unwrap();
    assert_eq!(again.hdus[1].value("TUNIT3").and_then(CardValue::as_str), Some("DN / s"));
    // Without rows, arrays have no offset and no strides: numpy refuses them.
    let fits = back(vec![
        Hdu::new(Vec::new()),
        table(vec![
            Column::new("a", NdArray::new(&[0], &[0_i16; 0]).unwrap()),
            Column::new("b", NdArray::new(&[0, 3], &[0_i32; 0]).unwrap()),
        ]),
    ]);
    let column = &fits.hdus[1].table().unwrap().columns[1].data;
    assert_eq!((column.shape(), column.offset(), column.strides()), ([0, 3].as_slice(), 0, None));
}

#[test]
fn scaled_numbers_are_values_and_come_back() {
    let cards = [
        "XTENSION= 'IMAGE   '",
        "BITPIX  =  16",
        "NAXIS   =  1",
        "NAXIS1  =  4",
        "PCOUNT  =  0",
        "GCOUNT  =  1",
        "BSCALE  =  0.1",
        "BZERO   =  10",
        "BLANK   =  -1",
    ];
    let numbers: Vec<u8> = [5_i16, -1, i16::MAX, i16::MIN].iter().flat_map(|n| n.to_be_bytes()).collect();
    let bytes = file(&cards, &numbers);
    let fits = Fits::from_bytes(bytes.clone()).unwrap();
    let values = fits.hdus[1].image().unwrap().read::<f32>().unwrap();
    assert!(values[0] == 10.5 && values[1].is_nan() && values[2] == 0.1_f32 * 32767.0 + 10.0, "{values:?}");
    let again = through_asdf(&fits).to_bytes().unwrap();
    assert_eq!(again[again.len() - 2880..], bytes[bytes.len() - 2880..]);
    assert_eq!(Fits::from_bytes(again).unwrap().hdus[1].header, fits.hdus[1].header);
    let masked = ReadOptions::new().masks(true).read(bytes).unwrap();
    assert!(masked.fits.hdus[1].image().unwrap().read::<f32>().unwrap()[1].is_nan());
}

#[test]
fn columns_of_variable_length_text_and_bits() {
    let cards = [
        "XTENSION= 'BINTABLE'",
        "BITPIX  =  8",
        "NAXIS   =  2",
        "NAXIS1  =  18",
        "NAXIS2  =  2",
        "PCOUNT  =  8",
        "GCOUNT  =  1",
        "TFIELDS =  3",
        "TTYPE1  = 'V'",
        "TFORM1  = '1PI(3)'",
        "TFORM2  = '8A'",
        "TDIM2   = '(4,2)'",
        "TFORM3  = '11X'",
        "TUNIT3  = ''",
    ];
    let mut data = Vec::new();
    for (count, at, text, bits) in [(3_i32, 0_i32, b"ab  cd  ", [0xa0_u8, 0x20]), (1, 6, b"efghijkl", [0, 0])]
    {
        data.extend([count.to_be_bytes(), at.to_be_bytes()].concat());
        data.extend(text);
        data.extend(bits);
    }
    data.extend([1_i16, 2, 3, 4].iter().flat_map(|n| n.to_be_bytes()));
    let bytes = file(&cards, &data);
    let fits = Fits::from_bytes(bytes.clone()).unwrap();
    let table = fits.hdus[1].table().unwrap();
    let column = |name: &str| &table.column(name).unwrap().data;
    let values: Vec<Value> = column("V").elements().unwrap().collect();
    assert_eq!(values[..4], [Value::Int(1), Value::Int(2), Value::Int(3), Value::Int(4)]);
    assert_eq!(values[4..], [Value::Missing, Value::Missing]);
    let texts: Vec<Value> = column("col2").elements().unwrap().collect();
    assert_eq!((column("col2").shape(), texts.len()), ([2, 2].as_slice(), 4));
    let bits = column("col3").read::<bool>().unwrap();
    assert_eq!((bits[0], bits[1], bits[2], bits[10]), (true, false, true, true));
    assert!(through_asdf(&fits).to_bytes().unwrap() == bytes);
    // A changed unit is not written with its old bytes.
    let mut changed = through_asdf(&fits);
    changed.hdus[1].set(Card::new("TTYPE3", "BITS", ""));
    assert_eq!(changed.to_bytes().unwrap_err().hint(), Some(&Hint::ChooseFill));
    let filled = WriteOptions::new().fill(Some(Number::from(-9)));
    let mut out = Vec::new();
    filled.write(&changed, &mut out).unwrap();
    let read = Fits::from_bytes(out).unwrap();
    assert_eq!(read.hdus[1].value("TNULL1").and_then(CardValue::as_i64), Some(-9));
}

#[test]
fn ascii_tables() {
    let cards = [
        "XTENSION= 'TABLE   '",
        "BITPIX  =  8",
        "NAXIS   =  2",
        "NAXIS1  =  14",
        "NAXIS2  =  3",
        "PCOUNT  =  0",
        "GCOUNT  =  1",
        "TFIELDS =  3",
        "TTYPE1  = 'a'",
        "TFORM1  = 'I4'",
        "TBCOL1  =  1",
        "TNULL1  = '-'",
        "TTYPE2  = 'b'",
        "TFORM2  = 'E6.2'",
        "TBCOL2  =  5",
        "TNULL2  = '*'",
        "TTYPE3  = 'c'",
        "TFORM3  = 'A3'",
        "TBCOL3  =  12",
    ];
    let bytes = file(&cards, b"  12 1.5D1 abc   -  -2.5 de    1     * xyz");
    let fits = Fits::from_bytes(bytes.clone()).unwrap();
    let table = fits.hdus[1].table().unwrap();
    assert_eq!(table.column("a").unwrap().data.read::<i64>().unwrap(), [12, 0, 1]);
    let floats = table.column("b").unwrap().data.read::<f64>().unwrap();
    assert!(floats[..2] == [15.0, -2.5] && floats[2].is_nan(), "{floats:?}");
    assert!(through_asdf(&fits).to_bytes().unwrap() == bytes);
    let masked = ReadOptions::new().masks(true).read(bytes).unwrap();
    let column = &masked.fits.hdus[1].table().unwrap().columns[0].data;
    assert_eq!(column.elements().unwrap().nth(1), Some(Value::Missing));
}

#[test]
fn missing_integers_have_a_number() {
    let mask = || Mask::Array(Box::new(NdArray::new(&[3], &[false, true, false]).unwrap()));
    let data = NdArray::new(&[3], &[1_i32, 2, 3]).unwrap().with_mask(mask()).unwrap();
    let fits = Fits::new(vec![image(data.clone()), table(vec![Column::new("n", data)])]);
    assert!(fits.to_bytes().unwrap_err().message().contains("1 masked value of int32"));
    let write = |fill: i64| {
        let mut out = Vec::new();
        WriteOptions::new().fill(Some(Number::from(fill))).write(&fits, &mut out).map(|()| out)
    };
    let reading = ReadOptions::new().masks(true).read(write(-99).unwrap()).unwrap();
    for data in
        [reading.fits.hdus[0].image().unwrap(), &reading.fits.hdus[1].table().unwrap().columns[0].data]
    {
        assert_eq!(data.elements().unwrap().nth(1), Some(Value::Missing));
    }
    assert_eq!(reading.fits.hdus[0].value("BLANK").and_then(CardValue::as_i64), Some(-99));
    assert!(write(3).unwrap_err().message().contains("also occurs in the data"));
    assert!(write(1 << 40).is_err());
}

#[test]
fn units_that_cannot_be_read_are_kept_and_reported() {
    let cards = [
        "XTENSION= 'FOREIGN '",
        "BITPIX  =  8",
        "NAXIS   =  1",
        "NAXIS1  =  4",
        "PCOUNT  =  0",
        "GCOUNT  =  1",
    ];
    let mut bytes = file(&cards, b"data");
    bytes.extend_from_slice(
        &file(&["XTENSION= 'IMAGE   '", "BITPIX  =  8", "NAXIS   =  1", "NAXIS1  =  2"], b"ok")[2880..],
    );
    assert_eq!(Fits::from_bytes(bytes.clone()).unwrap_err().kind(), error::Kind::Unsupported);
    let reading = ReadOptions::new().read(bytes.clone()).unwrap();
    assert_eq!((reading.fits.hdus.len(), reading.problems.len()), (3, 1));
    assert!(reading.problems[0].message().starts_with("HDU 1: extensions of the type 'FOREIGN'"));
    assert_eq!(reading.fits.hdus[2].image().unwrap().read::<u8>().unwrap(), *b"ok");
    assert!(
        through_asdf(&reading.fits).to_bytes().unwrap()[..bytes.len() - 5760] == bytes[..bytes.len() - 5760]
    );
    let one = ReadOptions::new().select(vec!["2".parse().unwrap()]).read(bytes.clone()).unwrap();
    assert_eq!((one.numbers, one.problems.len()), (vec![2], 0));
    let none = ReadOptions::new().select(vec!["SCI".parse().unwrap()]).read(bytes.clone()).unwrap_err();
    assert_eq!(
        (none.message(), none.hint()),
        ("HDU SCI does not exist", Some(&"select one of 0, 1, 2".into()))
    );
    // If the file is truncated, the units before the end are still read.
    let cut = ReadOptions::new().read(bytes[..bytes.len() - 2880].to_vec()).unwrap();
    assert_eq!((cut.fits.hdus.len(), cut.problems.len()), (3, 2));
}

#[test]
fn checksums_are_those_of_the_bytes() {
    let mut out = Vec::new();
    let hdu = image(NdArray::new(&[5], &[1_i16, 2, 3, 4, 5]).unwrap());
    WriteOptions::new().checksums(true).write(&Fits::new(vec![hdu]), &mut out).unwrap();
    let sum = out.chunks_exact(4).fold(0_u64, |sum, word| {
        let sum = sum + u64::from(u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
        (sum & 0xffff_ffff) + (sum >> 32)
    });
    assert_eq!(sum, 0xffff_ffff);
    let fits = Fits::from_bytes(out).unwrap();
    assert_eq!(fits.hdus[0].value("DATASUM").and_then(CardValue::as_str), Some("589830"));
}

#[test]
fn files_that_are_not_fits_are_refused() {
    let good = Fits::new(vec![image(NdArray::new(&[2000], &vec![1_i16; 2000]).unwrap())]).to_bytes().unwrap();
    for length in [0, 5, 79, 80, 2879, 2880, 2881, 6000] {
        assert!(Fits::from_bytes(good[..length].to_vec()).is_err(), "{length}");
    }
    let text = String::from_utf8(good[..2880].to_vec()).unwrap();
    for (old, new) in [
        ("                2000", " 9223372036854775807"),
        ("                2000", "                  -1"),
        ("BITPIX  =                   16", "BITPIX  =                   17"),
        ("NAXIS   =                    1", "NAXIS   =           9999999999"),
        ("NAXIS   =                    1", "NAXIS   =                    x"),
    ] {
        assert!(text.contains(old));
        let bytes = [text.replace(old, new).into_bytes(), good[2880..].to_vec()].concat();
        assert!(Fits::from_bytes(bytes).is_err(), "{new}");
    }
    assert!(Fits::new(vec![]).to_bytes().is_err());
}

#[test]
fn new_checksums_leave_the_rest_of_a_unit_as_it_was() {
    /// The ones' complement sum of 32-bit words: all bits are set if the checksum of a unit is right.
    fn sum(unit: &[u8]) -> u32 {
        let words = unit.chunks_exact(4).map(|word| u64::from(u32::from_be_bytes(word.try_into().unwrap())));
        let sum: u64 = words.sum();
        u32::try_from(sum % u64::from(u32::MAX)).unwrap().checked_sub(1).unwrap_or(u32::MAX)
    }
    // The odd spacing shows that the cards are copied.
    let cards = [
        "XTENSION= 'BINTABLE'",
        "BITPIX  =  8",
        "NAXIS   =  2",
        "NAXIS1  =  1",
        "NAXIS2  =  8",
        "PCOUNT  =  0",
        "GCOUNT  =  1",
        "TFIELDS =  1",
        "TFORM1  = '8X'",
        "DATASUM = '7'",
        "OBJECT  =    'M 31'",
    ];
    let bytes = file(&cards, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let fits = Fits::from_bytes(bytes.clone()).unwrap();
    let mut written = Vec::new();
    WriteOptions::new().checksums(true).write(&fits, &mut written).unwrap();
    assert_eq!(sum(&written[..2880]), u32::MAX);
    assert_eq!(sum(&written[2880..]), u32::MAX);
    assert_eq!(written[5760..], bytes[5760..]);
    let text = |bytes: &[u8], card: usize| String::from_utf8(bytes[card * 80..][..80].to_vec()).unwrap();
    let (old, new) = (&bytes[2880..5760], &written[2880..5760]);
    let same = (0..11).filter(|card| *card != 9).all(|card| text(old, card) == text(new, card));
    assert!(same, "{}", String::from_utf8_lossy(new));
    assert!(text(new, 9).starts_with("DATASUM = '101190156'"), "{}", text(new, 9));
    assert!(text(new, 11).starts_with("CHECKSUM= '") && text(new, 12).starts_with("END "));
}

#[test]
fn the_blank_of_an_image_of_floats_is_kept() {
    let mut unit = image(NdArray::new(&[2], &[1.5_f32, f32::NAN]).unwrap());
    unit.header = vec![Card::new("BITPIX", -32_i64, ""), Card::new("BLANK", -32768_i64, "as it was")];
    let fits = back(vec![unit.clone()]);
    assert_eq!(fits.hdus[0].value("BLANK").and_then(CardValue::as_i64), Some(-32768));
    // The `BLANK` of integers means nothing for the floats that replaced them.
    unit.header[0] = Card::new("BITPIX", 16_i64, "");
    assert!(back(vec![unit]).hdus[0].value("BLANK").is_none());
}

//! FITS files there and back; `tests/interop/fits.py` compares with astropy.
#![cfg(feature = "fits")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use asdf_core::array::Ascii;
use asdf_core::{ErrorKind, NdArray, Tagged};
use asdf_schemas::fits::{Card, Fits, Hdu, HduData};
use asdf_schemas::table::{Column, Table};

fn image(data: NdArray) -> Hdu {
    let mut hdu = Hdu::new(Vec::new());
    hdu.data = Some(HduData::NdArray(data).into());
    hdu
}

fn table(columns: Vec<Column>) -> Hdu {
    let mut hdu = Hdu::new(vec![Card::of("EXTNAME", "CAT", "").unwrap()]);
    hdu.data = Some(HduData::Table(Table::of(columns).unwrap()).into());
    hdu
}

fn back(units: Vec<Hdu>) -> Fits {
    let bytes = Fits::new(units).to_fits_bytes().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(bytes.len() % 2880, 0);
    let fits = Fits::of_fits_bytes(bytes.clone()).unwrap_or_else(|error| panic!("{error}"));
    // What was read is written as it was.
    assert!(fits.to_fits_bytes().unwrap() == bytes);
    fits
}

#[test]
fn images_of_every_kind() {
    let fits = back(vec![
        image(NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6]).unwrap()),
        image(NdArray::new(&[3], &[-1_i16, 2, 3]).unwrap()),
        image(NdArray::new(&[1, 2], &[-1_i64, 1 << 40]).unwrap()),
        image(NdArray::new(&[2], &[1.5_f32, f32::MIN]).unwrap()),
        image(NdArray::new(&[2], &[1.5_f64, -0.0]).unwrap()),
        Hdu::new(Vec::new()),
    ]);
    assert_eq!(fits.0[0].image().unwrap().shape(), [2, 3]);
    assert_eq!(fits.0[2].image().unwrap().read::<i64>().unwrap(), [-1, 1 << 40]);
    assert_eq!(fits.0[3].image().unwrap().read::<f32>().unwrap(), [1.5, f32::MIN]);
    assert!(fits.0[5].data.is_none() && fits.0.len() == 6);
}

#[test]
fn unsigned_integers_have_a_zero_point() {
    let fits = Fits::new(vec![image(NdArray::new(&[3], &[0_u16, 32768, 65535]).unwrap())]);
    let read = Fits::of_fits_bytes(fits.to_fits_bytes().unwrap()).unwrap();
    let hdu = read.primary().unwrap();
    assert_eq!(hdu.image().unwrap().read::<i16>().unwrap(), [-32768, 0, 32767]);
    assert_eq!(hdu.value("BZERO").unwrap().as_i64(), Some(32768));
    let mut other = fits.0[0].clone();
    other.set(Card::of("BZERO", 5_i64, "").unwrap());
    let error = Fits::new(vec![other]).to_fits_bytes().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Mismatch, Some("/0/header")));
}

#[test]
fn tables_of_every_kind() {
    let names = [Ascii::<5>::new("Vega").unwrap(), Ascii::new("Deneb").unwrap()];
    let columns = vec![
        Column::of("name", NdArray::from_records(&names).unwrap()).unwrap(),
        Column::of("ok", NdArray::new(&[2], &[true, false]).unwrap()).unwrap(),
        Column::of("flux", NdArray::new(&[2], &[1.5_f32, 2.5]).unwrap()).unwrap().with_unit("mJy").unwrap(),
        Column::of("cube", NdArray::new(&[2, 1, 2], &[1_i32, 2, 3, 4]).unwrap()).unwrap(),
    ];
    let fits = back(vec![Hdu::new(Vec::new()), table(columns)]);
    let read = fits.hdu("cat").unwrap().table().unwrap();
    assert_eq!(read.names(), ["name", "ok", "flux", "cube"]);
    assert_eq!(read.read::<bool>("ok").unwrap(), [true, false]);
    assert_eq!(read.array("cube").unwrap().shape(), [2, 1, 2]);
    assert_eq!(read.read::<i32>("cube").unwrap(), [1, 2, 3, 4]);
    assert_eq!(read.column("flux").unwrap().quantity().unwrap().numbers_in("Jy").unwrap()[1], 0.0025);
    assert_eq!(read.row(1).unwrap()[0], asdf_core::array::Value::Text("Deneb".to_owned()));
}

#[test]
fn cards_of_every_kind() {
    let mut hdu = Hdu::new(Vec::new());
    for card in [
        Card::of("STRING", "it's", "with a quote"),
        Card::of("INTEGER", -42_i64, ""),
        Card::of("FLOAT", 1.5e-300, "small"),
        Card::of("ONE", 1.0, ""),
        Card::of("FLAG", false, ""),
        Card::of("COMMENT", "a / b = 'c'", ""),
        Card::of("HISTORY", "one", ""),
        Card::new(Vec::new()),
    ] {
        hdu.set(card.unwrap());
    }
    let fits = back(vec![hdu.clone()]);
    let read = &fits.0[0].header;
    assert_eq!(&read[read.len() - hdu.header.len()..], hdu.header.as_slice());
}

#[test]
fn what_is_no_fits_file() {
    let good =
        Fits::new(vec![image(NdArray::new(&[2000], &vec![1_i16; 2000]).unwrap())]).to_fits_bytes().unwrap();
    for length in [0, 5, 79, 80, 2879, 2880, 2881, 6000] {
        assert!(Fits::of_fits_bytes(good[..length].to_vec()).is_err(), "{length}");
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
        assert!(Fits::of_fits_bytes(bytes).is_err(), "{new}");
    }
    assert!(Fits::new(vec![]).to_fits_bytes().is_err());
    let mut other = table(vec![]);
    if let Some(asdf_core::Nullable::Value(HduData::Table(table))) = &mut other.data {
        let mut column = asdf_core::Node::new("x").unwrap();
        let id = column.view().id();
        column.tree_mut().set_tag(id, Some("tag:stsci.edu:asdf/table/column-1.9.0"));
        table.columns.push(Tagged::keep(column).unwrap());
    }
    let error = Fits::new(vec![Hdu::new(Vec::new()), other]).to_fits_bytes().unwrap_err();
    assert_eq!(error.path(), Some("/1/data"));
}

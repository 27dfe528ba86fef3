//! FITS files from any bytes: what was read is written and read again, through a tree of ASDF too, and is the same.

use asdf_core::array::ByteOrder;
use asdf_core::value::FromNode as _;
use asdf_core::{File, NdArray, NodeRef, OpenOptions};
use asdf_fits::{AsdfInFits, Data, Fits, ReadOptions};

pub fn run(data: &[u8]) {
    embedded(data);
    let _ = ReadOptions::new().masks(true).read(data.to_vec());
    let fits = match Fits::from_bytes(data.to_vec()) {
        Ok(fits) => fits,
        Err(error) => {
            assert!(error.to_string().len() < 2000, "{error}");
            return;
        }
    };
    if elements(&fits) > 100_000 {
        return;
    }
    let Ok(once) = fits.to_bytes() else { return };
    assert_eq!(once.len() % 2880, 0);
    let again = Fits::from_bytes(once.clone()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.hdus.len(), fits.hdus.len());
    let twice = again.to_bytes().unwrap_or_else(|error| panic!("{error}"));
    same(&twice, &once);
    // A tree stores integers of 64 bits. Larger ones become floats.
    let cards = fits.hdus.iter().flat_map(|hdu| &hdu.header);
    let mut values = cards.filter_map(|card| card.value.as_ref());
    if values
        .any(|value| value.as_i64().is_none() && value.as_f64().is_some_and(|number| number.abs() > 9e18))
    {
        return;
    }
    let mut file = File::new();
    file.set("/fits", &fits).expect("the file is set in a tree");
    let through: Fits = file.get("/fits").unwrap_or_else(|error| panic!("{error}"));
    same(&through.to_bytes().unwrap_or_else(|error| panic!("{error}")), &once);
}

/// Opens the ASDF file inside, and reads the arrays in it and in other units.
fn embedded(data: &[u8]) {
    let Ok(file) = OpenOptions::new().container(AsdfInFits::format()).open_bytes(data.to_vec()) else {
        return;
    };
    for node in file.tree().root().into_iter().flat_map(NodeRef::walk).take(1000) {
        let Ok(array) = NdArray::from_node(node) else { continue };
        if array.len().saturating_mul(array.datatype().size().unwrap_or(0)) > 100_000 {
            continue;
        }
        if let (Ok(()), Ok(bytes)) = (array.check(), array.packed_bytes(ByteOrder::Big)) {
            let size = array.datatype().size().unwrap_or_default();
            assert_eq!(bytes.len() as u64, array.len() * size);
        }
    }
}

/// Compares two files card by card.
fn same(a: &[u8], b: &[u8]) {
    for (a, b) in a.chunks(80).zip(b.chunks(80)) {
        assert_eq!(String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    }
    assert_eq!(a.len(), b.len());
}

/// Returns the number of elements of all arrays: a small file can declare many of no size.
fn elements(fits: &Fits) -> u64 {
    let arrays = fits.hdus.iter().flat_map(|hdu| match &hdu.data {
        Some(Data::Image(array)) => vec![array.len()],
        Some(Data::Table(table)) => table.columns.iter().map(|column| column.data.len()).collect(),
        _ => Vec::new(),
    });
    arrays.fold(0, u64::saturating_add)
}

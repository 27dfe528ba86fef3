//! FITS files from any bytes: what was read is written and read again, through a tree of ASDF too, and is the same.

use asdf_core::File;
use asdf_fits::{Data, Fits, ReadOptions};

pub fn run(data: &[u8]) {
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

//! Functions of arrays, units and coordinates.

use crate::files::{EXPOSURES, Folder, failure, rows};

#[test]
fn arrays_are_measured() {
    let folder = Folder::new();
    let text = folder.text();
    let query = format!(
        "select array_mean(_file, '/roman/data'), array_min(_file, '/roman/data'), array_max(_file, '/roman/data'), \
         array_percentile(_file, '/roman/data', 50) from '{text}' where number = 7"
    );
    // Of 0 to 9 in turn, without the first.
    let values: Vec<u32> = (1..64).map(|at| at % 10 + 7).collect();
    let mean = f64::from(values.iter().sum::<u32>()) / 63.0;
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let found = rows(&query);
    let numbers: Vec<f64> = found[0].split(',').map(|number| number.parse().unwrap()).collect();
    assert!((numbers[0] - mean).abs() < 1e-12, "{numbers:?} {mean}");
    assert_eq!(numbers[1..], [7.0, 16.0, f64::from(sorted[31])]);
    // Files without the array have null.
    let query =
        format!("select count(array_mean(_file, '/roman/data')), count(*) from '{text}' where _size > 0");
    assert_eq!(rows(&query), [format!("{EXPOSURES},{}", EXPOSURES + 5)]);
    let query = format!("select number from '{text}' where array_min(_file, '/roman/data') >= 34 order by 1");
    assert_eq!(rows(&query), ["34", "35"]);
}

#[test]
fn wrong_arguments_are_errors() {
    let (message, _) = failure(&[], "select convert_unit(1, 'm', 's')");
    assert!(message.starts_with("convert_unit: cannot convert"), "{message}");
    let folder = Folder::new();
    let query = format!("select array_percentile(_file, '/roman/data', 101) from '{}'", folder.text());
    let (message, _) = failure(&[], &query);
    assert!(message.contains("a percentile is between 0 and 100"), "{message}");
    let (message, _) = failure(&[], "select array_mean('a.asdf')");
    assert!(message.starts_with("no function `array_mean(Utf8)`\n  hint: "), "{message}");
}

#[test]
fn units_are_converted() {
    assert_eq!(rows("select convert_unit(90, 'arcmin', 'deg')"), ["1.5"]);
    assert_eq!(rows("select convert_unit(null, 'm', 'km'), convert_unit(1500.0, 'm', 'km')"), [",1.5"]);
}

#[test]
fn functions_of_datafusion_keep_their_names() {
    assert_eq!(rows("select array_max([1, 5, 2]), array_min([4, 3]), contains('abc', 'b')"), ["5,3,true"]);
}

#[test]
fn positions_on_the_sky() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/book/files");
    let query = format!(
        "select s['ra'], s['dec'] from (select sky(_file, 99.5, 49.5) as s from '{book}/field.asdf')"
    );
    let found = rows(&query);
    let numbers: Vec<&str> = found[0].split(',').collect();
    let query = format!(
        "select contains(_file, {}, {}), contains(_file, {}, -{}) from '{book}/field.asdf'",
        numbers[0], numbers[1], numbers[0], numbers[1]
    );
    assert_eq!(rows(&query), ["true,false"]);
    // A file without coordinates.
    let query =
        format!("select contains(_file, 1, 1), sky(_file, 1, 1) is null from '{book}/source_catalog.asdf'");
    assert_eq!(rows(&query), [",true"]);
}

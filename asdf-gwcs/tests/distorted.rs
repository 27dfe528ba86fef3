//! The transforms of a Roman image, beside the answers of Python's gwcs. `files/distorted.py` writes both files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_gwcs::{Bounding, Inverse, Wcs};

fn wcs() -> Wcs {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/distorted.asdf");
    Wcs::open(&File::open(path).unwrap(), "/roman/meta/wcs").unwrap()
}

/// Pixels, gwcs's positions, and the pixels that gwcs finds for these.
fn answers() -> [Vec<f64>; 6] {
    let mut columns: [Vec<f64>; 6] = Default::default();
    for line in include_str!("files/distorted.txt").lines().filter(|line| !line.starts_with('#')) {
        for (column, number) in columns.iter_mut().zip(line.split(' ')) {
            column.push(number.parse().unwrap());
        }
    }
    columns
}

fn check(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        let is_near = (found - expected).abs() <= tolerance || found.is_nan() && expected.is_nan();
        assert!(is_near, "{what}, row {row}: {found} and not {expected}");
    }
}

#[test]
fn positions_and_pixels_are_those_of_gwcs() {
    let [x, y, ra, dec, stored_x, stored_y] = answers();
    let wcs = wcs();
    let sky = wcs.pixel_to_world_columns(&[&x, &y]).unwrap();
    check("right ascension", &sky[0], &ra, 1e-12);
    check("declination", &sky[1], &dec, 1e-12);
    let pixels = wcs.inverse(Inverse::Stored).unwrap().columns(&[&ra, &dec]).unwrap();
    check("x by the stored inverse", &pixels[0], &stored_x, 2e-9);
    check("y by the stored inverse", &pixels[1], &stored_y, 2e-9);
}

#[test]
fn the_exact_inverse_finds_the_pixels() {
    let [x, y, ra, dec, ..] = answers();
    let pixels = wcs().inverse_with(Inverse::Exact, Bounding::None).unwrap().columns(&[&ra, &dec]).unwrap();
    for (row, _) in ra.iter().enumerate().filter(|(_, ra)| !ra.is_nan()) {
        check("the pixel", &[pixels[0][row], pixels[1][row]], &[x[row], y[row]], 2e-9);
    }
}

/// Sums merge, the rotations of the last two steps become one, and each polynomial is computed once.
/// `UPDATE_EXPECTED=1` writes the file.
#[test]
fn the_program_is_the_expected_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/distorted.program.txt");
    let found = wcs().forward().unwrap().to_string();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap());
}

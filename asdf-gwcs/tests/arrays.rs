//! Points in arrays of `ndarray`.
#![cfg(feature = "ndarray")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::File;
use asdf_gwcs::{Inverse, Wcs};
use ndarray::{Array1, Array2, ArrayView1, s};

fn field() -> Wcs {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/field.asdf");
    Wcs::only(&File::open(path).unwrap()).unwrap()
}

#[test]
fn arrays_keep_their_shape() {
    let wcs = field();
    let x = Array2::from_shape_fn((3, 4), |(_, column)| f64::from(u32::try_from(column).unwrap()) * 10.0);
    let y = Array2::from_shape_fn((3, 4), |(row, _)| f64::from(u32::try_from(row).unwrap()) * 7.0);
    let sky = wcs.pixel_to_world_arrays(&[x.view(), y.view()]).unwrap();
    assert_eq!(sky.len(), 2);
    for ((row, column), ra) in sky[0].indexed_iter() {
        let point = wcs.pixel_to_world(&[x[[row, column]], y[[row, column]]]).unwrap();
        assert_eq!([*ra, sky[1][[row, column]]], point.as_slice());
    }
    let pixels = wcs.inverse(Inverse::Exact).unwrap().arrays(&[sky[0].view(), sky[1].view()]).unwrap();
    assert!((&pixels[0] - &x).iter().chain((&pixels[1] - &y).iter()).all(|error| error.abs() < 1e-9));
}

#[test]
fn views_need_not_be_contiguous() {
    let wcs = field();
    let x =
        Array2::from_shape_fn((4, 6), |(row, column)| f64::from(u32::try_from(10 * row + column).unwrap()));
    let (every_second, turned) = (x.slice(s![..;-1, ..;2]), x.t());
    let zeros = Array2::zeros((4, 3));
    let sky = wcs.pixel_to_world_arrays(&[every_second, zeros.view()]).unwrap();
    assert_eq!(sky[0][[0, 1]], wcs.pixel_to_world(&[32.0, 0.0]).unwrap()[0]);
    let sky = wcs.pixel_to_world_arrays(&[turned, turned]).unwrap();
    assert_eq!(sky[1][[5, 3]], wcs.pixel_to_world(&[35.0, 35.0]).unwrap()[1]);
    let row = Array1::from_vec(vec![1.0]);
    let sky = wcs.pixel_to_world_arrays(&[row.broadcast(9).unwrap(), row.broadcast(9).unwrap()]).unwrap();
    assert_eq!(sky[0].len(), 9);
}

#[test]
fn shapes_must_be_equal() {
    let wcs = field();
    let (three, two) = (Array1::<f64>::zeros(3), Array1::<f64>::zeros(2));
    let error = wcs.pixel_to_world_arrays(&[three.view(), two.view()]).unwrap_err();
    assert_eq!(
        error.message(),
        "found arrays of shape [3] and [2], expected the same shape for all coordinates"
    );
    let none: [ArrayView1<'_, f64>; 0] = [];
    assert_eq!(wcs.pixel_to_world_arrays(&none).unwrap_err().message(), "found no arrays, expected 2");
    assert!(wcs.pixel_to_world_arrays(&[three.view()]).is_err());
    let empty = Array1::<f64>::zeros(0);
    assert_eq!(wcs.pixel_to_world_arrays(&[empty.view(), empty.view()]).unwrap()[1].len(), 0);
}

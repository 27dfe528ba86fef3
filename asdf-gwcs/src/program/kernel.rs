//! The loops of the operations, each compiled for the instructions of the machine.
//!
//! The loops do not fuse multiplications with additions, so that all x86 machines compute the same bits.

#![expect(clippy::indexing_slicing, reason = "the rows and columns of a polynomial are fewer than `ROWS`")]

use multiversion::multiversion;

use crate::function::Function;
use crate::number::Dual;
use crate::number::{Number, shorten_radians};

/// A number that a program computes with.
pub(crate) trait Lane: Number {
    /// Calls a function with a block of these numbers.
    fn call(function: &dyn Function, inputs: &[&[Self]], outputs: &mut [&mut [Self]]);
}

impl Lane for f64 {
    fn call(function: &dyn Function, inputs: &[&[Self]], outputs: &mut [&mut [Self]]) {
        function.values(inputs, outputs);
    }
}

impl Lane for Dual {
    fn call(function: &dyn Function, inputs: &[&[Self]], outputs: &mut [&mut [Self]]) {
        function.duals(inputs, outputs);
    }
}

/// Up to this angle the sine needs no other reduction.
const LARGE_DEGREES: f64 = 9e7;

/// Vectors with larger coordinates are measured with care.
const LARGE_COORDINATE: f64 = 1e100;

/// Up to this angle the sine needs no reduction. It is a little below 45.
const SMALL_DEGREES: f64 = 44.9;

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn combine1<N: Number>(x: &[N], a: f64, offset: f64, out: &mut [N]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = *x * a + offset;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn combine2<N: Number>([x, y]: [&[N]; 2], [a, b]: [f64; 2], offset: f64, out: &mut [N]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = *x * a + *y * b + offset;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn combine3<N: Number>([x, y, z]: [&[N]; 3], [a, b, c]: [f64; 3], offset: f64, out: &mut [N]) {
    for (((out, x), y), z) in out.iter_mut().zip(x).zip(y).zip(z) {
        *out = *x * a + *y * b + *z * c + offset;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn accumulate<N: Number>(x: &[N], a: f64, out: &mut [N]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = *out + *x * a;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn multiply<N: Number>(x: &[N], y: &[N], out: &mut [N]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = *x * *y;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn divide<N: Number>(x: &[N], y: &[N], out: &mut [N]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = *x / *y;
    }
}

pub(super) fn power<N: Number>(x: &[N], y: &[N], out: &mut [N]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = x.pow(*y);
    }
}

pub(super) fn to_vector<N: Number>(longitude: &[N], latitude: &[N], results: [&mut [N]; 3]) {
    let factor = std::f64::consts::PI / 180.0;
    // Most blocks of an image are near the centre of a frame of the instrument.
    if all_within(longitude, SMALL_DEGREES) && all_within(latitude, SMALL_DEGREES) {
        vector_of_small(longitude, latitude, factor, results);
    } else if all_within(longitude, LARGE_DEGREES) && all_within(latitude, LARGE_DEGREES) {
        vector_of_radians(longitude, latitude, factor, results);
    } else {
        let radians = |angles: &[N]| {
            let mut angles: Vec<N> = angles.iter().map(|angle| angle.to_radians()).collect();
            shorten_radians(&mut angles);
            angles
        };
        vector_of_radians(&radians(longitude), &radians(latitude), 1.0, results);
    }
}

/// If no number is larger than a limit. NaN is not larger.
#[multiversion(targets("x86_64+avx2"))]
fn all_within<N: Number>(numbers: &[N], limit: f64) -> bool {
    !numbers.iter().fold(false, |any, number| any | (number.value().abs() > limit))
}

#[multiversion(targets("x86_64+avx2"))]
fn vector_of_small<N: Number>(longitude: &[N], latitude: &[N], factor: f64, [x, y, z]: [&mut [N]; 3]) {
    for ((((longitude, latitude), x), y), z) in longitude.iter().zip(latitude).zip(x).zip(y).zip(z) {
        let (sin_longitude, cos_longitude) = (*longitude * factor).sin_cos_small();
        let (sin_latitude, cos_latitude) = (*latitude * factor).sin_cos_small();
        *x = cos_longitude * cos_latitude;
        *y = sin_longitude * cos_latitude;
        *z = sin_latitude;
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn vector_of_radians<N: Number>(longitude: &[N], latitude: &[N], factor: f64, [x, y, z]: [&mut [N]; 3]) {
    for ((((longitude, latitude), x), y), z) in longitude.iter().zip(latitude).zip(x).zip(y).zip(z) {
        let (sin_longitude, cos_longitude) = (*longitude * factor).sin_cos();
        let (sin_latitude, cos_latitude) = (*latitude * factor).sin_cos();
        *x = cos_longitude * cos_latitude;
        *y = sin_longitude * cos_latitude;
        *z = sin_latitude;
    }
}

pub(super) fn to_angles<N: Number>(vectors: [&[N]; 3], positive: bool, results: [&mut [N]; 2]) {
    // The square of the distance does not overflow either.
    if vectors.iter().all(|numbers| all_within(numbers, LARGE_COORDINATE)) {
        angles_of_moderate(vectors, positive, results);
    } else {
        angles_of_any(vectors, positive, results);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn angles_of_moderate<N: Number>([x, y, z]: [&[N]; 3], positive: bool, [longitude, latitude]: [&mut [N]; 2]) {
    for ((((x, y), z), longitude), latitude) in x.iter().zip(y).zip(z).zip(longitude).zip(latitude) {
        [*longitude, *latitude] = angles([*x, *y, *z], positive, N::atan2_unscaled);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn angles_of_any<N: Number>([x, y, z]: [&[N]; 3], positive: bool, [longitude, latitude]: [&mut [N]; 2]) {
    for ((((x, y), z), longitude), latitude) in x.iter().zip(y).zip(z).zip(longitude).zip(latitude) {
        [*longitude, *latitude] = angles([*x, *y, *z], positive, N::atan2);
    }
}

#[inline(always)]
fn angles<N: Number>([x, y, z]: [N; 3], positive: bool, atan2: impl Fn(N, N) -> N) -> [N; 2] {
    let distance = (x * x + y * y).sqrt();
    let latitude = atan2(z, distance).to_degrees();
    let angle = atan2(y, x).to_degrees();
    // At a pole each longitude is right. The files' formulas give 0.
    let angle = N::select(distance.value() == 0.0, N::constant(0.0), angle);
    [N::select(positive && angle.value() < 0.0, angle + 360.0, angle), latitude]
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn normalize<N: Number>([x, y, z]: [&[N]; 3], [a, b, c]: [&mut [N]; 3]) {
    for (((((x, y), z), a), b), c) in x.iter().zip(y).zip(z).zip(a).zip(b).zip(c) {
        let length = (*x * *x + *y * *y + *z * *z).sqrt();
        // The angles of the zero vector are 0.
        let is_zero = length.value() == 0.0;
        *a = N::select(is_zero, N::constant(1.0), *x / length);
        *b = N::select(is_zero, N::constant(0.0), *y / length);
        *c = N::select(is_zero, N::constant(0.0), *z / length);
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn polynomial1<N: Number>(x: &[N], coefficients: &[f64], out: &mut [N]) {
    // The highest coefficient is not multiplied: a polynomial of degree 0 is a number for NaN, too.
    let (highest, lower) = coefficients.split_last().unwrap_or((&0.0, &[]));
    out.fill(N::constant(*highest));
    for coefficient in lower.iter().rev() {
        for (out, x) in out.iter_mut().zip(x) {
            *out = *out * *x + *coefficient;
        }
    }
}

/// Polynomials up to this degree have loops of known length, which the compiler unrolls.
pub(super) fn polynomial2<N: Number>(x: &[N], y: &[N], degree: usize, coefficients: &[f64], out: &mut [N]) {
    match degree {
        2 => polynomial2_of::<2, N>(x, y, coefficients, out),
        3 => polynomial2_of::<3, N>(x, y, coefficients, out),
        4 => polynomial2_of::<4, N>(x, y, coefficients, out),
        5 => polynomial2_of::<5, N>(x, y, coefficients, out),
        6 => polynomial2_of::<6, N>(x, y, coefficients, out),
        _ => polynomial2_any(x, y, degree, coefficients, out),
    }
}

/// The rows of coefficients for degrees up to 6.
const ROWS: usize = 7;

#[multiversion(targets("x86_64+avx2"))]
fn polynomial2_of<const DEGREE: usize, N: Number>(x: &[N], y: &[N], coefficients: &[f64], out: &mut [N]) {
    let mut rows = [[0.0; ROWS]; ROWS];
    for (row, given) in rows.iter_mut().zip(coefficients.chunks(DEGREE + 1)) {
        row.iter_mut().zip(given).for_each(|(value, given)| *value = *given);
    }
    for ((x, y), out) in x.iter().zip(y).zip(out) {
        let mut sum = N::constant(rows[DEGREE][0]);
        let mut power = DEGREE;
        while power > 0 {
            power -= 1;
            let row = &rows[power];
            let mut column = DEGREE - power;
            let mut inner = N::constant(row[column]);
            while column > 0 {
                column -= 1;
                inner = inner * *y + row[column];
            }
            sum = sum * *x + inner;
        }
        *out = sum;
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn polynomial2_any<N: Number>(x: &[N], y: &[N], degree: usize, coefficients: &[f64], out: &mut [N]) {
    for ((x, y), out) in x.iter().zip(y).zip(out) {
        let mut sum = N::constant(0.0);
        for (power, row) in coefficients.chunks(degree + 1).enumerate().rev() {
            let row = row.get(..degree + 1 - power).unwrap_or_default();
            let (highest, lower) = row.split_last().unwrap_or((&0.0, &[]));
            let mut inner = N::constant(*highest);
            for coefficient in lower.iter().rev() {
                inner = inner * *y + *coefficient;
            }
            sum = if power == degree { inner } else { sum * *x + inner };
        }
        *out = sum;
    }
}

/// If no number is outside an interval.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn none_outside<N: Number>(values: &[N], [low, high]: [f64; 2]) -> bool {
    !values.iter().fold(false, |any, value| any | (value.value() < low) | (value.value() > high))
}

/// Marks with NaN the points outside an interval.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn mark_outside<N: Number>(values: &[N], [low, high]: [f64; 2], marks: &mut [f64]) {
    for (mark, value) in marks.iter_mut().zip(values) {
        let value = value.value();
        *mark = if value < low || value > high { f64::NAN } else { *mark };
    }
}

/// Sets the points whose mark is NaN to NaN.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn mask<N: Number>(marks: &[f64], values: &mut [N]) {
    for (value, mark) in values.iter_mut().zip(marks) {
        *value = N::select(mark.is_nan(), N::constant(f64::NAN), *value);
    }
}

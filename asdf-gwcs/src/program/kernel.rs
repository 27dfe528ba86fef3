//! The loops of the operations, each compiled for the instructions of the machine.
//!
//! The loops do not fuse multiplications with additions, so that all x86 machines compute the same bits.

use multiversion::multiversion;

use crate::function::{Dual2, Function};
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

impl Lane for Dual2 {
    fn call(function: &dyn Function, inputs: &[&[Self]], outputs: &mut [&mut [Self]]) {
        function.duals(inputs, outputs);
    }
}

/// Below this angle the sine needs no other reduction.
const LARGE_DEGREES: f64 = 9e7;

/// Horner's rule waits for each result. Several points at once keep the processor busy meanwhile.
const TOGETHER: usize = 16;

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
    // In one block with a very large angle, all angles are copied and shortened.
    let large =
        |angles: &[N]| angles.iter().fold(false, |any, angle| any | (angle.value().abs() > LARGE_DEGREES));
    if large(longitude) || large(latitude) {
        let radians = |angles: &[N]| {
            let mut angles: Vec<N> = angles.iter().map(|angle| angle.to_radians()).collect();
            shorten_radians(&mut angles);
            angles
        };
        vector_of_radians(&radians(longitude), &radians(latitude), 1.0, results);
    } else {
        vector_of_radians(longitude, latitude, std::f64::consts::PI / 180.0, results);
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

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn to_angles<N: Number>(
    [x, y, z]: [&[N]; 3],
    positive: bool,
    [longitude, latitude]: [&mut [N]; 2],
) {
    for ((((x, y), z), longitude), latitude) in x.iter().zip(y).zip(z).zip(longitude).zip(latitude) {
        let distance = (*x * *x + *y * *y).sqrt();
        *latitude = z.atan2(distance).to_degrees();
        let angle = y.atan2(*x).to_degrees();
        // At a pole each longitude is right. The files' formulas give 0.
        let angle = N::select(distance.value() == 0.0, N::constant(0.0), angle);
        *longitude = N::select(positive && angle.value() < 0.0, angle + 360.0, angle);
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn normalize<N: Number>([x, y, z]: [&[N]; 3], [a, b, c]: [&mut [N]; 3]) {
    for (((((x, y), z), a), b), c) in x.iter().zip(y).zip(z).zip(a).zip(b).zip(c) {
        let length = (*x * *x + *y * *y + *z * *z).sqrt();
        *a = *x / length;
        *b = *y / length;
        *c = *z / length;
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn polynomial1<N: Number>(x: &[N], coefficients: &[f64], out: &mut [N]) {
    let zero = N::constant(0.0);
    for (x, out) in x.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        let mut sum = [zero; TOGETHER];
        for coefficient in coefficients.iter().rev() {
            for (sum, x) in sum.iter_mut().zip(x) {
                *sum = *sum * *x + *coefficient;
            }
        }
        for (out, sum) in out.iter_mut().zip(sum) {
            *out = sum;
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn polynomial2<N: Number>(x: &[N], y: &[N], degree: usize, coefficients: &[f64], out: &mut [N]) {
    let zero = N::constant(0.0);
    let rows = || coefficients.chunks(degree + 1).enumerate();
    for ((x, y), out) in x.chunks(TOGETHER).zip(y.chunks(TOGETHER)).zip(out.chunks_mut(TOGETHER)) {
        // Copies of fixed length, so that the compiler keeps them in vector registers.
        let (mut xs, mut ys) = ([zero; TOGETHER], [zero; TOGETHER]);
        xs.iter_mut().zip(x).for_each(|(to, from)| *to = *from);
        ys.iter_mut().zip(y).for_each(|(to, from)| *to = *from);
        let mut sum = [zero; TOGETHER];
        for (power, row) in rows().rev() {
            let mut inner = [zero; TOGETHER];
            for coefficient in row.iter().take(degree + 1 - power).rev() {
                for (inner, y) in inner.iter_mut().zip(&ys) {
                    *inner = *inner * *y + *coefficient;
                }
            }
            for ((sum, x), inner) in sum.iter_mut().zip(&xs).zip(&inner) {
                *sum = *sum * *x + *inner;
            }
        }
        for (out, sum) in out.iter_mut().zip(sum) {
            *out = sum;
        }
    }
}

/// Sets the marked points to NaN.
pub(super) fn mask<N: Number>(marked: &[bool], values: &mut [N]) {
    for (value, marked) in values.iter_mut().zip(marked) {
        *value = N::select(*marked, N::constant(f64::NAN), *value);
    }
}

//! Points with their values and derivatives in separate arrays.
//!
//! Numbers that carry derivatives lie in memory one after the other, and a loop over them is not vector code. A loop
//! that makes them from separate arrays and takes them apart again is.

use multiversion::multiversion;

use super::{Direction, Formula};
use crate::number::{Dual, Number};

/// The number of points whose derivatives are computed together.
const LENGTH: usize = 128;

/// Evaluates a formula for as many points as the shortest slice has.
#[inline]
pub(super) fn evaluate<D: Direction, F: Formula, N: Number>(
    formula: &F,
    a: &[N],
    b: &[N],
    u: &mut [N],
    v: &mut [N],
) {
    // The compiler drops the other branch, so that only loops over `f64` are compiled.
    if N::PLAIN {
        values::<D, F, N>(formula, a, b, u, v);
    } else {
        let mut block = Block::default();
        let (ins, outs) =
            (a.chunks(LENGTH).zip(b.chunks(LENGTH)), u.chunks_mut(LENGTH).zip(v.chunks_mut(LENGTH)));
        for ((a, b), (u, v)) in ins.zip(outs) {
            let count = block.read(a, b);
            derivatives::<D, F>(formula, &mut block, count);
            block.write(a, b, u, v);
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn values<D: Direction, F: Formula, N: Number>(formula: &F, a: &[N], b: &[N], u: &mut [N], v: &mut [N]) {
    for (((&a, &b), u), v) in a.iter().zip(b).zip(u).zip(v) {
        (*u, *v) = D::evaluate(formula, a, b);
    }
}

/// Inputs, outputs, and derivatives of the outputs by the inputs.
#[derive(Debug)]
struct Block {
    inputs: [[f64; LENGTH]; 2],
    outputs: [[f64; LENGTH]; 2],
    derivatives: [[f64; LENGTH]; 4],
}

impl Default for Block {
    fn default() -> Block {
        Block { inputs: [[0.0; LENGTH]; 2], outputs: [[0.0; LENGTH]; 2], derivatives: [[0.0; LENGTH]; 4] }
    }
}

impl Block {
    /// Takes the values of points, and returns how many there are.
    #[inline]
    fn read<N: Number>(&mut self, a: &[N], b: &[N]) -> usize {
        let [first, second] = &mut self.inputs;
        for (value, number) in first.iter_mut().zip(a) {
            *value = number.value();
        }
        for (value, number) in second.iter_mut().zip(b) {
            *value = number.value();
        }
        a.len().min(b.len()).min(LENGTH)
    }

    /// Gives the results for the points that were read.
    #[inline]
    fn write<N: Number>(&self, a: &[N], b: &[N], u: &mut [N], v: &mut [N]) {
        let [first, second] = &self.outputs;
        let [first_a, first_b, second_a, second_b] = &self.derivatives;
        let give = |to: &mut [N], values: &[f64; LENGTH], by_a: &[f64; LENGTH], by_b: &[f64; LENGTH]| {
            for (((((to, &a), &b), &value), &by_a), &by_b) in
                to.iter_mut().zip(a).zip(b).zip(values).zip(by_a).zip(by_b)
            {
                *to = a.chain_two(b, value, [by_a, by_b]);
            }
        };
        give(u, first, first_a, first_b);
        give(v, second, second_a, second_b);
    }
}

/// Evaluates a formula and its derivatives for the first points of a block.
#[multiversion(targets("x86_64+avx2"))]
fn derivatives<D: Direction, F: Formula>(formula: &F, block: &mut Block, count: usize) {
    let Block { inputs: [a, b], outputs: [u, v], derivatives: [u_a, u_b, v_a, v_b] } = block;
    let (Some(a), Some(b), Some(u), Some(v)) =
        (a.get(..count), b.get(..count), u.get_mut(..count), v.get_mut(..count))
    else {
        return;
    };
    let derivatives = u_a.iter_mut().zip(u_b).zip(v_a).zip(v_b);
    for ((((&a, &b), u), v), (((u_a, u_b), v_a), v_b)) in a.iter().zip(b).zip(u).zip(v).zip(derivatives) {
        let (first, second) = D::evaluate(formula, Dual::<2>::variable(a, 0), Dual::variable(b, 1));
        (*u, *v) = (first.value, second.value);
        ([*u_a, *u_b], [*v_a, *v_b]) = (first.derivatives, second.derivatives);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ToPlane, ToSphere, cylindrical, pseudocylindrical, zenithal};
    use super::*;

    /// Checks that vector code gives the bits that plain code gives.
    fn check<F: Formula>(formula: &F) {
        let a: Vec<f64> = (0..1000).map(|number| f64::from(number) * 0.31 - 155.0).collect();
        let b: Vec<f64> = (0..1000).map(|number| f64::from(number * 7 % 1000) * 0.17 - 85.0).collect();
        let (mut u, mut v) = (vec![0.0; 1000], vec![0.0; 1000]);
        evaluate::<ToPlane, F, f64>(formula, &a, &b, &mut u, &mut v);
        let bits = |(first, second): (f64, f64)| (first.to_bits(), second.to_bits());
        for k in 0..1000 {
            assert_eq!(bits((u[k], v[k])), bits(formula.to_plane(a[k], b[k])), "{formula:?} {k}");
        }
        evaluate::<ToSphere, F, f64>(formula, &a, &b, &mut u, &mut v);
        for k in 0..1000 {
            assert_eq!(bits((u[k], v[k])), bits(formula.to_sphere(a[k], b[k])), "{formula:?} {k}");
        }
    }

    #[test]
    fn all_machines_give_the_same_bits() {
        check(&zenithal::Gnomonic);
        check(&zenithal::ZenithalEqualArea);
        check(&cylindrical::Mercator);
        check(&pseudocylindrical::Molleweide);
        check(&pseudocylindrical::HammerAitoff);
    }

    #[test]
    fn many_points_have_the_derivatives_of_one() {
        let formula = zenithal::Stereographic;
        let a: Vec<Dual<3>> = (0..300).map(|number| Dual::variable(f64::from(number), 2)).collect();
        let b: Vec<Dual<3>> = (0..300).map(|number| Dual::variable(f64::from(number) * 0.2, 0)).collect();
        let (mut u, mut v) = (vec![Dual::constant(0.0); 300], vec![Dual::constant(0.0); 300]);
        evaluate::<ToPlane, _, _>(&formula, &a, &b, &mut u, &mut v);
        for k in 0..300 {
            let (x, y) = formula.to_plane(a[k], b[k]);
            for (found, expected) in [(u[k], x), (v[k], y)] {
                assert_eq!(found.value.to_bits(), expected.value.to_bits());
                for (found, expected) in found.derivatives.into_iter().zip(expected.derivatives) {
                    assert!(
                        (found - expected).abs() <= 1e-14 * (1.0 + expected.abs()),
                        "{k}: {found} {expected}"
                    );
                }
            }
        }
    }
}

//! The cube of COBE, whose two directions are polynomials that do not quite cancel.

use super::Formula;
use super::cube::{self, Face};
use crate::number::Number;

/// `CSC`: areas almost keep their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CobeQuadSphericalCube;

/// The coefficients of `x^(2i) y^(2j)` from the plane to the face: a row for each `j`, from FITS paper II.
const FROM_FACE: [&[f64]; 7] = [
    &[-0.272_926_96, -0.076_299_69, -0.227_970_56, 0.548_523_84, -0.629_300_65, 0.257_957_94, 0.025_843_75],
    &[-0.028_194_52, -0.014_715_65, 0.480_515_09, -1.741_144_54, 1.715_475_08, -0.530_223_37],
    &[0.270_581_60, -0.568_009_38, 0.308_033_17, 0.989_381_02, -0.831_804_69],
    &[-0.604_415_60, 1.508_800_86, -0.936_785_76, 0.086_938_41],
    &[0.934_120_77, -1.416_019_20, 0.338_874_46],
    &[-0.639_153_06, 0.520_322_38],
    &[0.143_815_85],
];

/// One coordinate on the face, from the tangents of the angles along it and across.
#[inline(always)]
fn bend<N: Number>(along: N, across: N) -> N {
    let (a, b) = (along * along, across * across);
    let (rest_a, rest_b) = (-a + 1.0, -b + 1.0);
    let corner = a * 0.080_970_128_652_5 + b * -0.281_528_535_557 + a * b * 0.153_841_128_76
        - a * a * 0.178_251_207_466
        + b * b * 0.106_959_469_314
        + 0.141_189_631_152;
    let second = rest_a * -0.131_616_714_74 + a * 0.004_869_491_981 + rest_b * corner;
    let edge = rest_a * (a * 0.021_776_249_069_9 - 0.075_919_620_046_7) - 0.159_596_235_474;
    along * (a + rest_a * (b * second + a * edge + 1.374_848_477_32))
}

/// The tangent of an angle, from the coordinates on the face along it and across.
#[inline(always)]
fn unbend<N: Number>(along: N, across: N) -> N {
    let (a, b) = (along * along, across * across);
    let mut sum = N::constant(0.0);
    for row in FROM_FACE.iter().rev() {
        let mut inner = N::constant(0.0);
        for &coefficient in row.iter().rev() {
            inner = inner * a + coefficient;
        }
        sum = sum * b + inner;
    }
    along + along * (-a + 1.0) * sum
}

impl Face for CobeQuadSphericalCube {
    const TOLERANCE: f64 = 1e-7;
    #[inline(always)]
    fn to_face<N: Number>(zeta: N, xi: N, eta: N) -> (N, N) {
        let (right, up) = (xi / zeta, eta / zeta);
        (bend(right, up), bend(up, right))
    }
    #[inline(always)]
    fn from_face<N: Number>(x: N, y: N) -> (N, N, N) {
        let (right, up) = (unbend(x, y), unbend(y, x));
        let zeta = N::constant(1.0) / (right * right + up * up + 1.0).sqrt();
        (zeta, right * zeta, up * zeta)
    }
}

impl Formula for CobeQuadSphericalCube {
    #[inline(always)]
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
        cube::to_plane::<CobeQuadSphericalCube, N>(phi, theta)
    }
    #[inline(always)]
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
        cube::to_sphere::<CobeQuadSphericalCube, N>(x, y)
    }
}

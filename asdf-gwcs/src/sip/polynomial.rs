//! Polynomials in two variables.

use crate::least_squares;

/// The terms of a polynomial in two variables, and its coefficients for both results.
///
/// The variables are divided by `scale` first, so that powers stay near 1.
#[derive(Debug, Clone)]
pub(super) struct Polynomial {
    pub(super) powers: Vec<[i32; 2]>,
    /// The coefficients of the first and the second result.
    pub(super) coefficients: [Vec<f64>; 2],
    pub(super) scale: f64,
}

/// Returns the powers of both variables whose sum is from `low` to `high`.
pub(super) fn powers(low: i32, high: i32) -> Vec<[i32; 2]> {
    (low..=high).flat_map(|sum| (0..=sum).map(move |second| [sum - second, second])).collect()
}

impl Polynomial {
    /// Fits a polynomial with these powers to points and their results. `None` if there are too few points.
    pub(super) fn fit(
        powers: Vec<[i32; 2]>,
        scale: f64,
        points: &[[f64; 2]],
        results: &[[f64; 2]],
    ) -> Option<Self> {
        let column = |powers: &[i32; 2]| points.iter().map(|point| term(*powers, *point, scale)).collect();
        let columns: Vec<Vec<f64>> = powers.iter().map(column).collect();
        let right = [0, 1].map(|axis| {
            results.iter().map(|result| if axis == 0 { result[0] } else { result[1] }).collect::<Vec<f64>>()
        });
        let [first, second] = <[Vec<f64>; 2]>::try_from(least_squares::solve(columns, right.into())?).ok()?;
        Some(Self { powers, coefficients: [first, second], scale })
    }

    /// Returns the results at a point.
    pub(super) fn at(&self, point: [f64; 2]) -> [f64; 2] {
        let [first, second] = &self.coefficients;
        let mut result = [0.0; 2];
        for ((powers, first), second) in self.powers.iter().zip(first).zip(second) {
            let term = term(*powers, point, self.scale);
            result[0] += first * term;
            result[1] += second * term;
        }
        result
    }

    /// Returns the terms for unscaled variables: powers, and the coefficients of both results.
    pub(super) fn terms(&self) -> impl Iterator<Item = ([i32; 2], [f64; 2])> + '_ {
        let [first, second] = &self.coefficients;
        self.powers.iter().zip(first).zip(second).map(|((powers, first), second)| {
            let factor = self.scale.powi(powers[0] + powers[1]).recip();
            (*powers, [first * factor, second * factor])
        })
    }
}

fn term([first, second]: [i32; 2], [x, y]: [f64; 2], scale: f64) -> f64 {
    (x / scale).powi(first) * (y / scale).powi(second)
}

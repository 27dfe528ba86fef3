//! Splines of one variable.

use std::sync::Arc;

use asdf_core::{Error, Result};

use crate::function::{Function, Pointwise};
use crate::number::Number;

/// The highest degree of a spline.
const MOST: usize = 5;

/// A sum of B-splines. Outside of the knots the first and the last piece continue.
#[derive(Debug, Clone)]
pub(crate) struct Spline {
    knots: Vec<f64>,
    coefficients: Vec<f64>,
    degree: usize,
}

impl Spline {
    /// Makes a spline. Knots at the ends are repeated once more than the degree says; more coefficients than needed
    /// are ignored.
    ///
    /// # Errors
    /// If the degree is not 1 to 5, if knots are missing or out of order, or if there are too few coefficients.
    pub(crate) fn new(knots: Vec<f64>, coefficients: Vec<f64>, degree: usize) -> Result<Self> {
        if !(1..=MOST).contains(&degree) {
            return Err(
                Error::mismatch(format!("found the degree {degree}, expected 1 to {MOST}")).under("degree")
            );
        }
        let fault = |message: String| Err(Error::mismatch(message).under("knots"));
        let least = 2 * (degree + 1);
        if knots.len() < least {
            return fault(format!(
                "found {} knots, expected at least {least} for degree {degree}",
                knots.len()
            ));
        }
        if let Some(index) = knots.iter().position(|knot| !knot.is_finite()) {
            return fault(format!("the knot at index {index} is not a finite number"));
        }
        if let Some(index) = knots.windows(2).position(|pair| matches!(pair, [low, high] if low > high)) {
            return fault(format!(
                "the knot at index {} is out of order, expected ascending knots",
                index + 1
            ));
        }
        let pieces = knots.len() - degree - 1;
        if knots.get(degree) == knots.get(pieces) {
            return fault("all inner knots are equal, expected at least two different ones".to_owned());
        }
        if coefficients.len() < pieces {
            let found = coefficients.len();
            let message = format!("found {found} coefficients, expected {pieces} for {} knots", knots.len());
            return Err(Error::mismatch(message).under("coefficients"));
        }
        Ok(Self { knots, coefficients, degree })
    }

    fn knot(&self, index: usize) -> f64 {
        self.knots.get(index).copied().unwrap_or(f64::NAN)
    }
}

impl Pointwise<1, 1> for Spline {
    fn at<N: Number>(&self, [x]: [N; 1]) -> [N; 1] {
        let degree = self.degree;
        let last = self.knots.len() - degree - 2;
        if x.value().is_nan() {
            return [x];
        }
        let inner = self.knots.get(degree + 1..=last).unwrap_or_default();
        let piece = degree + inner.partition_point(|&knot| knot <= x.value());
        // The B-splines that are not 0 in this piece, built up from degree 0.
        let mut splines = [N::constant(0.0); MOST + 1];
        if let Some(first) = splines.first_mut() {
            *first = N::constant(1.0);
        }
        for order in 1..=degree {
            let lower = splines;
            let mut left_over = N::constant(0.0);
            for (place, slot) in splines.iter_mut().enumerate().take(order + 1) {
                // `lower[place]` lies between these two knots. It adds to this B-spline and to the next one.
                let (above, below) = (self.knot(piece + place + 1), self.knot(piece + place + 1 - order));
                let share = match lower.get(place) {
                    Some(&lower) if place < order && above > below => lower / (above - below),
                    _ => N::constant(0.0),
                };
                *slot = left_over + share * (-x + above);
                left_over = share * (x - below);
            }
        }
        let coefficients = self.coefficients.get(piece - degree..=piece).unwrap_or_default();
        let terms = splines.iter().zip(coefficients).map(|(&spline, &coefficient)| spline * coefficient);
        [terms.fold(N::constant(0.0), |sum, term| sum + term)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("spline of degree {} with {} knots", self.degree, self.knots.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_splines_are_errors() {
        let knots = || vec![0.0, 0.0, 1.0, 2.0, 2.0];
        for (knots, coefficients, degree, message) in [
            (knots(), vec![1.0; 3], 0, "/degree: found the degree 0"),
            (knots(), vec![1.0; 3], 6, "/degree: found the degree 6"),
            (knots(), vec![1.0; 3], 2, "/knots: found 5 knots, expected at least 6"),
            (knots(), vec![1.0; 2], 1, "/coefficients: found 2 coefficients, expected 3"),
            (vec![0.0, 0.0, 2.0, 1.0, 1.0], vec![1.0; 3], 1, "/knots: the knot at index 3 is out of order"),
            (
                vec![0.0, 0.0, f64::NAN, 1.0, 1.0],
                vec![1.0; 3],
                1,
                "/knots: the knot at index 2 is not a finite",
            ),
            (vec![1.0; 5], vec![1.0; 3], 1, "/knots: all inner knots are equal"),
        ] {
            let error = Spline::new(knots, coefficients, degree).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        assert!(Spline::new(knots(), vec![1.0; 5], 1).is_ok());
    }
}

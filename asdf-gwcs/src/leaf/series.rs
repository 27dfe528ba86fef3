//! Series of orthogonal polynomials in one or two variables.

use std::sync::Arc;

use asdf_core::{Error, Result};

use crate::function::Function;
use crate::number::Dual;
use crate::number::Number;

/// Points that are computed together, so that the compiler can use vector instructions.
const LANES: usize = 8;

/// The polynomials that a series adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Chebyshev polynomials of the first kind.
    Chebyshev,
    Legendre,
    /// Hermite polynomials as physicists define them.
    Hermite,
}

impl Family {
    /// Returns `a` and `b` of the recurrence `P[k + 1] = a x P[k] + b P[k - 1]`.
    fn recurrence(self, k: f64) -> [f64; 2] {
        match self {
            Self::Chebyshev if k == 0.0 => [1.0, 0.0],
            Self::Chebyshev => [2.0, -1.0],
            Self::Legendre => [(2.0 * k + 1.0) / (k + 1.0), -k / (k + 1.0)],
            Self::Hermite => [2.0, -2.0 * k],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Chebyshev => "chebyshev",
            Self::Legendre => "legendre",
            Self::Hermite => "hermite",
        }
    }
}

/// One variable of a series.
#[derive(Debug, Clone)]
struct Variable {
    /// For each degree `k`, the factor `a` that leads to `k + 1` and the `b` that leads to `k + 2`.
    steps: Vec<[f64; 2]>,
    /// The input is mapped first by `factor * x + offset`.
    map: [f64; 2],
    /// Whether the series has another variable.
    is_one_of_two: bool,
}

impl Variable {
    fn new(family: Family, terms: usize, map: [f64; 2], is_one_of_two: bool) -> Self {
        let mut k = 0.0;
        let steps = std::iter::repeat_with(|| {
            let step = [family.recurrence(k), family.recurrence(k + 1.0)];
            k += 1.0;
            let [[factor, _], [_, back]] = step;
            [factor, back]
        });
        Self { steps: steps.take(terms).collect(), map, is_one_of_two }
    }

    fn mapped<N: Number, const L: usize>(&self, values: [N; L]) -> [N; L] {
        let [factor, offset] = self.map;
        values.map(|value| value * factor + offset)
    }

    /// Adds the series by Clenshaw's method. `coefficient` is called from the last term to the first.
    #[inline(always)]
    fn sum<N: Number, const L: usize>(
        &self,
        at: &[N; L],
        mut coefficient: impl FnMut(usize) -> [N; L],
    ) -> [N; L] {
        let mut two = [N::constant(0.0); L];
        let mut one = two;
        // The last term needs no product: infinity or NaN times 0 would be NaN. But NumPy multiplies a single term of a
        // series in one variable.
        let mut steps = self.steps.iter().enumerate().rev();
        if self.steps.len() > 1 || self.is_one_of_two {
            if let Some((last, _)) = steps.next() {
                one = coefficient(last);
            }
        }
        for (k, &[factor, back]) in steps {
            let mut sum = coefficient(k);
            for (((sum, one), two), x) in sum.iter_mut().zip(&one).zip(&two).zip(at) {
                *sum = *sum + *x * factor * *one + *two * back;
            }
            (one, two) = (sum, one);
        }
        one
    }
}

/// A series `sum of c[i] P_i(x)`, or `sum of c[i, j] P_i(x) P_j(y)`.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    family: Family,
    first: Variable,
    second: Option<Variable>,
    /// The coefficients; those of the last variable are adjacent.
    coefficients: Vec<f64>,
}

impl Series {
    /// Makes a series in one variable. `map` is applied to it first: see [`map_of`].
    ///
    /// # Errors
    /// If there are no coefficients.
    pub(crate) fn one(family: Family, coefficients: Vec<f64>, map: [f64; 2]) -> Result<Self> {
        if coefficients.is_empty() {
            return Err(Error::mismatch("found no coefficients, expected at least one"));
        }
        let first = Variable::new(family, coefficients.len(), map, false);
        Ok(Self { family, first, second: None, coefficients })
    }

    /// Makes a series in two variables from coefficients in this shape.
    ///
    /// # Errors
    /// If there are no coefficients, or not as many as the shape says.
    pub(crate) fn two(
        family: Family,
        coefficients: Vec<f64>,
        [rows, columns]: [usize; 2],
        maps: [[f64; 2]; 2],
    ) -> Result<Self> {
        if coefficients.is_empty() || rows.checked_mul(columns) != Some(coefficients.len()) {
            let found = coefficients.len();
            return Err(Error::mismatch(format!(
                "found {found} coefficients, expected at least one, in the shape {rows} x {columns}"
            )));
        }
        let [first, second] = maps;
        let first = Variable::new(family, rows, first, true);
        let second = Some(Variable::new(family, columns, second, true));
        Ok(Self { family, first, second, coefficients })
    }

    #[inline(always)]
    fn lanes<N: Number, const L: usize>(&self, x: [N; L], y: [N; L]) -> [N; L] {
        let x = self.first.mapped(x);
        let coefficient =
            |index: usize| [N::constant(self.coefficients.get(index).copied().unwrap_or(f64::NAN)); L];
        match &self.second {
            None => self.first.sum(&x, coefficient),
            Some(second) => {
                let y = second.mapped(y);
                let columns = second.steps.len();
                self.first.sum(&x, |row| second.sum(&y, |column| coefficient(row * columns + column)))
            }
        }
    }

    fn run<N: Number>(&self, inputs: &[&[N]], output: &mut [N]) {
        let (x, y) = match *inputs {
            [x] => (x, x),
            [x, y] => (x, y),
            _ => return,
        };
        for ((out, x), y) in output.chunks_mut(LANES).zip(x.chunks(LANES)).zip(y.chunks(LANES)) {
            let lanes =
                |values: &[N]| std::array::from_fn(|lane| values.get(lane).copied().unwrap_or_default());
            let sums: [N; LANES] = self.lanes(lanes(x), lanes(y));
            for (slot, sum) in out.iter_mut().zip(sums) {
                *slot = sum;
            }
        }
    }
}

/// Returns factor and offset of the linear map from a domain to a window.
///
/// # Errors
/// If the domain is not an interval.
pub(crate) fn map_of(domain: [f64; 2], window: [f64; 2]) -> Result<[f64; 2]> {
    let ([low, high], [from, to]) = (domain, window);
    let width = high - low;
    if width == 0.0 || !width.is_finite() || !(to - from).is_finite() {
        return Err(Error::mismatch(format!(
            "found the domain [{low}, {high}] for the window [{from}, {to}], expected two different, finite numbers"
        )));
    }
    Ok([(to - from) / width, (from * high - to * low) / width])
}

impl Function for Series {
    fn inputs(&self) -> usize {
        if self.second.is_some() { 2 } else { 1 }
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        if let [output] = outputs {
            self.run(inputs, output);
        }
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        if let [output] = outputs {
            self.run(inputs, output);
        }
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        let rows = self.first.steps.len();
        let columns =
            self.second.as_ref().map(|second| format!(" x {}", second.steps.len())).unwrap_or_default();
        format!("{} series of {rows}{columns} terms", self.family.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermite_polynomials_are_true_in_both_variables() {
        // H_2(x) = 4x^2 - 2 and H_3(y) = 8y^3 - 12y. astropy 8.0.2 computes H_3(y) with wrong factors.
        let mut coefficients = vec![0.0; 12];
        coefficients[11] = 1.0;
        let series = Series::two(Family::Hermite, coefficients, [3, 4], [[1.0, 0.0], [1.0, 0.0]]).unwrap();
        let mut output = [0.0; 1];
        series.values(&[&[0.3], &[-0.7]], &mut [&mut output]);
        let expected = (4.0 * 0.3 * 0.3 - 2.0) * (8.0 * -0.7_f64.powi(3) + 12.0 * 0.7);
        assert!((output[0] - expected).abs() < 1e-14, "{} and not {expected}", output[0]);
    }

    #[test]
    fn wrong_parameters_are_errors() {
        let family = Family::Legendre;
        assert!(Series::one(family, vec![], [1.0, 0.0]).is_err());
        assert!(Series::two(family, vec![1.0; 5], [2, 3], [[1.0, 0.0]; 2]).is_err());
        assert!(Series::two(family, vec![], [0, 3], [[1.0, 0.0]; 2]).is_err());
        let error = map_of([2.0, 2.0], [-1.0, 1.0]).unwrap_err().to_string();
        assert!(error.starts_with("found the domain [2, 2]"), "{error}");
        assert_eq!(map_of([0.0, 4.0], [-1.0, 1.0]).unwrap(), [0.5, -1.0]);
    }
}

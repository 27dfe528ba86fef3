//! The place along a spectral trace, from the position of a pixel or from a wavelength.

use std::sync::Arc;

use crate::function::Function;
use crate::number::{Dual, Number};

/// The most samples of a trace.
const MOST_SAMPLES: usize = 40;

/// How the place between two samples is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// By a line through the two samples around the value, after sorting them. Outside, the last lines continue.
    Extrapolate,
    /// By a line through the two samples around the value, after sorting them. Outside, the nearest sample counts.
    Clamp,
    /// Like `Clamp`, for samples that ascend. Others give NaN.
    Ascending,
    /// Where the slope of the squared difference, as a line near the nearest sample, is 0.
    Nearest,
}

/// Solves `c[0] + c[1] t + c[2] t^2 + ... = value` for `t` between 0 and 1, approximately, from samples.
///
/// The inputs are the value and the coefficients. JWST's pipeline uses the same samples. So the result has the same
/// error of interpolation, which is larger than that of rounding.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    search: Search,
    /// The places of the samples.
    places: Vec<f64>,
    coefficients: usize,
}

impl Trace {
    /// Makes the search for polynomials with this number of coefficients.
    pub(crate) fn new(search: Search, coefficients: usize) -> Self {
        let count: u8 = if search == Search::Extrapolate { 10 } else { 40 };
        let step = 1.0 / f64::from(count - 1);
        let inner = (0..count - 1).map(|sample| f64::from(sample) * step);
        let places = inner.chain(std::iter::once(1.0)).collect();
        Self { search, places, coefficients }
    }

    fn place<N: Number>(&self, value: N, coefficients: &[N]) -> N {
        if value.value().is_nan() {
            return value;
        }
        let mut samples = [N::constant(f64::NAN); MOST_SAMPLES];
        for (sample, place) in samples.iter_mut().zip(&self.places) {
            *sample = coefficients.iter().rev().fold(N::constant(0.0), |sum, next| sum * *place + *next);
        }
        let samples = samples.get(..self.places.len()).unwrap_or_default();
        if samples.iter().any(|sample| sample.value().is_nan()) {
            return N::constant(f64::NAN);
        }
        let place = match self.search {
            Search::Nearest => self.nearest(value, samples),
            _ => self.between(value, samples),
        };
        place.unwrap_or(N::constant(f64::NAN))
    }

    fn place_of(&self, sample: usize) -> Option<f64> {
        self.places.get(sample).copied()
    }

    /// Interpolates between two samples.
    fn between<N: Number>(&self, value: N, samples: &[N]) -> Option<N> {
        let mut order = [0_usize; MOST_SAMPLES];
        order.iter_mut().enumerate().for_each(|(index, slot)| *slot = index);
        let order = order.get_mut(..samples.len())?;
        let sample = |index: usize| samples.get(index).map_or(f64::NAN, |sample| sample.value());
        if self.search != Search::Ascending {
            order.sort_unstable_by(|a, b| sample(*a).total_cmp(&sample(*b)));
        } else if samples.windows(2).any(|pair| matches!(pair, [a, b] if a.value() > b.value())) {
            return None;
        }
        let (first, last) = (*order.first()?, *order.last()?);
        if self.search != Search::Extrapolate {
            if value.value() >= sample(last) {
                return Some(N::constant(self.place_of(last)?));
            }
            if value.value() < sample(first) {
                return Some(N::constant(self.place_of(first)?));
            }
        }
        let below = order.partition_point(|index| sample(*index) <= value.value());
        let cell = below.clamp(1, order.len().checked_sub(1)?.max(1)) - 1;
        let (low, high) = (*order.get(cell)?, *order.get(cell + 1)?);
        let (from, to) = (*samples.get(low)?, *samples.get(high)?);
        let (start, end) = (self.place_of(low)?, self.place_of(high)?);
        Some((value - from) / (to - from) * (end - start) + start)
    }

    /// Finds the smallest squared difference.
    fn nearest<N: Number>(&self, value: N, samples: &[N]) -> Option<N> {
        let square = |index: usize| {
            let difference = *samples.get(index)? - value;
            Some(difference * difference)
        };
        let last = samples.len().checked_sub(1)?;
        let mut best = 0;
        for index in 1..samples.len() {
            if square(index)?.value() < square(best)?.value() {
                best = index;
            }
        }
        if best == 0 || best == last {
            return Some(N::constant(self.place_of(best)?));
        }
        let slope = |index: usize| match index {
            0 => Some(square(1)? - square(0)?),
            _ if index == last => Some(square(last)? - square(last - 1)?),
            _ => Some((square(index + 1)? - square(index - 1)?) / 2.0),
        };
        let centre = slope(best)?;
        if centre.value() == 0.0 {
            return Some(N::constant(self.place_of(best)?));
        }
        // The pipeline extends the line from the other side of the sample, not the one across the minimum.
        let right = if centre.value() < 0.0 { best } else { best + 1 };
        let (start, end) = (self.place_of(right - 1)?, self.place_of(right)?);
        let (from, to) = (slope(right - 1)?, slope(right)?);
        let rise = (to - from) / (end - start);
        Some(-(to - rise * end) / rise)
    }

    fn run<N: Number>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let (Some((values, coefficients)), [output]) = (inputs.split_first(), outputs) else { return };
        let mut point_coefficients = vec![N::default(); self.coefficients];
        for (point, (slot, value)) in output.iter_mut().zip(*values).enumerate() {
            for (slot, column) in point_coefficients.iter_mut().zip(coefficients) {
                *slot = column.get(point).copied().unwrap_or_default();
            }
            *slot = self.place(*value, &point_coefficients);
        }
    }
}

impl Function for Trace {
    fn inputs(&self) -> usize {
        self.coefficients + 1
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        self.run(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        let search = match self.search {
            Search::Extrapolate => "extrapolated",
            Search::Clamp => "clamped",
            Search::Ascending => "ascending",
            Search::Nearest => "nearest",
        };
        format!("place along a trace, {} samples, {search}", self.places.len())
    }
}

//! Tables of values on a rectangular grid, with interpolation.

use std::sync::Arc;

use asdf_core::{Error, Result};

use super::axis::{Axis, Place};
use crate::function::{Dual2, Function};
use crate::number::Number;

/// The most dimensions of a table. A point of an n-dimensional table has 2^n neighbours.
const MOST_DIMENSIONS: usize = 10;

/// How values between the points of the grid are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Linear in each axis.
    Linear,
    /// The value of the nearest point; halfway between two, that of the lower one.
    Nearest,
}

/// The result for points outside of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outside {
    Value(f64),
    /// The cell at the edge continues.
    Extrapolate,
}

/// A table with one axis for each input.
#[derive(Debug, Clone)]
pub(crate) struct Tabular {
    axes: Vec<Axis>,
    /// The values; those along the last axis are adjacent.
    values: Vec<f64>,
    /// The distance of neighbours along each axis in `values`.
    strides: Vec<usize>,
    method: Method,
    outside: Outside,
}

impl Tabular {
    /// Makes a table from the points of each axis and the values, of which those along the last axis are adjacent.
    ///
    /// # Errors
    /// If the table is empty, if the points do not fit the values, or if the points of an axis are not in order.
    pub(crate) fn new(
        points: Vec<Vec<f64>>,
        mut values: Vec<f64>,
        method: Method,
        outside: Outside,
    ) -> Result<Self> {
        if points.is_empty() || points.len() > MOST_DIMENSIONS {
            let found = points.len();
            return Err(Error::mismatch(format!(
                "found a table of {found} dimensions, expected 1 to {MOST_DIMENSIONS}"
            )));
        }
        let shape: Vec<usize> = points.iter().map(Vec::len).collect();
        let size = shape.iter().try_fold(1_usize, |size, &length| size.checked_mul(length));
        if size != Some(values.len()) {
            let found = values.len();
            return Err(Error::mismatch(format!("found {found} values, expected the shape {shape:?}")));
        }
        let mut strides: Vec<usize> = Vec::with_capacity(shape.len());
        let mut stride = 1;
        for &length in shape.iter().rev() {
            strides.insert(0, stride);
            stride *= length;
        }
        let mut axes = Vec::with_capacity(shape.len());
        for (number, (points, &stride)) in points.into_iter().zip(&strides).enumerate() {
            let length = points.len();
            let (axis, reversed) = Axis::new(points).map_err(|error| error.under(number).under("points"))?;
            if reversed {
                reverse(&mut values, length, stride);
            }
            axes.push(axis);
        }
        Ok(Self { axes, values, strides, method, outside })
    }

    /// Interpolates at one point; returns the value and its derivative by each input.
    #[inline]
    fn interpolate(&self, places: &[Place], gradient: &mut [f64]) -> f64 {
        match (self.method, places) {
            (Method::Linear, [place]) => {
                let [low, high] = place.cell.map(|index| self.value(index));
                if let [slope] = gradient {
                    *slope = (high - low) * place.density;
                }
                low * (1.0 - place.fraction) + high * place.fraction
            }
            (Method::Linear, [first, second]) => {
                let stride = self.strides.first().copied().unwrap_or(1);
                let [low, high] =
                    first.cell.map(|row| second.cell.map(|column| self.value(row * stride + column)));
                let (y, z) = (first.fraction, second.fraction);
                let ([a, b], [c, d]) = (low, high);
                if let [by_first, by_second] = gradient {
                    *by_first = ((c - a) * (1.0 - z) + (d - b) * z) * first.density;
                    *by_second = ((b - a) * (1.0 - y) + (d - c) * y) * second.density;
                }
                a * (1.0 - y) * (1.0 - z) + b * (1.0 - y) * z + c * y * (1.0 - z) + d * y * z
            }
            (Method::Linear, _) => self.corners(places, gradient),
            (Method::Nearest, _) => {
                gradient.fill(0.0);
                let index = places.iter().zip(&self.strides).map(|(place, stride)| {
                    let [low, high] = place.cell;
                    stride * if place.fraction <= 0.5 { low } else { high }
                });
                self.value(index.sum())
            }
        }
    }

    /// Interpolates linearly in any number of dimensions, as a sum over the corners of the cell.
    fn corners(&self, places: &[Place], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let mut sum = 0.0;
        for corner in 0_usize..1 << places.len() {
            let is_high = |axis: usize| corner >> (places.len() - 1 - axis) & 1 == 1;
            let weight_at = |axis: usize, place: &Place| {
                if is_high(axis) { place.fraction } else { 1.0 - place.fraction }
            };
            let mut index = 0;
            let mut weight = 1.0;
            for (axis, (place, stride)) in places.iter().zip(&self.strides).enumerate() {
                let [low, high] = place.cell;
                index += stride * if is_high(axis) { high } else { low };
                weight *= weight_at(axis, place);
            }
            let value = self.value(index);
            sum += value * weight;
            for (axis, (slope, place)) in gradient.iter_mut().zip(places).enumerate() {
                let others = places.iter().enumerate().filter(|&(other, _)| other != axis);
                let product: f64 = others.map(|(other, place)| weight_at(other, place)).product();
                let sign = if is_high(axis) { place.density } else { -place.density };
                *slope += value * product * sign;
            }
        }
        sum
    }

    #[inline]
    fn value(&self, index: usize) -> f64 {
        self.values.get(index).copied().unwrap_or(f64::NAN)
    }

    #[inline]
    fn run<N: Number>(&self, inputs: &[&[N]], output: &mut [N]) {
        match *inputs {
            [first] => self.run_axes::<N, 1>([first], output),
            [first, second] => self.run_axes::<N, 2>([first, second], output),
            _ => self.run_all(inputs, output),
        }
    }

    /// The loop for a number of axes that the compiler knows.
    fn run_axes<N: Number, const D: usize>(&self, inputs: [&[N]; D], output: &mut [N]) {
        let axes: [Option<&Axis>; D] = std::array::from_fn(|axis| self.axes.get(axis));
        for (point, slot) in output.iter_mut().enumerate() {
            let at: [N; D] = inputs.map(|values| values.get(point).copied().unwrap_or_default());
            let places: [Place; D] = std::array::from_fn(|axis| {
                let value = at.get(axis).map_or(f64::NAN, |number| number.value());
                match axes.get(axis) {
                    Some(Some(axis)) => axis.place(value),
                    _ => Place { cell: [0, 0], fraction: f64::NAN, density: 0.0, outside: true },
                }
            });
            let mut gradient = [0.0; D];
            let value = self.result(&places, &mut gradient);
            *slot = carried(&at, value, &gradient);
        }
    }

    fn run_all<N: Number>(&self, inputs: &[&[N]], output: &mut [N]) {
        let mut at = vec![N::default(); self.axes.len()];
        let mut places: Vec<Place> = Vec::with_capacity(self.axes.len());
        let mut gradient = vec![0.0; self.axes.len()];
        for (point, slot) in output.iter_mut().enumerate() {
            for (number, values) in at.iter_mut().zip(inputs) {
                *number = values.get(point).copied().unwrap_or_default();
            }
            places.clear();
            places.extend(self.axes.iter().zip(&at).map(|(axis, number)| axis.place(number.value())));
            let value = self.result(&places, &mut gradient);
            *slot = carried(&at, value, &gradient);
        }
    }

    #[inline]
    fn result(&self, places: &[Place], gradient: &mut [f64]) -> f64 {
        let constant = if places.iter().any(|place| place.fraction.is_nan() && !place.outside) {
            Some(f64::NAN)
        } else {
            match self.outside {
                Outside::Value(value) => places.iter().any(|place| place.outside).then_some(value),
                Outside::Extrapolate => None,
            }
        };
        match constant {
            Some(value) => {
                gradient.fill(0.0);
                value
            }
            None => self.interpolate(places, gradient),
        }
    }
}

/// A value with the derivatives that the inputs carry.
#[inline]
fn carried<N: Number>(inputs: &[N], value: f64, gradient: &[f64]) -> N {
    let mut pairs = inputs.iter().zip(gradient);
    let first = pairs.next().map_or(N::constant(value), |(input, &slope)| input.chain(value, slope));
    pairs.fold(first, |sum, (input, &slope)| sum.chain_two(*input, value, [1.0, slope]))
}

/// Reverses an axis of this length and stride.
fn reverse(values: &mut [f64], length: usize, stride: usize) {
    for slab in values.chunks_exact_mut(length.saturating_mul(stride).max(1)) {
        for low in 0..length / 2 {
            let high = length - 1 - low;
            for offset in 0..stride {
                slab.swap(low * stride + offset, high * stride + offset);
            }
        }
    }
}

impl Function for Tabular {
    fn inputs(&self) -> usize {
        self.axes.len()
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        if let [output] = outputs {
            self.run(inputs, output);
        }
    }

    fn duals(&self, inputs: &[&[Dual2]], outputs: &mut [&mut [Dual2]]) {
        if let [output] = outputs {
            self.run(inputs, output);
        }
    }

    /// A table with one axis has an inverse if its values are strictly ascending or descending.
    fn inverse(&self) -> Option<Arc<dyn Function>> {
        let [axis] = self.axes.as_slice() else { return None };
        let swapped =
            Self::new(vec![self.values.clone()], axis.points().to_vec(), self.method, self.outside).ok()?;
        Some(Arc::new(swapped))
    }

    fn describe(&self) -> String {
        let shape: Vec<String> = self.axes.iter().map(|axis| axis.points().len().to_string()).collect();
        let method = match self.method {
            Method::Linear => "linear",
            Method::Nearest => "nearest",
        };
        let outside = match self.outside {
            Outside::Value(value) => format!("outside {value}"),
            Outside::Extrapolate => "extrapolated".to_owned(),
        };
        format!("tabular {} {method}, {outside}", shape.join(" x "))
    }
}

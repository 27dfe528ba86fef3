//! Labels of regions, found from the position of a point.

use std::sync::Arc;

use asdf_core::{Error, Result};

use crate::function::{BLOCK, Dual2, Function};
use crate::number::Number;

/// The label of points outside of all regions.
pub(crate) const NO_LABEL: f64 = 0.0;

/// How much a value can differ from a label of [`Regions::Values`], relative to the value. NumPy's `isclose` has it.
const RELATIVE_TOLERANCE: f64 = 1e-5;

/// Where the regions are.
#[derive(Debug)]
pub(crate) enum Regions {
    /// A picture of labels; the inputs are column and row.
    Array(Picture),
    /// The label is what the function of the last matching value returns, from all inputs.
    Values { values: Vec<f64>, functions: Vec<Arc<dyn Function>>, tolerance: f64 },
    /// The label is what the function of the interval returns, from all inputs. The ends do not belong to an interval.
    Ranges { ranges: Vec<[f64; 2]>, functions: Vec<Arc<dyn Function>> },
    /// The label is the result of a function of the selected inputs.
    Function(Arc<dyn Function>),
}

/// A picture of labels.
#[derive(Debug)]
pub(crate) struct Picture {
    /// The labels by rows, as indices into `labels`.
    pixels: Vec<u32>,
    labels: Vec<f64>,
    columns: usize,
}

impl Picture {
    /// Makes a picture from labels by rows.
    ///
    /// # Errors
    /// If there are no labels, or not as many as the shape says.
    pub(crate) fn new(pixels: &[f64], [rows, columns]: [usize; 2]) -> Result<Self> {
        if pixels.is_empty() || rows.checked_mul(columns) != Some(pixels.len()) {
            let found = pixels.len();
            return Err(Error::mismatch(format!(
                "found {found} labels, expected an array of {rows} x {columns}"
            )));
        }
        // As in gwcs, labels are integers.
        let whole: Vec<f64> = pixels.iter().map(|label| label.trunc() + 0.0).collect();
        let mut labels = whole.clone();
        labels.sort_by(f64::total_cmp);
        labels.dedup_by(|a, b| a.total_cmp(b).is_eq());
        let index = |label: &f64| labels.binary_search_by(|known| known.total_cmp(label)).unwrap_or_default();
        let pixels = whole.iter().map(|label| u32::try_from(index(label)).unwrap_or_default()).collect();
        Ok(Self { pixels, labels, columns })
    }

    fn label(&self, column: f64, row: f64) -> f64 {
        let rows = self.pixels.len() / self.columns;
        let (Some(column), Some(row)) = (pixel(column, self.columns), pixel(row, rows)) else {
            return NO_LABEL;
        };
        let index =
            self.pixels.get(row * self.columns + column).and_then(|&index| usize::try_from(index).ok());
        index.and_then(|index| self.labels.get(index).copied()).unwrap_or(NO_LABEL)
    }
}

/// The index of the pixel with a position, whose centres are integers; `None` if it is not one of `length`.
#[expect(clippy::cast_precision_loss, reason = "arrays are smaller than 2^53")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the array")]
fn pixel(position: f64, length: usize) -> Option<usize> {
    let index = (position + 0.5).floor();
    (index >= 0.0 && index < length as f64).then_some(index as usize)
}

/// Finds the labels of points.
#[derive(Debug)]
pub(crate) struct LabelMapper {
    inputs: usize,
    /// The positions of the inputs that select the region.
    keys: Vec<usize>,
    regions: Regions,
}

impl LabelMapper {
    /// Makes a mapper. `keys` are the positions of the inputs that select the region.
    ///
    /// # Errors
    /// If the regions need another number of keys, if a function has other inputs than the mapper or not one output,
    /// or if ranges overlap.
    pub(crate) fn new(inputs: usize, keys: Vec<usize>, regions: Regions) -> Result<Self> {
        let (needed, functions): (usize, &[Arc<dyn Function>]) = match &regions {
            Regions::Array(_) => (2, &[]),
            Regions::Values { functions, values, .. } => {
                pairs(values.len(), functions.len())?;
                (1, functions)
            }
            Regions::Ranges { functions, ranges } => {
                pairs(ranges.len(), functions.len())?;
                check_ranges(ranges)?;
                (1, functions)
            }
            Regions::Function(function) => (function.inputs(), &[]),
        };
        if keys.len() != needed || keys.iter().any(|&key| key >= inputs) {
            let message =
                format!("found {} of {inputs} inputs that select the label, expected {needed}", keys.len());
            return Err(Error::mismatch(message)
                .with_hint("select inputs with a `remap_axes` as the property `inputs_mapping`".to_owned()));
        }
        let outputs = match &regions {
            Regions::Function(function) => function.outputs(),
            _ => 1,
        };
        if outputs != 1 {
            return Err(Error::mismatch(format!("the mapper has {outputs} outputs, expected one label")));
        }
        for (number, function) in functions.iter().enumerate() {
            let found = [function.inputs(), function.outputs()];
            if found != [inputs, 1] {
                let [found, outputs] = found;
                let message = format!(
                    "found {found} inputs and {outputs} outputs, expected {inputs} inputs and one label"
                );
                return Err(Error::mismatch(message).under(number).under("models").under("mapper"));
            }
        }
        Ok(Self { inputs, keys, regions })
    }

    /// Finds the labels of up to [`BLOCK`] points.
    fn block(&self, inputs: &[&[f64]], labels: &mut [f64]) {
        let key = |number: usize, point: usize| -> f64 {
            let input = self.keys.get(number).and_then(|&position| inputs.get(position));
            input.and_then(|values| values.get(point)).copied().unwrap_or(f64::NAN)
        };
        match &self.regions {
            Regions::Array(picture) => {
                for (point, label) in labels.iter_mut().enumerate() {
                    *label = picture.label(key(0, point), key(1, point));
                }
            }
            Regions::Values { values, functions, tolerance } => {
                labels.fill(NO_LABEL);
                for (value, function) in values.iter().zip(functions) {
                    apply(function.as_ref(), inputs, labels, |point| {
                        let key = key(0, point);
                        *value == key
                            || (value - key).abs() <= tolerance + RELATIVE_TOLERANCE * key.abs()
                                && key.is_finite()
                    });
                }
            }
            Regions::Ranges { ranges, functions } => {
                labels.fill(NO_LABEL);
                for ([low, high], function) in ranges.iter().zip(functions) {
                    apply(function.as_ref(), inputs, labels, |point| {
                        let key = key(0, point);
                        *low < key && key < *high
                    });
                }
            }
            Regions::Function(function) => {
                let selected: Vec<&[f64]> =
                    self.keys.iter().map(|&key| inputs.get(key).copied().unwrap_or_default()).collect();
                function.values(&selected, &mut [&mut *labels]);
            }
        }
    }
}

/// Computes the outputs of a function for the points that are selected.
fn apply(
    function: &dyn Function,
    inputs: &[&[f64]],
    labels: &mut [f64],
    is_selected: impl Fn(usize) -> bool,
) {
    let points: Vec<usize> = (0..labels.len()).filter(|&point| is_selected(point)).collect();
    if points.is_empty() {
        return;
    }
    let gathered: Vec<Vec<f64>> = inputs
        .iter()
        .map(|values| points.iter().map(|&point| values.get(point).copied().unwrap_or(f64::NAN)).collect())
        .collect();
    let slices: Vec<&[f64]> = gathered.iter().map(Vec::as_slice).collect();
    let mut results = vec![NO_LABEL; points.len()];
    function.values(&slices, &mut [&mut results]);
    for (&point, result) in points.iter().zip(results) {
        if let Some(label) = labels.get_mut(point) {
            *label = result;
        }
    }
}

fn pairs(labels: usize, functions: usize) -> Result<()> {
    if labels == functions && labels > 0 {
        return Ok(());
    }
    Err(Error::mismatch(format!(
        "found {labels} labels and {functions} models, expected one model for each label"
    ))
    .under("mapper"))
}

fn check_ranges(ranges: &[[f64; 2]]) -> Result<()> {
    let fault = |message: String| Err(Error::mismatch(message).under("labels").under("mapper"));
    let mut sorted = ranges.to_vec();
    sorted.sort_by(|[a, _], [b, _]| a.total_cmp(b));
    if let Some([low, high]) = sorted.iter().find(|[low, high]| low > high || low.is_nan() || high.is_nan()) {
        return fault(format!("found the range [{low}, {high}], expected the lower limit first"));
    }
    for pair in sorted.windows(2) {
        if let [[low, high], [next, end]] = pair {
            if high > next {
                return fault(format!("the ranges [{low}, {high}] and [{next}, {end}] overlap"));
            }
        }
    }
    Ok(())
}

impl Function for LabelMapper {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        1
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        if let [labels] = outputs {
            self.block(inputs, labels);
        }
    }

    /// Labels are steps, so their derivatives are 0.
    fn duals(&self, inputs: &[&[Dual2]], outputs: &mut [&mut [Dual2]]) {
        if let [labels] = outputs {
            let values: Vec<Vec<f64>> =
                inputs.iter().map(|values| values.iter().map(|number| number.value()).collect()).collect();
            let slices: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            let mut plain = vec![NO_LABEL; labels.len()];
            self.block(&slices, &mut plain);
            for (slot, label) in labels.iter_mut().zip(plain) {
                *slot = Dual2::constant(label);
            }
        }
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        match &self.regions {
            Regions::Array(picture) => {
                let rows = picture.pixels.len() / picture.columns.max(1);
                format!("label of {rows} x {} pixels", picture.columns)
            }
            Regions::Values { values, .. } => format!("label of {} values", values.len()),
            Regions::Ranges { ranges, .. } => format!("label of {} ranges", ranges.len()),
            Regions::Function(function) => format!("label by {}", function.describe()),
        }
    }
}

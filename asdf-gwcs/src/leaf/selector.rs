//! A transform for each of several regions.

use std::sync::Arc;

use asdf_core::{Error, Result};

use super::label::NO_LABEL;
use crate::function::Function;
use crate::number::Dual;
use crate::program::{Lane, Program};

/// A compiled transform as a function of another transform.
#[derive(Debug)]
pub(crate) struct Part(pub(crate) Program);

impl Function for Part {
    fn inputs(&self) -> usize {
        self.0.inputs()
    }

    fn outputs(&self) -> usize {
        self.0.outputs()
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.0.run_share(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        self.0.run_share(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        "a transform".to_owned()
    }
}

/// Finds the region of each point and computes the transform of that region.
#[derive(Debug)]
pub(crate) struct Selector {
    /// A function with one output, the label.
    mapper: Arc<dyn Function>,
    /// The labels in ascending order, with their transforms.
    parts: Vec<(f64, Arc<dyn Function>)>,
    /// The value of all outputs of points without a transform.
    undefined: f64,
    outputs: usize,
    inverse: Option<Arc<Selector>>,
}

impl Selector {
    /// Makes a selector from the function that finds labels and the transform of each label.
    ///
    /// # Errors
    /// If there are no transforms, if a label is 0, NaN or repeated, or if numbers of inputs or outputs do not fit.
    pub(crate) fn new(
        mapper: Arc<dyn Function>,
        mut parts: Vec<(f64, Arc<dyn Function>)>,
        outputs: usize,
        undefined: f64,
    ) -> Result<Self> {
        let inputs = mapper.inputs();
        if mapper.outputs() != 1 {
            let message = format!("the transform has {} outputs, expected one label", mapper.outputs());
            return Err(Error::mismatch(message).under("label_mapper"));
        }
        for (number, (label, part)) in parts.iter().enumerate() {
            if *label == NO_LABEL || label.is_nan() {
                let message = format!("found the label {label}, which is for points without a region");
                return Err(Error::mismatch(message).under(number).under("labels").under("selector"));
            }
            if (part.inputs(), part.outputs()) != (inputs, outputs) {
                let message = format!(
                    "found {} inputs and {} outputs, expected {inputs} inputs and {outputs} outputs",
                    part.inputs(),
                    part.outputs()
                );
                return Err(Error::mismatch(message).under(number).under("transforms").under("selector"));
            }
        }
        parts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        for pair in parts.windows(2) {
            if let [(label, _), (next, _)] = pair {
                if label == next {
                    let message = format!("found the label {label} twice, expected different labels");
                    return Err(Error::mismatch(message).under("labels").under("selector"));
                }
            }
        }
        Ok(Self { mapper, parts, undefined, outputs, inverse: None })
    }

    /// Adds the inverse.
    pub(crate) fn with_inverse(mut self, inverse: Option<Self>) -> Self {
        self.inverse = inverse.map(Arc::new);
        self
    }

    fn run<N: Lane>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let length = outputs.first().map_or(0, |output| output.len());
        let mut labels = vec![N::constant(NO_LABEL); length];
        N::call(self.mapper.as_ref(), inputs, &mut [&mut labels]);
        for output in outputs.iter_mut() {
            output.fill(N::constant(self.undefined));
        }
        // The points of each transform.
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        for (point, label) in labels.iter().enumerate() {
            let label = label.value();
            // Adding 0 makes -0 equal to 0 in the order of `total_cmp`.
            if let Ok(part) =
                self.parts.binary_search_by(|(known, _)| (known + 0.0).total_cmp(&(label + 0.0)))
            {
                if let Some(group) = groups.get_mut(part) {
                    group.push(point);
                }
            }
        }
        for (group, (_, part)) in groups.iter().zip(&self.parts) {
            if !group.is_empty() {
                run_group(part.as_ref(), group, inputs, outputs);
            }
        }
    }
}

/// Computes some of the points of a block.
fn run_group<N: Lane>(part: &dyn Function, points: &[usize], inputs: &[&[N]], outputs: &mut [&mut [N]]) {
    let gathered: Vec<Vec<N>> = inputs
        .iter()
        .map(|values| points.iter().map(|&point| values.get(point).copied().unwrap_or_default()).collect())
        .collect();
    let slices: Vec<&[N]> = gathered.iter().map(Vec::as_slice).collect();
    let mut results = vec![vec![N::default(); points.len()]; outputs.len()];
    let mut targets: Vec<&mut [N]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    N::call(part, &slices, &mut targets);
    for (output, result) in outputs.iter_mut().zip(results) {
        for (&point, value) in points.iter().zip(result) {
            if let Some(slot) = output.get_mut(point) {
                *slot = value;
            }
        }
    }
}

impl Function for Selector {
    fn inputs(&self) -> usize {
        self.mapper.inputs()
    }

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        self.run(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        self.inverse.clone().map(|inverse| inverse as Arc<dyn Function>)
    }

    fn describe(&self) -> String {
        format!("selector of {} transforms, {}", self.parts.len(), self.mapper.describe())
    }
}

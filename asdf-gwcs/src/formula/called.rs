//! A formula of others as a function of a program.

use std::sync::Arc;

use super::Formula;
use crate::function::Function;
use crate::number::{Dual, Number};

/// A formula, with the tag that it was read from.
#[derive(Debug)]
pub(crate) struct Called {
    formula: Arc<dyn Formula>,
    tag: String,
    is_inverse: bool,
}

impl Called {
    pub(crate) fn new(formula: Arc<dyn Formula>, tag: &str) -> Self {
        Self { formula, tag: tag.to_owned(), is_inverse: false }
    }
}

impl Function for Called {
    fn inputs(&self) -> usize {
        self.formula.inputs()
    }

    fn outputs(&self) -> usize {
        self.formula.outputs()
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        outputs.iter_mut().for_each(|output| output.fill(f64::NAN));
        self.formula.values(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual]], outputs: &mut [&mut [Dual]]) {
        let length = outputs.first().map_or(0, |output| output.len());
        let plain: Vec<Vec<f64>> =
            inputs.iter().map(|input| input.iter().map(|number| number.value()).collect()).collect();
        let plain: Vec<&[f64]> = plain.iter().map(Vec::as_slice).collect();
        let columns = |count: usize| vec![vec![f64::NAN; length]; count];
        let mut values = columns(outputs.len());
        self.formula.values(&plain, &mut slices(&mut values));
        let mut derivatives = columns(outputs.len() * inputs.len());
        self.formula.derivatives(&plain, &mut slices(&mut derivatives));
        for ((output, values), by_input) in
            outputs.iter_mut().zip(&values).zip(derivatives.chunks(inputs.len().max(1)))
        {
            for (point, (slot, value)) in output.iter_mut().zip(values).enumerate() {
                let terms = inputs
                    .iter()
                    .zip(by_input)
                    .filter_map(|(input, factors)| Some(*input.get(point)? * *factors.get(point)?));
                *slot = terms.fold(Dual::constant(0.0), |sum, term| sum + term).with_value(*value);
            }
        }
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        let formula = self.formula.inverse()?;
        Some(Arc::new(Self { formula, tag: self.tag.clone(), is_inverse: !self.is_inverse }))
    }

    fn describe(&self) -> String {
        if self.is_inverse { format!("inverse of {}", self.tag) } else { self.tag.clone() }
    }
}

fn slices(columns: &mut [Vec<f64>]) -> Vec<&mut [f64]> {
    columns.iter_mut().map(Vec::as_mut_slice).collect()
}

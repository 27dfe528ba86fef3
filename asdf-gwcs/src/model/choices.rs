//! Transforms that are chosen by a value, such as the number of a slit or of a spectral order.

use std::sync::Arc;

use super::Model;

/// Several transforms with the same numbers of inputs and outputs.
#[derive(Debug, Clone)]
pub(crate) struct Choices {
    /// The transforms. The first one whose value fits is used.
    pub(crate) cases: Vec<Case>,
    /// Whether the fraction of the value that chooses is dropped first.
    pub(crate) truncate: bool,
    /// The number of inputs of each transform.
    pub(crate) inputs: usize,
    /// The number of outputs of each transform.
    pub(crate) outputs: usize,
}

/// A transform and the value that chooses it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) key: f64,
    pub(crate) model: Arc<Model>,
}

impl Choices {
    /// Finds the transform for a value.
    pub(crate) fn find(&self, key: f64) -> Option<&Case> {
        let key = if self.truncate { key.trunc() } else { key };
        self.cases.iter().find(|case| case.key == key)
    }

    /// The choice among the inverses, if each transform has one.
    pub(crate) fn inverse(&self) -> Option<Self> {
        let invert = |case: &Case| Some(Case { key: case.key, model: case.model.inverse()? });
        let cases: Option<Vec<Case>> = self.cases.iter().map(invert).collect();
        let cases = cases?;
        let (inputs, outputs) = (self.outputs, self.inputs);
        let fits = |case: &Case| (case.model.kind.inputs(), case.model.kind.outputs()) == (inputs, outputs);
        cases.iter().all(fits).then_some(Self { cases, truncate: self.truncate, inputs, outputs })
    }
}

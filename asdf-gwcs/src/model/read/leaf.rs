//! What the reader of one kind of transform returns.

use std::sync::Arc;

use crate::bounds::Bounds;
use crate::function::Function;
use crate::model::{Kind, Units};

/// A transform without the properties that all kinds share, such as an inverse.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) kind: Kind,
    /// The names of the inputs, unless the file gives others.
    pub(crate) inputs: Vec<String>,
    /// The names of the outputs, unless the file gives others.
    pub(crate) outputs: Vec<String>,
    pub(crate) units: Units,
    /// Whether a parameter is a quantity, although `units` does not say so.
    pub(crate) quantity: bool,
    /// The bounding box, unless the file gives another.
    pub(crate) bounds: Option<Bounds>,
    /// The path to show in errors, if it is not the path of the node.
    pub(crate) path: Option<String>,
}

impl Leaf {
    /// Makes a transform whose inputs and outputs have the default names.
    pub(crate) fn new(kind: Kind) -> Self {
        let (inputs, outputs) = (kind.inputs(), kind.outputs());
        Self::with_names(kind, (input_names(inputs), output_names(inputs, outputs)))
    }

    /// Makes a transform whose inputs and outputs have these names.
    pub(crate) fn with_names(kind: Kind, (inputs, outputs): (Vec<String>, Vec<String>)) -> Self {
        Self { kind, inputs, outputs, units: Units::default(), quantity: false, bounds: None, path: None }
    }

    /// Makes a transform from a function.
    pub(crate) fn function(function: Arc<dyn Function>) -> Self {
        Self::new(Kind::Function(function))
    }

    /// Replaces the names of inputs and outputs, which must be as many as before.
    pub(crate) fn named(mut self, inputs: &[&str], outputs: &[&str]) -> Self {
        self.inputs = inputs.iter().map(|&name| name.to_owned()).collect();
        self.outputs = outputs.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// Replaces the units.
    pub(crate) fn with_units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }
}

/// Names inputs as astropy does: `x` for one, `x` and `y` for two, numbered if there are more.
fn input_names(count: usize) -> Vec<String> {
    match count {
        1 => vec!["x".to_owned()],
        2 => vec!["x".to_owned(), "y".to_owned()],
        _ => numbered(count),
    }
}

/// Names outputs as astropy does: one output has the letter after those of the inputs, several are named like inputs.
fn output_names(inputs: usize, count: usize) -> Vec<String> {
    match (inputs, count) {
        (1, 1) => vec!["y".to_owned()],
        (_, 1) => vec!["z".to_owned()],
        _ => input_names(count),
    }
}

/// Returns the names `x0`, `x1` and so on.
pub(crate) fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("x{number}")).collect()
}

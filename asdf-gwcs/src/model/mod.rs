//! The tree of transforms of a file, read and checked.

pub(crate) mod inverse;
pub(crate) mod read;

use std::sync::Arc;

use asdf_units::Unit;

use crate::bounds::Bounds;
use crate::function::Function;

/// A transform with its parts, its names and its units.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) kind: Kind,
    /// The names of the inputs. Bounding boxes and fixed inputs refer to them.
    pub(crate) inputs: Vec<String>,
    /// The names of the outputs.
    pub(crate) outputs: Vec<String>,
    /// The inverse that the file gives for this transform. It takes precedence over a formula.
    pub(crate) inverse: Option<Arc<Model>>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) units: Units,
    /// The path of the node, for errors.
    pub(crate) path: String,
}

/// The units that a transform expects and gives. A transform without quantities among its parameters has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    /// For each input the unit that its values are converted to, if they have one. An empty list converts nothing.
    pub(crate) inputs: Vec<Option<Unit>>,
    /// For each output its unit. An empty list gives each output the unit of the input at the same position, or none.
    pub(crate) outputs: Vec<OutputUnit>,
    /// For each input a scale by which its values can also be converted. An empty list has none.
    pub(crate) scales: Vec<Option<PixelScale>>,
    /// Whether a parameter of this transform is a quantity with a unit.
    pub(crate) quantity: bool,
}

/// The size of a pixel: a number and a unit such as `arcsec/pixel`, or pixels in one unit of another kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PixelScale {
    pub(crate) value: f64,
    pub(crate) unit: Unit,
}

/// The unit of an output.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OutputUnit {
    /// A number without a unit.
    None,
    /// This unit, if the inputs have units, and none otherwise.
    Of(Unit),
    /// The unit of an input.
    SameAs(usize),
    /// The unit of an input, times this unit.
    Times(usize, Unit),
}

/// What a transform does.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// The second transform of the results of the first.
    Compose(Arc<Model>, Arc<Model>),
    /// Two transforms side by side, each with its own inputs.
    Concatenate(Arc<Model>, Arc<Model>),
    /// Two transforms of the same inputs, whose outputs are combined one by one.
    Arithmetic(Arithmetic, Arc<Model>, Arc<Model>),
    /// A transform some of whose inputs, by position, have fixed values.
    FixInputs(Arc<Model>, Vec<(usize, f64)>),
    /// The outputs are these inputs, of `inputs` in all.
    Remap { mapping: Vec<usize>, inputs: usize },
    /// As many outputs as inputs, unchanged.
    Identity(usize),
    /// Values that do not depend on the inputs, of which there are this many.
    Constant(Vec<f64>, usize),
    /// `factor * x + offset`, for one input.
    Linear { factor: f64, offset: f64 },
    /// A square matrix by rows, then a translation.
    Affine { matrix: Vec<f64>, translation: Vec<f64> },
    /// Longitude and latitude in degrees to a unit vector. `positive` is for the inverse.
    SphericalToCartesian { positive: bool },
    /// A vector to longitude and latitude in degrees. The longitude is from 0 to 360 if `positive`, and else from -180
    /// to 180.
    CartesianToSpherical { positive: bool },
    /// A polynomial in one variable, from the lowest power. The input is mapped first by `factor * x + offset`.
    Polynomial1 { coefficients: Vec<f64>, map: [f64; 2] },
    /// A polynomial in two variables: `coefficients[i * (degree + 1) + j]` belongs to `x^i y^j`, with `i + j <= degree`.
    Polynomial2 { degree: usize, coefficients: Vec<f64>, maps: [[f64; 2]; 2] },
    /// Any other function.
    Function(Arc<dyn Function>),
    /// A transform without a formula. Using it is an error.
    Unknown { tag: String, inputs: usize, outputs: usize },
}

/// How the outputs of two transforms are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

impl Model {
    /// A transform with names made from the numbers of its inputs and outputs.
    pub(crate) fn unnamed(kind: Kind, path: &str) -> Self {
        let names = |prefix: &str, count: usize| (0..count).map(|index| format!("{prefix}{index}")).collect();
        let inputs = names("x", kind.inputs());
        let outputs = names("y", kind.outputs());
        Self {
            kind,
            inputs,
            outputs,
            inverse: None,
            bounds: None,
            units: Units::default(),
            path: path.to_owned(),
        }
    }

    /// Whether a parameter of this transform or of a part of it is a quantity.
    pub(crate) fn has_quantities(&self) -> bool {
        self.units.quantity || self.kind.parts().into_iter().any(|part| part.has_quantities())
    }
}

impl Kind {
    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        match self {
            Self::Compose(first, _) | Self::Arithmetic(_, first, _) => first.kind.inputs(),
            Self::Concatenate(left, right) => left.kind.inputs() + right.kind.inputs(),
            Self::FixInputs(model, fixed) => model.kind.inputs().saturating_sub(fixed.len()),
            Self::Remap { inputs, .. } | Self::Unknown { inputs, .. } | Self::Identity(inputs) => *inputs,
            Self::Constant(_, inputs) => *inputs,
            Self::Linear { .. } | Self::Polynomial1 { .. } => 1,
            Self::Affine { translation, .. } => translation.len(),
            Self::SphericalToCartesian { .. } | Self::Polynomial2 { .. } => 2,
            Self::CartesianToSpherical { .. } => 3,
            Self::Function(function) => function.inputs(),
        }
    }

    /// The number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        match self {
            Self::Compose(_, second) => second.kind.outputs(),
            Self::Concatenate(left, right) => left.kind.outputs() + right.kind.outputs(),
            Self::Arithmetic(_, left, _) => left.kind.outputs(),
            Self::FixInputs(model, _) => model.kind.outputs(),
            Self::Remap { mapping, .. } => mapping.len(),
            Self::Unknown { outputs, .. } | Self::Identity(outputs) => *outputs,
            Self::Constant(values, _) => values.len(),
            Self::Linear { .. } | Self::Polynomial1 { .. } | Self::Polynomial2 { .. } => 1,
            Self::Affine { translation, .. } => translation.len(),
            Self::SphericalToCartesian { .. } => 3,
            Self::CartesianToSpherical { .. } => 2,
            Self::Function(function) => function.outputs(),
        }
    }

    /// The transforms that this one is made of.
    pub(crate) fn parts(&self) -> Vec<&Arc<Model>> {
        match self {
            Self::Compose(left, right)
            | Self::Concatenate(left, right)
            | Self::Arithmetic(_, left, right) => {
                vec![left, right]
            }
            Self::FixInputs(model, _) => vec![model],
            _ => Vec::new(),
        }
    }
}

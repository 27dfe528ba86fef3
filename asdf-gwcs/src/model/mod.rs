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
    /// Whether a parameter of this transform is a quantity with a unit.
    pub(crate) quantity: bool,
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
    /// Longitude and latitude in degrees to a unit vector.
    SphericalToCartesian,
    /// A vector to longitude and latitude in degrees. The longitude is from 0 to 360, or else from -180 to 180.
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

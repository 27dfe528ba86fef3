//! One operation of a program.

use std::sync::Arc;

use crate::function::Function;

/// What an instruction computes from its operands.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    /// The same number for each point.
    Fill(f64),
    /// The sum of the operands, each times its coefficient, plus the offset.
    Combine { coefficients: Vec<f64>, offset: f64 },
    /// The product of two operands.
    Multiply,
    /// The quotient of two operands.
    Divide,
    /// The first operand to the power of the second.
    Power,
    /// Longitude and latitude in degrees to a unit vector.
    ToVector,
    /// A vector to longitude and latitude in degrees.
    ToAngles { positive: bool },
    /// A vector divided by its length.
    Normalize,
    /// A polynomial in one operand, from the lowest power.
    Polynomial1(Vec<f64>),
    /// A polynomial in two operands: the coefficient of `x^i y^j` is at `i * (degree + 1) + j`.
    Polynomial2 { degree: usize, coefficients: Vec<f64> },
    /// Any other function.
    Call(Arc<dyn Function>),
}

impl Operation {
    /// The number of results.
    pub(crate) fn outputs(&self) -> usize {
        match self {
            Self::ToVector | Self::Normalize => 3,
            Self::ToAngles { .. } => 2,
            Self::Call(function) => function.outputs(),
            _ => 1,
        }
    }
}

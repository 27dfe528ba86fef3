//! A transform as a flat list of instructions over registers, each of which holds one number for each point of a block.

mod builder;
mod compile;
mod describe;
mod kernel;
mod operation;
mod outside;
mod residual;
mod run;

pub(crate) use kernel::Lane;
pub(crate) use residual::{Residual, Tangent};
pub(crate) use run::{Scratch, in_shares};

use crate::bounds::Bounds;
use operation::Operation;

/// A compiled transform.
#[derive(Debug)]
pub(crate) struct Program {
    inputs: usize,
    instructions: Vec<Instruction>,
    outputs: Vec<Operand>,
    registers: usize,
    /// Points outside give NaN.
    bounds: Option<Bounds>,
}

/// An operation with the places of its operands and results.
#[derive(Debug)]
struct Instruction {
    operation: Operation,
    inputs: Vec<Operand>,
    /// Registers; none of them is among the inputs.
    outputs: Vec<usize>,
}

/// Where an instruction finds a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Input(usize),
    Register(usize),
}

impl Program {
    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }
}

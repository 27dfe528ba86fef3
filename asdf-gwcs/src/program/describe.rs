//! Prints a program, one instruction on a line.

use std::fmt::{self, Display};

use super::operation::Operation;
use super::{Operand, Program};

impl Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(index) => write!(f, "x{index}"),
            Self::Register(index) => write!(f, "r{index}"),
        }
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for instruction in &self.instructions {
            let outputs: Vec<String> =
                instruction.outputs.iter().map(|output| format!("r{output}")).collect();
            write!(f, "{} = ", outputs.join(", "))?;
            write_operation(f, &instruction.operation, &instruction.inputs)?;
            writeln!(f)?;
        }
        let outputs: Vec<String> = self.outputs.iter().map(Operand::to_string).collect();
        writeln!(f, "return {}", outputs.join(", "))
    }
}

fn write_operation(f: &mut fmt::Formatter<'_>, operation: &Operation, operands: &[Operand]) -> fmt::Result {
    let names: Vec<String> = operands.iter().map(Operand::to_string).collect();
    let list = names.join(", ");
    match operation {
        Operation::Fill(value) => write!(f, "{value}"),
        Operation::Combine { coefficients, offset } => {
            for (index, (coefficient, name)) in coefficients.iter().zip(&names).enumerate() {
                let separator = if index == 0 { "" } else { " + " };
                write!(f, "{separator}{coefficient} * {name}")?;
            }
            if *offset != 0.0 {
                write!(f, " + {offset}")?;
            }
            Ok(())
        }
        Operation::Multiply => write!(f, "{}", names.join(" * ")),
        Operation::Divide => write!(f, "{}", names.join(" / ")),
        Operation::Power => write!(f, "{}", names.join(" ^ ")),
        Operation::ToVector => write!(f, "vector of angles {list}"),
        Operation::ToAngles { positive: true } => {
            write!(f, "angles of vector {list}, longitude from 0 to 360")
        }
        Operation::ToAngles { positive: false } => {
            write!(f, "angles of vector {list}, longitude from -180 to 180")
        }
        Operation::Normalize => write!(f, "unit vector of {list}"),
        Operation::Polynomial1(coefficients) => {
            write!(f, "polynomial of degree {} in {list}", coefficients.len().saturating_sub(1))
        }
        Operation::Polynomial2 { degree, .. } => write!(f, "polynomial of degree {degree} in {list}"),
        Operation::Call(function) => write!(f, "{} of {list}", function.describe()),
    }
}

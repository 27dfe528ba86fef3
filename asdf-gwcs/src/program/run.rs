//! Runs a program.

use asdf_core::error::{Error, Result};
use asdf_core::threads::Threads;

use super::kernel::{self, Lane};
use super::operation::Operation;
use super::{Operand, Program};
use crate::function::BLOCK;

/// Calls with fewer points than this use one thread: starting another takes longer than computing them.
const POINTS_PER_THREAD: usize = 1 << 14;

/// The registers of a running program.
#[derive(Debug)]
pub(crate) struct Scratch<N> {
    registers: Vec<Vec<N>>,
    marks: Vec<f64>,
}

impl<N: Lane> Scratch<N> {
    /// Allocates the registers of a program.
    pub(crate) fn new(program: &Program) -> Self {
        Self { registers: vec![vec![N::constant(0.0); BLOCK]; program.registers], marks: vec![0.0; BLOCK] }
    }
}

impl Program {
    /// Computes any number of points.
    ///
    /// # Errors
    ///
    /// Fails if the number of columns is not that of the inputs or outputs, or if their lengths differ.
    pub(crate) fn run(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]], threads: Threads) -> Result<()> {
        let length = outputs
            .first()
            .map_or_else(|| inputs.first().map_or(0, |input| input.len()), |output| output.len());
        self.check(inputs, outputs, length)?;
        in_shares(inputs, outputs, threads, |inputs, outputs| self.run_share(inputs, outputs));
        Ok(())
    }

    fn check(&self, inputs: &[&[f64]], outputs: &[&mut [f64]], length: usize) -> Result<()> {
        if inputs.len() != self.inputs() {
            return Err(Error::usage(format!(
                "the transform has {} inputs, not {}",
                self.inputs(),
                inputs.len()
            )));
        }
        if outputs.len() != self.outputs() {
            return Err(Error::usage(format!(
                "the transform has {} outputs, not {}",
                self.outputs(),
                outputs.len()
            )));
        }
        let lengths = inputs.iter().map(|input| input.len()).chain(outputs.iter().map(|output| output.len()));
        for other in lengths {
            if other != length {
                return Err(Error::usage(format!("expected {length} numbers in each column, found {other}")));
            }
        }
        Ok(())
    }

    /// Computes points on this thread.
    pub(crate) fn run_share<N: Lane>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let mut scratch = Scratch::new(self);
        let length = outputs.first().map_or(0, |output| output.len());
        let mut start = 0;
        while start < length {
            let end = (start + BLOCK).min(length);
            let block: Vec<&[N]> =
                inputs.iter().map(|input| input.get(start..end).unwrap_or_default()).collect();
            let mut results: Vec<&mut [N]> =
                outputs.iter_mut().map(|output| output.get_mut(start..end).unwrap_or_default()).collect();
            self.run_block(&mut scratch, &block, &mut results);
            start = end;
        }
    }

    /// Computes up to [`BLOCK`] points. All slices have the same length.
    pub(crate) fn run_block<N: Lane>(
        &self,
        scratch: &mut Scratch<N>,
        inputs: &[&[N]],
        outputs: &mut [&mut [N]],
    ) {
        let length = outputs.first().map_or(0, |output| output.len());
        let mut taken: Vec<Vec<N>> = Vec::with_capacity(4);
        for instruction in &self.instructions {
            taken.clear();
            for register in &instruction.outputs {
                taken.push(scratch.registers.get_mut(*register).map(std::mem::take).unwrap_or_default());
            }
            let operand = |operand: &Operand| -> &[N] {
                match operand {
                    Operand::Input(index) => inputs.get(*index).copied().unwrap_or_default(),
                    Operand::Register(index) => scratch
                        .registers
                        .get(*index)
                        .and_then(|values| values.get(..length))
                        .unwrap_or_default(),
                }
            };
            apply(&instruction.operation, &instruction.inputs, operand, &mut taken, length);
            for (register, values) in instruction.outputs.iter().zip(taken.drain(..)) {
                if let Some(slot) = scratch.registers.get_mut(*register) {
                    *slot = values;
                }
            }
        }
        for (output, operand) in outputs.iter_mut().zip(&self.outputs) {
            let values = match operand {
                Operand::Input(index) => inputs.get(*index).copied().unwrap_or_default(),
                Operand::Register(index) => {
                    scratch.registers.get(*index).and_then(|values| values.get(..length)).unwrap_or_default()
                }
            };
            output.copy_from_slice(values);
        }
        if let Some(bounds) = self.bounds.as_ref().filter(|bounds| !bounds.contains_all(inputs)) {
            bounds.mark_outside(inputs, &mut scratch.marks);
            for output in outputs {
                kernel::mask(&scratch.marks, output);
            }
        }
    }
}

/// Splits columns of points among threads. The points of each share follow each other.
pub(crate) fn in_shares(
    inputs: &[&[f64]],
    outputs: &mut [&mut [f64]],
    threads: Threads,
    compute: impl Fn(&[&[f64]], &mut [&mut [f64]]) + Sync,
) {
    let length = outputs.first().map_or(0, |output| output.len());
    let shares = threads.count().min(length.div_ceil(POINTS_PER_THREAD)).max(1);
    if shares == 1 {
        return compute(inputs, outputs);
    }
    let share = length.div_ceil(shares);
    let mut parts = Vec::with_capacity(shares);
    let mut rest: Vec<&mut [f64]> = outputs.iter_mut().map(|output| &mut **output).collect();
    let mut start = 0;
    while start < length {
        let size = share.min(length - start);
        let part: Vec<&[f64]> =
            inputs.iter().map(|input| input.get(start..start + size).unwrap_or_default()).collect();
        let (mut heads, mut tails) = (Vec::with_capacity(rest.len()), Vec::with_capacity(rest.len()));
        for output in rest {
            let (head, tail) = output.split_at_mut(size);
            heads.push(head);
            tails.push(tail);
        }
        rest = tails;
        parts.push((part, heads));
        start += size;
    }
    std::thread::scope(|scope| {
        let compute = &compute;
        for (inputs, mut outputs) in parts {
            scope.spawn(move || compute(&inputs, &mut outputs));
        }
    });
}

/// Computes one operation of a block. `results` has one vector of [`BLOCK`] numbers for each result.
fn apply<'a, N: Lane>(
    operation: &Operation,
    operands: &[Operand],
    operand: impl Fn(&Operand) -> &'a [N],
    results: &mut [Vec<N>],
    length: usize,
) {
    let input = |index: usize| operands.get(index).map(&operand).unwrap_or_default();
    match (operation, &mut *results) {
        (Operation::Fill(value), [out]) => out.fill(N::constant(*value)),
        (Operation::Combine { coefficients, offset }, [out]) => match coefficients.as_slice() {
            [a] => kernel::combine1(input(0), *a, *offset, out),
            [a, b] => kernel::combine2([input(0), input(1)], [*a, *b], *offset, out),
            [a, b, c] => kernel::combine3([input(0), input(1), input(2)], [*a, *b, *c], *offset, out),
            _ => {
                out.fill(N::constant(*offset));
                for (index, coefficient) in coefficients.iter().enumerate() {
                    kernel::accumulate(input(index), *coefficient, out);
                }
            }
        },
        (Operation::Multiply, [out]) => kernel::multiply(input(0), input(1), out),
        (Operation::Divide, [out]) => kernel::divide(input(0), input(1), out),
        (Operation::Power, [out]) => kernel::power(input(0), input(1), out),
        (Operation::ToVector, [x, y, z]) => kernel::to_vector(input(0), input(1), [x, y, z]),
        (Operation::ToAngles { positive }, [longitude, latitude]) => {
            kernel::to_angles([input(0), input(1), input(2)], *positive, [longitude, latitude]);
        }
        (Operation::Normalize, [x, y, z]) => kernel::normalize([input(0), input(1), input(2)], [x, y, z]),
        (Operation::Polynomial1(coefficients), [out]) => kernel::polynomial1(input(0), coefficients, out),
        (Operation::Polynomial2 { degree, coefficients }, [out]) => {
            kernel::polynomial2(input(0), input(1), *degree, coefficients, out);
        }
        (Operation::Call(function), _) => {
            let inputs: Vec<&[N]> = operands.iter().map(&operand).collect();
            let mut outputs: Vec<&mut [N]> =
                results.iter_mut().map(|result| result.get_mut(..length).unwrap_or_default()).collect();
            N::call(function.as_ref(), &inputs, &mut outputs);
        }
        _ => {}
    }
}

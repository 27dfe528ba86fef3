//! A function that computes each point by the program for its value.

use std::collections::HashMap;
use std::sync::Arc;

use asdf_core::error::Result;

use super::{Lane, Program};
use crate::function::Function;
use crate::model::Choices;
use crate::number::Dual;

/// Programs that are chosen by the first input. A value without a program gives NaN.
#[derive(Debug)]
pub(crate) struct Choice {
    programs: Vec<Program>,
    /// The index of the program for the bits of a value. There is no negative zero.
    indices: HashMap<u64, usize>,
    truncate: bool,
    inputs: usize,
    outputs: usize,
}

impl Choice {
    /// Compiles the transforms.
    ///
    /// # Errors
    /// Fails if one of them fails to compile.
    pub(crate) fn compile(choices: &Choices) -> Result<Self> {
        let mut programs = Vec::with_capacity(choices.cases.len());
        let mut indices = HashMap::with_capacity(choices.cases.len());
        for (index, case) in choices.cases.iter().enumerate() {
            programs.push(Program::compile(&[Arc::clone(&case.model)], &[], &[], None)?);
            indices.entry(bits(case.key)).or_insert(index);
        }
        let (inputs, outputs) = (choices.inputs + 1, choices.outputs);
        Ok(Self { programs, indices, truncate: choices.truncate, inputs, outputs })
    }

    fn program_of(&self, key: f64) -> Option<usize> {
        let key = if self.truncate { key.trunc() } else { key };
        self.indices.get(&bits(key)).copied()
    }

    fn run<N: Lane>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let Some((keys, inputs)) = inputs.split_first() else { return };
        let mut rest: Vec<(usize, Option<usize>)> =
            keys.iter().map(|key| self.program_of(key.value())).enumerate().collect();
        while let Some((_, program)) = rest.first().copied() {
            let (same, others) = rest.into_iter().partition(|(_, other)| *other == program);
            rest = others;
            let same: Vec<(usize, Option<usize>)> = same;
            let points: Vec<usize> = same.into_iter().map(|(point, _)| point).collect();
            match program.and_then(|index| self.programs.get(index)) {
                // All points of most blocks belong to one slit or order.
                Some(program) if points.len() == keys.len() => program.run_share(inputs, outputs),
                program => run_points(program, &points, inputs, outputs),
            }
        }
    }
}

/// Computes some of the points. Without a program they are NaN.
fn run_points<N: Lane>(
    program: Option<&Program>,
    points: &[usize],
    inputs: &[&[N]],
    outputs: &mut [&mut [N]],
) {
    let mut results = vec![vec![N::constant(f64::NAN); points.len()]; outputs.len()];
    if let Some(program) = program {
        let pick = |column: &&[N]| -> Vec<N> {
            points.iter().map(|point| column.get(*point).copied().unwrap_or_default()).collect()
        };
        let columns: Vec<Vec<N>> = inputs.iter().map(pick).collect();
        let columns: Vec<&[N]> = columns.iter().map(Vec::as_slice).collect();
        let mut targets: Vec<&mut [N]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        program.run_share(&columns, &mut targets);
    }
    for (output, result) in outputs.iter_mut().zip(results) {
        for (point, value) in points.iter().zip(result) {
            if let Some(slot) = output.get_mut(*point) {
                *slot = value;
            }
        }
    }
}

fn bits(key: f64) -> u64 {
    // Adding 0 makes a negative zero positive.
    (key + 0.0).to_bits()
}

impl Function for Choice {
    fn inputs(&self) -> usize {
        self.inputs
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
        None
    }

    fn describe(&self) -> String {
        format!("choice of {} programs", self.programs.len())
    }
}

//! Builds a program: numbers the results, folds constants and merges operations.

use std::collections::HashMap;

use asdf_core::error::{Error, Result};

use super::operation::Operation;
use super::run::Scratch;
use super::{Instruction, Operand, Program, Residual};

/// The most operations of a program. Real files need about a hundred.
///
/// Anchors let a short text stand for a tree that doubles with each level.
const MOST_OPERATIONS: usize = 1 << 16;

/// Two factors that multiply to one within this bound cancel: 3600 and 1/3600 for example.
const ONE: f64 = 2.0 * f64::EPSILON;

/// Offsets whose sum is smaller than this part of them are not merged, because the digits that are lost when they are
/// added one by one are part of the file's answer.
const CANCELLATION: f64 = 1e-2;

/// A number during building: known, or the result of an instruction or an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Constant(f64),
    /// An index into the builder's list of values.
    Result(usize),
}

/// An instruction over values. Its results have consecutive numbers, the first of which is `first`.
#[derive(Debug)]
struct Draft {
    operation: Operation,
    inputs: Vec<Value>,
    first: usize,
}

/// Collects the instructions of a program.
#[derive(Debug)]
pub(crate) struct Builder {
    inputs: usize,
    drafts: Vec<Draft>,
    /// For each value the instruction that computes it; none for the inputs.
    definitions: Vec<Option<usize>>,
    /// The sums so far, so that each is computed once.
    sums: HashMap<SumKey, Value>,
}

/// The terms and the offset of a sum, as bits.
type SumKey = (Vec<(usize, u64)>, u64);

impl Builder {
    /// Starts a program with this number of inputs.
    pub(crate) fn new(inputs: usize) -> Self {
        Self { inputs, drafts: Vec::new(), definitions: vec![None; inputs], sums: HashMap::new() }
    }

    /// The values of the inputs.
    pub(crate) fn input_values(&self) -> Vec<Value> {
        (0..self.inputs).map(Value::Result).collect()
    }

    /// Adds an operation and returns its results. An operation on constants is computed now.
    pub(crate) fn add(&mut self, operation: Operation, inputs: &[Value]) -> Result<Vec<Value>> {
        if let Some(constants) = constants(inputs) {
            if !matches!(operation, Operation::Fill(_)) {
                return Ok(evaluate(&operation, &constants));
            }
        }
        match operation {
            Operation::ToVector => self.vector(inputs),
            Operation::ToAngles { .. } => {
                let bare = self.without_length(inputs)?;
                self.push(operation, &bare)
            }
            _ => self.push(operation, inputs),
        }
    }

    /// Adds `factor * value + offset`.
    pub(crate) fn linear(&mut self, value: Value, factor: f64, offset: f64) -> Result<Value> {
        self.combine(&[(value, factor)], offset)
    }

    /// Adds a sum of values, each times a factor, plus an offset.
    ///
    /// Sums of sums become one sum if this does not make it longer: shifts and scales merge with matrices, and
    /// rotations with rotations.
    pub(crate) fn combine(&mut self, terms: &[(Value, f64)], offset: f64) -> Result<Value> {
        let mut sum = Sum { offset, ..Sum::default() };
        for (value, factor) in terms {
            sum.add(*value, *factor);
        }
        while let Some(merged) = self.substituted(&sum) {
            sum = merged;
        }
        match sum.terms.as_slice() {
            [] => return Ok(Value::Constant(sum.offset)),
            [(value, factor)] if (factor - 1.0).abs() <= ONE && sum.offset == 0.0 => return Ok(*value),
            _ => {}
        }
        let key = sum.key();
        if let Some(known) = self.sums.get(&key) {
            return Ok(*known);
        }
        let (values, coefficients): (Vec<_>, Vec<_>) = sum.terms.iter().copied().unzip();
        let added = self.push(Operation::Combine { coefficients, offset: sum.offset }, &values)?;
        let value = added.first().copied().unwrap_or(Value::Constant(f64::NAN));
        self.sums.insert(key, value);
        Ok(value)
    }

    /// Replaces terms that are sums themselves, if the sum does not become longer.
    fn substituted(&self, sum: &Sum) -> Option<Sum> {
        let all = self.expanded(sum, usize::MAX);
        if all.as_ref().is_some_and(|all| all.terms.len() <= sum.terms.len()) {
            return all;
        }
        self.expanded(sum, 1).filter(|single| single.terms.len() <= sum.terms.len())
    }

    /// Replaces the terms that are sums of up to `most` terms. Returns none if there is none, or if offsets cancel.
    fn expanded(&self, sum: &Sum, most: usize) -> Option<Sum> {
        let mut result = Sum { offset: sum.offset, ..Sum::default() };
        let mut size = sum.offset.abs();
        let mut changed = false;
        for (value, factor) in &sum.terms {
            match self.sum_of(*value).filter(|(terms, _, _)| terms.len() <= most) {
                Some((values, coefficients, offset)) => {
                    changed = true;
                    for (inner, coefficient) in values.iter().zip(coefficients) {
                        result.add(*inner, factor * coefficient);
                    }
                    result.offset += factor * offset;
                    size += (factor * offset).abs();
                }
                None => result.add(*value, *factor),
            }
        }
        let cancelled = result.offset.abs() < CANCELLATION * size;
        (changed && !cancelled && result.offset.is_finite()).then_some(result)
    }

    /// The terms of a value that is a sum.
    fn sum_of(&self, value: Value) -> Option<(&[Value], &[f64], f64)> {
        match self.draft(value)? {
            Draft { operation: Operation::Combine { coefficients, offset }, inputs, .. } => {
                Some((inputs, coefficients, *offset))
            }
            _ => None,
        }
    }

    /// A unit vector from angles. If the angles are those of a vector, this only divides it by its length.
    fn vector(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        if let [longitude, latitude] = inputs {
            if let Some(draft) = self.draft(*longitude) {
                let same =
                    *longitude == Value::Result(draft.first) && *latitude == Value::Result(draft.first + 1);
                if same && matches!(draft.operation, Operation::ToAngles { .. }) {
                    let vector = draft.inputs.clone();
                    return self.push(Operation::Normalize, &vector);
                }
            }
        }
        self.push(Operation::ToVector, inputs)
    }

    /// Removes a division by the length from a vector whose length does not matter.
    fn without_length(&mut self, vector: &[Value]) -> Result<Vec<Value>> {
        let mut replaced = Vec::with_capacity(vector.len());
        for value in vector {
            let (values, coefficients) = match self.sum_of(*value) {
                Some((values, coefficients, 0.0)) => (values.to_vec(), coefficients.to_vec()),
                _ => (vec![*value], vec![1.0]),
            };
            replaced.push((values, coefficients));
        }
        let mut normalized = None;
        for value in replaced.iter().flat_map(|(values, _)| values) {
            let Value::Result(result) = value else { return Ok(vector.to_vec()) };
            let definition = self.definitions.get(*result).copied().flatten();
            if definition.is_none() || normalized.is_some_and(|known| Some(known) != definition) {
                return Ok(vector.to_vec());
            }
            normalized = definition;
        }
        let Some(draft) = normalized.and_then(|index| self.drafts.get(index)) else {
            return Ok(vector.to_vec());
        };
        if !matches!(draft.operation, Operation::Normalize) {
            return Ok(vector.to_vec());
        }
        let (first, bare) = (draft.first, draft.inputs.clone());
        let mut result = Vec::with_capacity(vector.len());
        for (values, coefficients) in &replaced {
            let terms: Vec<(Value, f64)> = values
                .iter()
                .zip(coefficients)
                .filter_map(|(value, factor)| match value {
                    Value::Result(index) => {
                        bare.get(index.checked_sub(first)?).map(|value| (*value, *factor))
                    }
                    Value::Constant(_) => None,
                })
                .collect();
            result.push(self.combine(&terms, 0.0)?);
        }
        Ok(result)
    }

    fn draft(&self, value: Value) -> Option<&Draft> {
        let Value::Result(index) = value else { return None };
        self.drafts.get((*self.definitions.get(index)?)?)
    }

    fn push(&mut self, operation: Operation, inputs: &[Value]) -> Result<Vec<Value>> {
        if self.drafts.len() >= MOST_OPERATIONS {
            return Err(Error::limit(format!(
                "the transform expands to more than {MOST_OPERATIONS} operations"
            )));
        }
        let outputs = operation.outputs();
        let first = self.definitions.len();
        self.definitions.extend(std::iter::repeat_n(Some(self.drafts.len()), outputs));
        self.drafts.push(Draft { operation, inputs: inputs.to_vec(), first });
        Ok((first..first + outputs).map(Value::Result).collect())
    }

    /// Replaces angles on a sphere by the vectors that they were computed from.
    pub(crate) fn residuals(&self, outputs: &[Value]) -> (Vec<Value>, Vec<Residual>) {
        let (mut values, mut residuals) = (Vec::new(), Vec::new());
        let mut position = 0;
        while let Some(output) = outputs.get(position) {
            let vector = self.draft(*output).filter(|draft| {
                matches!(draft.operation, Operation::ToAngles { .. })
                    && *output == Value::Result(draft.first)
                    && outputs.get(position + 1) == Some(&Value::Result(draft.first + 1))
            });
            match vector {
                Some(draft) => {
                    residuals.push(Residual::Direction { world: position, first: values.len() });
                    values.extend(&draft.inputs);
                    position += 2;
                }
                None => {
                    residuals.push(Residual::Value { world: position, output: values.len() });
                    values.push(*output);
                    position += 1;
                }
            }
        }
        (values, residuals)
    }

    /// Makes the program that computes these values: without instructions whose results are not used, and with as few
    /// registers as their order allows.
    pub(crate) fn finish(mut self, outputs: &[Value]) -> Result<Program> {
        let mut results = Vec::with_capacity(outputs.len());
        for output in outputs {
            results.push(self.register_of(*output)?);
        }
        // Constants that an instruction other than a sum reads.
        for draft in 0..self.drafts.len() {
            let inputs = self.drafts.get(draft).map(|draft| draft.inputs.clone()).unwrap_or_default();
            let mut registers = Vec::with_capacity(inputs.len());
            for input in inputs {
                registers.push(Value::Result(self.register_of(input)?));
            }
            if let Some(draft) = self.drafts.get_mut(draft) {
                draft.inputs = registers;
            }
        }
        Ok(self.allocate(&results))
    }

    /// The number of a value; a constant becomes an instruction.
    fn register_of(&mut self, value: Value) -> Result<usize> {
        match value {
            Value::Result(index) => Ok(index),
            Value::Constant(constant) => {
                let first = self.definitions.len();
                self.push(Operation::Fill(constant), &[])?;
                Ok(first)
            }
        }
    }

    fn allocate(self, outputs: &[usize]) -> Program {
        // Constants were pushed last, but are read by instructions before them.
        let mut order: Vec<usize> = (0..self.drafts.len()).collect();
        let filled = |index: &usize| {
            self.drafts.get(*index).is_some_and(|draft| matches!(draft.operation, Operation::Fill(_)))
        };
        order.sort_by_key(|index| !filled(index));

        // The last instruction that reads each value; those never read are left out.
        let mut last_use: Vec<Option<usize>> = vec![None; self.definitions.len()];
        for output in outputs {
            set(&mut last_use, *output, usize::MAX);
        }
        let mut needed = vec![false; order.len()];
        for (position, index) in order.iter().enumerate().rev() {
            let Some(draft) = self.drafts.get(*index) else { continue };
            let results = draft.first..draft.first + draft.operation.outputs();
            if !results.clone().any(|result| last_use.get(result).copied().flatten().is_some()) {
                continue;
            }
            if let Some(needed) = needed.get_mut(position) {
                *needed = true;
            }
            for input in &draft.inputs {
                if let Value::Result(input) = input {
                    if last_use.get(*input).copied().flatten().is_none() {
                        set(&mut last_use, *input, position);
                    }
                }
            }
        }

        let mut operands: Vec<Operand> = (0..self.definitions.len())
            .map(|index| if index < self.inputs { Operand::Input(index) } else { Operand::Register(0) })
            .collect();
        let (mut free, mut registers) = (Vec::new(), 0);
        let mut instructions = Vec::new();
        for (position, index) in order.iter().enumerate() {
            let Some(draft) = self.drafts.get(*index).filter(|_| needed.get(position) == Some(&true)) else {
                continue;
            };
            let results = draft.first..draft.first + draft.operation.outputs();
            let outputs: Vec<usize> = results
                .clone()
                .map(|result| {
                    let register = free.pop().unwrap_or_else(|| {
                        registers += 1;
                        registers - 1
                    });
                    if let Some(operand) = operands.get_mut(result) {
                        *operand = Operand::Register(register);
                    }
                    register
                })
                .collect();
            let mut inputs = Vec::with_capacity(draft.inputs.len());
            for input in &draft.inputs {
                let Value::Result(input) = input else { continue };
                let Some(operand) = operands.get(*input).copied() else { continue };
                inputs.push(operand);
                if last_use.get(*input).copied().flatten() == Some(position) {
                    if let Operand::Register(register) = operand {
                        if !free.contains(&register) {
                            free.push(register);
                        }
                    }
                }
            }
            // Results that nobody reads.
            for result in results {
                if last_use.get(result).copied().flatten().is_none() {
                    if let Some(Operand::Register(register)) = operands.get(result).copied() {
                        free.push(register);
                    }
                }
            }
            instructions.push(Instruction { operation: draft.operation.clone(), inputs, outputs });
        }
        let outputs = outputs.iter().filter_map(|output| operands.get(*output).copied()).collect();
        Program { inputs: self.inputs, instructions, outputs, registers, bounds: None }
    }
}

/// A sum of values, each times a factor, plus an offset.
#[derive(Debug, Default)]
struct Sum {
    terms: Vec<(Value, f64)>,
    offset: f64,
}

impl Sum {
    fn key(&self) -> SumKey {
        let terms = self.terms.iter().filter_map(|(value, factor)| match value {
            Value::Result(index) => Some((*index, factor.to_bits())),
            Value::Constant(_) => None,
        });
        (terms.collect(), self.offset.to_bits())
    }

    fn add(&mut self, value: Value, factor: f64) {
        match value {
            Value::Constant(constant) => self.offset += constant * factor,
            Value::Result(_) => match self.terms.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known += factor,
                None => self.terms.push((value, factor)),
            },
        }
    }
}

fn set(list: &mut [Option<usize>], index: usize, value: usize) {
    if let Some(slot) = list.get_mut(index) {
        *slot = Some(value);
    }
}

/// The numbers of inputs that are all constant.
fn constants(inputs: &[Value]) -> Option<Vec<f64>> {
    inputs
        .iter()
        .map(|input| match input {
            Value::Constant(constant) => Some(*constant),
            Value::Result(_) => None,
        })
        .collect()
}

/// Computes an operation of constants.
fn evaluate(operation: &Operation, inputs: &[f64]) -> Vec<Value> {
    let outputs = operation.outputs();
    let program = Program {
        inputs: inputs.len(),
        instructions: vec![Instruction {
            operation: operation.clone(),
            inputs: (0..inputs.len()).map(Operand::Input).collect(),
            outputs: (0..outputs).collect(),
        }],
        outputs: (0..outputs).map(Operand::Register).collect(),
        registers: outputs,
        bounds: None,
    };
    let inputs: Vec<&[f64]> = inputs.iter().map(std::slice::from_ref).collect();
    let mut results = vec![f64::NAN; outputs];
    let mut slices: Vec<&mut [f64]> = results.chunks_mut(1).collect();
    program.run_block(&mut Scratch::new(&program), &inputs, &mut slices);
    results.into_iter().map(Value::Constant).collect()
}

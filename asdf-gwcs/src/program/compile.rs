//! From the tree of transforms to a program.

use std::collections::HashMap;
use std::sync::Arc;

use asdf_core::error::{Error, Result};
use asdf_units::Unit;

use super::builder::{Builder, Value};
use super::operation::Operation;
use super::{Program, Residual};
use crate::bounds::Bounds;
use crate::model::{Arithmetic, Kind, Model, OutputUnit, PixelScale, Units};

/// A number of the program with its unit.
#[derive(Debug, Clone)]
struct Signal {
    value: Value,
    unit: Option<Unit>,
}

/// The most transforms that are visited. The same transform of the same values is visited once.
const MOST_VISITS: usize = 1 << 17;

impl Program {
    /// Compiles transforms that follow each other.
    ///
    /// Inputs that have a unit are converted to the units of the parameters. Outputs that have a unit are converted to
    /// the unit in `outputs`.
    ///
    /// # Errors
    ///
    /// Fails with the path of the transform, if it has no formula, if numbers of inputs and outputs or units do not fit,
    /// or if the program becomes too long.
    pub(crate) fn compile(
        models: &[Arc<Model>],
        inputs: &[Option<Unit>],
        outputs: &[Option<Unit>],
        bounds: Option<&Bounds>,
    ) -> Result<Self> {
        let (compiler, values) = Compiler::chain(models, inputs, outputs)?;
        let mut program = compiler.builder.finish(&values)?;
        program.bounds = bounds.cloned();
        Ok(program)
    }

    /// Compiles transforms for a comparison with given results: see [`Residual`].
    pub(crate) fn compile_residuals(
        models: &[Arc<Model>],
        inputs: &[Option<Unit>],
        outputs: &[Option<Unit>],
    ) -> Result<(Self, Vec<Residual>)> {
        let (compiler, values) = Compiler::chain(models, inputs, outputs)?;
        let (values, residuals) = compiler.builder.residuals(&values);
        Ok((compiler.builder.finish(&values)?, residuals))
    }
}

/// A transform and its inputs, for [`Compiler::known`].
type Call = (*const Model, Vec<(u64, bool, Option<String>)>);

struct Compiler {
    builder: Builder,
    /// The results of transforms that were visited. Anchors make a file's tree a graph, and a transform that is used
    /// twice for the same values is computed once.
    known: HashMap<Call, Vec<Signal>>,
    visits: usize,
}

impl Compiler {
    /// Adds the operations of transforms that follow each other, and returns the results.
    fn chain(
        models: &[Arc<Model>],
        inputs: &[Option<Unit>],
        outputs: &[Option<Unit>],
    ) -> Result<(Self, Vec<Value>)> {
        let count = models.first().map_or(inputs.len(), |model| model.kind.inputs());
        let mut compiler = Self { builder: Builder::new(count), known: HashMap::new(), visits: 0 };
        let mut signals: Vec<Signal> = compiler
            .builder
            .input_values()
            .into_iter()
            .enumerate()
            .map(|(index, value)| Signal { value, unit: inputs.get(index).cloned().flatten() })
            .collect();
        for model in models {
            signals = compiler.emit(model, &signals)?;
        }
        for (signal, unit) in signals.iter_mut().zip(outputs) {
            let path = models.last().map_or("", |model| &model.path);
            compiler.convert(signal, unit.as_ref(), path)?;
        }
        let values = signals.iter().map(|signal| signal.value).collect();
        Ok((compiler, values))
    }

    fn emit(&mut self, model: &Arc<Model>, inputs: &[Signal]) -> Result<Vec<Signal>> {
        if model.kind.inputs() != inputs.len() {
            let message =
                format!("the transform has {} inputs, but it is given {}", model.kind.inputs(), inputs.len());
            return Err(Error::mismatch(message).at_path(&model.path));
        }
        let call = (Arc::as_ptr(model), inputs.iter().map(key).collect());
        if let Some(known) = self.known.get(&call) {
            return Ok(known.clone());
        }
        self.visits += 1;
        if self.visits > MOST_VISITS {
            let message = format!("the transform refers to more than {MOST_VISITS} others");
            return Err(Error::limit(message).at_path(&model.path));
        }
        let results = self.compute(model, inputs).map_err(|error| match error.path() {
            Some(_) => error,
            None => error.at_path(&model.path),
        })?;
        self.known.insert(call, results.clone());
        Ok(results)
    }

    fn compute(&mut self, model: &Arc<Model>, inputs: &[Signal]) -> Result<Vec<Signal>> {
        match &model.kind {
            Kind::Compose(first, second) => {
                let between = self.emit(first, inputs)?;
                self.emit(second, &between)
            }
            Kind::Concatenate(left, right) => {
                let (head, tail) = inputs.split_at(left.kind.inputs().min(inputs.len()));
                let mut results = self.emit(left, head)?;
                results.extend(self.emit(right, tail)?);
                Ok(results)
            }
            Kind::Arithmetic(operator, left, right) => {
                let (left, right) = (self.emit(left, inputs)?, self.emit(right, inputs)?);
                let pairs = left.into_iter().zip(right);
                pairs.map(|(left, right)| self.arithmetic(*operator, left, right, &model.path)).collect()
            }
            Kind::FixInputs(inner, fixed) => {
                let mut rest = inputs.iter().cloned();
                let all: Vec<Signal> = (0..inner.kind.inputs())
                    .filter_map(|index| match fixed.iter().find(|(position, _)| *position == index) {
                        Some((_, value)) => Some(Signal { value: Value::Constant(*value), unit: None }),
                        None => rest.next(),
                    })
                    .collect();
                self.emit(inner, &all)
            }
            Kind::Remap { mapping, .. } => {
                Ok(mapping.iter().filter_map(|input| inputs.get(*input).cloned()).collect())
            }
            Kind::Identity(_) => Ok(inputs.to_vec()),
            _ => self.leaf(model, inputs),
        }
    }

    /// A transform that is not made of others.
    fn leaf(&mut self, model: &Model, inputs: &[Signal]) -> Result<Vec<Signal>> {
        let mut inputs = inputs.to_vec();
        for (index, (input, unit)) in inputs.iter_mut().zip(&model.units.inputs).enumerate() {
            if let (Some(unit), Some(Some(scale))) = (unit, model.units.scales.get(index)) {
                self.scale(input, unit, scale)?;
            }
            self.convert(input, unit.as_ref(), &model.path)?;
        }
        let values: Vec<Value> = inputs.iter().map(|input| input.value).collect();
        let results = self.values(model, &values)?;
        results
            .into_iter()
            .enumerate()
            .map(|(index, value)| Ok(Signal { value, unit: output_unit(&model.units, index, &inputs)? }))
            .collect()
    }

    fn values(&mut self, model: &Model, inputs: &[Value]) -> Result<Vec<Value>> {
        match &model.kind {
            Kind::Constant(values, _) => Ok(values.iter().map(|value| Value::Constant(*value)).collect()),
            Kind::Linear { factor, offset } => {
                inputs.iter().map(|input| self.builder.linear(*input, *factor, *offset)).collect()
            }
            Kind::Affine { matrix, translation } => {
                let rows = matrix.chunks(translation.len().max(1)).zip(translation);
                rows.map(|(row, offset)| {
                    let terms: Vec<(Value, f64)> = inputs.iter().copied().zip(row.iter().copied()).collect();
                    self.builder.combine(&terms, *offset)
                })
                .collect()
            }
            Kind::SphericalToCartesian { .. } => self.builder.add(Operation::ToVector, inputs),
            Kind::CartesianToSpherical { positive } => {
                self.builder.add(Operation::ToAngles { positive: *positive }, inputs)
            }
            Kind::Polynomial1 { coefficients, map } => {
                let mapped = self.mapped(inputs, &[*map])?;
                self.builder.add(Operation::Polynomial1(coefficients.clone()), &mapped)
            }
            Kind::Polynomial2 { degree, coefficients, maps } => {
                let mapped = self.mapped(inputs, maps)?;
                match (degree, coefficients.as_slice(), mapped.as_slice()) {
                    (1, [offset, b, a, _], [x, y]) => {
                        Ok(vec![self.builder.combine(&[(*x, *a), (*y, *b)], *offset)?])
                    }
                    _ => {
                        let operation =
                            Operation::Polynomial2 { degree: *degree, coefficients: coefficients.clone() };
                        self.builder.add(operation, &mapped)
                    }
                }
            }
            Kind::Function(function) => self.builder.add(Operation::Call(Arc::clone(function)), inputs),
            Kind::Unknown { tag, .. } => {
                Err(Error::unsupported(format!("no formula for the transform `{tag}`")).at_path(&model.path))
            }
            Kind::Compose(..)
            | Kind::Concatenate(..)
            | Kind::Arithmetic(..)
            | Kind::FixInputs(..)
            | Kind::Remap { .. }
            | Kind::Identity(_) => Ok(inputs.to_vec()),
        }
    }

    /// Maps the inputs of a polynomial from its domain to its window.
    fn mapped(&mut self, inputs: &[Value], maps: &[[f64; 2]]) -> Result<Vec<Value>> {
        inputs
            .iter()
            .zip(maps)
            .map(|(input, [factor, offset])| self.builder.linear(*input, *factor, *offset))
            .collect()
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: Signal,
        mut right: Signal,
        path: &str,
    ) -> Result<Signal> {
        let value = match operator {
            Arithmetic::Add | Arithmetic::Subtract => {
                self.convert(&mut right, left.unit.as_ref(), path)?;
                let sign = if operator == Arithmetic::Add { 1.0 } else { -1.0 };
                self.builder.combine(&[(left.value, 1.0), (right.value, sign)], 0.0)?
            }
            Arithmetic::Multiply => match (left.value, right.value) {
                (value, Value::Constant(factor)) | (Value::Constant(factor), value) => {
                    self.builder.linear(value, factor, 0.0)?
                }
                _ => self.one(Operation::Multiply, left.value, right.value)?,
            },
            Arithmetic::Divide => self.one(Operation::Divide, left.value, right.value)?,
            Arithmetic::Power => self.one(Operation::Power, left.value, right.value)?,
        };
        let unit = match (operator, left.unit, right.unit) {
            (Arithmetic::Add | Arithmetic::Subtract, left, right) => left.or(right),
            (Arithmetic::Multiply, Some(left), Some(right)) => Some(left.multiply(&right).map_err(units)?),
            (Arithmetic::Divide, Some(left), Some(right)) => Some(left.divide(&right).map_err(units)?),
            (Arithmetic::Multiply | Arithmetic::Divide, left, None) => left,
            (Arithmetic::Multiply, None, right) => right,
            (Arithmetic::Divide, None, Some(right)) => Some(Unit::one().divide(&right).map_err(units)?),
            (Arithmetic::Power, ..) => None,
        };
        Ok(Signal { value, unit })
    }

    fn one(&mut self, operation: Operation, left: Value, right: Value) -> Result<Value> {
        let results = self.builder.add(operation, &[left, right])?;
        Ok(results.first().copied().unwrap_or(Value::Constant(f64::NAN)))
    }

    /// Converts a number between pixels and another unit, if its unit needs it.
    fn scale(&mut self, signal: &mut Signal, unit: &Unit, scale: &PixelScale) -> Result<()> {
        let Some(from) = signal.unit.clone().filter(|from| from.factor_to(unit).is_err()) else {
            return Ok(());
        };
        let choices =
            [(from.multiply(&scale.unit), scale.value), (from.divide(&scale.unit), 1.0 / scale.value)];
        for (scaled, factor) in choices {
            let Ok(scaled) = scaled else { continue };
            if scaled.factor_to(unit).is_ok() {
                signal.value = self.builder.linear(signal.value, factor, 0.0)?;
                signal.unit = Some(scaled);
                break;
            }
        }
        Ok(())
    }

    /// Converts a number that has a unit to another unit.
    fn convert(&mut self, signal: &mut Signal, unit: Option<&Unit>, path: &str) -> Result<()> {
        let (Some(from), Some(to)) = (&signal.unit, unit) else { return Ok(()) };
        if from != to {
            let factor = from.factor_to(to).map_err(|error| units(error).at_path(path))?;
            signal.value = self.builder.linear(signal.value, factor, 0.0)?;
            signal.unit = Some(to.clone());
        }
        Ok(())
    }
}

fn key(signal: &Signal) -> (u64, bool, Option<String>) {
    let unit = signal.unit.as_ref().map(Unit::to_string);
    match signal.value {
        Value::Constant(constant) => (constant.to_bits(), true, unit),
        Value::Result(result) => (result as u64, false, unit),
    }
}

fn output_unit(units: &Units, index: usize, inputs: &[Signal]) -> Result<Option<Unit>> {
    let unit_of = |input: usize| inputs.get(input).and_then(|input| input.unit.clone());
    match units.outputs.get(index) {
        None => Ok(unit_of(index)),
        Some(OutputUnit::None) => Ok(None),
        Some(OutputUnit::Of(unit)) => {
            let known =
                units.quantity || inputs.is_empty() || inputs.iter().any(|input| input.unit.is_some());
            Ok(known.then(|| unit.clone()))
        }
        Some(OutputUnit::SameAs(input)) => Ok(unit_of(*input)),
        Some(OutputUnit::Times(input, factor)) => match unit_of(*input) {
            Some(unit) => unit.multiply(factor).map(Some).map_err(self::units),
            None => Ok(Some(factor.clone())),
        },
    }
}

/// The error of a conversion of units.
fn units(error: asdf_units::Error) -> Error {
    let message = error.message().to_owned();
    match error.hint() {
        Some(hint) => Error::mismatch(message).with_hint(hint.to_owned()),
        None => Error::mismatch(message),
    }
}

//! Transforms that are made of others.

use std::sync::Arc;

use asdf_core::tree::Kind as NodeKind;
use asdf_core::{Error, NodeRef, Result};

use super::quantity::Quantity;
use super::{Entry, Leaf, MAX_AXES, Reader};
use crate::bounds::{Bounds, Compound};
use crate::model::{Arithmetic, Kind, Model};

/// Reads `compose`: the second transform of the results of the first.
pub(super) fn compose(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (first, second) = both(reader, entry)?;
    if first.outputs.len() != second.inputs.len() {
        let message = format!(
            "the first transform has {} outputs, but the second has {} inputs",
            first.outputs.len(),
            second.inputs.len()
        );
        return mismatch(reader, entry, message, &first, &second);
    }
    let names = (first.inputs.clone(), second.outputs.clone());
    Ok(Leaf::with_names(Kind::Compose(first, second), names))
}

/// Reads `concatenate`: two transforms side by side.
pub(super) fn concatenate(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (left, right) = both(reader, entry)?;
    let inputs = join(&left.inputs, &right.inputs);
    let outputs = join(&left.outputs, &right.outputs);
    if inputs.len() > MAX_AXES || outputs.len() > MAX_AXES {
        let message =
            format!("more than {MAX_AXES} inputs or outputs: {} and {}", inputs.len(), outputs.len());
        return Err(entry.node().place(Error::limit(message)));
    }
    Ok(Leaf::with_names(Kind::Concatenate(left, right), (inputs, outputs)))
}

pub(super) fn add(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    arithmetic(reader, entry, Arithmetic::Add)
}

pub(super) fn subtract(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    arithmetic(reader, entry, Arithmetic::Subtract)
}

pub(super) fn multiply(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    arithmetic(reader, entry, Arithmetic::Multiply)
}

pub(super) fn divide(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    arithmetic(reader, entry, Arithmetic::Divide)
}

pub(super) fn power(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    arithmetic(reader, entry, Arithmetic::Power)
}

fn arithmetic(reader: &mut Reader, entry: &Entry<'_>, operator: Arithmetic) -> Result<Leaf> {
    let (left, right) = both(reader, entry)?;
    if (left.inputs.len(), left.outputs.len()) != (right.inputs.len(), right.outputs.len()) {
        let message = format!(
            "the transforms have {} and {} inputs, and {} and {} outputs, expected equal numbers",
            left.inputs.len(),
            right.inputs.len(),
            left.outputs.len(),
            right.outputs.len()
        );
        return mismatch(reader, entry, message, &left, &right);
    }
    let names = (left.inputs.clone(), left.outputs.clone());
    Ok(Leaf::with_names(Kind::Arithmetic(operator, left, right), names))
}

/// Reads `fix_inputs`: a transform some of whose inputs have fixed values.
pub(super) fn fix_inputs(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let (node, fixed) = pair(entry)?;
    let model = reader.read_child(&["forward", "0"], node)?;
    let under = |error: Error| error.under(1).under("forward");
    let fixed = fixed_inputs(&model, fixed).map_err(under)?;
    let is_fixed = |input: usize| fixed.iter().any(|&(position, _)| position == input);
    let kept = |input: &usize| !is_fixed(*input);
    let names: Vec<String> =
        (0..model.inputs.len()).filter(kept).filter_map(|input| model.inputs.get(input).cloned()).collect();
    let bounds = match &model.bounds {
        Some(bounds) => Some(fix_bounds(bounds, model.inputs.len(), &fixed).ok_or_else(|| {
            under(entry.error("the bounding box has no case for the values of the fixed inputs"))
        })?),
        None => None,
    };
    let outputs = model.outputs.clone();
    Ok(Leaf { bounds, ..Leaf::with_names(Kind::FixInputs(model, fixed), (names, outputs)) })
}

/// Reads the positions and the values of the inputs that are fixed.
fn fixed_inputs(model: &Model, node: NodeRef<'_>) -> Result<Vec<(usize, f64)>> {
    let list = |key: &str| match node.get(key) {
        Some(list) if list.kind() == NodeKind::Sequence => Ok(list),
        Some(other) => Err(other.expected("a list").under(key)),
        None => Err(node.error(format!("the required property '{key}' is missing"))),
    };
    let (keys, values) = (list("keys")?, list("values")?);
    if keys.len() != values.len() {
        let message =
            format!("found {} keys and {} values, expected equal numbers", keys.len(), values.len());
        return Err(node.error(message));
    }
    let mut fixed: Vec<(usize, f64)> = Vec::new();
    for (at, (key, value)) in keys.items().zip(values.items()).enumerate() {
        let found = match key.as_u64() {
            Some(position) => usize::try_from(position).ok().filter(|&at| at < model.inputs.len()),
            None => model.inputs.iter().position(|name| Some(name.as_str()) == key.as_str()),
        };
        let under = |error: Error| error.under(at).under("keys");
        let names = || format!("an input: one of {}, or its position", model.inputs.join(", "));
        let position = found.ok_or_else(|| under(key.expected(names())))?;
        if fixed.iter().any(|&(other, _)| other == position) {
            return Err(under(key.error("the input is fixed twice")));
        }
        let quantity = Quantity::read(value).map_err(|error| error.under(at).under("values"))?;
        fixed.push((position, quantity.value));
    }
    Ok(fixed)
}

/// Makes the box of the inputs that are left. `None` if no case of the box has the fixed values.
fn fix_bounds(bounds: &Bounds, inputs: usize, fixed: &[(usize, f64)]) -> Option<Bounds> {
    let value = |input: usize| fixed.iter().find(|(position, _)| *position == input).map(|(_, value)| *value);
    let kept: Vec<usize> = (0..inputs).filter(|&input| value(input).is_none()).collect();
    let pick = |intervals: &[Option<[f64; 2]>]| -> Vec<Option<[f64; 2]>> {
        kept.iter().map(|&input| intervals.get(input).copied().flatten()).collect()
    };
    let compound = match bounds {
        Bounds::Box(intervals) => return Some(Bounds::Box(pick(intervals))),
        Bounds::Compound(compound) => compound,
    };
    let matches = |values: &[f64]| {
        let mut pairs = compound.selectors.iter().zip(values);
        pairs.all(|(&selector, own)| value(selector).is_none_or(|fixed| fixed == *own))
    };
    let mut cases = compound.cases.iter().filter(|(values, _)| matches(values)).peekable();
    cases.peek()?;
    let left = |selector: &usize| kept.iter().position(|input| input == selector);
    let selectors: Vec<usize> = compound.selectors.iter().filter_map(left).collect();
    if selectors.is_empty() {
        return cases.next().map(|(_, intervals)| Bounds::Box(pick(intervals)));
    }
    let cases = cases.map(|(values, intervals)| {
        let pairs = values.iter().zip(&compound.selectors);
        let values = pairs.filter(|(_, selector)| kept.contains(selector)).map(|(&value, _)| value);
        (values.collect(), pick(intervals))
    });
    Some(Bounds::Compound(Compound { selectors, cases: cases.collect() }))
}

/// Returns the two nodes of a compound transform.
fn pair<'a>(entry: &Entry<'a>) -> Result<(NodeRef<'a>, NodeRef<'a>)> {
    let list = entry.require("forward")?;
    match (list.item(0), list.item(1), list.len()) {
        (Some(first), Some(second), 2) => Ok((first, second)),
        _ => Err(list.expected("a list of two transforms").under("forward")),
    }
}

fn both(reader: &mut Reader, entry: &Entry<'_>) -> Result<(Arc<Model>, Arc<Model>)> {
    let (first, second) = pair(entry)?;
    Ok((reader.read_child(&["forward", "0"], first)?, reader.read_child(&["forward", "1"], second)?))
}

/// Returns the error for parts that do not fit, unless the numbers of inputs of a part are only a guess.
fn mismatch(
    reader: &Reader,
    entry: &Entry<'_>,
    message: String,
    first: &Arc<Model>,
    second: &Arc<Model>,
) -> Result<Leaf> {
    let unknown = [first, second].into_iter().find_map(|part| {
        let (tag, path) = part.kind.first_unknown()?;
        Some((tag, path.unwrap_or_else(|| part.path.clone())))
    });
    let Some((tag, path)) = unknown.filter(|_| reader.is_guessed()) else { return Err(entry.error(message)) };
    let names = (first.inputs.clone(), second.outputs.clone());
    let kind = Kind::Unknown { tag, inputs: names.0.len(), outputs: names.1.len() };
    Ok(Leaf { path: Some(path), ..Leaf::with_names(kind, names) })
}

/// Joins the names of two transforms. Equal names get the number of their transform, as in astropy.
fn join(left: &[String], right: &[String]) -> Vec<String> {
    if left.iter().any(|name| right.contains(name)) {
        let left = left.iter().map(|name| format!("{name}0"));
        left.chain(right.iter().map(|name| format!("{name}1"))).collect()
    } else {
        left.iter().chain(right).cloned().collect()
    }
}

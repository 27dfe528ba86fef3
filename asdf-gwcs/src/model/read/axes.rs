//! Transforms that select inputs or ignore them.

use asdf_core::{NodeRef, Result};
use asdf_units::Unit;

use super::leaf::numbered;
use super::quantity::unit_of;
use super::{Entry, Leaf, MAX_AXES, Reader};
use crate::model::{Kind, OutputUnit, Units};

/// Reads `identity`.
pub(super) fn identity(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let count = entry.optional_index("n_dims", MAX_AXES)?.unwrap_or(1);
    if count == 0 {
        return Err(entry.error_at("n_dims", "found 0, expected at least 1"));
    }
    Ok(Leaf { inputs: numbered(count), outputs: numbered(count), ..Leaf::new(Kind::Identity(count)) })
}

/// Reads `remap_axes`.
pub(super) fn remap_axes(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let mapping = entry.indices("mapping", MAX_AXES - 1)?;
    let needed = mapping.iter().max().map_or(0, |last| last + 1);
    let inputs = entry.optional_index("n_inputs", MAX_AXES)?.unwrap_or(needed);
    if needed == 0 || mapping.len() > MAX_AXES {
        let message = format!("found {} outputs, expected 1 to {MAX_AXES}", mapping.len());
        return Err(entry.error_at("mapping", message));
    }
    if inputs < needed {
        let message = format!("found the input {}, but there are {inputs} inputs, from 0", needed - 1);
        return Err(entry.error_at("mapping", message));
    }
    let names = (numbered(inputs), numbered(mapping.len()));
    Ok(Leaf { inputs: names.0, outputs: names.1, ..Leaf::new(Kind::Remap { mapping, inputs }) })
}

/// Reads `constant`. Before version 1.4.0 it had one input, and no property that says so.
pub(super) fn constant(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let value = entry.quantity("value")?;
    let inputs = entry.optional_index("dimensions", 2)?.unwrap_or(1);
    if inputs == 0 {
        return Err(entry.error_at("dimensions", "found 0, expected 1 or 2"));
    }
    let units = value.unit.map(|unit| Units {
        inputs: vec![None; inputs],
        outputs: vec![OutputUnit::Of(unit)],
        quantity: true,
        ..Units::default()
    });
    let units = units.unwrap_or(Units { outputs: vec![OutputUnit::None], ..Units::default() });
    Ok(Leaf::new(Kind::Constant(vec![value.value], inputs)).with_units(units))
}

/// Reads `units_mapping`: the values are unchanged, but converted to the units of the inputs, and then have those of the
/// outputs.
pub(super) fn units_mapping(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let side = |key: &str| entry.list(key, "a list of inputs or outputs", named_unit);
    let (inputs, outputs) = (side("unit_inputs")?, side("unit_outputs")?);
    if inputs.len() != outputs.len() || inputs.is_empty() || inputs.len() > MAX_AXES {
        let message = format!(
            "found {} inputs and {} outputs, expected equal numbers from 1 to {MAX_AXES}",
            inputs.len(),
            outputs.len()
        );
        return Err(entry.error(message));
    }
    let parts = inputs.iter().zip(&outputs).map(|((_, from), (_, to))| {
        let output = to.clone().map_or(OutputUnit::SameAs(0), OutputUnit::Of);
        let units = Units { inputs: vec![from.clone()], outputs: vec![output], ..Units::default() };
        reader.part(Leaf::new(Kind::Linear { factor: 1.0, offset: 0.0 }).with_units(units))
    });
    let all = parts.reduce(|left, right| reader.part(Leaf::new(Kind::Concatenate(left, right))));
    let all = all.map(|model| (model.kind.clone(), model.units.clone()));
    let (kind, units) = all.unwrap_or((Kind::Identity(1), Units::default()));
    let names = |side: Vec<(String, Option<Unit>)>| side.into_iter().map(|(name, _)| name).collect();
    Ok(Leaf::with_names(kind, (names(inputs), names(outputs))).with_units(units))
}

/// Reads an input or output of `units_mapping`.
fn named_unit(node: NodeRef<'_>) -> Result<(String, Option<Unit>)> {
    let name =
        node.get("name").and_then(NodeRef::as_str).ok_or_else(|| node.expected("a name and a unit"))?;
    let unit = node.get("unit").filter(|unit| !unit.is_null() || unit.own_tag().is_some());
    let unit = unit.map(unit_of).transpose().map_err(|error| error.under("unit"))?;
    Ok((name.to_owned(), unit))
}

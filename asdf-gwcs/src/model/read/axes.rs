//! Transforms that select inputs or ignore them.

use asdf_core::Result;

use super::leaf::numbered;
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
    });
    let units = units.unwrap_or(Units { outputs: vec![OutputUnit::None], ..Units::default() });
    Ok(Leaf::new(Kind::Constant(vec![value.value], inputs)).with_units(units))
}

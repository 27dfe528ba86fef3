//! `input_units_equivalencies`: other units that the inputs of a transform may have.

use asdf_core::tree::Kind;
use asdf_core::{NodeRef, Result};

use super::Entry;
use super::quantity::Quantity;
use crate::model::PixelScale;

/// Reads the scale of each input whose values can be converted between pixels and another unit.
///
/// Other equivalencies are not supported. Units that need them are an error when the transform is compiled.
pub(super) fn pixel_scales(entry: &Entry<'_>, inputs: &[String]) -> Result<Vec<Option<PixelScale>>> {
    const KEY: &str = "input_units_equivalencies";
    let Some(node) = entry.get(KEY).filter(|node| node.kind() == Kind::Mapping) else {
        return Ok(Vec::new());
    };
    let scale = |name: &String| match node.get(name) {
        Some(list) => pixel_scale(list).map_err(|error| error.under(name).under(KEY)),
        None => Ok(None),
    };
    inputs.iter().map(scale).collect()
}

/// Finds the `pixel_scale` in a list of equivalencies.
fn pixel_scale(list: NodeRef<'_>) -> Result<Option<PixelScale>> {
    for (at, item) in list.items().enumerate() {
        if item.get("name").and_then(NodeRef::as_str) != Some("pixel_scale") {
            continue;
        }
        let value = item.get("kwargs_values").and_then(|values| values.item(0));
        let value = value.ok_or_else(|| item.expected("a `pixel_scale` with a value").under(at))?;
        let quantity =
            Quantity::read(value).map_err(|error| error.under(0).under("kwargs_values").under(at))?;
        return Ok(quantity.unit.map(|unit| PixelScale { value: quantity.value, unit }));
    }
    Ok(None)
}

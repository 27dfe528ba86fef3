//! Whether arrays fit their blocks.

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Mask, NdArray, Path};

use super::Violation;

/// Checks shape, strides, offset and datatype of an array against its data, and its mask against
/// its shape; no data is read but that of a mask.
pub(super) fn check(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Vec<Violation>) {
    let result = NdArray::from_node(node).and_then(|array| {
        array.check()?;
        match array.mask() {
            Some(Mask::Array(mask)) => {
                mask.check().map_err(|error| error.under("mask"))?;
                array.missing().map(|_| ())
            }
            _ => Ok(()),
        }
    });
    let Err(error) = result else { return };
    let mut violation = Violation::of(&error, "array");
    let mut at = path();
    for step in error.path().unwrap_or_default().split('/').skip(1) {
        at.push(&step.replace("~1", "/").replace("~0", "~"));
    }
    violation.path = at;
    violation.position = violation.position.or_else(|| node.position());
    out.push(violation);
}

//! Checks that arrays fit their blocks.

use asdf_core::NdArray;
use asdf_core::array::Mask;
use asdf_core::tree::{NodeRef, Path};
use asdf_core::value::FromNode;

use super::{Code, Findings, Violation};

/// Checks the shape, strides, offset and datatype of an array against its data, and its mask against its shape. Reads no
/// data but that of a mask.
pub(super) fn check(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
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
    let mut violation = Violation::from_error(&error, Code::Array);
    violation.path = path().join(&violation.path);
    if violation.position.is_none() {
        violation.position = node.position();
        violation.end = node.end_position();
    }
    out.push(violation);
}

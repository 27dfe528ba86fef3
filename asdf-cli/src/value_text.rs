//! Elements as text, spelled the same in all commands.

use std::borrow::Cow;

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::tree::{Kind, NodeRef};

/// Returns an element as [`plain`] does, or `--` if it is missing.
pub(crate) fn shown(value: &Value, datatype: &Datatype) -> String {
    value.to_text(datatype, "--")
}

/// Returns an element as text; an empty string if it is missing. Floats have the fewest digits that identify them in
/// their datatype, or are `NaN`, `inf` or `-inf`. Complex numbers are written as in Python.
pub(crate) fn plain(value: &Value, datatype: &Datatype) -> String {
    value.to_text(datatype, "")
}

/// Returns a 64-bit float as text.
pub(crate) fn float(number: f64) -> String {
    plain(&Value::Float(number), &Datatype::Float64)
}

/// Returns the text of a scalar as it is in the tree, but NaN and infinities as [`plain`] spells them.
pub(crate) fn scalar(node: NodeRef<'_>) -> Cow<'_, str> {
    match node.as_f64().filter(|number| node.kind() == Kind::Float && !number.is_finite()) {
        Some(number) => float(number).into(),
        None => node.text().unwrap_or_default().into(),
    }
}

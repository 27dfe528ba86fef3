//! Numbers and other elements as text: the one spelling that all commands use.

use std::borrow::Cow;

use asdf_core::Datatype;
use asdf_core::array::Value;
use asdf_core::tree::{Kind, NodeRef};

/// An element for people: as [`plain`], and `--` if it is missing.
pub(crate) fn shown(value: &Value, datatype: &Datatype) -> String {
    value.to_text(datatype, "--")
}

/// An element as text: floats with the fewest digits that their type needs, `NaN`, `inf`, `-inf`, complex
/// numbers as in Python, nothing if it is missing.
pub(crate) fn plain(value: &Value, datatype: &Datatype) -> String {
    value.to_text(datatype, "")
}

/// A float of 64 bits as text.
pub(crate) fn float(number: f64) -> String {
    plain(&Value::Float(number), &Datatype::Float64)
}

/// The text of a scalar in the tree: as it stands there, but NaN and infinity as [`plain`] spells them.
pub(crate) fn scalar(node: NodeRef<'_>) -> Cow<'_, str> {
    match node.as_f64().filter(|number| node.kind() == Kind::Float && !number.is_finite()) {
        Some(number) => float(number).into(),
        None => node.text().unwrap_or_default().into(),
    }
}

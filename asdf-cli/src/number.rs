//! Numbers and other elements as text: the one spelling that all commands use.

use asdf_core::Datatype;
use asdf_core::array::Value;

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

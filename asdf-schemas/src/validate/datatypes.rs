//! Datatypes as schemas give them.

use asdf_core::Datatype;
use serde_json::Value;

/// A datatype as a schema gives it.
pub(super) fn of_schema(value: &Value) -> Option<Datatype> {
    // Through the same reader as in files, so that both mean the same. JSON is YAML.
    asdf_core::yaml::parse(&value.to_string()).ok()?.get("").ok()
}

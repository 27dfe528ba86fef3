//! Datatypes in schemas.

use asdf_core::Datatype;
use serde_json::Value;

/// Parses the datatype of a schema.
pub(super) fn of_schema(value: &Value) -> Option<Datatype> {
    // Uses the parser for datatypes in files, so that both mean the same. JSON is YAML.
    asdf_core::yaml::parse(&value.to_string()).ok()?.get("").ok()
}

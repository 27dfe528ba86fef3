//! Refuses schemas whose references lead through too many levels.
//!
//! The engine follows nested schemas and references by recursion. A chain of some thousand references would overflow the
//! stack.

use std::collections::{HashMap, HashSet};

use asdf_schema_model::uri;
use serde_json::Value;

/// The maximum number of nested objects and lists, with references followed.
///
/// Texts have at most 512 levels, and the normal form adds two for each reference.
pub(super) const MOST_LEVELS: usize = 1024;

/// Returns whether the longest way through a document in normal form has more levels than the limit.
///
/// References to other documents are not followed. A reference back to a schema that is on the way ends the way, as it
/// does in the engine.
pub(super) fn are_too_many(document: &Value, id: &str) -> bool {
    // The levels at and below each collection.
    let mut known: HashMap<*const Value, usize> = HashMap::new();
    let mut open: HashSet<*const Value> = HashSet::new();
    let mut pending = vec![(document, false)];
    while let Some((value, done)) = pending.pop() {
        if done {
            let below = below(document, id, value).into_iter();
            let below = below.filter_map(|child| known.get(&std::ptr::from_ref(child))).max();
            let levels = below.copied().unwrap_or(0) + 1;
            if levels > MOST_LEVELS {
                return true;
            }
            known.insert(value, levels);
        } else if open.insert(value) {
            pending.push((value, true));
            pending.extend(below(document, id, value).into_iter().map(|child| (child, false)));
        }
    }
    false
}

/// Returns the collections in a collection, and the target of its reference.
fn below<'v>(document: &'v Value, id: &str, value: &'v Value) -> Vec<&'v Value> {
    let is_collection = |value: &&Value| value.is_object() || value.is_array();
    match value {
        Value::Array(items) => items.iter().filter(is_collection).collect(),
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str).and_then(|reference| {
                let (uri, fragment) = uri::split(reference);
                let is_own = uri.is_empty() || uri == id;
                if is_own { document.pointer(&uri::decode(fragment)) } else { None }
            });
            members.values().chain(target).filter(is_collection).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: usize, last: &str, prefix: &str) -> Value {
        let mut schema = serde_json::json!({ "d": { (length.to_string()): { "$ref": last } } });
        for at in 0..length {
            schema["d"][at.to_string()] = serde_json::json!({ "$ref": format!("{prefix}#/d/{}", at + 1) });
        }
        schema
    }

    #[test]
    fn only_long_chains_are_refused() {
        // The document and the mapping of the definitions are two levels.
        let most = MOST_LEVELS - 3;
        for prefix in ["", "x:y"] {
            assert!(!are_too_many(&chain(most, "other:z#/d/0", prefix), "x:y"));
            assert!(are_too_many(&chain(most + 1, "other:z#/d/0", prefix), "x:y"));
        }
        // A circle ends where it began.
        assert!(!are_too_many(&chain(10, "#/d/0", ""), "x:y"));
        assert!(!are_too_many(&serde_json::json!({ "$ref": "#" }), "x:y"));
    }
}

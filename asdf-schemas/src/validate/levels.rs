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

/// Documents in normal form by their ids.
pub(super) type Documents = HashMap<String, Value>;

/// Returns whether the longest way through a document has more levels than the limit.
///
/// A reference back to a schema that is on the way ends the way, as it does in the engine.
pub(super) fn are_too_many(documents: &Documents, id: &str) -> bool {
    let Some(document) = documents.get(id) else { return false };
    // The levels at and below each collection.
    let mut known: HashMap<*const Value, usize> = HashMap::new();
    let mut open: HashSet<*const Value> = HashSet::new();
    let mut pending = vec![(id, document, false)];
    while let Some((id, value, done)) = pending.pop() {
        if done {
            let below =
                below(documents, id, value).filter_map(|(_, child)| known.get(&std::ptr::from_ref(child)));
            let levels = below.max().copied().unwrap_or(0) + 1;
            if levels > MOST_LEVELS {
                return true;
            }
            known.insert(value, levels);
        } else if open.insert(value) {
            pending.push((id, value, true));
            pending.extend(below(documents, id, value).map(|(id, child)| (id, child, false)));
        }
    }
    false
}

/// Returns the collections in a collection, and the target of its reference, each with the id of its document.
fn below<'v>(
    documents: &'v Documents,
    id: &'v str,
    value: &'v Value,
) -> impl Iterator<Item = (&'v str, &'v Value)> {
    let target = value.get("$ref").and_then(Value::as_str).and_then(|reference| {
        let (uri, fragment) = uri::split(reference);
        let base = base(documents.get(id)?, id);
        let uri = uri::join(base, uri);
        let (id, document) = documents.get_key_value(if uri == base { id } else { &uri })?;
        Some((id.as_str(), document.pointer(&uri::decode(fragment))?))
    });
    let children = children(value).map(move |child| (id, child));
    children.chain(target).filter(|(_, value)| value.is_object() || value.is_array())
}

/// Returns the base of the relative references in a document.
fn base<'v>(document: &'v Value, id: &'v str) -> &'v str {
    document.get("id").and_then(Value::as_str).map_or(id, |id| uri::split(id).0)
}

/// Returns the values in a collection.
fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let items = value.as_array().into_iter().flatten();
    items.chain(value.as_object().into_iter().flat_map(|members| members.values()))
}

/// Returns the ids of the documents to which a document refers.
pub(super) fn references(document: &Value, id: &str) -> HashSet<String> {
    let base = base(document, id);
    let mut ids = HashSet::new();
    let mut pending = vec![document];
    while let Some(value) = pending.pop() {
        let reference = value.get("$ref").and_then(Value::as_str);
        ids.extend(reference.map(|reference| uri::join(base, uri::split(reference).0)));
        pending.extend(children(value));
    }
    ids.remove(base);
    ids
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
        let too_many = |document| are_too_many(&[("x:y".to_owned(), document)].into(), "x:y");
        for prefix in ["", "x:y"] {
            assert!(!too_many(chain(most, "other:z#/d/0", prefix)));
            assert!(too_many(chain(most + 1, "other:z#/d/0", prefix)));
        }
        // References are relative to the id in a document, whatever its name is.
        let mut renamed = chain(most + 1, "other:z#/d/0", "");
        renamed["id"] = "http://x.org/base".into();
        assert!(too_many(renamed));
        // A circle ends where it began.
        assert!(!too_many(chain(10, "#/d/0", "")));
        assert!(!too_many(serde_json::json!({ "$ref": "#" })));
    }

    /// Each schema refers to the next one in the other document.
    #[test]
    fn references_to_other_documents_are_followed() {
        let too_many = |length| {
            let documents = [("http://x.org/y", "z"), ("http://x.org/z", "http://x.org/y")];
            let documents = documents.map(|(id, other)| (id.to_owned(), chain(length, "#/e", other)));
            are_too_many(&documents.into(), "http://x.org/y")
        };
        assert!(!too_many(MOST_LEVELS - 3));
        assert!(too_many(MOST_LEVELS - 2));
        let found = references(&chain(3, "#/e", "z"), "http://x.org/y");
        assert_eq!(found, ["http://x.org/z".to_owned()].into());
    }
}

//! Defaults that readers fill in for files older than standard 1.6.0.

use asdf_core::NodeRef;
use asdf_core::tree::Kind;

/// Whether readers fill in the default of a property at this pointer into its schema.
///
/// As in the Python library asdf, the pointer may only pass through `properties`, `items` and `allOf`.
pub(super) fn is_filled_in(pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    while let Some(keyword) = steps.next() {
        match keyword {
            "properties" | "allOf" => drop(steps.next()),
            // One schema or a list of schemas.
            "items" => {
                let rest = steps.clone();
                let is_list = steps.next().is_some_and(|step| step.bytes().all(|byte| byte.is_ascii_digit()));
                if !is_list {
                    steps = rest;
                }
            }
            _ => return false,
        }
    }
    true
}

/// A value as a Rust expression. `None` for null, which equals a missing property, and for values without a literal.
pub(super) fn literal(node: NodeRef<'_>) -> Option<String> {
    if node.own_tag().is_some() {
        return None;
    }
    match node.kind() {
        Kind::String => node.as_str().map(|text| format!("{text:?}")),
        Kind::Bool => node.as_bool().map(|flag| flag.to_string()),
        Kind::Int => node.as_i64().map(|number| number.to_string()),
        Kind::Float => node.as_f64().filter(|number| number.is_finite()).map(|number| format!("{number:?}")),
        Kind::Mapping if node.is_empty() => Some("{}".to_owned()),
        Kind::Sequence if node.is_empty() => Some("[]".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_and_definitions_are_not_filled_in() {
        for (pointer, expected) in [
            ("/properties/a", true),
            ("/allOf/1/properties/a", true),
            ("/properties/properties/items/properties/a", true),
            ("/properties/anyOf/items/0/properties/a", true),
            ("/properties/x/anyOf/1/properties/a", false),
            ("/definitions/x/properties/a", false),
            ("/patternProperties/x/properties/a", false),
        ] {
            assert_eq!(is_filled_in(pointer), expected, "{pointer}");
        }
    }
}

//! Which numbers a schema cannot tell apart.

use asdf_core::tree::{Kind, NodeRef};
use serde_json::Value;

/// The numbers that stand in a schema and in all that it refers to. Whatever they are there for (limits, values of
/// an `enum`, lengths), a schema can only find out of a number on which side of them it is, or that it is one
/// of them: numbers of one kind without any of these between them are the same to it.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    bounds: Vec<f64>,
    /// A keyword asks for more than that.
    exact: bool,
}

impl Numbers {
    /// Adds those of a document in its normal form; `own` are the keywords that the validating program has added.
    pub(super) fn add(&mut self, schema: &Value, own: &dyn Fn(&str) -> bool) {
        match schema {
            Value::Number(number) => match number.as_f64() {
                Some(bound) => {
                    let place = self.bounds.partition_point(|&other| other < bound);
                    if self.bounds.get(place) != Some(&bound) {
                        self.bounds.insert(place, bound);
                    }
                }
                None => self.exact = true,
            },
            Value::Array(items) => items.iter().for_each(|item| self.add(item, own)),
            Value::Object(members) => {
                for (name, value) in members {
                    // Divisors, and values that are compared with each other. The metaschemas of JSON Schema,
                    // which are not seen here, have such keywords.
                    let foreign = || value.as_str().is_some_and(|uri| uri.contains("json-schema.org"));
                    self.exact |= name == "multipleOf" || name == "uniqueItems" || own(name) || foreign();
                    self.add(value, own);
                }
            }
            _ => {}
        }
    }

    /// Whether no schema that these are from can tell two scalars apart.
    pub(super) fn are_alike(&self, one: NodeRef<'_>, other: NodeRef<'_>) -> bool {
        if self.exact || one.kind() != other.kind() || one.own_tag().is_some() {
            return false;
        }
        let side = |node| value(node).map(|value| self.side(value));
        side(one).is_some_and(|own| side(other) == Some(own))
    }

    /// How many of the bounds are below a number, and how many are not above it.
    fn side(&self, value: f64) -> (usize, usize) {
        let below = self.bounds.partition_point(|&bound| bound < value);
        (below, below + usize::from(self.bounds.get(below) == Some(&value)))
    }
}

/// A number that every reader takes for the same one: finite, and if it is an integer, one that a float holds exactly.
fn value(node: NodeRef<'_>) -> Option<f64> {
    const EXACT: i64 = 1 << 53;
    match node.kind() {
        #[allow(clippy::cast_precision_loss, reason = "the range is checked")]
        Kind::Int => node.as_i64().filter(|value| (-EXACT..EXACT).contains(value)).map(|value| value as f64),
        Kind::Float => node.as_f64().filter(|value| value.is_finite()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    fn alike(schema: &str, list: &str) -> bool {
        let schema = parse(schema).unwrap();
        let mut numbers = Numbers::default();
        numbers.add(&super::super::json(schema.root().unwrap()).unwrap(), &|name| name == "even");
        let tree = parse(list).unwrap();
        let root = tree.root().unwrap();
        numbers.are_alike(root.item(0).unwrap(), root.item(1).unwrap())
    }

    #[test]
    fn numbers_with_nothing_between_them_are_alike() {
        let limits = "{minimum: 0, items: [{enum: [7, a, 2.5]}, {maximum: 100}]}";
        for (list, expected) in [
            ("[1, 2]", true),
            ("[3, 6]", true),
            ("[0x5, 6]", true),
            ("[-1, -900]", true),
            ("[0, 0]", true),
            ("[1, 1.0]", false),
            ("[1.5, 2.25]", true),
            ("[2.25, 2.75]", false),
            ("[0, 1]", false),
            ("[0, -1]", false),
            ("[6, 7]", false),
            ("[7, 8]", false),
            ("[2.5, 2.25]", false),
            ("[100, 101]", false),
            ("[101, 9007199254740991]", true),
            ("[101, 9007199254740993]", false),
            ("[101, 100000000000000000000]", false),
            ("[200.5, .inf]", false),
            ("[200.5, .nan]", false),
            ("[a, b]", false),
            ("[!x 1, !x 2]", false),
        ] {
            assert_eq!(alike(limits, list), expected, "{list}");
        }
        for (schema, expected) in [
            ("{properties: {x: {type: integer}}}", true),
            ("{properties: {x: {multipleOf: 2}}}", false),
            ("{uniqueItems: true}", false),
            ("{even: true}", false),
            ("{items: {$ref: 'http://json-schema.org/draft-04/schema'}}", false),
        ] {
            assert_eq!(alike(schema, "[1, 2]"), expected, "{schema}");
        }
    }
}

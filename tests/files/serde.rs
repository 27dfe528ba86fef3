//! Converts the types of another crate with serde: the values of serde_json.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::yaml::parse;
use asdf_core::{File, Tree, error};
use proptest::prelude::*;
use serde_json::{Value, json};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (i64::MIN + 2..).prop_map(Value::from),
        (0..=u64::MAX / 2).prop_map(Value::from),
        (-1e300..1e300).prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(".*", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn json_goes_in_and_out(value in value()) {
        let mut file = File::new();
        file.serialize("/value", &value).unwrap();
        prop_assert_eq!(&file.deserialize::<Value>("/value").unwrap(), &value);
        let back = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(&back.deserialize::<Value>("/value").unwrap(), &value);
    }
}

#[test]
fn integers_beyond_64_bits_with_a_sign_are_not_written() {
    let error = File::new().serialize("/value", &json!([1, u64::MAX])).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (
            error::Kind::Usage,
            "cannot write the integer 18446744073709551615 into the tree: the standard limits it to 64 bits"
        )
    );
    // Such an integer in a file can still be read.
    let tree = parse("{large: 18446744073709551615}").unwrap();
    assert_eq!(tree.deserialize::<Value>("/large").unwrap(), json!(u64::MAX));
}

#[test]
fn yaml_is_read_by_the_rules_of_yaml_1_1() {
    let tree = parse("{a: yes, b: 0777, c: 1:30, d: 1e3, e: 2001-01-01, f: ~, 7: [1.5]}").unwrap();
    assert_eq!(
        tree.deserialize::<Value>("").unwrap(),
        json!({"a": true, "b": 511, "c": 90, "d": "1e3", "e": "2001-01-01", "f": null, "7": [1.5]})
    );
}

#[test]
fn the_deepest_value_fits_the_stack_of_a_thread() {
    let deep = |levels: usize| {
        let mut tree = Tree::new();
        let mut node = tree.add_int(1);
        for level in 0..levels {
            node = if level % 2 == 0 {
                tree.add_sequence([node])
            } else {
                let key = tree.add_str("k");
                tree.add_mapping([(key, node)])
            };
        }
        tree.set_root(node);
        tree
    };
    let tree = deep(512);
    let value: Value = tree.deserialize("").unwrap();
    let mut back = Tree::new();
    back.serialize("", &value).unwrap();
    assert_eq!(back.root(), tree.root());
    let error = deep(513).deserialize::<Value>("").unwrap_err();
    assert_eq!(error.message(), "the value nests deeper than 512 levels");
}

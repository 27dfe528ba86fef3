//! serde support: reads nodes into `Deserialize` types, and writes `Serialize` values as nodes.
//!
//! Use it for types without tags and for types of other crates. A type that must keep tags, unknown
//! properties and versions should derive [`Asdf`](crate::Asdf) instead.
//!
//! # Examples
//! ```
//! use asdf_core::Tree;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Exposure<'a> {
//!     seconds: f64,
//!     #[serde(borrow)]
//!     filter: Option<&'a str>,
//! }
//!
//! let mut tree = Tree::new();
//! tree.serialize("/exposure", &Exposure { seconds: 12.5, filter: Some("F158") })?;
//! let back: Exposure = tree.deserialize("/exposure")?; // `filter` borrows from the tree
//! assert_eq!(back, Exposure { seconds: 12.5, filter: Some("F158") });
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Mapping of types
//!
//! | node | serde |
//! |---|---|
//! | null | `None`, `()`, a unit struct |
//! | boolean | `bool` |
//! | integer | integers up to 128 bits (larger ones are an error), floats |
//! | float | `f32`, `f64` |
//! | string | `&str` borrowed from the tree, `String`, `char`, an enum's unit variant |
//! | `!!binary` | decoded bytes; the base64 text if a string is expected |
//! | timestamp | its text |
//! | sequence | sequences, tuples, arrays |
//! | mapping | structs, maps; a mapping with one entry is an enum's variant with content |
//! | `!!set` | also sequences, with its keys as items |
//!
//! Tags are ignored when reading, and only `!!binary` is written. The key of a map is written as a string, an
//! integer or a boolean, and any of these can be read as a string. If a key occurs twice, structs and maps
//! get the last one. `None` and `()` are written as null; use `#[serde(skip_serializing_if =
//! "Option::is_none")]` to leave them out. serde does not see sharing between nodes: a shared node is read
//! once for each place that contains it.
//!
//! # Limits
//!
//! Values nest at most 512 levels deep. [`from_node`] reads at most four times the number of nodes of the tree,
//! plus a million. Cycles and aliases that expand without end are therefore
//! [`Limit`](crate::error::Kind::Limit) errors. serde itself does not support integers of 128 bits in
//! untagged, internally tagged and flattened types.
//!
//! Errors have line, column and path, like those of [`Tree::get`]. Reading stops at the first error.

mod deserializer;
mod error;
mod serializer;

use ::serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

/// The maximum nesting depth of values.
const DEPTH: usize = 512;

/// Reads any deserializable value from a node. Borrowed data lives as long as the tree.
///
/// # Errors
/// - [`Mismatch`](crate::error::Kind::Mismatch) with line, column and the path below the node.
/// - [`Limit`](crate::error::Kind::Limit) if the value is nested too deep, or aliases expand too far.
///
/// # Examples
/// ```
/// let tree = asdf_core::yaml::parse("filters: [F158, F184]")?;
/// let filters: Vec<&str> = asdf_core::value::serde::from_node(tree.at("/filters")?)?;
/// assert_eq!(filters, ["F158", "F184"]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn from_node<'a, T: Deserialize<'a>>(node: NodeRef<'a>) -> Result<T> {
    deserializer::read(node)
}

/// Adds any serializable value to a tree and returns its node.
///
/// # Errors
/// - [`Usage`](crate::error::Kind::Usage) if a map's key is not a string, an integer or a boolean.
/// - [`Limit`](crate::error::Kind::Limit) if the value is nested too deep.
/// - Errors of the value itself.
pub fn to_node<T: Serialize + ?Sized>(value: &T, tree: &mut Tree) -> Result<NodeId> {
    serializer::write(value, tree)
}

impl Tree {
    /// Reads any deserializable value at a JSON Pointer: see [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// Same as [`at`](Self::at) and [`from_node`].
    pub fn deserialize<'a, T: Deserialize<'a>>(&'a self, pointer: &str) -> Result<T> {
        let node = self.at(pointer)?;
        from_node(node).map_err(|error| error.at_path(pointer))
    }

    /// Writes any serializable value at a JSON Pointer, like [`set`](Self::set).
    ///
    /// See [`value::serde`](crate::value::serde).
    ///
    /// # Errors
    /// Same as [`set`](Self::set) and [`to_node`].
    pub fn serialize<T: Serialize + ?Sized>(&mut self, pointer: &str, value: &T) -> Result<()> {
        let id = to_node(value, self)?;
        self.set_node(pointer, id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use ::serde::de::IgnoredAny;
    use proptest::prelude::*;

    use super::*;
    use crate::yaml::parse;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Choice {
        Unit,
        Newtype(i32),
        Pair(i32, String),
        Fields { a: Option<f64>, b: Vec<u8> },
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct All {
        truth: bool,
        small: i8,
        large: u128,
        negative: i128,
        float: f64,
        single: f32,
        letter: char,
        text: String,
        nothing: (),
        absent: Option<String>,
        present: Option<String>,
        list: Vec<Choice>,
        tuple: (u8, String),
        map: BTreeMap<i64, String>,
        flags: BTreeMap<bool, f32>,
        nested: Wrapper,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Wrapper(BTreeMap<String, Vec<Option<u64>>>);

    fn choice() -> impl Strategy<Value = Choice> {
        prop_oneof![
            Just(Choice::Unit),
            any::<i32>().prop_map(Choice::Newtype),
            (any::<i32>(), ".*").prop_map(|(a, b)| Choice::Pair(a, b)),
            (prop::option::of(-1e9..1e9), any::<Vec<u8>>()).prop_map(|(a, b)| Choice::Fields { a, b }),
        ]
    }

    fn all() -> impl Strategy<Value = All> {
        let literals = crate::tree::LITERALS;
        let large = 0..=literals.end().unsigned_abs();
        let scalars = (any::<bool>(), any::<i8>(), large, literals, any::<f32>(), any::<char>());
        let texts = (".*", prop::option::of(".*"), any::<f64>());
        let map = prop::collection::btree_map(any::<i64>(), ".*", 0..3);
        let flags = prop::collection::btree_map(any::<bool>(), -9.0..9.0_f32, 0..2);
        let number = (0..=u64::MAX / 2).prop_map(Some).boxed();
        let list = prop::collection::vec(prop_oneof![Just(None), number], 0..9);
        let nested = prop::collection::btree_map(".*", list, 0..3);
        (scalars, texts, prop::collection::vec(choice(), 0..4), map, flags, nested).prop_map(
            |(scalars, (text, present, float), list, map, flags, nested)| {
                let (truth, small, large, negative, single, letter) = scalars;
                let tuple = (7, text.clone());
                let nested = Wrapper(nested);
                All {
                    truth,
                    small,
                    large,
                    negative,
                    float,
                    single,
                    letter,
                    text,
                    nothing: (),
                    absent: None,
                    present,
                    list,
                    tuple,
                    map,
                    flags,
                    nested,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in all()) {
            prop_assume!(!value.float.is_nan() && !value.single.is_nan());
            let mut tree = Tree::new();
            tree.serialize("", &value).unwrap();
            prop_assert_eq!(&tree.deserialize::<All>("").unwrap(), &value);
            let text = crate::yaml::emit(&tree, crate::yaml::EmitOptions::default()).unwrap();
            prop_assert_eq!(&parse(&text).unwrap().deserialize::<All>("").unwrap(), &value);
        }
    }

    fn message<'a, T: Deserialize<'a>>(tree: &'a Tree, pointer: &str) -> String {
        match tree.deserialize::<T>(pointer) {
            Ok(_) => "no error".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn nodes_without_a_serde_type() {
        let tree = parse(
            "bytes: !!binary aGk=\nset: !!set {a, b}\ntime: 2001-12-14\nkeys: {1: a, yes: b}\n\
             twice: {a: 1, a: 2}\nbig: 123456789012345678901234567890123456789012\ntagged: !x {a: 3}\n",
        )
        .unwrap();
        let bytes: Bytes = tree.deserialize("/bytes").unwrap();
        assert_eq!(bytes.0, b"hi");
        assert_eq!(tree.deserialize::<String>("/bytes").unwrap(), "aGk=");
        let set: BTreeSet<&str> = tree.deserialize("/set").unwrap();
        assert_eq!(set, BTreeSet::from(["a", "b"]));
        assert_eq!(tree.deserialize::<&str>("/time").unwrap(), "2001-12-14");
        let keys: BTreeMap<String, &str> = tree.deserialize("/keys").unwrap();
        assert_eq!(keys, BTreeMap::from([("1".to_owned(), "a"), ("yes".to_owned(), "b")]));
        assert_eq!(tree.deserialize::<One>("/twice").unwrap().a, 2);
        assert_eq!(tree.deserialize::<One>("/tagged").unwrap().a, 3);
        assert_eq!(tree.deserialize::<f64>("/big").unwrap(), 1.2345678901234568e41);
        assert!(message::<u128>(&tree, "/big").ends_with("expected an integer of at most 128 bits"));
        tree.deserialize::<IgnoredAny>("").unwrap();
        let mut tree = Tree::new();
        tree.serialize("/b", &Bytes(b"hi".to_vec())).unwrap();
        assert_eq!(tree.at("/b").unwrap().as_bytes().unwrap(), b"hi");
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct One {
        a: i64,
    }

    #[derive(Debug)]
    struct Bytes(Vec<u8>);

    impl Serialize for Bytes {
        fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl ::serde::de::Visitor<'_> for Visitor {
                type Value = Bytes;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                    Ok(Bytes(bytes))
                }
            }
            deserializer.deserialize_byte_buf(Visitor)
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let tree = parse(
            "list:\n- {a: 1}\n- {a: x}\n- {b: 1}\n- {a: 1, aa: 2}\nchoice: {Newtyp: 1}\ntwo: {Unit: 1, Newtype: 2}\n\
             content: {Newtype: no}\nname: Pair\npair: [1, 2, 3]\n",
        )
        .unwrap();
        for (found, expected) in [
            (
                message::<Vec<One>>(&tree, "/list"),
                "line 3, column 7: /list/1/a: found the string 'x', expected i64",
            ),
            (
                message::<One>(&tree, "/list/2"),
                "line 4, column 4: /list/2: unknown property 'b'\n  hint: use one of a",
            ),
            (
                message::<Vec<i64>>(&tree, "/list/2"),
                "line 4, column 3: /list/2: found a mapping, expected a sequence",
            ),
            (
                message::<Choice>(&tree, "/choice"),
                "line 6, column 10: /choice: unknown variant 'Newtyp'\n  hint: did you mean 'Newtype'?",
            ),
            (
                message::<Choice>(&tree, "/two"),
                "line 7, column 6: /two: found a mapping of 2 entries, expected a variant of `Choice`: \
                 its name, or a mapping with that as its only key",
            ),
            (
                message::<Choice>(&tree, "/content"),
                "line 8, column 20: /content/Newtype: found the boolean false, expected i32",
            ),
            (
                message::<Choice>(&tree, "/name"),
                "line 9, column 7: /name: found the string 'Pair', \
                 expected a mapping `Pair: ...` with the variant's content",
            ),
            (message::<(u8, u8)>(&tree, "/pair"), "line 10, column 7: /pair: found 3 items, expected 2"),
            (
                message::<[u8; 4]>(&tree, "/pair"),
                "line 10, column 7: /pair: found 3 items, expected an array of length 4",
            ),
            (
                message::<u8>(&tree, "/pear"),
                "line 1, column 1: /pear: the key 'pear' does not exist at the root\n  hint: use one of list, choice, two, content, name, pair",
            ),
        ] {
            assert_eq!(found, expected);
        }
        let odd = BTreeMap::from([(None::<u8>, 1)]);
        assert_eq!(
            Tree::new().serialize("", &BTreeMap::from([("x", odd)])).unwrap_err().to_string(),
            "/x: found null as a key, expected a string, an integer or a boolean"
        );
    }

    #[derive(Debug, Serialize, Deserialize)]
    struct Deep(Vec<Deep>);

    #[test]
    fn cycles_depth_and_alias_bombs_are_errors() {
        let tree = parse("&a [*a]\n").unwrap();
        assert!(message::<Deep>(&tree, "").contains("the value nests deeper than 512 levels"));
        let mut bomb = Tree::new();
        let mut node = bomb.add_sequence([]);
        for _ in 0..100 {
            node = bomb.add_sequence([node, node]);
        }
        bomb.set_root(node);
        assert!(message::<Deep>(&bomb, "").contains("aliases expand to too many nodes"));
        bomb.deserialize::<IgnoredAny>("").unwrap();
        let nested = |depth| (1..depth).fold(Deep(Vec::new()), |inner, _| Deep(vec![inner]));
        assert!(Tree::new().serialize("", &nested(512)).is_ok());
        let error = Tree::new().serialize("", &nested(513)).unwrap_err();
        assert_eq!(error.message(), "the value nests deeper than 512 levels");
        let mut tree = Tree::new();
        tree.serialize("", &nested(512)).unwrap();
        tree.deserialize::<Deep>("").unwrap();
    }
}

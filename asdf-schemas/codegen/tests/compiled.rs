//! What comes out of the cases compiles with the derive, and reads and writes as the schemas say: the
//! values of `values.yaml`, where a case has one.

#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]
#![allow(dead_code, unreachable_pub, clippy::large_enum_variant, reason = "generated, and only partly used")]

use std::collections::BTreeSet;
use std::path::Path;

use asdf_core::{Extra, FromNode, KeptTag, Kind, NdArray, Node, NodeRef, ToNode, Tree, yaml};

macro_rules! cases {
    ($($case:ident $type:ident,)*) => {
        $(mod $case {
            include!(concat!("cases/", stringify!($case), "/expected.rs"));
        })*

        /// The cases that are compiled.
        const CASES: &[&str] = &[$(stringify!($case)),*];

        #[test]
        fn values_are_read_and_written() {
            $(check::<$case::$type>(stringify!($case));)*
        }
    };
}

cases! {
    all_of Spectral,
    arrays Frame,
    checks Checks,
    closed Point,
    contains Catalogue,
    definitions Catalogue,
    deprecated Plan,
    docs Docs,
    extern_types User,
    keywords Keywords,
    lists Lists,
    maps Settings,
    names Names,
    nested Outer,
    nullable Nullable,
    odd Odd,
    patterns Kit,
    recursion Tree,
    required Exposure,
    tags Mission,
    unions Unions,
    unversioned Filter,
    values Values,
    versions_alike Table,
    versions_differ Log,
    words Frame,
    write_tags Wheel,
}

mod modules {
    include!("cases/modules/expected.rs");
}

#[test]
fn every_case_is_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let found: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("error_"))
        .collect();
    let compiled: BTreeSet<String> = CASES.iter().chain(&["modules"]).map(|&case| case.to_owned()).collect();
    assert_eq!(found, compiled);
}

/// A new value has the tag that its place asks for, and so has one that was read with another tag of its type.
#[test]
fn new_values_have_the_tag_of_their_place() {
    use write_tags::{Filter, Wheel, WheelEither};

    let new = Filter { name: None, extra: Extra::new(), tag: KeptTag::Newest };
    let mut wheel = Wheel::new();
    wheel.old = Some(new.clone());
    wheel.newest = Some(new.clone());
    wheel.either = Some(WheelEither::Filter(new.clone()));
    wheel.or_null = Some(asdf_core::Nullable::Value(new));
    wheel.flat = Some(NdArray::new(&[1], &[1.5]).unwrap());
    let node = Node::new(&wheel).unwrap();
    let tag =
        |key: &str| node.view().get(key).and_then(NodeRef::own_tag).unwrap().rsplit('/').next().unwrap();
    assert_eq!(
        ["old", "newest", "either", "or_null", "flat"].map(tag),
        ["filter-1.0.0", "filter-1.1.0", "filter-1.0.0", "filter-1.0.0", "ndarray-1.0.0"]
    );
}

fn check<T: FromNode + ToNode>(case: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case).join("values.yaml");
    let Ok(text) = std::fs::read_to_string(file) else { return };
    let tree = yaml::parse(&text).unwrap();
    for node in tree.at("/valid").unwrap().items() {
        let value = T::from_node(node).unwrap_or_else(|error| panic!("{case}: {error}"));
        let mut written = Tree::new();
        let id = value.to_node(&mut written).unwrap();
        let line = node.position().unwrap().0;
        assert!(alike(node, written.node(id)), "{case}: line {line} is written as\n{:?}", written.node(id));
    }
    for node in tree.at("/invalid").unwrap().items() {
        let line = node.position().unwrap().0;
        let error = T::from_node(node).err().unwrap_or_else(|| panic!("{case}: line {line} is read"));
        assert!(error.line().is_some_and(|at| at == line), "{case}: line {line}: {error}");
    }
}

/// Equal but for the order of keys, which is that of the fields.
fn alike(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    match a.kind() {
        Kind::Mapping => {
            let same = |(key, value): (NodeRef<'_>, NodeRef<'_>)| {
                b.entries().any(|(other, found)| other == key && alike(value, found))
            };
            a.tag() == b.tag() && a.len() == b.len() && a.entries().all(same)
        }
        Kind::Sequence => {
            let same = a.items().zip(b.items()).all(|(a, b)| alike(a, b));
            a.tag() == b.tag() && a.kind() == b.kind() && a.len() == b.len() && same
        }
        _ => a == b,
    }
}

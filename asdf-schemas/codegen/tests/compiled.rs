//! Compiles the generated code of the cases with the derive, and reads and writes the values of `values.yaml`, if a case
//! has that file.

#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]
#![allow(dead_code, unreachable_pub, clippy::large_enum_variant, reason = "generated, and only partly used")]

use std::collections::BTreeSet;
use std::path::Path;

use asdf_core::tree::Kind;
use asdf_core::value::{Extra, KeptTag};
use asdf_core::{Asdf, FromNode, NdArray, Node, NodeRef, Tagged, ToNode, Tree, yaml};

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
    bases Shift,
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
    new_version Exposure,
    nullable Nullable,
    odd Odd,
    patterns Kit,
    recursion Tree,
    required Exposure,
    rust_names Holder,
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

/// The former name of exposures.
#[derive(Debug, Asdf)]
#[asdf(tag = "asdf://example.org/tags/measurement-1.0.0")]
struct Measurement {
    milliseconds: f64,
}

impl From<Measurement> for new_version::Exposure {
    fn from(old: Measurement) -> Self {
        Self::new((old.milliseconds / 1000.0).into())
    }
}

#[test]
fn a_type_reads_values_of_a_renamed_tag() {
    let tree = yaml::parse("!<asdf://example.org/tags/measurement-1.0.0> {milliseconds: 1500}").unwrap();
    let exposure: new_version::Exposure = tree.get("").unwrap();
    assert_eq!(exposure.seconds.to_f64(), 1.5);
    assert_eq!(tag_of(&exposure).as_deref(), Some(new_version::Exposure::TAG));
}

/// Checks the statements on tags in the section "What a new version of a schema changes" of the docs of asdf-codegen.
#[test]
fn a_new_version_of_a_schema_reads_and_writes_the_older_ones() {
    use new_version::exposure::v1_0_0;
    use new_version::{Exposure, ExposureMode};

    // A new optional property does not affect callers of `new`. New values have the newest tag.
    assert_eq!(Exposure::TAG, "asdf://example.org/tags/exposure-1.1.0");
    let (new, old) = (Exposure::new(1.5.into()), v1_0_0::Exposure::new(1.5.into()));
    assert_eq!(
        (new.filter.as_ref(), tag_of(&new), tag_of(&old)),
        (None, Some(Exposure::TAG.into()), Some(OLD.into()))
    );

    // A value of the older version is written with its tag while it stays valid for that tag.
    const OLD: &str = v1_0_0::Exposure::TAG;
    let tree = yaml::parse(&format!("!<{OLD}> {{seconds: 1.5, mode: double}}")).unwrap();
    let mut read: Exposure = tree.get("").unwrap();
    assert_eq!(tag_of(&read).as_deref(), Some(OLD));
    read.mode = Some(ExposureMode::Continuous);
    assert_eq!(tag_of(&read).as_deref(), Some(Exposure::TAG));
    read.mode = None;
    assert_eq!(tag_of(&read).as_deref(), Some(OLD));
    read.filter = Some("F150W".into());
    assert_eq!(tag_of(&read).as_deref(), Some(Exposure::TAG));

    // Versions newer than the generated types are refused; `Tagged` keeps them.
    let tree = yaml::parse("!<asdf://example.org/tags/exposure-1.2.0> {seconds: 1.5}").unwrap();
    assert!(tree.get::<Exposure>("").is_err());
    assert!(matches!(tree.get::<Tagged<Exposure>>("").unwrap(), Tagged::Other(_)));
}

/// The properties of a base are in one field of every type that builds on it, and `new` has no argument for it.
#[test]
fn types_have_their_base_as_a_field() {
    use bases::{AnyTransform, Both, Located, Shift, Transform};

    let mut shift = Shift::new(1.5.into());
    assert_eq!(shift.base2, Transform::default());
    shift.base2.name = Some("a".into());
    shift.base2.inverse = Some(Tagged::Known(AnyTransform::Shift(Box::new(Shift::new((-1.5).into())))));
    let node = Node::new(&shift).unwrap();
    let keys: Vec<&str> = node.view().entries().filter_map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["name", "inverse", "offset"]);
    let both = Both::new(Located::new("b".into()));
    assert_eq!((both.transform, both.located.place.as_str()), (Transform::default(), "b"));
}

/// The tag that a value is written with.
fn tag_of(value: &impl ToNode) -> Option<String> {
    Node::new(value).unwrap().view().own_tag().map(str::to_owned)
}

/// New values, and values read with another tag of their type, get the required tag.
#[test]
fn new_values_have_the_required_tag() {
    use write_tags::{Filter, Wheel, WheelEither};

    let new = Filter { name: None, extra: Extra::new(), tag: KeptTag::Newest };
    let mut wheel = Wheel::new();
    wheel.old = Some(new.clone());
    wheel.newest = Some(new.clone());
    wheel.either = Some(WheelEither::Filter(new.clone()));
    wheel.or_null = Some(asdf_core::value::Nullable::Value(new));
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

/// Compares nodes and ignores the order of keys, which is that of the fields.
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

//! Makes values that fit schemas.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::file::Version;
use asdf_core::tree::Kind;
use asdf_core::{FromNode, Node, NodeRef, Tree};
use asdf_schemas::sample::{Minimal, Sampler};
use asdf_schemas::{Registry, Validator, basic, fits, minimal, table, time, unit};

/// Tags without a smallest value, each with the reason.
const NONE: &[(&str, &str)] = &[];

#[test]
fn every_tag_of_the_standard_has_a_smallest_value() {
    let registry = Registry::standard();
    let mut sampler = Sampler::standard();
    let validator = Validator::new(registry.clone());
    let (mut made, mut without) = (0, Vec::new());
    for tag in registry.tags() {
        let Some(node) = sampler.sample_tag(tag, &[]).unwrap() else {
            without.push(tag);
            continue;
        };
        made += 1;
        assert_eq!(node.view().own_tag(), Some(tag));
        let mut tree = Tree::new();
        let root = tree.graft(node.view()).unwrap();
        tree.set_root(root);
        let report = validator.validate_tree(&tree);
        assert!(report.is_valid(), "{tag}: {:?}", report.violations());
    }
    let known: Vec<&str> = NONE.iter().map(|(tag, _)| *tag).collect();
    assert_eq!(without, known, "{made} are made");
}

#[test]
fn the_smallest_value_has_only_required_properties() {
    let mut sampler = Sampler::standard();
    let mut text = |tag: &str| {
        let node = sampler.sample_tag(tag, &[]).unwrap().unwrap();
        let options = asdf_core::yaml::EmitOptions::new().directives(false);
        asdf_core::yaml::emit(node.tree(), options).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        text("tag:stsci.edu:asdf/core/software-1.0.0"),
        "!<tag:stsci.edu:asdf/core/software-1.0.0> name: '' version: ''"
    );
    assert_eq!(
        text("tag:stsci.edu:asdf/unit/quantity-1.2.0"),
        "!<tag:stsci.edu:asdf/unit/quantity-1.2.0> value: 0.0 unit: ''"
    );
    // The schema of columns refers to the schema of arrays.
    assert_eq!(
        text("tag:stsci.edu:asdf/core/column-1.0.0"),
        "!<tag:stsci.edu:asdf/core/column-1.0.0> name: x \
         data: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [], datatype: float64}"
    );
    assert_eq!(
        text("tag:stsci.edu:asdf/wcs/icrs_coord-1.1.0"),
        "!<tag:stsci.edu:asdf/wcs/icrs_coord-1.1.0> ra: {} dec: {}"
    );
}

/// The value made from no bytes equals the value that `minimal` returns.
#[test]
fn no_bytes_make_the_smallest_value() {
    let registry = Registry::standard();
    let mut sampler = Sampler::standard();
    let sorted = |node: NodeRef<'_>| {
        let mut all: Vec<String> = Vec::new();
        let mut walk = node.walk();
        while let Some(node) = walk.next() {
            let path = walk.path();
            all.push(format!("{path} {:?} {:?} {:?}", node.own_tag(), node.kind(), node.text()));
        }
        all.sort();
        all
    };
    for tag in registry.tags() {
        let sample = sampler.sample_tag(tag, &[]).unwrap().unwrap();
        let minimal = minimal(&registry, Version::new(1, 6, 0), tag).unwrap();
        assert_eq!(sorted(sample.view()), sorted(minimal.node.view()), "{tag}");
    }
}

/// Properties that others depend on, and those that only have a pattern, exist for all bytes.
#[test]
fn dependencies_and_patterns_of_names_hold() {
    let schema = "type: object\nproperties: {a: {type: integer}}\npatternProperties: {'^b': {type: boolean}}\ndependencies: {a: [b1]}\n";
    let mut registry = (*Registry::standard()).clone();
    registry.add_schema_as("asdf://x.org/s", schema).unwrap();
    let mut sampler = Sampler::new(registry.into(), Version::new(1, 6, 0)).unwrap();
    let mut with = 0;
    for seed in 0..40_u8 {
        let made = sampler.sample_schema("asdf://x.org/s", &[seed, seed / 2, seed / 4]).unwrap().unwrap();
        let value = made.view().get("b1");
        assert_eq!(made.view().get("a").is_some(), value.is_some(), "{seed}");
        assert!(value.is_none_or(|value| value.kind() == Kind::Bool), "{seed}");
        with += usize::from(value.is_some());
    }
    assert!((1..40).contains(&with), "{with}");
}

/// An added property with the name of an existing one occurs only once, and a property without a schema can be anything.
#[test]
fn no_property_occurs_twice() {
    let mut registry = (*Registry::standard()).clone();
    registry.add_schema_as("asdf://x.org/s", "type: object\nrequired: [another]\n").unwrap();
    let mut sampler = Sampler::new(registry.into(), Version::new(1, 6, 0)).unwrap();
    let mut kinds = std::collections::HashSet::new();
    for seed in 0..40_u8 {
        let made = sampler.sample_schema("asdf://x.org/s", &[seed, seed / 2, seed / 4]).unwrap();
        let made = made.unwrap_or_else(|| panic!("nothing was made of {seed}"));
        assert_eq!(made.view().entries().count(), 1, "{seed}");
        kinds.extend(made.view().get("another").map(NodeRef::kind));
    }
    assert!(kinds.contains(&Kind::Null) && kinds.len() > 3, "{kinds:?}");
}

#[test]
fn types_have_smallest_values() {
    fn check<T: Minimal + FromNode + asdf_core::ToNode>() {
        let value = T::minimal().unwrap_or_else(|| panic!("no {}", std::any::type_name::<T>()));
        let node = Node::new(&value).unwrap();
        let mut tree = Tree::new();
        let root = tree.graft(node.view()).unwrap();
        tree.set_root(root);
        let report = Validator::standard().validate_tree(&tree);
        assert!(report.is_valid(), "{}: {:?}", std::any::type_name::<T>(), report.violations());
    }
    check::<basic::Software>();
    check::<basic::Asdf>();
    check::<basic::HistoryEntry>();
    check::<unit::Unit>();
    check::<unit::Quantity>();
    check::<table::Column>();
    check::<table::Table>();
    check::<time::Time>();
    check::<fits::Fits>();
}

#[test]
fn invalid_requests_are_errors() {
    let mut sampler = Sampler::standard();
    let error = sampler.sample_tag("asdf://example.org/tags/none-1.0.0", &[]).unwrap_err();
    assert_eq!(error.kind(), asdf_core::error::Kind::Usage);
    assert_eq!(
        sampler.sample_schema("asdf://example.org/none-1.0.0", &[]).unwrap_err().kind(),
        asdf_core::error::Kind::Usage
    );
    assert!(Sampler::new(Registry::standard(), Version::new(9, 9, 9)).is_err());
}

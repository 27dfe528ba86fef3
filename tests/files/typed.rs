//! Tries the generated types on every example of every schema: a valid example is read, written back equal, and valid
//! again. With the feature `transform`, this includes the types of transforms.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use asdf_core::array::{Complex, Integer};
use asdf_core::block::{Header, Label};
use asdf_core::error::Hint;
use asdf_core::tree::tag_matches;
use asdf_core::value::{Asdf, FromNode, ToNode};
use asdf_core::{File, NdArray, NodeRef, Tree};
#[cfg(feature = "transform")]
use asdf_schemas::transform;
use asdf_schemas::{Defaults, Registry, Validator, basic, fits, table, time, unit, wcs};

/// Returns whether a type is for this version of its tag, and does not only read the values that fit.
fn is_for<T: Asdf>(tag: &str) -> bool {
    T::TAG == tag || T::ACCEPTS.iter().any(|pattern| tag_matches(pattern, tag))
}

/// Reads a node as the type for its version, else as the type for the current one, and writes it into a new tree.
fn through_type(file: &File, is_for_version: bool) -> Option<asdf_core::Result<Tree>> {
    let node = file.tree().root()?;
    let tag = node.own_tag()?;
    macro_rules! types {
        ($($type:ty),* $(,)?) => {$(
            // A unit can have any tag.
            let is_read = <$type as FromNode>::accepts_tag(tag) && <$type as Asdf>::TAG != unit::Unit::TAG;
            let is_own = is_for::<$type>(tag);
            if (if is_for_version { is_own } else { is_read && !is_own }) {
                return Some(<$type>::from_node(node).and_then(|value| {
                    let mut tree = Tree::new();
                    tree.set_standard(file.tree().standard());
                    let root = value.to_node(&mut tree)?;
                    tree.set_root(root);
                    Ok(tree)
                }));
            }
        )*};
    }
    asdf_tests::standard_types!(types);
    #[cfg(feature = "transform")]
    asdf_tests::transform_types!(types);
    types!(NdArray, Complex, Integer);
    None
}

/// Returns a block of nonzero numbers.
fn block() -> Vec<u8> {
    const SIZE: u64 = 4096;
    let mut bytes = Header {
        header_size: 48,
        flags: 0,
        compression: Label::NONE,
        allocated_size: SIZE,
        used_size: SIZE,
        data_size: SIZE,
        checksum: [0; 16],
    }
    .emit();
    bytes.resize(bytes.len() + 4096, 1);
    bytes
}

/// Sends all examples through types. Returns the tag of each example that was read and written by one; `refused` says
/// whether an error is right.
fn examples_through_types(is_for_version: bool, refused: impl Fn(&asdf_core::Error) -> bool) -> Vec<String> {
    let validator = Validator::standard();
    let defaults = Defaults::new(Registry::standard());
    let mut typed = Vec::new();
    let mut wrong = Vec::new();
    for example in asdf_tests::examples().unwrap() {
        // Some examples have a stream or the words of an integer and need a block.
        let bytes = [example.file.as_bytes(), &block()].concat();
        let file = File::from_bytes(bytes).unwrap();
        let Some(result) = through_type(&file, is_for_version) else { continue };
        let name = &example.name;
        match result {
            Err(error) if refused(&error) => {}
            Err(error) => wrong.push(format!("{name}: {error}")),
            Ok(mut tree) => {
                typed.extend(file.tree().root().and_then(NodeRef::own_tag).map(str::to_owned));
                let report = validator.validate_tree(&tree);
                wrong.extend(
                    report.violations().iter().map(|violation| format!("{name}: written: {violation}")),
                );
                if is_for_version {
                    restore_tags(&mut tree, name);
                }
                // A type can write the defaults that it filled in from an old file.
                let filled = |tree: &Tree| defaults.filled(tree).unwrap().unwrap_or_else(|| tree.clone());
                let (read, written) = (filled(file.tree()), filled(&tree));
                if !same(read.root().unwrap(), written.root().unwrap(), !is_for_version) {
                    wrong.push(format!("{name}: not the same after the type\n{}", example.file));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), typed.len(), wrong.join("\n"));
    typed
}

#[test]
fn examples_of_every_tag_round_trip_through_their_types() {
    let typed: BTreeSet<String> = examples_through_types(true, |_| false).into_iter().collect();
    let registry = Registry::standard();
    let (without, with): (Vec<&str>, Vec<&str>) = registry.tags().into_iter().partition(|tag| {
        let is_listed = WITHOUT_TYPE.iter().any(|pattern| tag_matches(pattern, tag));
        is_listed || (!cfg!(feature = "transform") && is_transform(tag))
    });
    let untried: Vec<&str> = with.into_iter().filter(|tag| !typed.contains(*tag)).collect();
    assert!(untried.is_empty(), "no example of these tags was read into a type: {untried:#?}");
    let listed: Vec<&str> = without.into_iter().filter(|tag| typed.contains(*tag)).collect();
    assert!(listed.is_empty(), "these tags have types: {listed:#?}");
}

#[test]
fn examples_of_other_versions_round_trip_through_the_current_types() {
    let typed = examples_through_types(false, |error| matches!(error.hint(), Some(Hint::UseType(_))));
    let expected = if cfg!(feature = "transform") { 250 } else { 40 };
    assert!(typed.len() >= expected, "only {} examples of other versions are read", typed.len());
}

/// Tags that no type is generated for.
const WITHOUT_TYPE: [&str; 6] = [
    "tag:astropy.org:astropy/coordinates/**",
    "tag:stsci.edu:gwcs/*frame-1.*",
    "tag:stsci.edu:gwcs/frame2d-1.*",
    "tag:stsci.edu:gwcs/step-1.*",
    "tag:stsci.edu:gwcs/wcs-1.*",
    // Its schema only refers to the base of transforms.
    "tag:stsci.edu:gwcs/snell3d-1.*",
];

fn is_transform(tag: &str) -> bool {
    ["tag:stsci.edu:asdf/transform/**", "tag:stsci.edu:gwcs/*"]
        .iter()
        .any(|pattern| tag_matches(pattern, tag))
}

/// Tags that the type of an example does not keep: the schema, the tag in the example, and the tag that is written.
/// All versions of a bounding box have the same type of bounds, but older versions require an older tag of a quantity.
const NOT_KEPT: [(&str, &str, &str); 1] = [(
    "http://stsci.edu/schemas/asdf/transform/property/bounding_box-1.2.0: Limits of a wavelength",
    "tag:stsci.edu:asdf/unit/quantity-1.3.0",
    "tag:stsci.edu:asdf/unit/quantity-1.2.0",
)];

/// Undoes the changes of `NOT_KEPT` in a written example.
fn restore_tags(tree: &mut Tree, name: &str) {
    for (_, read, written) in NOT_KEPT.iter().filter(|(example, ..)| name.starts_with(example)) {
        let nodes = tree.root().into_iter().flat_map(NodeRef::walk);
        let changed: Vec<_> =
            nodes.filter(|node| node.own_tag() == Some(*written)).map(|node| node.id()).collect();
        assert!(!changed.is_empty(), "{name} keeps its tags: take it off the list");
        changed.into_iter().for_each(|id| tree.set_tag(id, Some(read)));
    }
}

/// Tags whose name changed, and the tags that the current types write instead.
const RENAMED: [(&str, &str); 2] = [
    ("tag:stsci.edu:asdf/core/column-1.0.0", table::Column::TAG),
    ("tag:stsci.edu:asdf/core/table-1.0.0", table::Table::TAG),
];

/// Returns whether a tag is written as it was read. Tags whose name changed are written with the current name. So are
/// older FITS files that contain such a table, because they are not valid for their version any more.
fn is_kept(read: NodeRef<'_>, written: NodeRef<'_>, by_current_type: bool) -> bool {
    let (old, new) = (read.own_tag(), written.own_tag());
    let is_renamed = |tag| RENAMED.iter().any(|(renamed, _)| tag == Some(*renamed));
    let expected = match old {
        Some("tag:stsci.edu:asdf/fits/fits-1.0.0") => fits::Fits::TAG,
        _ => RENAMED.iter().find(|(renamed, _)| old == Some(*renamed)).map_or("", |(_, current)| *current),
    };
    let has_renamed = || read.walk().any(|node| is_renamed(node.own_tag()));
    if by_current_type && has_renamed() && !expected.is_empty() { new == Some(expected) } else { old == new }
}

/// Returns whether two nodes are equal, ignoring the order of keys: a type writes properties in the schema's order.
fn same(a: NodeRef<'_>, b: NodeRef<'_>, by_current_type: bool) -> bool {
    use asdf_core::tree::Kind;
    match a.kind() {
        Kind::Mapping => {
            b.kind() == Kind::Mapping
                && is_kept(a, b, by_current_type)
                && a.len() == b.len()
                && a.entries().all(|(key, value)| {
                    b.entries().any(|(other, twin)| key == other && same(value, twin, by_current_type))
                })
        }
        Kind::Sequence => {
            b.kind() == Kind::Sequence
                && is_kept(a, b, by_current_type)
                && a.len() == b.len()
                && a.items().zip(b.items()).all(|(a, b)| same(a, b, by_current_type))
        }
        _ => a == b,
    }
}

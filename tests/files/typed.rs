//! The generated types on every example of every schema: what is valid is read, written back equal,
//! and valid again.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::block::{Header, Label};
use asdf_core::value::{Asdf, FromNode, ToNode};
use asdf_core::{Complex, File, Integer, NdArray, Tree};
use asdf_schemas::{Defaults, Registry, Validator, core, fits, table, time, unit};

/// Reads a node as the type that accepts its tag, and writes it into a new tree.
fn through_type(file: &File) -> Option<asdf_core::Result<Tree>> {
    let node = file.tree().root()?;
    let tag = node.own_tag()?;
    macro_rules! types {
        ($($type:ty),* $(,)?) => {$(
            if <$type as FromNode>::accepts_tag(tag) {
                assert!(<$type as Asdf>::TAG == tag || !<$type as Asdf>::ACCEPTS.is_empty());
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
    types!(
        core::Asdf,
        core::asdf::v1_0_0::Asdf,
        core::Software,
        core::HistoryEntry,
        core::ExtensionMetadata,
        core::Constant,
        core::ExternalArray,
        core::SubclassMetadata,
        core::Column,
        core::Table,
        fits::Fits,
        fits::fits::v1_0_0::Fits,
        table::Column,
        table::Table,
        time::Time,
        unit::Unit,
        unit::Defunit,
        unit::Quantity,
        unit::quantity::v1_1_0::Quantity,
        NdArray,
        Complex,
        Integer,
    );
    None
}

/// A block of numbers that are not zero.
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

#[test]
fn examples_round_trip_through_their_types() {
    let validator = Validator::standard();
    let defaults = Defaults::new(Registry::standard());
    let mut typed = 0;
    let mut wrong = Vec::new();
    for example in asdf_tests::examples().unwrap() {
        // Some examples show a stream or the words of an integer: a block for them.
        let bytes = [example.file.as_bytes(), &block()].concat();
        let file = File::from_bytes(bytes).unwrap();
        let Some(result) = through_type(&file) else { continue };
        let name = &example.name;
        typed += 1;
        match result {
            Err(error) => wrong.push(format!("{name}: {error}")),
            Ok(tree) => {
                let report = validator.validate_tree(&tree);
                wrong.extend(
                    report.violations().iter().map(|violation| format!("{name}: written: {violation}")),
                );
                // A type may write the defaults that it has read of an old file.
                let filled = |tree: &Tree| defaults.filled(tree).unwrap().unwrap_or_else(|| tree.clone());
                let (read, written) = (filled(file.tree()), filled(&tree));
                if !same(read.root().unwrap(), written.root().unwrap()) {
                    wrong.push(format!("{name}: not the same after the type\n{}", example.file));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {typed}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(typed >= 80, "only {typed} examples have types");
}

/// Equal, whatever the order of keys: a type writes its properties in the order of the schema.
fn same(a: asdf_core::NodeRef<'_>, b: asdf_core::NodeRef<'_>) -> bool {
    use asdf_core::Kind;
    match a.kind() {
        Kind::Mapping => {
            b.kind() == Kind::Mapping
                && a.own_tag() == b.own_tag()
                && a.len() == b.len()
                && a.entries()
                    .all(|(key, value)| b.entries().any(|(other, twin)| key == other && same(value, twin)))
        }
        Kind::Sequence => {
            b.kind() == Kind::Sequence
                && a.own_tag() == b.own_tag()
                && a.len() == b.len()
                && a.items().zip(b.items()).all(|(a, b)| same(a, b))
        }
        _ => a == b,
    }
}

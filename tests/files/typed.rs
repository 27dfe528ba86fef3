//! The generated types on every example of every schema: what is valid is read, written back equal,
//! and valid again.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_core::block::{Header, Label};
use asdf_core::value::{Asdf, FromNode, ToNode};
use asdf_core::{Complex, File, Integer, NdArray, Tree};
use asdf_schemas::{Registry, Validator, core, fits, table, time, unit};

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
    let (registry, validator) = (Registry::standard(), Validator::standard());
    let mut typed = 0;
    let mut wrong = Vec::new();
    for id in registry.ids() {
        let schema = registry.schema(id).unwrap();
        for example in schema.find("/examples").into_iter().flat_map(|list| list.items()) {
            let parts: Vec<&str> = example.items().filter_map(|part| part.as_str()).collect();
            let (title, text) = (parts[0], parts[parts.len() - 1]);
            let standard =
                parts[1].strip_prefix("asdf-standard-").filter(|_| parts.len() > 2).unwrap_or("1.6.0");
            let bytes = format!(
                "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{}\n...\n",
                text.trim()
            );
            // Some examples show a stream or the words of an integer: a block for them.
            let bytes = [bytes.into_bytes(), block()].concat();
            let file = File::from_bytes(bytes).unwrap();
            let Some(result) = through_type(&file) else { continue };
            typed += 1;
            match result {
                Err(error) => wrong.push(format!("{id}: {title}: {error}")),
                Ok(tree) => {
                    let report = validator.validate_tree(&tree);
                    wrong.extend(report.violations().iter().map(|v| format!("{id}: {title}: written: {v}")));
                    let (before, after) = (file.tree().root().unwrap(), tree.root().unwrap());
                    if !same(before, after) {
                        wrong.push(format!("{id}: {title}: not the same after the type\n{text}"));
                    }
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

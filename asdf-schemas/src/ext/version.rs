//! Converts values between the versions of a type.

use asdf_core::tree::{ASDF_TAG, Kind, NodeRef};
use asdf_core::value::{Asdf, read};
use asdf_core::{Error, Result, Tree};

use crate::{basic, fits, table, time, unit};

/// Tags without version, and the tags that replace them.
type Tags = [(&'static str, &'static str)];

const NEWER: &Tags = &[
    ("unit/quantity-", unit::Quantity::TAG),
    ("core/column-", table::Column::TAG),
    ("core/table-", table::Table::TAG),
    ("fits/fits-", fits::Fits::TAG),
];

const OLDER: &Tags = &[
    ("unit/quantity-", unit::quantity::v1_1_0::Quantity::TAG),
    ("table/column-", basic::Column::TAG),
    ("table/table-", basic::Table::TAG),
    ("fits/fits-", fits::fits::v1_0_0::Fits::TAG),
];

/// Writes a value, replaces its tag and the tags in it by those of the other version, and reads the result.
///
/// Fails if the result, written again, differs. Arrays share their data.
fn recast<A: Asdf, B: Asdf>(value: &A, tags: &Tags) -> Result<B> {
    let mut tree = Tree::new();
    let root = value.to_node(&mut tree)?;
    tree.set_root(root);
    let inner: Vec<_> = tree
        .node(root)
        .walk()
        .filter_map(|node| Some((node.id(), node.own_tag()?.strip_prefix(ASDF_TAG)?)))
        .filter_map(|(id, name)| Some((id, tags.iter().find(|(old, _)| name.starts_with(old))?.1)))
        .collect();
    for (id, tag) in inner {
        tree.set_tag(id, Some(tag));
    }
    tree.set_tag(root, Some(B::TAG));
    let node = tree.node(root);
    let converted: B = read(node)?;
    let mut again = Tree::new();
    let id = converted.to_node(&mut again)?;
    if same(node, again.node(id)) {
        return Ok(converted);
    }
    Err(Error::mismatch(format!(
        "cannot convert {} to {}: it has no place for parts of the value",
        A::TAG,
        B::TAG
    )))
}

/// Whether two nodes are equal, except for the order of keys.
fn same(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    // The numbers of blocks can differ between trees.
    if a.own_tag()
        .is_some_and(|tag| tag.strip_prefix(ASDF_TAG).is_some_and(|name| name.starts_with("core/ndarray-")))
    {
        return a.tag() == b.tag();
    }
    a.kind() == b.kind()
        && a.tag() == b.tag()
        && a.len() == b.len()
        && match a.kind() {
            Kind::Mapping => a.entries().all(|(key, value)| {
                let found = match key.as_str() {
                    Some(text) => b.get(text),
                    None => b.entries().find(|(other, _)| *other == key).map(|(_, value)| value),
                };
                found.is_some_and(|found| same(value, found))
            }),
            Kind::Sequence => a.items().zip(b.items()).all(|(a, b)| same(a, b)),
            _ => a == b,
        }
}

macro_rules! versions {
    ($($old:ty => $new:ty),* $(,)?) => {$(
        impl TryFrom<&$old> for $new {
            type Error = Error;

            /// Converts to the newer version, with its tag and newer tags for nested values.
            ///
            /// Fails if anything would be lost.
            fn try_from(value: &$old) -> Result<Self> {
                recast(value, NEWER)
            }
        }

        impl TryFrom<&$new> for $old {
            type Error = Error;

            /// Converts to the older version, with its tag and older tags for nested values.
            ///
            /// Fails if anything would be lost, or the older version does not support the value.
            fn try_from(value: &$new) -> Result<Self> {
                recast(value, OLDER)
            }
        }
    )*};
}

versions! {
    unit::quantity::v1_1_0::Quantity => unit::Quantity,
    basic::Column => table::Column,
    basic::Table => table::Table,
    fits::fits::v1_0_0::Fits => fits::Fits,
    basic::asdf::v1_0_0::Asdf => basic::Asdf,
    time::time::v1_0_0::Time => time::Time,
    time::time::v1_1_0::Time => time::Time,
    time::time::v1_2_0::Time => time::Time,
    time::time::v1_3_0::Time => time::Time,
}

macro_rules! upgrades {
    ($($old:ty => $new:ty),* $(,)?) => {$(
        impl TryFrom<$old> for $new {
            type Error = Error;

            /// Converts like the conversion of a reference. Reading a value with the older tag uses it.
            fn try_from(value: $old) -> Result<Self> {
                Self::try_from(&value)
            }
        }
    )*};
}

upgrades! {
    basic::Column => table::Column,
    basic::Table => table::Table,
}

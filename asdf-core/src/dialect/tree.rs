//! Converting the tree of a pre-release format to the current format.

use std::collections::{BTreeMap, BTreeSet};

use super::tags::{EARLY, Tag};
use crate::error::{Code, Error};
use crate::tree::{ASDF_TAG, Kind, NodeId, NodeRef, Tree};

/// The results of converting a tree.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    /// Warnings about tags without a current equivalent.
    pub(crate) warnings: Vec<Error>,
    /// The `source` of arrays with floats in little-endian byte order.
    pub(crate) little: BTreeSet<i64>,
}

/// The changes to make.
#[derive(Default)]
struct Changes {
    tags: Vec<(NodeId, String)>,
    /// The keys `dtype`.
    keys: BTreeSet<NodeId>,
    /// Arrays in blocks without a byte order.
    unordered: Vec<NodeId>,
}

/// Converts the tree of a pre-release format in place: tags, keys and byte order. Nodes keep their positions
/// in the text.
pub(crate) fn convert(tree: &mut Tree) -> Converted {
    let mut converted = Converted::default();
    let mut changes = Changes::default();
    let mut lost: BTreeMap<String, (Option<(u32, u32)>, usize)> = BTreeMap::new();
    for node in tree.root().into_iter().flat_map(NodeRef::walk) {
        match node.tag().map(|tag| (tag, Tag::of(tag))) {
            Some((_, Tag::Draft(new))) => {
                if new.starts_with("tag:stsci.edu:asdf/core/ndarray-") {
                    array(node, &mut changes, &mut converted.little);
                }
                changes.tags.push((node.id(), new));
            }
            Some((tag, Tag::Lost)) => {
                lost.entry(tag.to_owned()).or_insert((node.position(), 0)).1 += 1;
            }
            Some((_, Tag::Other)) | None => {}
        }
    }
    for (tag, (position, count)) in lost {
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        let warning = Error::unsupported(format!(
            "the tag {}{times} of the pre-release format 0.1.0 has no current equivalent and is kept unchanged",
            tag.escape_debug()
        ))
        .with_code(Code::DraftTag);
        converted.warnings.push(match position {
            Some((line, column)) => warning.at_position(line, column),
            None => warning,
        });
    }
    apply(tree, changes);
    let handles = tree.handles().iter().cloned();
    let handles =
        handles.map(|(name, prefix)| (name, if prefix == EARLY { ASDF_TAG.to_owned() } else { prefix }));
    tree.set_handles(handles.collect());
    converted
}

fn apply(tree: &mut Tree, changes: Changes) {
    for (id, tag) in changes.tags {
        tree.set_tag(id, Some(&tag));
    }
    for id in changes.keys {
        let name = tree.add_str("datatype");
        // Both are scalars, so this cannot fail.
        let _ = tree.assign(id, name);
    }
    for id in changes.unordered {
        let order = tree.add_str("big");
        tree.insert(id, "byteorder", order);
    }
}

/// Records the parts of an array that use the old form.
fn array(node: NodeRef<'_>, changes: &mut Changes, little: &mut BTreeSet<i64>) {
    if node.kind() != Kind::Mapping {
        return;
    }
    let datatype = datatypes(node, &mut changes.keys);
    let Some(source) = node.get("source") else { return };
    match node.get("byteorder").filter(|order| !order.is_null()) {
        None => changes.unordered.push(node.id()),
        Some(order) => {
            let float = datatype.and_then(NodeRef::as_str).is_some_and(|name| name.starts_with("float"));
            if order.as_str() == Some("little") && float {
                little.extend(source.as_i64());
            }
        }
    }
}

/// Records the keys `dtype` of an array and of the fields of its datatype, and returns the datatype.
fn datatypes<'t>(array: NodeRef<'t>, keys: &mut BTreeSet<NodeId>) -> Option<NodeRef<'t>> {
    let mut datatype = None;
    let mut met = BTreeSet::new();
    let mut pending = vec![array];
    while let Some(node) = pending.pop() {
        if !met.insert(node.id()) {
            continue;
        }
        if node.kind() == Kind::Sequence {
            pending.extend(node.items());
            continue;
        }
        let key = if node.get("datatype").is_some() { "datatype" } else { "dtype" };
        for (name, value) in node.entries().filter(|(name, _)| name.as_str() == Some(key)) {
            if key == "dtype" {
                keys.insert(name.id());
            }
            if node.id() == array.id() {
                datatype = Some(value);
            }
            pending.extend(Some(value).filter(|value| !value.kind().is_scalar()));
        }
    }
    datatype
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{EmitOptions, emit, parse};

    #[test]
    fn old_keys_and_tags_are_converted() {
        let head = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/0.1.0/\n";
        let mut tree = parse(&format!(
            "{head}--- !core/asdf\n\
             a: !core/ndarray {{source: 0, shape: [2], dtype: float32}}\n\
             b: !core/ndarray {{source: -1, shape: [2], dtype: float64, byteorder: little,\n\
             \x20   mask: !core/ndarray {{source: 2, shape: [2], dtype: bool8}}}}\n\
             c: !core/ndarray\n\
             \x20 source: 1\n\
             \x20 dtype: &t\n\
             \x20 - {{name: x, dtype: [[ascii, 2], {{name: y, dtype: int8, byteorder: little}}]}}\n\
             \x20 - dtype\n\
             d: !core/ndarray {{dtype: *t, data: []}}\n\
             e: !core/ndarray [[1, 0], [0, 1]]\n\
             f: !wcs/axis {{dtype: 1}}\n\
             g: !wcs/axis {{}}\n\
             h: !<tag:stsci.edu:asdf/core/ndarray-0.1.0> {{source: 0, datatype: int8, dtype: 5}}\n...\n"
        ))
        .unwrap();
        let converted = convert(&mut tree);
        assert_eq!(converted.little, BTreeSet::from([-1]));
        assert_eq!(converted.warnings.len(), 1);
        assert!(converted.warnings[0].message().contains("0.1.0/wcs/axis (2 times)"));
        assert_eq!(converted.warnings[0].line(), Some(14));
        let expected = parse(
            "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
             a: !core/ndarray-1.1.0 {source: 0, shape: [2], datatype: float32, byteorder: big}\n\
             b: !core/ndarray-1.1.0 {source: -1, shape: [2], datatype: float64, byteorder: little,\n\
             \x20   mask: !core/ndarray-1.1.0 {source: 2, shape: [2], datatype: bool8, byteorder: big}}\n\
             c: !core/ndarray-1.1.0\n\
             \x20 source: 1\n\
             \x20 datatype: &t\n\
             \x20 - {name: x, datatype: [[ascii, 2], {name: y, datatype: int8, byteorder: little}]}\n\
             \x20 - dtype\n\
             \x20 byteorder: big\n\
             d: !core/ndarray-1.1.0 {datatype: *t, data: []}\n\
             e: !core/ndarray-1.1.0 [[1, 0], [0, 1]]\n\
             f: !<tag:stsci.edu:asdf/0.1.0/wcs/axis> {dtype: 1}\n\
             g: !<tag:stsci.edu:asdf/0.1.0/wcs/axis> {}\n\
             h: !core/ndarray-1.1.0 {source: 0, datatype: int8, dtype: 5, byteorder: big}\n...\n",
        )
        .unwrap();
        assert_eq!(tree.root(), expected.root());
        assert_eq!(tree.at("/a/datatype").unwrap().position(), Some((4, 49)));
        let again = parse(&emit(&tree, EmitOptions::default()).unwrap()).unwrap();
        assert_eq!(again.root(), expected.root());
    }

    #[test]
    fn recursive_datatypes_end() {
        let mut tree =
            parse("--- !<tag:stsci.edu:asdf/0.1.0/core/ndarray> &a {dtype: [*a, {dtype: *a}]}\n").unwrap();
        convert(&mut tree);
        assert!(tree.at("/datatype/1/datatype").is_ok());
    }
}

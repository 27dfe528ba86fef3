//! Everything that a write needs to know about a tree, found in one walk over its nodes.

use std::collections::{BTreeMap, BTreeSet};

use crate::array::NdArray;
use crate::tree::{ASDF_TAG, NodeId, NodeRef, Tree, tag_matches};
use crate::value::FromNode as _;

/// The tag of arrays in files of other formats, whose `fileuri` is the URI of the file.
const EXTERNAL_ARRAYS: &str = "tag:stsci.edu:asdf/core/externalarray-*";

/// The path of a node in its tree.
pub(super) fn path_of(tree: &Tree, id: NodeId) -> Option<String> {
    let mut walk = tree.root()?.walk();
    while walk.next()?.id() != id {}
    Some(walk.path().to_string())
}

/// The nodes of a tree that matter for a write.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The arrays whose elements are in blocks, in the order of the tree.
    pub(super) blocks: Vec<InBlock>,
    /// All arrays, in the order of the tree.
    pub(super) arrays: Vec<NodeId>,
    /// References, and arrays in files of other formats, if they were requested.
    pub(super) names: Vec<NodeId>,
    /// The tags that nodes have, by their numbers in the tree.
    tags: Vec<Tag>,
}

/// An ndarray node whose elements are in a block.
#[derive(Debug)]
pub(super) struct InBlock {
    pub(super) node: NodeId,
    /// The number of the block in the tree's table, negative from the end.
    pub(super) source: i64,
    /// The number of the block in the new file, if it differs.
    pub(super) written: Option<u64>,
}

/// Properties of all nodes with a tag.
#[derive(Debug)]
struct Tag {
    is_used: bool,
    is_array: bool,
    is_in_block: bool,
    is_external: bool,
}

impl Tag {
    fn new(tag: &str) -> Self {
        Self {
            is_used: false,
            is_array: NdArray::accepts_tag(tag),
            is_in_block: tag.strip_prefix(ASDF_TAG).is_some_and(|name| name.starts_with("core/ndarray-")),
            is_external: is_external_array(tag),
        }
    }
}

impl Survey {
    /// Walks over a tree. `names` selects whether to collect nodes that refer to other files.
    pub(super) fn of(tree: &Tree, names: bool) -> Self {
        let mut survey = Self { tags: tree.tags().iter().map(Tag::new).collect(), ..Self::default() };
        for node in tree.root().into_iter().flat_map(NodeRef::walk) {
            let tag = node.tag_index().and_then(|index| survey.tags.get_mut(index));
            let is_external = tag.as_ref().is_some_and(|tag| tag.is_external);
            if let Some(tag) = tag {
                tag.is_used = true;
                if tag.is_array {
                    survey.arrays.push(node.id());
                }
                let block = if tag.is_in_block { node.block_reference() } else { None };
                let source = block.and_then(NodeRef::as_i64);
                survey.blocks.extend(source.map(|source| InBlock { node: node.id(), source, written: None }));
            }
            if names && (is_external || node.reference().is_some()) {
                survey.names.push(node.id());
            }
        }
        survey
    }

    /// The numbers of the blocks that arrays refer to.
    pub(super) fn referenced(&self, tree: &Tree) -> BTreeSet<u64> {
        let count = || tree.blocks().count().unwrap_or(0);
        let number = |source: i64| match u64::try_from(source) {
            Ok(number) => Some(number),
            Err(_) => count().checked_sub(source.unsigned_abs()),
        };
        self.blocks.iter().filter_map(|array| number(array.source)).collect()
    }

    /// The arrays in blocks in the order of the tree, each with the number of its block in the new file.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u64, NodeId)> {
        let number = |array: &InBlock| array.written.or_else(|| u64::try_from(array.source).ok());
        self.blocks.iter().filter_map(move |array| Some((number(array)?, array.node)))
    }

    /// The first array of each block, by the number of the block in the new file.
    pub(super) fn first_arrays(&self) -> BTreeMap<u64, NodeId> {
        let mut arrays = BTreeMap::new();
        for (number, node) in self.numbered() {
            arrays.entry(number).or_insert(node);
        }
        arrays
    }

    /// The tags that nodes have.
    pub(super) fn tags<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = &'t str> {
        tree.tags().iter().zip(&self.tags).filter(|(_, tag)| tag.is_used).map(|(name, _)| name)
    }
}

/// Whether nodes with a tag are arrays in files of other formats.
pub(super) fn is_external_array(tag: &str) -> bool {
    tag_matches(EXTERNAL_ARRAYS, tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    #[test]
    fn one_walk_finds_arrays_references_and_tags() {
        let mut file = File::new();
        let array = NdArray::new(&[2], &[1_u8, 2]).unwrap();
        file.set("/a", &array).unwrap();
        file.set("/again", &array).unwrap();
        file.set("/b", &NdArray::new(&[1], &[3_u8]).unwrap()).unwrap();
        file.set("/list", &NdArray::new(&[1], &[4_u8]).unwrap().inlined().unwrap()).unwrap();
        file.set("/other", &std::collections::BTreeMap::from([("$ref", "x.asdf#/a")])).unwrap();
        let tree = file.tree();
        let survey = Survey::of(tree, true);
        let of = |name: &str| tree.at(name).unwrap().id();
        assert_eq!(survey.arrays, ["/a", "/again", "/b", "/list"].map(of));
        assert_eq!(survey.names, [of("/other")]);
        assert_eq!(survey.referenced(tree), BTreeSet::from([0, 1]));
        assert_eq!(survey.first_arrays(), BTreeMap::from([(0, of("/a")), (1, of("/b"))]));
        let tags: Vec<&str> = survey.tags(tree).collect();
        assert_eq!(tags, ["tag:stsci.edu:asdf/core/asdf-1.1.0", "tag:stsci.edu:asdf/core/ndarray-1.1.0"]);
        assert!(Survey::of(tree, false).names.is_empty());
    }
}

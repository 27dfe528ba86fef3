//! The collections with tags of YAML 1.1: sets, ordered maps and pairs.

use super::{Entries, Kind, NodeId, NodeRef, Tree, YAML_TAG};

impl<'a> NodeRef<'a> {
    /// Returns the items of a `!!set`, in the order of the file.
    ///
    /// They are the keys of a mapping whose values are all null. Returns `None` for every other node,
    /// including a mapping without the tag. Does not check for duplicate items.
    ///
    /// # Examples
    /// ```
    /// let tree = asdf_core::yaml::parse("filters: !!set {F158, F062}")?;
    /// let filters: Vec<_> = tree.at("/filters")?.as_set().unwrap().filter_map(|item| item.as_str()).collect();
    /// assert_eq!(filters, ["F158", "F062"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn as_set(
        self,
    ) -> Option<impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone + use<'a>> {
        let set = self.is_tagged("set", Kind::Mapping) && self.entries().all(|(_, value)| value.is_null());
        set.then(|| self.entries().map(|(key, _)| key))
    }

    /// Returns the entries of an `!!omap` in order: a sequence of mappings with one entry each.
    ///
    /// Python reads it as an `OrderedDict`. Returns `None` for every other node. Does not check for duplicate
    /// keys.
    ///
    /// Most mappings do not need `!!omap`, because [`entries`](Self::entries) keeps the order of every
    /// mapping.
    #[doc(alias = "OrderedDict")]
    #[must_use]
    pub fn as_omap(
        self,
    ) -> Option<impl ExactSizeIterator<Item = (Self, Self)> + DoubleEndedIterator + Clone + use<'a>> {
        self.singles("omap")
    }

    /// Returns the entries of `!!pairs` in order.
    ///
    /// Unlike in [`as_omap`](Self::as_omap), a key can occur more than once.
    ///
    /// Returns `None` for every other node.
    #[must_use]
    pub fn as_pairs(
        self,
    ) -> Option<impl ExactSizeIterator<Item = (Self, Self)> + DoubleEndedIterator + Clone + use<'a>> {
        self.singles("pairs")
    }

    fn is_tagged(self, name: &str, kind: Kind) -> bool {
        self.kind() == kind && self.tag().and_then(|tag| tag.strip_prefix(YAML_TAG)) == Some(name)
    }

    /// Returns the entries of single-entry mappings in a sequence. Python's asdf repeats `!!omap` before each
    /// of them.
    fn singles(
        self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = (Self, Self)> + DoubleEndedIterator + Clone + use<'a>> {
        let single = |item: Self| item.kind() == Kind::Mapping && item.len() == 1 && item.own_tag().is_none();
        let all = self.is_tagged(name, Kind::Sequence) && self.items().all(single);
        all.then(|| Singles(self.items()))
    }
}

/// An iterator over the entries of single-entry mappings.
#[derive(Clone)]
struct Singles<'a>(super::Items<'a>);

fn only<'a>(item: NodeRef<'a>) -> Option<(NodeRef<'a>, NodeRef<'a>)> {
    let mut entries: Entries<'a> = item.entries();
    entries.next()
}

impl<'a> Iterator for Singles<'a> {
    type Item = (NodeRef<'a>, NodeRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().and_then(only)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Singles<'_> {}

impl DoubleEndedIterator for Singles<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().and_then(only)
    }
}

impl Tree {
    /// Adds a `!!set`.
    ///
    /// Python can read scalars as its items, but not collections. The caller must avoid duplicate items.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::Tree::new();
    /// let items = [tree.add_str("F158"), tree.add_str("F184")];
    /// let set = tree.add_set(items);
    /// tree.set_root(set);
    /// assert_eq!(tree.node(set).as_set().map(|items| items.len()), Some(2));
    /// ```
    pub fn add_set(&mut self, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let entries: Vec<_> = items.into_iter().map(|item| (item, self.add_null())).collect();
        let id = self.add_mapping(entries);
        self.set_tag(id, Some(&format!("{YAML_TAG}set")));
        id
    }

    /// Adds an `!!omap`.
    ///
    /// Python can read scalars as its keys, but not collections. The caller must avoid duplicate keys.
    pub fn add_omap(&mut self, entries: impl IntoIterator<Item = (NodeId, NodeId)>) -> NodeId {
        self.add_singles("omap", entries)
    }

    /// Adds `!!pairs`.
    pub fn add_pairs(&mut self, entries: impl IntoIterator<Item = (NodeId, NodeId)>) -> NodeId {
        self.add_singles("pairs", entries)
    }

    fn add_singles(&mut self, name: &str, entries: impl IntoIterator<Item = (NodeId, NodeId)>) -> NodeId {
        let items: Vec<_> = entries.into_iter().map(|entry| self.add_mapping([entry])).collect();
        let id = self.add_sequence(items);
        self.set_tag(id, Some(&format!("{YAML_TAG}{name}")));
        id
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;
    use crate::yaml;

    #[test]
    fn what_is_made_is_read_also_from_text() {
        let mut tree = Tree::new();
        let items: Vec<_> = ["a", "5"].map(|item| tree.add_str(item)).into();
        let one = tree.add_int(1);
        let set = tree.add_set(items.clone());
        let omap = tree.add_omap(items.iter().map(|&item| (item, one)));
        let pairs = tree.add_pairs([(one, one), (one, one)]);
        let empty = [tree.add_set([]), tree.add_omap([]), tree.add_pairs([])];
        let root = tree.add_sequence([set, omap, pairs].into_iter().chain(empty));
        tree.set_root(root);
        let text = yaml::emit(&tree, yaml::EmitOptions::default()).unwrap();
        let again = yaml::parse(&text).unwrap();
        assert!(tree.root() == again.root(), "{text}");
        for tree in [&tree, &again] {
            let at = |index| tree.root().unwrap().item(index).unwrap();
            let set: Vec<_> = at(0).as_set().unwrap().map(|item| item.as_str().unwrap()).collect();
            assert_eq!(set, ["a", "5"]);
            let omap = at(1).as_omap().unwrap();
            assert_eq!(omap.len(), 2);
            let omap: Vec<_> = omap.rev().map(|(k, v)| (k.as_str().unwrap(), v.as_i64().unwrap())).collect();
            assert_eq!(omap, [("5", 1), ("a", 1)]);
            assert_eq!(at(2).as_pairs().unwrap().len(), 2);
            assert_eq!(at(3).as_set().unwrap().len(), 0);
            assert_eq!((at(4).as_omap().unwrap().len(), at(5).as_pairs().unwrap().len()), (0, 0));
        }
    }

    #[test]
    fn only_the_tag_and_the_form_together_make_one() {
        let tree = yaml::parse(
            "- {a, b}\n- !!set {a: 1}\n- !!set [a]\n- !!set a\n- [a: 1]\n- !!omap {a: 1}\n- !!omap [a]\n\
             - !!omap [{a: 1, b: 2}]\n- !!omap [{}]\n- !!omap [!x {a: 1}]\n- !!omap\n- !<tag:x,1:set> {a}\n",
        )
        .unwrap();
        for node in tree.root().unwrap().items() {
            assert!(
                node.as_set().is_none() && node.as_omap().is_none() && node.as_pairs().is_none(),
                "{node:?}"
            );
        }
        let tree = yaml::parse("- !!omap [{a: 1}]\n- !!pairs [{a: 1}]\n- !!set {? a}\n").unwrap();
        let found = |index: usize| {
            let node = tree.root().unwrap().item(index).unwrap();
            (node.as_omap().is_some(), node.as_pairs().is_some(), node.as_set().is_some())
        };
        assert_eq!(
            [found(0), found(1), found(2)],
            [(true, false, false), (false, true, false), (false, false, true)]
        );
        // Python's asdf writes an OrderedDict like this.
        let tree = yaml::parse("!!omap\n- !!omap\n  a: 1\n- !!omap\n  b: 2\n").unwrap();
        assert_eq!(tree.root().unwrap().as_omap().unwrap().len(), 2);
    }
}

//! Editing a tree by paths and values.

use super::ToNode;
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree, Winner};

/// A path in a tree whose value can be changed; created by [`Tree::edit`].
///
/// A value is anything that implements [`ToNode`]. A [`NodeId`] refers to an existing node of the tree, which
/// is then shared by all paths at which it is put.
///
/// # Examples
/// ```
/// use asdf_core::yaml;
///
/// let mut tree = yaml::parse("{filters: [F158], gain: 2}")?;
/// tree.edit("/filters").push("F184")?;
/// tree.edit("/gain").set(2.5)?;
/// tree.edit("/meta/target").set_with_parents("M31")?;
/// let shared = tree.at("/filters")?.id();
/// tree.edit("/meta/filters").set(shared)?;
/// assert_eq!(tree.get::<String>("/filters/1")?, "F184");
/// assert!(tree.edit("/none").remove().is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "JSON patch")]
#[derive(Debug)]
#[must_use = "nothing changes until a method is called"]
pub struct Edit<'t, 'p> {
    tree: &'t mut Tree,
    pointer: &'p str,
}

impl Tree {
    /// Selects a path, given as a JSON Pointer, to change the value there: `tree.edit("/a/b").set(5)?`.
    ///
    /// See the [module](crate::tree#editing) for an example of each change. The path does not have to exist.
    /// Nothing changes on an error.
    pub fn edit<'t, 'p>(&'t mut self, pointer: &'p str) -> Edit<'t, 'p> {
        Edit { tree: self, pointer }
    }
}

impl Edit<'_, '_> {
    /// Sets the value of a key or an item. A new key is added, and `-` adds an item at the end.
    ///
    /// A shared node keeps its value at its other paths. Same as [`Tree::set`].
    ///
    /// # Errors
    /// Same as [`Tree::set`].
    pub fn set(self, value: impl ToNode) -> Result<()> {
        self.tree.set(self.pointer, &value)
    }

    /// Sets the value and creates the missing mappings above it.
    ///
    /// ```
    /// let mut tree = asdf_core::Tree::new();
    /// tree.edit("/meta/exposure/time").set_with_parents(12.5)?;
    /// assert_eq!(tree.get::<f64>("/meta/exposure/time")?, 12.5);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`make_parents`](Self::make_parents) and [`set`](Self::set).
    pub fn set_with_parents(self, value: impl ToNode) -> Result<()> {
        let id = value.to_node(self.tree)?;
        self.tree.make_parents(self.pointer)?;
        self.tree.set(self.pointer, &id)
    }

    /// Creates the missing mappings above the path, and nothing at the path itself.
    ///
    /// # Errors
    /// Same as [`Tree::at`], if the existing part of the path leads to a scalar, or to a sequence that lacks
    /// the item.
    pub fn make_parents(self) -> Result<()> {
        self.tree.make_parents(self.pointer)
    }

    /// Inserts a value before the item at the path, or as the value of a key.
    ///
    /// This is "add" of JSON Patch (RFC 6902).
    ///
    /// The last step can be `-` for the end of a sequence. [`set`](Self::set) replaces items instead.
    ///
    /// ```
    /// let mut tree = asdf_core::yaml::parse("[a, c]")?;
    /// tree.edit("/1").insert("b")?;
    /// assert_eq!(tree.get::<Vec<String>>("")?, ["a", "b", "c"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// - Same as [`Tree::at`] for the steps before the last.
    /// - [`Mismatch`](crate::error::Kind::Mismatch) if they do not lead to a collection.
    /// - [`Missing`](crate::error::Kind::Missing) if the sequence is shorter.
    /// - An error if the value cannot be written.
    pub fn insert(self, value: impl ToNode) -> Result<()> {
        let id = value.to_node(self.tree)?;
        self.tree.insert_at(self.pointer, id)
    }

    /// Appends a value to the sequence at the path.
    ///
    /// # Errors
    /// Same as [`Tree::at`]. Also returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not a
    /// sequence, and an error if the value cannot be written.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("filters: [F158]")?;
    /// tree.edit("/filters").push("F184")?;
    /// assert_eq!(tree.get::<Vec<String>>("/filters")?, ["F158", "F184"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "append")]
    pub fn push(self, value: impl ToNode) -> Result<()> {
        let node = self.tree.at(self.pointer)?;
        if node.kind() != Kind::Sequence {
            return Err(node.expected("a sequence to append to").at_path(self.pointer));
        }
        let id = node.id();
        let item = value.to_node(self.tree)?;
        self.tree.push(id, item);
        Ok(())
    }

    /// Removes the entry or item and returns its node, which can be put elsewhere.
    ///
    /// A shared node stays at its other paths.
    ///
    /// ```
    /// let mut tree = asdf_core::yaml::parse("a: {b: 1, c: 2}\n")?;
    /// let b = tree.edit("/a/b").remove()?;
    /// tree.edit("/d").set(b)?;
    /// assert_eq!(tree.get::<u8>("/d")?, 1);
    /// assert_eq!(
    ///     tree.edit("/a/b").remove().unwrap_err().to_string(),
    ///     "line 1, column 4: /a/b: the key 'b' does not exist in /a\n  hint: use c"
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Tree::at`]. Also returns [`Usage`](crate::error::Kind::Usage) for the root, which can only
    /// be replaced.
    #[doc(alias = "delete")]
    pub fn remove(self) -> Result<NodeId> {
        self.tree.remove_at(self.pointer)
    }

    /// Renames the key of the entry, which keeps its position.
    ///
    /// # Errors
    /// - Same as [`Tree::at`].
    /// - [`Mismatch`](crate::error::Kind::Mismatch) if the path is not an entry of a mapping.
    /// - [`Usage`](crate::error::Kind::Usage) if the mapping already has the new key.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("{old: 1, other: 2}")?;
    /// tree.edit("/old").rename("new")?;
    /// assert_eq!(tree.get::<u8>("/new")?, 1);
    /// assert!(tree.find("/old").is_none());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn rename(self, key: &str) -> Result<()> {
        self.tree.rename_key(self.pointer, key)
    }

    /// Moves the entry or item to another path, like "move" of JSON Patch (RFC 6902).
    ///
    /// It is removed first and then added as by [`insert`](Self::insert), so indices refer to what is left.
    /// Nothing moves on an error.
    ///
    /// ```
    /// let mut tree = asdf_core::yaml::parse("raw: {gain: 2}\nmeta: {}\n")?;
    /// tree.edit("/raw/gain").move_to("/meta/gain")?;
    /// assert_eq!(tree.at("/meta/gain")?.as_i64(), Some(2));
    /// assert!(tree.at("/raw")?.is_empty());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`remove`](Self::remove) and [`insert`](Self::insert). Also returns
    /// [`Usage`](crate::error::Kind::Usage) if the node would move below itself.
    pub fn move_to(self, pointer: &str) -> Result<()> {
        self.tree.move_to(self.pointer, pointer)
    }

    /// Merges a mapping of another tree into the mapping at the path.
    ///
    /// New keys are added at the end. If both mappings have a key, values that are mappings with the same
    /// tag, or none, are merged in turn. For all other values the winner's value is kept as a whole: scalars,
    /// sequences, arrays, and values whose tags differ.
    ///
    /// Merged values are copied as by [`Tree::graft`], arrays with their blocks. The mapping keeps its own
    /// tag. A shared mapping changes at all its paths.
    ///
    /// ```
    /// use asdf_core::tree::Winner;
    /// use asdf_core::yaml::parse;
    ///
    /// let mut tree = parse("meta: {author: A, year: 2025}\n")?;
    /// let newer = parse("meta: {year: 2026, note: x}\n")?;
    /// tree.edit("").merge(newer.at("")?, Winner::Theirs)?;
    /// assert_eq!(tree.get::<u32>("/meta/year")?, 2026);
    /// assert_eq!(tree.get::<String>("/meta/author")?, "A");
    /// assert_eq!(tree.get::<String>("/meta/note")?, "x");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Tree::at`] and [`Tree::graft`]. Also returns [`Mismatch`](crate::error::Kind::Mismatch) if
    /// either node is not a mapping.
    #[doc(alias = "update")]
    pub fn merge(self, other: NodeRef<'_>, winner: Winner) -> Result<()> {
        self.tree.merge(self.pointer, other, winner)
    }

    /// Sets or removes the tag, a full URI, of the node at the path.
    ///
    /// # Errors
    /// Same as [`Tree::at`].
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("filter: {name: F158}")?;
    /// tree.edit("/filter").tag(Some("asdf://example.org/tags/filter-1.0.0"))?;
    /// assert_eq!(tree.at("/filter")?.tag(), Some("asdf://example.org/tags/filter-1.0.0"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn tag(self, tag: Option<&str>) -> Result<()> {
        let id = self.tree.at(self.pointer)?.id();
        self.tree.set_tag(id, tag);
        Ok(())
    }
}

/// A node of the same tree, to put it at further paths.
impl ToNode for NodeId {
    /// Returns the id itself.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the tree has no node with the id.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        // Ids count from 1.
        if self.number() as usize > tree.len() {
            return Err(Error::usage("the node belongs to another tree")
                .with_hint("use `Tree::graft` to copy a node of another tree"));
        }
        Ok(*self)
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Kind;
    use crate::tree::{Node, Tree};

    #[test]
    fn nodes_of_the_tree_are_shared_and_those_of_others_refused() {
        let mut tree = crate::yaml::parse("{a: [1]}").unwrap();
        let id = tree.at("/a").unwrap().id();
        tree.edit("/b").set(id).unwrap();
        tree.edit("/c/d").set_with_parents(id).unwrap();
        assert_eq!((tree.at("/b").unwrap().id(), tree.at("/c/d").unwrap().id()), (id, id));
        assert_eq!(Node::new(&id).unwrap_err().kind(), Kind::Usage);
    }

    #[test]
    fn each_change_is_one_line() {
        let mut tree = Tree::new();
        tree.edit("/a").set(1).unwrap();
        tree.edit("/list").set([1, 2]).unwrap();
        tree.edit("/list/0").insert("first").unwrap();
        tree.edit("/list").push(2.5).unwrap();
        tree.edit("/a").rename("b").unwrap();
        tree.edit("/b").move_to("/list/-").unwrap();
        tree.edit("/list").tag(Some("x:y")).unwrap();
        let removed = tree.edit("/list/1").remove().unwrap();
        assert_eq!(tree.node(removed).as_i64(), Some(1));
        let list = tree.at("/list").unwrap();
        let items: Vec<&str> = list.items().filter_map(|item| item.text()).collect();
        assert_eq!(
            (items, list.tag(), tree.root().unwrap().len()),
            (vec!["first", "2", "2.5", "1"], Some("x:y"), 1)
        );
        assert_eq!(
            tree.edit("/list/0").push(1).unwrap_err().to_string(),
            "/list/0: found the string 'first', expected a sequence to append to"
        );
    }
}

//! Editing a tree by places and values.

use super::ToNode;
use crate::error::Result;
use crate::tree::{Kind, Node, Tree};

/// A place of a tree, to change what is there; made by [`Tree::edit`].
///
/// ```
/// use asdf_core::yaml;
///
/// let mut tree = yaml::parse("{filters: [F158], gain: 2}")?;
/// tree.edit("/filters").push("F184")?;
/// tree.edit("/gain").set(2.5)?;
/// tree.edit("/meta/target").set_with_parents("M31")?;
/// assert_eq!(tree.get::<String>("/filters/1")?, "F184");
/// assert!(tree.edit("/none").remove().is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing changes until a method is called"]
pub struct Edit<'t, 'p> {
    tree: &'t mut Tree,
    pointer: &'p str,
}

impl Tree {
    /// Goes to a place, a JSON Pointer, to change what is there or put something there:
    /// `tree.edit("/a/b").set(5)?`. See the [module](crate::tree#editing) for an example of each change.
    ///
    /// The place need not be there. Nothing is changed on an error.
    pub fn edit<'t, 'p>(&'t mut self, pointer: &'p str) -> Edit<'t, 'p> {
        Edit { tree: self, pointer }
    }
}

impl Edit<'_, '_> {
    /// Sets the value: of a key, new or not, or of an item, or `-` for a new item. What was shared with other
    /// places stays there.
    ///
    /// # Errors
    /// As [`Tree::set`].
    pub fn set(self, value: impl ToNode) -> Result<()> {
        self.tree.set(self.pointer, &value)
    }

    /// Sets the value and makes the mappings above it that are missing.
    ///
    /// # Errors
    /// As [`Tree::set_with_parents`].
    pub fn set_with_parents(self, value: impl ToNode) -> Result<()> {
        self.tree.set_with_parents(self.pointer, &value)
    }

    /// Inserts a value before the item at the place, or as the value of a key.
    ///
    /// # Errors
    /// As [`Tree::insert_at`]; also when the value cannot be written.
    pub fn insert(self, value: impl ToNode) -> Result<()> {
        let id = value.to_node(self.tree)?;
        self.tree.insert_at(self.pointer, id)
    }

    /// Appends a value to the sequence at the place.
    ///
    /// # Errors
    /// As [`Tree::at`]; [`Mismatch`](crate::error::Kind::Mismatch) if it is not a sequence; also if the value cannot be
    /// written.
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

    /// Removes the entry or item, and gives what was there.
    ///
    /// # Errors
    /// As [`Tree::remove_at`].
    pub fn remove(self) -> Result<Node> {
        let id = self.tree.remove_at(self.pointer)?;
        Node::copy(self.tree.node(id))
    }

    /// Gives the entry another key, in its place.
    ///
    /// # Errors
    /// As [`Tree::rename_key`].
    pub fn rename(self, key: &str) -> Result<()> {
        self.tree.rename_key(self.pointer, key)
    }

    /// Moves the entry or item to another place.
    ///
    /// # Errors
    /// As [`Tree::move_to`].
    pub fn move_to(self, pointer: &str) -> Result<()> {
        self.tree.move_to(self.pointer, pointer)
    }

    /// Sets or removes the tag, a full URI, of the node at the place.
    ///
    /// # Errors
    /// As [`Tree::at`].
    pub fn tag(self, tag: Option<&str>) -> Result<()> {
        let id = self.tree.at(self.pointer)?.id();
        self.tree.set_tag(id, tag);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

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
        assert_eq!(tree.edit("/list/1").remove().unwrap().view().as_i64(), Some(1));
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

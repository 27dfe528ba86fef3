//! Paths in the tree: JSON Pointers (RFC 6901).

use std::fmt;

use super::{Kind, NodeRef, Tree};
use crate::error::{Error, Result};

/// A place in a tree as a JSON Pointer: `/roman/meta/0`, with `~` in a key as `~0` and `/` as
/// `~1`; the empty string is the root.
///
/// ```
/// use asdf_core::{Path, yaml};
///
/// let mut path = Path::from("/roman/meta");
/// path.push("km/s");
/// assert_eq!(path.as_str(), "/roman/meta/km~1s");
/// assert!(path.is_in(&Path::from("/roman")));
///
/// let tree = yaml::parse("roman: {meta: {km/s: 3}}")?;
/// assert_eq!(tree.get::<i32>(path.as_str())?, 3);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Path(String);

impl Path {
    /// The root.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Goes one step down: a mapping's key or a sequence's index.
    pub fn push(&mut self, step: &str) {
        self.0.push('/');
        self.0.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }

    /// The path with another one below it.
    #[must_use]
    pub fn join(&self, below: &Self) -> Self {
        Self(format!("{}{}", self.0, below.0))
    }

    /// Whether this is `other` or below it.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The pointer as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Path {
    /// A JSON Pointer; the slash at its beginning may be left out.
    fn from(pointer: &str) -> Self {
        match pointer.starts_with('/') || pointer.is_empty() {
            true => Self(pointer.to_owned()),
            false => Self(format!("/{pointer}")),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The unescaped steps of a pointer; the slash at its beginning may be left out.
pub(super) fn steps(pointer: &str) -> impl Iterator<Item = String> {
    let pointer = pointer.strip_prefix('/').map(Some).unwrap_or((!pointer.is_empty()).then_some(pointer));
    pointer.into_iter().flat_map(|p| p.split('/')).map(|step| step.replace("~1", "/").replace("~0", "~"))
}

impl<'a> NodeRef<'a> {
    /// The child that one step of a pointer leads to: a key, or an index in decimal digits.
    #[must_use]
    pub fn child(self, step: &str) -> Option<NodeRef<'a>> {
        match self.kind() {
            Kind::Sequence => self.item(step.parse().ok()?),
            Kind::Mapping => self
                .get(step)
                // Keys that are integers or booleans are addressed by their text; the last one counts here too.
                .or_else(|| {
                    let mut entries = self.entries().rev();
                    entries.find(|(key, _)| key.text() == Some(step)).map(|(_, value)| value)
                }),
            _ => None,
        }
    }

    /// The node at a JSON Pointer from here, if there is one.
    #[must_use]
    pub fn find(self, pointer: &str) -> Option<NodeRef<'a>> {
        steps(pointer).try_fold(self, |node, step| node.child(&step))
    }

    /// The node at a JSON Pointer from here.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) at the first step that leads nowhere, with what is there instead.
    pub fn at(self, pointer: &str) -> Result<NodeRef<'a>> {
        let mut node = self;
        let mut path = Path::root();
        for step in steps(pointer) {
            node = node.child(&step).ok_or_else(|| missing(node, &step).at_path(path.as_str()))?;
            path.push(&step);
        }
        Ok(node)
    }
}

pub(super) fn missing(node: NodeRef<'_>, step: &str) -> Error {
    let step = step.escape_debug();
    match node.kind() {
        Kind::Mapping => {
            let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).take(12).collect();
            let more = if node.len() > keys.len() { ", …" } else { "" };
            let list: String = keys.join(", ").escape_debug().collect();
            node.error(format!("there is no '{step}' here")).with_hint(if keys.is_empty() {
                "the mapping is empty".to_owned()
            } else {
                format!("the keys are {list}{more}")
            })
        }
        Kind::Sequence => node.error(format!("there is no item {step} in {}", node.describe())),
        _ => node.error(format!("there is no '{step}' in {}", node.describe())),
    }
}

impl Tree {
    /// The node at a JSON Pointer: `tree.at("/roman/meta/exposure")`. The slash at the beginning
    /// may be left out; `""` is the root.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) at the first step that leads nowhere, with what is
    /// there instead; also when the tree is empty.
    pub fn at(&self, pointer: &str) -> Result<NodeRef<'_>> {
        self.root().ok_or_else(|| Error::mismatch("there is no tree").at_path(""))?.at(pointer)
    }

    /// The node at a JSON Pointer, if there is one.
    #[must_use]
    pub fn find(&self, pointer: &str) -> Option<NodeRef<'_>> {
        self.root()?.find(pointer)
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    #[test]
    fn steps_lead_down_and_a_wrong_one_tells_what_is_there() {
        let mut tree = Tree::new();
        let (one, two) = (tree.add_int(1), tree.add_int(2));
        let list = tree.add_sequence([one, two]);
        let root = tree.add_mapping([]);
        tree.insert(root, "a/b~", list);
        tree.set_root(root);
        assert_eq!(tree.at("/a~1b~0/1").unwrap().as_i64(), Some(2));
        assert_eq!(tree.at("a~1b~0/1").unwrap().as_i64(), Some(2));
        assert_eq!(tree.at("").unwrap().len(), 1);
        assert!(tree.find("/").is_none());
        let error = tree.at("/a~1b~0/2").unwrap_err().to_string();
        assert_eq!(error, "/a~1b~0: there is no item 2 in a sequence of 2 items");
        let error = tree.at("/x").unwrap_err().to_string();
        assert_eq!(error, "/: there is no 'x' here\n  hint: the keys are a/b~");
    }
}

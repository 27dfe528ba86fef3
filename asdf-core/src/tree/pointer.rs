//! Paths in a tree: JSON Pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use asdf_schema_model::pointer::{escape, unescape};

use super::{Kind, NodeRef, Tree, nearest};
use crate::error::{Error, Hint, Result};

/// A path in a tree as a JSON Pointer, such as `/roman/meta/0`.
///
/// The empty string is the root. In a key, `~` is written as `~0` and `/` as `~1`.
///
/// # Examples
/// ```
/// use asdf_core::tree::Path;
/// use asdf_core::yaml;
///
/// let mut path: Path = "/roman/meta".parse()?;
/// path.push("km/s");
/// assert_eq!(path.as_str(), "/roman/meta/km~1s");
/// assert!(path.is_in(&"/roman".parse()?));
///
/// let tree = yaml::parse("roman: {meta: {km/s: 3}}")?;
/// assert_eq!(tree.get::<i32>(path.as_str())?, 3);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "JSON pointer")]
#[doc(alias = "pointer")]
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Path(String);

impl Path {
    /// Returns the path of the root.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Appends a step: a mapping's key or a sequence's index. Escapes the step.
    pub fn push(&mut self, step: &str) {
        self.0.push('/');
        self.0.push_str(&escape(step));
    }

    /// Returns the path followed by the steps of another.
    #[must_use]
    pub fn join(&self, below: &Self) -> Self {
        Self(format!("{}{}", self.0, below.0))
    }

    /// Returns the path without its last step; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(above, _)| Self(above.to_owned()))
    }

    /// Returns the last step, without its escapes; `None` for the root.
    #[must_use]
    pub fn last(&self) -> Option<String> {
        self.0.rsplit_once('/').map(|(_, step)| unescape(step).into_owned())
    }

    /// Returns whether this path is `other` or below it.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the pointer as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Path {
    type Err = Error;

    /// Parses a JSON Pointer.
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if the text is not empty and does not begin with a slash, or has a `~`
    /// that is not part of `~0` or `~1`.
    fn from_str(pointer: &str) -> Result<Self> {
        steps(pointer).map(|_| Self(pointer.to_owned()))
    }
}

impl TryFrom<&str> for Path {
    type Error = Error;

    fn try_from(pointer: &str) -> Result<Self> {
        pointer.parse()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Path {
    /// Builds a path from unescaped steps, which are keys and indices.
    fn from_iter<I: IntoIterator<Item = S>>(steps: I) -> Self {
        let mut path = Self::root();
        steps.into_iter().for_each(|step| path.push(step.as_ref()));
        path
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Splits a pointer into unescaped steps.
///
/// # Errors
/// [`Usage`](crate::error::Kind::Usage) for text that is not a JSON Pointer.
pub(super) fn steps(pointer: &str) -> Result<Vec<Cow<'_, str>>> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let shown = pointer.escape_debug();
    let Some(rest) = pointer.strip_prefix('/') else {
        return Err(Error::usage(format!("the JSON Pointer '{shown}' does not begin with a slash"))
            .with_hint(format!("write '/{shown}'; an empty pointer is the root")));
    };
    if pointer.split('~').skip(1).any(|rest| !rest.starts_with(['0', '1'])) {
        return Err(Error::usage(format!("the JSON Pointer '{shown}' has a ~ without 0 or 1 after it"))
            .with_hint("write ~0 for a ~ in a key, and ~1 for a slash"));
    }
    Ok(rest.split('/').map(unescape).collect())
}

/// Parses a step as an index: decimal digits without leading zeros.
pub(super) fn index(step: &str) -> Option<usize> {
    let is_index = step == "0" || (!step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit()));
    step.parse().ok().filter(|_| is_index)
}

/// A step that does not exist.
struct Lost<'a> {
    /// The last node that exists.
    node: NodeRef<'a>,
    /// The number of steps that lead to it.
    taken: usize,
}

impl Lost<'_> {
    /// Returns whether the node is of a kind that could have had the step.
    fn is_missing(&self, steps: &[Cow<'_, str>]) -> bool {
        let step = steps.get(self.taken).map_or("", AsRef::as_ref);
        match self.node.kind() {
            Kind::Mapping | Kind::Null => true,
            Kind::Sequence => step == "-" || index(step).is_some(),
            _ => false,
        }
    }

    /// Creates the error. `hint` applies to a mapping that lacks a key, unless another key has a similar
    /// name.
    fn error(&self, steps: &[Cow<'_, str>], hint: Option<Hint>) -> Error {
        let (above, below) = steps.split_at_checked(self.taken).unwrap_or((steps, &[]));
        let above: Path = above.iter().collect();
        let step = below.first().map_or("", AsRef::as_ref);
        if self.is_missing(steps) {
            let asked: Path = steps.iter().collect();
            missing(self.node, &above, step, hint).at_path(asked.as_str())
        } else {
            let step = step.escape_debug();
            let wanted = match self.node.kind() {
                Kind::Sequence => format!("a mapping with the key '{step}'"),
                _ => format!("a mapping or a sequence with '{step}'"),
            };
            self.node.expected(wanted).at_path(above.as_str())
        }
    }
}

fn descend<'a>(start: NodeRef<'a>, steps: &[Cow<'_, str>]) -> Result<NodeRef<'a>, Lost<'a>> {
    let mut node = start;
    for (taken, step) in steps.iter().enumerate() {
        node = node.child(step).ok_or(Lost { node, taken })?;
    }
    Ok(node)
}

impl<'a> NodeRef<'a> {
    /// Returns the child at one step of a pointer: a key, or an index in decimal digits.
    #[must_use]
    pub fn child(self, step: &str) -> Option<NodeRef<'a>> {
        match self.kind() {
            Kind::Sequence => self.item(index(step)?),
            Kind::Mapping => self
                .get(step)
                // Integer and boolean keys are found by their text. Here too, the last one counts.
                .or_else(|| self.entry(self.tree().other_entry_of(self.id(), step)?)),
            _ => None,
        }
    }

    /// Returns the node at a JSON Pointer relative to this node, if it exists.
    #[must_use]
    pub fn find(self, pointer: &str) -> Option<NodeRef<'a>> {
        descend(self, &steps(pointer).ok()?).ok()
    }

    /// Returns the node at a JSON Pointer relative to this node.
    ///
    /// # Errors
    /// - [`Missing`](crate::error::Kind::Missing) at the requested path, if a mapping on the way lacks the
    ///   key, a sequence lacks the item, or null is there. The message says how far the path exists.
    /// - [`Mismatch`](crate::error::Kind::Mismatch) at the path of the last existing node, if it is another
    ///   scalar, or a sequence and the next step is not an index.
    /// - [`Usage`](crate::error::Kind::Usage) if the text is not a JSON Pointer.
    pub fn at(self, pointer: &str) -> Result<NodeRef<'a>> {
        let steps = steps(pointer)?;
        descend(self, &steps).map_err(|lost| lost.error(&steps, None))
    }

    /// Returns the node at a JSON Pointer relative to this node; `None` if [`at`](Self::at) returns
    /// `Missing`.
    fn seek(self, pointer: &str) -> Result<Option<NodeRef<'a>>> {
        let steps = steps(pointer)?;
        match descend(self, &steps) {
            Ok(node) => Ok(Some(node)),
            Err(lost) if lost.is_missing(&steps) => Ok(None),
            Err(lost) => Err(lost.error(&steps, None)),
        }
    }
}

/// Creates the error for a step that a node lacks. Lists the keys that exist unless a hint is given. `above`
/// is the path of the node.
pub(super) fn missing(node: NodeRef<'_>, above: &Path, step: &str, hint: Option<Hint>) -> Error {
    /// Larger mappings are not searched for similar keys.
    const SEARCHED: usize = 1000;
    const SHOWN: usize = 12;
    let shown = step.escape_debug();
    let place = match above.as_str() {
        "" => "the root".to_owned(),
        path => path.escape_debug().to_string(),
    };
    let error = |message: String| node.place(Error::missing(message));
    match node.kind() {
        Kind::Mapping => {
            let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).take(SEARCHED).collect();
            let within = if above.as_str().is_empty() { "at" } else { "in" };
            let error = error(format!("the key '{shown}' does not exist {within} {place}"));
            if let Some(key) = nearest(step, &keys) {
                let mut meant = above.clone();
                meant.push(key);
                return error.with_hint(format!("did you mean '{}'?", meant.as_str().escape_debug()));
            }
            let list: String = keys.get(..SHOWN).unwrap_or(&keys).join(", ").escape_debug().collect();
            let more = if node.len() > SHOWN.min(keys.len()) { ", …" } else { "" };
            error.with_hint(match (hint, keys.is_empty()) {
                (Some(hint), _) => hint,
                (None, true) => "the mapping is empty".into(),
                (None, false) if node.len() == 1 => format!("use {list}").into(),
                (None, false) => format!("use one of {list}{more}").into(),
            })
        }
        Kind::Sequence => error(format!("item {shown} does not exist in {place}, {}", node.describe())),
        _ => error(format!("the key '{shown}' does not exist in {place}, which is {}", node.describe())),
    }
}

impl Tree {
    /// Returns the node at a JSON Pointer, such as `tree.at("/roman/meta/exposure")`; `""` is the root.
    ///
    /// # Errors
    /// Same as [`NodeRef::at`]. Also returns [`Missing`](crate::error::Kind::Missing) if the tree is empty.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{error, yaml};
    ///
    /// let tree = yaml::parse("meta: {filters: [F158, F184]}")?;
    /// assert_eq!(tree.at("/meta/filters/1")?.as_str(), Some("F184"));
    ///
    /// let error = tree.at("/meta/filter").unwrap_err();
    /// assert_eq!(error.kind(), error::Kind::Missing);
    /// assert_eq!(error.message(), "the key 'filter' does not exist in /meta");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn at(&self, pointer: &str) -> Result<NodeRef<'_>> {
        match self.root() {
            Some(root) => root.at(pointer),
            None => {
                steps(pointer)?;
                Err(Error::missing("the tree is empty").at_path(pointer))
            }
        }
    }

    /// Returns the node at a JSON Pointer, if it exists.
    ///
    /// # Examples
    /// ```
    /// let tree = asdf_core::yaml::parse("gain: 2.5")?;
    /// assert_eq!(tree.find("/gain").and_then(|node| node.as_f64()), Some(2.5));
    /// assert!(tree.find("/offset").is_none());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn find(&self, pointer: &str) -> Option<NodeRef<'_>> {
        self.root()?.find(pointer)
    }

    /// Returns the node at a JSON Pointer; `None` if [`at`](Self::at) returns `Missing`.
    pub(crate) fn seek(&self, pointer: &str) -> Result<Option<NodeRef<'_>>> {
        match self.root() {
            Some(root) => root.seek(pointer),
            None => steps(pointer).map(|_| None),
        }
    }

    /// Returns the node above the last step, into which something will be put.
    pub(super) fn above(&self, steps: &[Cow<'_, str>]) -> Result<NodeRef<'_>> {
        let above = steps.split_last().map_or(steps, |(_, above)| above);
        let asked = || steps.iter().collect::<Path>();
        let root =
            self.root().ok_or_else(|| Error::missing("the tree is empty").at_path(asked().as_str()))?;
        descend(root, above).map_err(|lost| lost.error(steps, Some(Hint::SetWithParents)))
    }

    /// Creates the missing mappings above a JSON Pointer.
    pub(crate) fn make_parents(&mut self, pointer: &str) -> Result<()> {
        let steps = steps(pointer)?;
        let Some((_, parents)) = steps.split_last() else { return Ok(()) };
        let root = match self.root() {
            Some(root) => root,
            None => {
                let root = self.add_mapping([]);
                self.set_root(root);
                self.node(root)
            }
        };
        let (mut parent, missing) = match descend(root, parents) {
            Ok(_) => return Ok(()),
            Err(lost) if lost.node.kind() == Kind::Mapping => (lost.node.id(), parents.get(lost.taken..)),
            Err(lost) => return Err(lost.error(&steps, None)),
        };
        for step in missing.unwrap_or_default() {
            let child = self.add_mapping([]);
            self.insert(parent, step, child);
            parent = child;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Kind as ErrorKind;
    use crate::tree::{Path, Tree};

    #[test]
    fn steps_lead_down_and_errors_list_what_exists() {
        let mut tree = Tree::new();
        let (one, two) = (tree.add_int(1), tree.add_int(2));
        let list = tree.add_sequence([one, two]);
        let root = tree.add_mapping([]);
        tree.insert(root, "a/b~", list);
        tree.set_root(root);
        assert_eq!(tree.at("/a~1b~0/1").unwrap().as_i64(), Some(2));
        assert_eq!(tree.at("").unwrap().len(), 1);
        assert!(tree.find("/").is_none());
        let lost = |pointer: &str| {
            let error = tree.at(pointer).unwrap_err();
            (error.kind(), error.to_string())
        };
        for (pointer, message) in [
            ("/a~1b~0/2", "/a~1b~0/2: item 2 does not exist in /a~1b~0, a sequence of 2 items"),
            ("/a~1b~0/-/x", "/a~1b~0/-/x: item - does not exist in /a~1b~0, a sequence of 2 items"),
            ("/x", "/x: the key 'x' does not exist at the root\n  hint: use a/b~"),
            ("/a~1b/0", "/a~1b/0: the key 'a/b' does not exist at the root\n  hint: did you mean '/a~1b~0'?"),
        ] {
            assert_eq!(lost(pointer), (ErrorKind::Missing, message.to_owned()));
            assert_eq!(tree.get::<Option<i32>>(pointer).unwrap(), None);
        }
        for (pointer, message) in [
            ("/a~1b~0/1/c", "/a~1b~0/1: found the integer 2, expected a mapping or a sequence with 'c'"),
            ("/a~1b~0/01", "/a~1b~0: found a sequence of 2 items, expected a mapping with the key '01'"),
        ] {
            assert_eq!(lost(pointer), (ErrorKind::Mismatch, message.to_owned()));
            assert_eq!(tree.get::<Option<i32>>(pointer).unwrap_err().kind(), ErrorKind::Mismatch);
        }
        assert_eq!(Tree::new().at("/x").unwrap_err().to_string(), "/x: the tree is empty");
        assert_eq!(Tree::new().get::<Option<i32>>("/x").unwrap(), None);
    }

    #[test]
    fn pointers_begin_with_a_slash() {
        let mut tree = Tree::new();
        tree.set("/a", &1).unwrap();
        let error = tree.set("a", &1).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Usage,
                "the JSON Pointer 'a' does not begin with a slash\n  hint: write '/a'; an empty pointer is the root"
                    .to_owned()
            )
        );
        for pointer in ["a", "a/b", "/a~", "/~2", "~0"] {
            assert_eq!(tree.at(pointer).unwrap_err().kind(), ErrorKind::Usage, "{pointer}");
            assert!(tree.find(pointer).is_none() && pointer.parse::<Path>().is_err(), "{pointer}");
            assert_eq!(tree.remove_at(pointer).unwrap_err().kind(), ErrorKind::Usage, "{pointer}");
            assert_eq!(tree.make_parents(pointer).unwrap_err().kind(), ErrorKind::Usage, "{pointer}");
        }
        assert_eq!(Path::from_iter(["a/b", "0"]), "/a~1b/0".parse().unwrap());
    }

    #[test]
    fn parents_are_made_only_on_request() {
        let mut tree = Tree::new();
        let error = tree.set("/a/b/c", &1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/a/b/c: the key 'a' does not exist at the root\n  hint: use `set_with_parents` to create the missing mappings"
        );
        tree.edit("/a/b/c").set_with_parents(1).unwrap();
        tree.edit("/a/d/e").set_with_parents([1, 2]).unwrap();
        tree.edit("/a/d/f/0").set_with_parents("x").unwrap();
        assert_eq!(
            crate::yaml::write(&tree).unwrap(),
            "%YAML 1.1\n---\na:\n  b: {c: 1}\n  d:\n    e: [1, 2]\n    f: {'0': x}\n...\n"
        );
        let before = crate::yaml::write(&tree).unwrap();
        for (pointer, kind) in [
            ("/a/d/e/7/x", ErrorKind::Missing),
            ("/a/b/c/x/y", ErrorKind::Mismatch),
            ("/a/b/c/x", ErrorKind::Mismatch),
        ] {
            assert_eq!(tree.edit(pointer).set_with_parents(1).unwrap_err().kind(), kind, "{pointer}");
            assert_eq!(crate::yaml::write(&tree).unwrap(), before);
        }
    }
}

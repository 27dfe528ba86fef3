//! Searching nodes by key, value, tag, kind, or any condition.

use std::fmt;

use super::{Kind, NodeRef, Path, Tree, Walk, tag_matches};
#[cfg(feature = "regex")]
use crate::error::{Error, Result};

/// A lazy search for nodes that satisfy every condition, in the order of the text.
///
/// Created by [`NodeRef::search`] and [`Tree::search`]. It visits only as much as its caller asks for.
///
/// A shared node is found in each place that directly contains it, under each of its keys. Nodes below it are
/// found once, on the first path to them. Cycles end, and no search visits more places than the tree has
/// items and entries. Keys themselves are not searched.
///
/// # Examples
/// ```
/// use asdf_core::yaml::parse;
///
/// let tree = parse("meta: {exposure_time: 12.5, detector: WFI01}\nother: [{exposure_time: 3}]\n")?;
/// let found: Vec<String> =
///     tree.search().key("exposure_time").map(|found| format!("{} {:?}", found.path, found.node)).collect();
/// assert_eq!(found, ["/meta/exposure_time the float 12.5", "/other/0/exposure_time the integer 3"]);
///
/// let long = tree.search().key_where(|key| key.starts_with("exp")).filter_node(|node| node.as_f64() > Some(10.0));
/// assert_eq!(long.count(), 1);
/// assert_eq!(tree.search().value("WFI01").next().unwrap().path.as_str(), "/meta/detector");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "AsdfSearchResult")]
#[doc(alias = "find")]
#[must_use = "a search is lazy: iterate over it"]
pub struct Search<'a> {
    walk: Option<Walk<'a>>,
    conditions: Vec<Condition<'a>>,
}

type Condition<'a> = Box<dyn Fn(&Place<'a>) -> bool + 'a>;

struct Place<'a> {
    key: Option<NodeRef<'a>>,
    node: NodeRef<'a>,
}

/// A node found by a [`Search`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Match<'a> {
    /// The path of the node, relative to the node at which the search began.
    pub path: Path,
    /// The key of the node, if it is in a mapping.
    pub key: Option<NodeRef<'a>>,
    /// The node.
    pub node: NodeRef<'a>,
}

/// A scalar value for [`Search::value`].
///
/// It is converted from `()` (null), booleans, integers, floats and text.
///
/// # Examples
/// ```
/// use asdf_core::tree::Sought;
///
/// assert_eq!(Sought::from(2.5), Sought::Float(2.5));
/// assert_eq!(Sought::from("WFI01"), Sought::Text("WFI01".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Sought {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer, or a float of the same value.
    Int(i128),
    /// A float, or an integer of the same value. NaN finds every NaN.
    Float(f64),
    /// The whole text of a string or a timestamp.
    Text(String),
}

impl<'a> Search<'a> {
    fn new(start: Option<NodeRef<'a>>) -> Self {
        Self { walk: start.map(NodeRef::walk), conditions: Vec::new() }
    }

    fn when(mut self, condition: impl Fn(&Place<'a>) -> bool + 'a) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }

    /// Keeps only nodes in a mapping under this key. An integer or boolean key is matched by its text.
    pub fn key(self, key: impl Into<String>) -> Self {
        let key = key.into();
        self.key_where(move |text| text == key)
    }

    /// Keeps only nodes in a mapping under a key that matches a regular expression.
    ///
    /// The expression can match anywhere in the key; use `^` and `$` to anchor it. Syntax and limits are
    /// those of the crate `regex`. Needs the feature `regex`. Without it, use [`key_where`](Self::key_where).
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the pattern is not a regular expression.
    #[cfg(feature = "regex")]
    pub fn key_matching(self, pattern: &str) -> Result<Self> {
        let pattern = regex(pattern)?;
        Ok(self.key_where(move |text| pattern.is_match(text)))
    }

    /// Keeps only nodes in a mapping under a key whose text satisfies a function.
    pub fn key_where(self, takes: impl Fn(&str) -> bool + 'a) -> Self {
        self.when(move |place| place.key.and_then(NodeRef::text).is_some_and(&takes))
    }

    /// Keeps only scalars of this value, whatever their tag and style.
    pub fn value(self, value: impl Into<Sought>) -> Self {
        let value = value.into();
        self.when(move |place| value.is(place.node))
    }

    /// Keeps only scalars whose text matches a regular expression.
    ///
    /// The text is as written, without quotes. Needs the feature `regex`. Without it, use
    /// [`filter_node`](Self::filter_node).
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the pattern is not a regular expression.
    #[cfg(feature = "regex")]
    pub fn text_matching(self, pattern: &str) -> Result<Self> {
        let pattern = regex(pattern)?;
        Ok(self.when(move |place| place.node.text().is_some_and(|text| pattern.is_match(text))))
    }

    /// Keeps only nodes whose tag, as a full URI, matches a pattern.
    ///
    /// `*` matches any characters but `/`, and `**` matches any characters: see [`tag_matches`].
    pub fn tag(self, pattern: impl Into<String>) -> Self {
        let pattern = pattern.into();
        self.when(move |place| place.node.tag().is_some_and(|tag| tag_matches(&pattern, tag)))
    }

    /// Keeps only nodes of this kind.
    pub fn kind(self, kind: Kind) -> Self {
        self.when(move |place| place.node.kind() == kind)
    }

    /// Keeps only nodes that satisfy a function.
    pub fn filter_node(self, takes: impl Fn(NodeRef<'a>) -> bool + 'a) -> Self {
        self.when(move |place| takes(place.node))
    }
}

impl<'a> Iterator for Search<'a> {
    type Item = Match<'a>;

    fn next(&mut self) -> Option<Match<'a>> {
        let walk = self.walk.as_mut()?;
        loop {
            let (node, _) = walk.next_place()?;
            let place = Place { key: walk.key(), node };
            if self.conditions.iter().all(|condition| condition(&place)) {
                return Some(Match { path: walk.path(), key: place.key, node });
            }
        }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("conditions", &self.conditions.len()).finish_non_exhaustive()
    }
}

impl<'a> NodeRef<'a> {
    /// Searches this node and everything below it.
    pub fn search(self) -> Search<'a> {
        Search::new(Some(self))
    }
}

impl Tree {
    /// Searches the whole tree.
    pub fn search(&self) -> Search<'_> {
        Search::new(self.root())
    }
}

impl Sought {
    fn is(&self, node: NodeRef<'_>) -> bool {
        match (self, node.kind()) {
            (Self::Null, kind) => kind == Kind::Null,
            (Self::Bool(value), Kind::Bool) => node.as_bool() == Some(*value),
            (Self::Int(value), Kind::Int) => node.as_i128() == Some(*value),
            #[allow(clippy::cast_precision_loss, reason = "a float is compared with the nearest float")]
            (Self::Int(value), Kind::Float) => node.as_f64() == Some(*value as f64),
            (Self::Float(value), Kind::Int | Kind::Float) => {
                node.as_f64().is_some_and(|found| found == *value || (found.is_nan() && value.is_nan()))
            }
            (Self::Text(value), Kind::String | Kind::Timestamp) => node.text() == Some(value),
            _ => false,
        }
    }
}

macro_rules! sought {
    ($($from:ty => |$value:ident| $into:expr;)*) => {$(
        impl From<$from> for Sought {
            fn from($value: $from) -> Self {
                $into
            }
        }
    )*};
}

sought! {
    () => |_value| Self::Null;
    bool => |value| Self::Bool(value);
    i32 => |value| Self::Int(value.into());
    i64 => |value| Self::Int(value.into());
    u32 => |value| Self::Int(value.into());
    u64 => |value| Self::Int(value.into());
    i128 => |value| Self::Int(value);
    f64 => |value| Self::Float(value);
    &str => |value| Self::Text(value.to_owned());
    String => |value| Self::Text(value);
}

#[cfg(feature = "regex")]
fn regex(pattern: &str) -> Result<regex::Regex> {
    regex::Regex::new(pattern).map_err(|error| {
        Error::usage(format!("'{}' is not a regular expression: {error}", pattern.escape_debug()))
            .with_hint("write `.*` for a `*` in a regular expression")
    })
}

#[cfg(test)]
#[cfg(feature = "regex")]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let mut tree = Tree::new();
        let root = tree.add_mapping([]);
        tree.set_root(root);
        let shared = tree.add_mapping([]);
        let seconds = tree.add_float(5.0);
        tree.insert(shared, "seconds", seconds);
        tree.set_tag(shared, Some("asdf://example.org/tags/time-1.0.0"));
        tree.insert(root, "a", shared);
        tree.insert(root, "b", shared);
        let list = tree.add_sequence([shared, root]);
        tree.insert(root, "list", list);
        let (five, text) = (tree.add_int(5), tree.add_str("5"));
        let key = tree.add_int(7);
        tree.insert(root, "five", five);
        tree.append(root, &[key, text]);
        tree
    }

    fn paths<'a>(search: Search<'a>) -> Vec<String> {
        search.map(|found| found.path.to_string()).collect()
    }

    #[test]
    fn a_shared_node_is_found_under_each_key_and_what_is_below_it_once() {
        let tree = tree();
        assert_eq!(paths(tree.search().tag("asdf://example.org/tags/time-*")), ["/a", "/b", "/list/0"]);
        assert_eq!(paths(tree.search().tag("asdf://*/time-*")), Vec::<String>::new());
        assert_eq!(paths(tree.search().key("b")), ["/b"]);
        assert_eq!(paths(tree.search().key("seconds")), ["/a/seconds"]);
        // The root is an item of its own list, which is a cycle.
        assert_eq!(paths(tree.search().kind(Kind::Mapping)), ["", "/a", "/b", "/list/0", "/list/1"]);
    }

    #[test]
    fn all_conditions_must_hold() {
        let tree = tree();
        assert_eq!(paths(tree.search().value(5)), ["/a/seconds", "/five"]);
        assert_eq!(paths(tree.search().value(5.0).kind(Kind::Int)), ["/five"]);
        assert_eq!(paths(tree.search().value("5")), ["/7"]);
        assert_eq!(paths(tree.search().key("7")), ["/7"]);
        assert_eq!(paths(tree.search().key_matching("^s.*s$").unwrap()), ["/a/seconds"]);
        assert_eq!(paths(tree.at("/a").unwrap().search().value(5)), ["/seconds"]);
        assert_eq!(paths(tree.search().text_matching("^5").unwrap().key("five")), ["/five"]);
        assert_eq!(paths(Tree::new().search()), Vec::<String>::new());
        let error = tree.search().key_matching("*.x").unwrap_err();
        assert!(error.to_string().starts_with("'*.x' is not a regular expression"), "{error}");
    }
}

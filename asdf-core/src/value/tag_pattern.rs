//! Patterns of tags as types, which limit the tags that a [`Tagged`](super::Tagged) accepts.

use std::borrow::Borrow;
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::Deref;

use super::derived;
use crate::error::Result;
use crate::tree::{Node, tag_matches};

/// Patterns of tags, used as a type parameter of [`Tagged`](super::Tagged).
///
/// They correspond to the keyword `tag` of a schema.
///
/// `#[derive(TagPattern)]` implements it for a type that has no values.
///
/// # Examples
/// ```
/// # #[cfg(feature = "derive")] {
/// use asdf_core::value::TagPattern;
/// use asdf_core::{Asdf, Tagged};
///
/// /// Tags of filters.
/// #[derive(TagPattern)]
/// #[asdf(tags = ["asdf://example.org/tags/filter-1.*"])]
/// enum FilterV1 {}
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.0.0")]
/// struct Filter {
///     name: String,
/// }
///
/// #[derive(Asdf)]
/// struct Camera {
///     filter: Tagged<Filter, FilterV1>,
/// }
///
/// let read = |text| asdf_core::yaml::parse(text)?.get::<Camera>("");
/// // An unknown version is kept; the tag of something other than a filter is an error.
/// assert!(read("filter: !<asdf://example.org/tags/filter-1.9.0> {nom: r}")?.filter.known().is_none());
/// assert_eq!(
///     read("filter: !<asdf://example.org/tags/grism-1.0.0> {}").err().map(|error| error.message().to_owned()),
///     Some("found the tag asdf://example.org/tags/grism-1.0.0, expected a mapping tagged \
///           asdf://example.org/tags/filter-1.*".to_owned())
/// );
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "uri_match")]
pub trait TagPattern {
    /// The patterns, as for [`tag_matches`]. A tag must match one of them.
    const PATTERNS: &'static [&'static str];

    /// The type that holds a node with a matching tag: [`TaggedNode<Self>`](TaggedNode), which guarantees a
    /// match.
    type Kept: Borrow<Node> + Clone + Debug + PartialEq;

    /// Keeps a node: [`TaggedNode::new`].
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node has no matching tag.
    fn keep(node: Node) -> Result<Self::Kept>;

    /// Returns whether a tag matches.
    #[must_use]
    fn fits(tag: &str) -> bool {
        Self::PATTERNS.iter().any(|pattern| tag_matches(pattern, tag))
    }
}

/// A pattern that matches any tag, for schemas that do not require one.
#[derive(Debug)]
pub enum AnyTag {}

impl TagPattern for AnyTag {
    const PATTERNS: &'static [&'static str] = &["**"];

    type Kept = Node;

    fn keep(node: Node) -> Result<Node> {
        Ok(node)
    }
}

/// A node whose tag matches a pattern. It is immutable, because a change could give it another tag.
pub struct TaggedNode<P> {
    node: Node,
    pattern: PhantomData<P>,
}

impl<P: TagPattern> TaggedNode<P> {
    /// Creates the node if its tag matches.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node has no tag, or one that does not match.
    pub fn new(node: Node) -> Result<Self> {
        if node.view().own_tag().is_some_and(P::fits) {
            Ok(Self { node, pattern: PhantomData })
        } else {
            node.view().fail(tagged::<P>("a node"))
        }
    }

    /// Returns the node.
    #[must_use]
    pub fn into_node(self) -> Node {
        self.node
    }
}

// Derived implementations would require the same trait of the pattern, which has no values.
impl<P> Clone for TaggedNode<P> {
    fn clone(&self) -> Self {
        Self { node: self.node.clone(), pattern: PhantomData }
    }
}

impl<P> PartialEq for TaggedNode<P> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<P> fmt::Debug for TaggedNode<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}

impl<P> Borrow<Node> for TaggedNode<P> {
    fn borrow(&self) -> &Node {
        &self.node
    }
}

impl<P> Deref for TaggedNode<P> {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.node
    }
}

/// Returns whether the pattern rejects any tag.
pub(super) fn refuses<P: TagPattern>() -> bool {
    P::PATTERNS != AnyTag::PATTERNS
}

/// Describes a node with a matching tag: "a mapping tagged ...".
pub(super) fn tagged<P: TagPattern>(kind: &str) -> String {
    let each: Vec<String> =
        P::PATTERNS.iter().map(|pattern| format!("{kind} tagged {}", pattern.escape_debug())).collect();
    derived::either(&each)
}

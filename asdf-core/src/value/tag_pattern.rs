//! Patterns of tags as types: which tags a [`Tagged`](super::Tagged) takes.

use std::borrow::Borrow;
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::Deref;

use super::derived;
use crate::error::Result;
use crate::tree::{Node, tag_matches};

/// Patterns of tags, given to [`Tagged`](super::Tagged) as a type: what a schema's keyword `tag` asks for.
///
/// `#[derive(TagPattern)]` makes one of a type that is never a value:
///
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
/// // A version that nobody knows is kept; another tag is none of a filter's.
/// assert!(read("filter: !<asdf://example.org/tags/filter-1.9.0> {nom: r}")?.filter.known().is_none());
/// assert_eq!(
///     read("filter: !<asdf://example.org/tags/grism-1.0.0> {}").err().map(|error| error.message().to_owned()),
///     Some("found the tag asdf://example.org/tags/grism-1.0.0, expected a mapping tagged \
///           asdf://example.org/tags/filter-1.*".to_owned())
/// );
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub trait TagPattern {
    /// The patterns, as for [`tag_matches`]; a tag fits when it fits one of them.
    const PATTERNS: &'static [&'static str];

    /// What holds a node with a tag that fits: [`TaggedNode<Self>`](TaggedNode), which can have no other.
    type Kept: Borrow<Node> + Clone + Debug + PartialEq;

    /// Keeps a node: [`TaggedNode::new`].
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when it has no tag that fits.
    fn keep(node: Node) -> Result<Self::Kept>;

    /// Whether a tag fits.
    #[must_use]
    fn fits(tag: &str) -> bool {
        Self::PATTERNS.iter().any(|pattern| tag_matches(pattern, tag))
    }
}

/// Any tag fits: no schema asks for one.
#[derive(Debug)]
pub enum AnyTag {}

impl TagPattern for AnyTag {
    const PATTERNS: &'static [&'static str] = &["**"];

    type Kept = Node;

    fn keep(node: Node) -> Result<Node> {
        Ok(node)
    }
}

/// A node whose tag fits a pattern. It cannot be changed, since it could have another tag then.
pub struct TaggedNode<P> {
    node: Node,
    pattern: PhantomData<P>,
}

impl<P: TagPattern> TaggedNode<P> {
    /// A node, if its tag fits.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when it has no tag, or another.
    pub fn new(node: Node) -> Result<Self> {
        if node.view().own_tag().is_some_and(P::fits) {
            Ok(Self { node, pattern: PhantomData })
        } else {
            node.view().fail(tagged::<P>("a node"))
        }
    }

    /// The node.
    #[must_use]
    pub fn into_node(self) -> Node {
        self.node
    }
}

// Derived ones would ask the same of the pattern, which is never a value.
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

/// Whether there is a tag that does not fit.
pub(super) fn refuses<P: TagPattern>() -> bool {
    P::PATTERNS != AnyTag::PATTERNS
}

/// What a node with a tag that fits is: "a mapping tagged ...".
pub(super) fn tagged<P: TagPattern>(kind: &str) -> String {
    let each: Vec<String> =
        P::PATTERNS.iter().map(|pattern| format!("{kind} tagged {}", pattern.escape_debug())).collect();
    derived::either(&each)
}

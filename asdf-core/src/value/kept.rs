//! The tag that a value was read with.

use std::sync::Arc;

use crate::tree::{NodeId, Tree};

/// The tag that a value was read with, so that it is written back with the same version. A new value has the
/// newest.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use asdf_core::value::KeptTag;
/// use asdf_core::{Asdf, File, yaml};
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.1.0", accepts = ["asdf://example.org/tags/filter-1.0.0"])]
/// struct Filter {
///     name: String,
///     #[asdf(tag)]
///     tag: KeptTag,
/// }
///
/// let old = yaml::parse("!<asdf://example.org/tags/filter-1.0.0> {name: F158}")?;
/// let mut filter: Filter = old.get("")?;
/// assert_eq!(filter.tag, KeptTag::As("asdf://example.org/tags/filter-1.0.0".into()));
///
/// let mut file = File::new();
/// file.set("/old", &filter)?; // with the tag that it was read with
/// assert_eq!(file.at("/old")?.own_tag(), Some("asdf://example.org/tags/filter-1.0.0"));
/// filter.tag = KeptTag::Newest;
/// file.set("/new", &filter)?;
/// assert_eq!(file.at("/new")?.own_tag(), Some("asdf://example.org/tags/filter-1.1.0"));
/// filter.tag = KeptTag::As("asdf://example.org/tags/grism-1.0.0".into());
/// assert!(file.set("/wrong", &filter).is_err());
/// # }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum KeptTag {
    /// The type's own tag, `Asdf::TAG`.
    #[default]
    Newest,
    /// Another tag that the type accepts. A value with a tag that its type does not accept is not written.
    As(Arc<str>),
    /// No tag: the value stands where a schema does not ask for one.
    Untagged,
}

impl KeptTag {
    /// Keeps what a node has, for a type whose own tag is given.
    #[must_use]
    pub fn new(tag: Option<&str>, own: &str) -> Self {
        match tag {
            None => Self::Untagged,
            Some(tag) if tag == own => Self::Newest,
            Some(tag) => Self::As(tag.into()),
        }
    }

    /// The tag to write, for a type whose own tag is given.
    #[must_use]
    pub fn tag<'a>(&'a self, own: &'a str) -> Option<&'a str> {
        match self {
            Self::Newest => Some(own),
            Self::As(tag) => Some(tag),
            Self::Untagged => None,
        }
    }

    /// Sets the tag on a written node, for [`ToNode`](crate::ToNode) written by hand. Does not check that the type accepts
    /// the tag, as derived types do.
    pub fn apply(&self, tree: &mut Tree, id: NodeId, own: &str) {
        tree.set_tag(id, self.tag(own));
    }
}

//! The tag that a value was read with.

use std::sync::Arc;

use crate::tree::{NodeId, Tree};

/// The tag with which a value was read, so that the same version is written back.
///
/// A new value has the newest tag.
///
/// # Examples
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
    /// Another tag that the type accepts. Writing a tag that the type does not accept is an error.
    As(Arc<str>),
    /// No tag, as in places where the schema does not require one.
    Untagged,
}

impl KeptTag {
    /// Keeps the tag of a node, given the tag of the type.
    #[must_use]
    pub fn new(tag: Option<&str>, own: &str) -> Self {
        match tag {
            None => Self::Untagged,
            Some(tag) if tag == own => Self::Newest,
            Some(tag) => Self::As(tag.into()),
        }
    }

    /// Returns the tag to write, given the tag of the type.
    #[must_use]
    pub fn tag<'a>(&'a self, own: &'a str) -> Option<&'a str> {
        match self {
            Self::Newest => Some(own),
            Self::As(tag) => Some(tag),
            Self::Untagged => None,
        }
    }

    /// Sets the tag of a written node, for a hand-written [`ToNode`](crate::ToNode).
    ///
    /// Does not check that the type accepts the tag, as derived types do.
    pub fn apply(&self, tree: &mut Tree, id: NodeId, own: &str) {
        tree.set_tag(id, self.tag(own));
    }
}

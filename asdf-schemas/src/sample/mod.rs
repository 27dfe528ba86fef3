//! Values that fit schemas: the smallest, and any.
//!
//! A value is made of bytes, each of which makes a choice: whether an optional property is there, which
//! branch of a union is taken, how long a list is. Without bytes every choice is the least one, so that
//! the value has only what is required, each thing as small as its schema lets it. With random bytes it
//! is a value for property tests and fuzzing; a shorter or lower string of bytes makes a smaller value,
//! so that what shrinks bytes (proptest, a fuzzer) shrinks values.
//!
//! ```
//! use asdf_core::FromNode as _;
//! use asdf_schemas::sample::{Minimal as _, Sampler};
//! use asdf_schemas::unit::Quantity;
//!
//! let mut sampler = Sampler::standard();
//! let tag = "tag:stsci.edu:asdf/unit/quantity-1.2.0";
//! let smallest = sampler.sample_tag(tag, &[])?.expect("a quantity can be made");
//! assert_eq!(smallest.view().get("value").and_then(|value| value.as_f64()), Some(0.0));
//! let quantity = Quantity::from_node(smallest.view())?;
//!
//! // Whatever the bytes: the value fits.
//! if let Some(any) = sampler.sample_tag(tag, &[3, 141, 59, 26])? {
//!     Quantity::from_node(any.view())?;
//! }
//!
//! // The same for a type, whether its schema is there or not.
//! assert!(Quantity::minimal().is_some());
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! A schema's `default`, where it has one that fits its type, comes before anything smaller. Every value is
//! validated before it is given out. There is none where nothing fits, or nothing that could be found: `not` is not
//! looked at while it is made, but for a type, and items that a list has to have; patterns are only made texts of
//! one at a time, and the elements of arrays are in the tree, never in blocks.
//!
//! [`minimal`](crate::minimal()) is the smallest value once more, not validated, with what could be added to it.

mod choices;
mod make;
mod outline;
mod text;

use std::sync::{Arc, Mutex, PoisonError};

use asdf_core::file::Version;
use asdf_core::{FromNode, Node, NodeId, Result, Tree};

use crate::documents::Documents;
use crate::registry::Edition;
use crate::{Registry, Validator, export};
pub(crate) use make::Maker;
pub(crate) use outline::{Gathered, property};

/// Makes values that fit the schemas of a registry.
///
/// ```
/// use asdf_schemas::sample::Sampler;
///
/// let mut sampler = Sampler::standard();
/// let tag = "tag:stsci.edu:asdf/core/software-1.0.0";
/// let software = sampler.sample_tag(tag, &[])?.expect("one can be made");
/// assert_eq!(software.view().own_tag(), Some(tag));
/// assert!(software.view().get("name").is_some()); // what the schema requires
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    documents: Documents<Arc<Registry>>,
    edition: Arc<Edition>,
    /// All tags that have schemas, sorted.
    tags: Vec<String>,
    validator: Validator,
}

/// The id under which the schema of a type is known while a value of it is made.
const OF_TYPE: &str = "asdf://asdf-format.org/sample/schemas/type-1.0.0";

impl Sampler {
    /// For the schemas of a registry; where several versions of a tag fit, those of a version of the
    /// standard are taken.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) when the registry knows no such version.
    pub fn new(registry: Arc<Registry>, standard: Version) -> Result<Self> {
        let edition = registry.edition(standard)?;
        let validator = Validator::new(registry.clone()).without_blocks();
        let tags = registry.tags().into_iter().map(str::to_owned).collect();
        Ok(Self { documents: Documents::of(registry), edition, tags, validator })
    }

    /// For the standard's schemas, and its version 1.6.0.
    ///
    /// # Panics
    /// Never: the version is there.
    #[must_use]
    #[allow(clippy::expect_used, reason = "a manifest of ours")]
    pub fn standard() -> Self {
        Self::new(Registry::standard(), Version::new(1, 6, 0))
            .expect("the standard's version 1.6.0 is embedded")
    }

    /// A value with this tag, the whole URI with its version. `None` when none is found.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) when no schema is known for the tag.
    pub fn sample_tag(&mut self, tag: &str, bytes: &[u8]) -> Result<Option<Node>> {
        if self.documents.registry().schemas_of(tag).is_empty() {
            return Err(asdf_core::Error::usage(format!(
                "no schema is known for the tag {}",
                tag.escape_debug()
            ))
            .with_hint("add the package that has its manifest"));
        }
        let Some(node) = self.make(bytes, |maker| maker.tagged(tag, &[], 0)) else { return Ok(None) };
        Ok(self.fits(&node, None)?.then_some(node))
    }

    /// A value that fits a schema, by its id. `None` when none is found.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) when there is no such schema.
    pub fn sample_schema(&mut self, id: &str, bytes: &[u8]) -> Result<Option<Node>> {
        self.documents.registry().schema(id)?;
        let Some(root) = self.documents.get(id) else { return Ok(None) };
        let Some(node) = self.make(bytes, |maker| maker.value(&[root], &[], None, 0)) else {
            return Ok(None);
        };
        Ok(self.fits(&node, Some(id))?.then_some(node))
    }

    /// Makes a value of a type, by what the type says of itself ([`FromNode::describe`]): tagged types in it are
    /// looked for in the registry. A value of a type with a tag has that tag. `None` when none is found.
    ///
    /// # Errors
    /// As those of [`export::schema`].
    pub fn sample_type<T: FromNode>(&mut self, bytes: &[u8]) -> Result<Option<T>> {
        let text = export::schema::<T>(OF_TYPE)?;
        let tree = asdf_core::yaml::parse(&text)?;
        self.documents.add(OF_TYPE, tree);
        let Some(root) = self.documents.get(OF_TYPE) else { return Ok(None) };
        let node = self.make(bytes, |maker| {
            let node = maker.value(&[root], &[], None, 0)?;
            if let Some(tag) = T::describe().tag {
                maker.tree.set_tag(node, Some(tag));
            }
            Ok(node)
        });
        Ok(node.and_then(|node| T::from_node(node.view()).ok()))
    }

    fn make(
        &mut self,
        bytes: &[u8],
        make: impl FnOnce(&mut Maker<'_, '_, Arc<Registry>>) -> Result<NodeId>,
    ) -> Option<Node> {
        let mut maker = Maker::new(&mut self.documents, &self.edition, &self.tags, bytes);
        let root = make(&mut maker).ok()?;
        Node::from_ref(maker.tree.node(root)).ok()
    }

    fn fits(&self, node: &Node, schema: Option<&str>) -> Result<bool> {
        let mut tree = Tree::new();
        let root = tree.graft(node.view())?;
        tree.set_root(root);
        let own = match schema {
            Some(id) => self.validator.validate_node(tree.node(root), id)?.is_valid(),
            None => true,
        };
        Ok(own && self.validator.validate_tree(&tree).is_valid())
    }
}

/// Any value of a type, for property tests: by the standard's schemas where it asks for tags. It shrinks to
/// the smallest. Needs the feature `proptest`.
///
/// ```
/// use asdf_core::{FromNode as _, Node};
/// use asdf_schemas::{basic::Software, sample};
/// use proptest::prelude::*;
///
/// proptest!(ProptestConfig::with_cases(8), |(software in sample::any::<Software>())| {
///     let node = Node::new(&software).unwrap();
///     prop_assert_eq!(Software::from_node(node.view()).unwrap(), software);
/// });
/// ```
#[cfg(feature = "proptest")]
pub fn any<T: FromNode + std::fmt::Debug>() -> impl proptest::strategy::Strategy<Value = T> {
    use proptest::strategy::Strategy as _;
    proptest::collection::vec(proptest::arbitrary::any::<u8>(), 0..200)
        .prop_filter_map("no value that fits", |bytes| of_type(&bytes))
}

/// A value of a type by the standard's schemas.
fn of_type<T: FromNode>(bytes: &[u8]) -> Option<T> {
    static SAMPLER: Mutex<Option<Sampler>> = Mutex::new(None);
    let mut sampler = SAMPLER.lock().unwrap_or_else(PoisonError::into_inner);
    sampler.get_or_insert_with(Sampler::standard).sample_type(bytes).ok().flatten()
}

/// A type whose smallest value can be made: every one that can be read.
pub trait Minimal: FromNode {
    /// The value with only what is required, each thing as small as its schema lets it: the first of a
    /// list of words, the number nearest to 0, an empty list. `None` when none is found, as where a type asks
    /// for a tag that only your own package has; then [`Sampler::sample_type`] with your registry may. The value of a
    /// type with a tag is written with that tag.
    #[must_use]
    fn minimal() -> Option<Self> {
        of_type(&[])
    }
}

impl<T: FromNode> Minimal for T {}

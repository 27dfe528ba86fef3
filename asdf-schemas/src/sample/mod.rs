//! Makes values that match schemas, for tests and templates.
//!
//! Each byte of the input makes one choice: whether an optional property is present, which branch of a union is used, how
//! long a list is. Without bytes every choice is the smallest one: the value has only what is required, as small as the schema
//! allows. Random bytes make values for property tests and fuzzing. Shorter or lower bytes make smaller values, so a tool
//! that shrinks bytes (proptest, a fuzzer) shrinks values.
//!
//! # Examples
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
//! // Any bytes make a valid value.
//! if let Some(any) = sampler.sample_tag(tag, &[3, 141, 59, 26])? {
//!     Quantity::from_node(any.view())?;
//! }
//!
//! // A value of a type needs no schema.
//! assert!(Quantity::minimal().is_some());
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! A `default` of the schema that fits its type is preferred to anything smaller. Every value is validated before it is
//! returned. The result is `None` if no value was found, even if one exists:
//!
//! - `not` is considered only for types and for items that a list must contain.
//! - A string is made from one pattern at a time.
//! - The elements of arrays are in the tree, never in blocks.
//!
//! [`minimal`](crate::minimal()) returns the smallest value without validation, with the properties that could be added.

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

/// Makes values that match the schemas of a registry.
///
/// # Examples
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
    /// Makes a sampler for the schemas of a registry.
    ///
    /// If several versions of a tag match, it prefers those of this version of the standard.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the registry does not have this version.
    pub fn new(registry: Arc<Registry>, standard: Version) -> Result<Self> {
        let edition = registry.edition(standard)?;
        let validator = Validator::new(registry.clone()).without_blocks();
        let tags = registry.tags().into_iter().map(str::to_owned).collect();
        Ok(Self { documents: Documents::of(registry), edition, tags, validator })
    }

    /// Makes a sampler for the built-in schemas and version 1.6.0 of the standard.
    ///
    /// # Panics
    /// Never: the version is built in.
    #[must_use]
    #[allow(clippy::expect_used, reason = "a manifest of ours")]
    pub fn standard() -> Self {
        Self::new(Registry::standard(), Version::new(1, 6, 0))
            .expect("the standard's version 1.6.0 is embedded")
    }

    /// Makes a value with this tag, a whole URI with a version. Returns `None` if none is found.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the tag has no schema.
    pub fn sample_tag(&mut self, tag: &str, bytes: &[u8]) -> Result<Option<Node>> {
        if self.documents.registry().schemas_of(tag).is_empty() {
            return Err(asdf_core::Error::usage(format!("no schema for the tag {}", tag.escape_debug()))
                .with_hint("add the package that has its manifest"));
        }
        let Some(node) = self.make(bytes, |maker| maker.tagged(tag, &[], 0)) else { return Ok(None) };
        Ok(self.fits(&node, None)?.then_some(node))
    }

    /// Makes a value that matches the schema with this id. Returns `None` if none is found.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the schema does not exist.
    pub fn sample_schema(&mut self, id: &str, bytes: &[u8]) -> Result<Option<Node>> {
        self.documents.registry().schema(id)?;
        let Some(root) = self.documents.get(id) else { return Ok(None) };
        let Some(node) = self.make(bytes, |maker| maker.value(&[root], &[], None, 0)) else {
            return Ok(None);
        };
        Ok(self.fits(&node, Some(id))?.then_some(node))
    }

    /// Makes a value of a type, or returns `None` if none is found.
    ///
    /// The type describes its values ([`FromNode::describe`]).
    ///
    /// The schemas of other tagged types in it come from the registry. The value has the tag of its type, if there is one.
    ///
    /// # Errors
    /// Fails like [`export::schema`].
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

/// Returns a strategy for values of a type, for property tests (feature `proptest`).
///
/// The schemas of tagged types in it are those of the standard. Values shrink to the smallest one.
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
        .prop_filter_map("found no valid value", |bytes| of_type(&bytes))
}

/// Makes a value of a type with the built-in schemas.
fn of_type<T: FromNode>(bytes: &[u8]) -> Option<T> {
    static SAMPLER: Mutex<Option<Sampler>> = Mutex::new(None);
    let mut sampler = SAMPLER.lock().unwrap_or_else(PoisonError::into_inner);
    sampler.get_or_insert_with(Sampler::standard).sample_type(bytes).ok().flatten()
}

/// A type with a smallest value. Every type that can be read implements it.
pub trait Minimal: FromNode {
    /// Makes the smallest value, with only the required properties. Returns `None` if none is found.
    ///
    /// Each property is as small as possible: the first word of an enumeration, the number nearest to 0, an empty list. If
    /// the type requires a tag of your own package, use [`Sampler::sample_type`] with a registry that has the package. The
    /// value has the tag of its type, if there is one.
    #[must_use]
    fn minimal() -> Option<Self> {
        of_type(&[])
    }
}

impl<T: FromNode> Minimal for T {}

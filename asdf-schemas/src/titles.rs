//! Finds the titles of schemas for the values of a tree.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asdf_core::Tree;
use asdf_core::tree::{ASDF_TAG, NodeRef, Path};
use asdf_schema_model::{Schema, pointer};

use crate::Registry;
use crate::documents::{Documents, Place};

/// The maximum number of chained references, and of nested combinations of schemas.
const DEEPEST: usize = 16;

/// Finds the titles of the schemas of a registry for the values of a tree.
///
/// The title of a value is that of the schema of its tag, or else that of its property in the schema of its parent. The
/// schemas of the ASDF Standard are not used, because their titles only repeat the tags.
///
/// # Examples
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::Registry;
/// use asdf_schemas::titles::Titles;
///
/// let mut registry = Registry::new();
/// registry.add_schema("{id: 'asdf://x.org/lens', properties: {mm: {title: Focal length}}}")?;
/// registry.add_tag("asdf://x.org/lens-1.0.0", "asdf://x.org/lens");
/// let tree = yaml::parse("lens: !<asdf://x.org/lens-1.0.0> {mm: 35}")?;
/// let titles = Titles::new(registry.into());
/// let schema = titles.schema_at(tree.at("")?, &"/lens/mm".parse()?).expect("a schema");
/// assert_eq!(titles.title(schema).as_deref(), Some("Focal length"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias = "schema_info")]
pub struct Titles(Mutex<Documents<Arc<Registry>>>);

/// The schema, or part of a schema, that describes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaOfValue(Place);

impl Titles {
    /// Uses the schemas of a registry. They are parsed when they are first needed.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self(Documents::of(registry).into())
    }

    /// Returns the schema of a node.
    ///
    /// This is the schema of its tag, or else that of the property `key` in the schema `above`.
    ///
    /// Returns `None` if there is no schema, or more than one.
    #[must_use]
    pub fn schema_of(
        &self,
        node: NodeRef<'_>,
        key: &str,
        above: Option<SchemaOfValue>,
    ) -> Option<SchemaOfValue> {
        let own = node.own_tag().filter(|tag| !tag.starts_with(ASDF_TAG)).and_then(|tag| {
            let registry = self.documents().registry().clone();
            registry.schemas_of(tag).first().map(|id| (*id).to_owned())
        });
        let place = match own {
            Some(id) => self.documents().get(&id),
            None => self.find(above?.0, 0, &|place, schema| {
                let part = schema.get("properties")?.get(key)?;
                Some(Place { node: part.id(), ..place })
            }),
        };
        place.map(SchemaOfValue)
    }

    /// Returns the schema of the node at a path below a root.
    #[must_use]
    pub fn schema_at(&self, root: NodeRef<'_>, path: &Path) -> Option<SchemaOfValue> {
        let mut node = root;
        let mut schema = self.schema_of(root, "", None);
        for step in pointer::steps(path.as_str()) {
            node = node.child(&step)?;
            schema = self.schema_of(node, &step, schema);
        }
        schema
    }

    /// Returns the title of a schema, on one line, or `None` if it has no title or several.
    #[must_use]
    pub fn title(&self, schema: SchemaOfValue) -> Option<String> {
        let title = self.find(schema.0, 0, &|_, schema| schema.get("title")?.text().map(str::to_owned))?;
        Some(title.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn documents(&self) -> MutexGuard<'_, Documents<Arc<Registry>>> {
        // Parsed documents stay valid if another thread panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches a schema and the schemas that it combines. Returns `None` if there is no result, or more than one.
    fn find<T>(
        &self,
        place: Place,
        depth: usize,
        own: &dyn Fn(Place, NodeRef<'_>) -> Option<T>,
    ) -> Option<T> {
        let (place, tree) = self.followed(place, depth)?;
        let schema = tree.node(place.node);
        let branches = ["allOf", "oneOf", "anyOf"].into_iter();
        let branches = branches.flat_map(|keyword| Schema::new(schema).branches(keyword));
        let combined =
            branches.filter_map(|branch| self.find(Place { node: branch.id(), ..place }, depth + 1, own));
        let mut all = own(place, schema).into_iter().chain(combined);
        let first = all.next()?;
        all.next().is_none().then_some(first)
    }

    /// Follows the references at a place.
    fn followed(&self, mut place: Place, depth: usize) -> Option<(Place, Arc<Tree>)> {
        let mut documents = self.documents();
        for _ in depth..DEEPEST {
            let tree = documents.tree(place)?;
            let Some(reference) = tree.node(place.node).get("$ref") else { return Some((place, tree)) };
            place = documents.resolve(place, reference)?;
        }
        None
    }
}

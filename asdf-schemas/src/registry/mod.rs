//! Finds the schemas of tags, and the texts of schemas.
//!
//! The schemas of the standard are embedded in the program, compressed. Each is unpacked and parsed when it is first needed.
//! Other schemas are added as text, files or folders. The schemas of folders are also read and parsed only when needed.

mod edition;
mod embedded;
pub(crate) mod file;
mod find;
pub(crate) mod folder;
pub(crate) mod text;
mod unread;
mod versioned;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use asdf_core::error::Hint;
use asdf_core::file::{Extension, Version};
use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, Result, Threads, Tree, yaml};
use asdf_schema_model::pointer;

use crate::expansion;
pub use edition::Edition;
use unread::Unread;
pub(crate) use versioned::versioned;

/// A collection of schemas by id, with the schemas of each tag.
///
/// It can contain the schemas of the standard and those of other packages.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::File;
/// use asdf_schemas::{Registry, Validator};
///
/// let mut registry = Registry::new(); // has the schemas of the standard
/// registry.add_schema(
///     "id: asdf://example.org/schemas/filter-1.0.0\n\
///      type: object\n\
///      properties: {name: {type: string, maxLength: 8}}\n",
/// )?;
/// registry.add_tag("asdf://example.org/tags/filter-1.0.0", "asdf://example.org/schemas/filter-1.0.0");
///
/// let tree = asdf_core::yaml::parse("{filter: !<asdf://example.org/tags/filter-1.0.0> {name: 5}}")?;
/// let report = Validator::new(Arc::new(registry)).validate_tree(&tree);
/// assert_eq!(report.violations()[0].to_string(), "1:57: /filter/name: found the integer 5, expected a string");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias = "resource_manager")]
#[doc(alias = "ResourceManager")]
#[doc(alias = "ResourceMapping")]
#[doc(alias = "load_schema")]
pub struct Registry {
    /// Whether the built-in schemas are part of the registry.
    standard: bool,
    /// Whether schemas of folders replace built-in ones.
    replacing: bool,
    /// Schemas of folders that were not added, because built-in ones have their ids.
    passed_over: Vec<(String, PathBuf)>,
    documents: HashMap<String, Arc<str>>,
    /// Schemas of packages. Documents with the same id take precedence.
    unread: Vec<Arc<Unread>>,
    /// Files of packages with a `$schema` and without an id.
    nameless: Vec<PathBuf>,
    tags: HashMap<String, Vec<String>>,
    /// Manifests that were parsed when they were added.
    manifests: HashMap<String, Arc<Tree>>,
    /// The number of threads that read the schemas of folders.
    threads: Threads,
    /// The editions that were made since the last schema was added.
    editions: Arc<Mutex<HashMap<Version, Arc<Edition>>>>,
    /// The schemas in which lines were found, since a report asks for many lines of the same schema.
    searched: Arc<Mutex<HashMap<String, Arc<Tree>>>>,
}

impl Registry {
    /// Makes an empty registry.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// Makes a registry with the built-in schemas.
    ///
    /// These are the schemas of every version of the standard, of transforms, GWCS and celestial coordinates.
    #[must_use]
    pub fn new() -> Self {
        Self { standard: true, ..Self::default() }
    }

    /// Returns the shared registry with the built-in schemas.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(Registry::new()));
        STANDARD.clone()
    }

    /// Adds a schema under its `id`. Replaces a schema with the same id.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the text is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if it has no `id`.
    #[doc(alias = "add_resource_mapping")]
    pub fn add_schema(&mut self, text: &str) -> Result<()> {
        self.add_document(text).map(|_| ())
    }

    /// Adds a schema and returns its id.
    fn add_document(&mut self, text: &str) -> Result<String> {
        let tree = yaml::parse(text)?;
        let id: String = tree.get("/id")?;
        let id = id.trim_end_matches('#').to_owned();
        self.put(id.clone(), text);
        Ok(id)
    }

    /// Adds a schema under a given id, for example if it has no `id`.
    ///
    /// Relative references in the schema are resolved against this id.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the text is not YAML.
    pub fn add_schema_as(&mut self, id: &str, text: &str) -> Result<()> {
        yaml::parse(text)?;
        self.put(id.to_owned(), text);
        Ok(())
    }

    /// Lets the schemas and manifests of folders replace built-in ones with the same id or tag.
    ///
    /// It affects folders that are added after this call.
    #[must_use]
    pub fn replacing_built_in(mut self) -> Self {
        self.replacing = true;
        self
    }

    /// Sets the maximum number of threads that read the schemas of folders.
    ///
    /// The default is [`Threads::ALL`].
    ///
    /// It affects folders that are added after this call. With [`Threads::ONE`] the registry starts no thread.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the ids of added schemas that differ from a built-in schema with the same id, sorted.
    ///
    /// These schemas are not used; see [`replacing_built_in`](Self::replacing_built_in). Schemas that differ only in
    /// titles, descriptions and examples are not listed.
    ///
    /// ```
    /// use asdf_schemas::Registry;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let id = "http://stsci.edu/schemas/asdf/core/complex-1.0.0";
    /// std::fs::write(folder.path().join("mine.yaml"), format!("id: {id}\ntype: number\n"))?;
    /// let mut registry = Registry::new();
    /// registry.add_folder(folder.path())?;
    /// assert_eq!(registry.passed_over(), [id]);
    /// let mut registry = Registry::new().replacing_built_in();
    /// registry.add_folder(folder.path())?;
    /// assert!(registry.passed_over().is_empty());
    /// assert_eq!(registry.schema(id)?.get::<String>("/type")?, "number");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn passed_over(&self) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        if self.standard && !self.replacing {
            let read =
                self.passed_over.iter().filter_map(|(id, file)| Some((id.as_str(), text::read(file).ok()?)));
            ids.extend(read.filter(|(id, text)| is_other(id, text)).map(|(id, _)| id.to_owned()));
            for unread in &self.unread {
                let texts = embedded::ids().filter_map(|id| Some((id, unread.likely(id)?)));
                ids.extend(texts.filter(|(id, text)| is_other(id, text)).map(|(id, _)| id.to_owned()));
            }
        }
        ids.sort();
        ids.dedup();
        ids
    }

    /// Whether a built-in schema takes precedence over a schema of a folder with this id.
    fn is_built_in(&self, id: &str) -> bool {
        self.standard && !self.replacing && embedded::has(id)
    }

    fn put(&mut self, id: String, text: &str) {
        self.manifests.remove(&id);
        self.documents.insert(id, text.into());
        self.editions = Arc::default();
        self.searched = Arc::default();
    }

    /// Adds an extension manifest, which assigns schemas to tags. The schemas have to be added too.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the text is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if it has no list of tags.
    #[doc(alias = "ManifestExtension")]
    pub fn add_manifest(&mut self, text: &str) -> Result<()> {
        self.add_parsed_manifest(&yaml::parse(text)?, |_, _| true)
    }

    /// Adds the tags of a manifest for which `wanted` returns true.
    fn add_parsed_manifest(&mut self, tree: &Tree, wanted: impl Fn(&Self, &str) -> bool) -> Result<()> {
        let tags = tree.at("/tags")?;
        if tags.kind() != Kind::Sequence {
            return Err(tags.expected("a sequence").at_path("/tags"));
        }
        for (index, tag) in tags.items().enumerate() {
            // A tag alone has no schema.
            if tag.as_str().is_some() {
                continue;
            }
            let at = |error: Error| error.under(index).at_path("/tags");
            let uri = tag.at("/tag_uri").map_err(at)?;
            let uri = uri.as_str().ok_or_else(|| at(uri.expected("a string")))?;
            let Some(schema) = tag.get("schema_uri").filter(|schema| !schema.is_null()) else { continue };
            let schemas = strings(schema).map_err(at)?;
            if wanted(self, uri) {
                self.tags.insert(uri.to_owned(), schemas);
            }
        }
        Ok(())
    }

    /// Adds the schemas and manifests in a folder and below.
    ///
    /// The folder can be the `resources` of an installed Python package.
    ///
    /// - All YAML files with an `id` are added. Other YAML files are ignored.
    /// - If several schemas have the same id, the first one is used: packages contain copies of each other's schemas.
    /// - Built-in schemas and tags take precedence, unless [`replacing_built_in`](Self::replacing_built_in) was called.
    ///   [`passed_over`](Self::passed_over) lists the schemas that differ from them.
    /// - Manifests are parsed at once. Schemas are parsed when they are needed, so errors in them appear later. If a
    ///   folder `schemas` has a folder `manifests` beside it, its files are not even read before.
    ///
    /// ```
    /// use asdf_schemas::Registry;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let id = "asdf://example.org/camera/schemas/lens-1.0.0";
    /// std::fs::write(folder.path().join("lens-1.0.0.yaml"), format!("id: {id}\ntype: object\n"))?;
    /// let mut registry = Registry::new();
    /// registry.add_folder(folder.path())?;
    /// assert_eq!(registry.schema(id)?.get::<String>("/type")?, "object");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) if a file cannot be read,
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if a manifest, or a file without a line `id: URI`, is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if a manifest has no list of tags. All name the file.
    #[doc(alias = "DirectoryResourceMapping")]
    pub fn add_folder(&mut self, folder: impl AsRef<Path>) -> Result<()> {
        folder::add(self, folder.as_ref())
    }

    /// Adds the schemas and manifests of an extension.
    ///
    /// A type that no manifest lists gets the schema whose id ends like its tag, or one [generated](crate::export) from
    /// the type.
    ///
    /// # Errors
    /// Fails like [`add_schema`](Self::add_schema) and [`add_manifest`](Self::add_manifest).
    #[doc(alias = "Extension")]
    #[doc(alias = "Converter")]
    pub fn add_extension(&mut self, extension: &Extension) -> Result<()> {
        let mut ids = Vec::new();
        for text in extension.schemas() {
            ids.push(self.add_document(text)?);
        }
        extension.manifests().try_for_each(|text| self.add_manifest(text))?;
        let last = |uri: &str| uri.rsplit(['/', ':']).next().map(str::to_owned);
        for &(tag, describe) in extension.types() {
            if !self.schemas_of(tag).is_empty() {
                continue;
            }
            let id = match ids.iter().find(|id| last(id) == last(tag)) {
                Some(id) => id.clone(),
                None => {
                    self.add_document(&crate::export::described(&crate::export::schema_id(tag), describe)?)?
                }
            };
            self.add_tag(tag, &id);
        }
        Ok(())
    }

    /// Assigns a schema to a tag, without a manifest.
    #[doc(alias = "TagDefinition")]
    pub fn add_tag(&mut self, tag: &str, schema: &str) {
        self.tags.entry(tag.to_owned()).or_default().push(schema.to_owned());
    }

    /// Returns the ids of the schemas of a tag. They are empty for an unknown tag.
    #[must_use]
    pub fn schemas_of(&self, tag: &str) -> Vec<&str> {
        if let Some(schemas) = self.tags.get(tag) {
            return schemas.iter().map(String::as_str).collect();
        }
        if self.standard { embedded::schemas_of(tag).to_vec() } else { Vec::new() }
    }

    /// Returns the tags with this schema, sorted. They are empty for a schema without a tag.
    #[must_use]
    pub fn tags_of(&self, schema: &str) -> Vec<&str> {
        self.tags().into_iter().filter(|tag| self.schemas_of(tag).contains(&schema)).collect()
    }

    /// Returns the tags of one version of the ASDF Standard, with their schemas. The result is cached.
    ///
    /// # Errors
    /// Fails like [`Edition::new`].
    pub fn edition(&self, version: Version) -> Result<Arc<Edition>> {
        let mut editions = self.editions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edition) = editions.get(&version) {
            return Ok(edition.clone());
        }
        let edition = Arc::new(Edition::new(self, version)?);
        editions.insert(version, edition.clone());
        Ok(edition)
    }

    /// Returns the text of the schema with this id, which has no fragment.
    #[must_use]
    pub fn text(&self, id: &str) -> Option<&str> {
        let embedded = || if self.standard { embedded::text(id) } else { None };
        if self.is_built_in(id) {
            return self.documents.get(id).map(|text| &**text).or_else(embedded);
        }
        self.own(id).or_else(embedded).or_else(|| self.unread.iter().find_map(|unread| unread.text(id)))
    }

    /// Returns the text of an added schema. Of unread files, it searches only those named like the end of the id.
    fn own(&self, id: &str) -> Option<&str> {
        let added = self.documents.get(id).map(|text| &**text);
        added.or_else(|| self.unread.iter().find_map(|unread| unread.likely(id)))
    }

    /// Parses and returns the schema with this id.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if no schema has this id,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if a file of a package has this name but no id,
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the text is not YAML; the file of that error is the id.
    /// [`Limit`](asdf_core::error::Kind::Limit) if the schema has more than 1,000,000 nodes or 512 levels with
    /// its aliases expanded.
    #[doc(alias = "load_schema")]
    pub fn schema(&self, id: &str) -> Result<Tree> {
        let text = self.text(id).ok_or_else(|| self.fault(id).unwrap_or_else(|| self.none(id)))?;
        yaml::parse(text).and_then(expansion::small_schema).map_err(|error| error.at_file(id))
    }

    /// Returns the files of packages that should have a schema, but have none with an id.
    fn unusable(&self) -> impl Iterator<Item = &Path> {
        let unread = self.unread.iter().flat_map(|unread| unread.unusable());
        self.nameless.iter().map(PathBuf::as_path).chain(unread)
    }

    /// Returns the reason why a file named like the end of the id has no usable schema.
    fn fault(&self, id: &str) -> Option<Error> {
        let name = id.rsplit(['/', ':']).next().unwrap_or(id);
        let called = |file: &&Path| {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            stem == name || versioned(stem).is_some_and(|(unversioned, _)| unversioned == name)
        };
        self.unusable().find(called).map(folder::fault)
    }

    fn none(&self, id: &str) -> Error {
        let hint = match self.unusable().next() {
            Some(file) => format!("check {}, which has no readable 'id'", file.display()).into(),
            None => Hint::AddPackage { name: None },
        };
        Error::usage(format!("unknown schema '{}'", id.escape_debug())).with_hint(hint)
    }

    /// Returns the ids of the added documents without the unread schemas. All manifests are among them.
    fn own_ids(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(String::as_str)
    }

    /// Returns an added manifest, parsed.
    fn manifest(&self, id: &str) -> Result<Arc<Tree>> {
        self.manifests.get(id).map_or_else(|| self.schema(id).map(Arc::new), |tree| Ok(tree.clone()))
    }

    fn embedded_manifests(&self) -> impl Iterator<Item = &'static embedded::Manifest> {
        embedded::manifests().filter(|_| self.standard)
    }

    /// Returns the line, from 1, at which the target of a JSON Pointer begins in the text of a schema.
    ///
    /// If the target does not exist, it is the line of the last existing step of the pointer.
    #[must_use]
    pub fn line(&self, id: &str, place: &str) -> Option<u32> {
        let tree = self.searched(id)?;
        let mut node = tree.root()?;
        let mut line = node.position();
        for step in pointer::steps(place) {
            let key = node.entries().map(|(key, _)| key).find(|key| key.text() == Some(step.as_ref()));
            let Some(child) = node.child(&step) else { break };
            line = key.unwrap_or(child).position();
            node = child;
        }
        line.map(|(line, _)| line)
    }

    fn searched(&self, id: &str) -> Option<Arc<Tree>> {
        let mut searched = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = searched.get(id) {
            return Some(tree.clone());
        }
        let tree = Arc::new(self.schema(id).ok()?);
        searched.insert(id.to_owned(), tree.clone());
        Some(tree)
    }

    /// Returns the ids of all schemas and manifests, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.documents.keys().map(String::as_str).collect();
        ids.extend(self.unread.iter().flat_map(|unread| unread.all()));
        ids.extend(embedded::ids().filter(|_| self.standard));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns all tags with schemas, sorted.
    #[must_use]
    pub fn tags(&self) -> Vec<&str> {
        let mut tags: Vec<&str> = self.tags.keys().map(String::as_str).collect();
        tags.extend(embedded::tags().filter(|_| self.standard));
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

/// Whether a text has other rules than the built-in schema with this id.
fn is_other(id: &str, text: &str) -> bool {
    let without_words =
        |text: &str| yaml::parse(text).ok()?.root().and_then(crate::validate::json).map(rules);
    embedded::text(id).and_then(without_words) != without_words(text)
}

/// Returns the rules of a schema, without titles, descriptions and examples.
fn rules(mut schema: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    let is_words = |key: &str, value: &Value| match key {
        "title" | "description" | "$schema" | "id" => value.is_string(),
        "examples" => value.is_array(),
        _ => false,
    };
    match &mut schema {
        Value::Object(members) => {
            members.retain(|key, value| !is_words(key, value));
            for value in members.values_mut() {
                *value = rules(value.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = rules(item.take());
            }
        }
        _ => {}
    }
    schema
}

/// Reads a string or a list of strings.
fn strings(node: NodeRef<'_>) -> Result<Vec<String>> {
    if let Some(one) = node.as_str() {
        return Ok(vec![one.to_owned()]);
    }
    if node.kind() != Kind::Sequence {
        return Err(node.expected("a string or a list of strings"));
    }
    node.items()
        .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| item.expected("a string")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_lead_to_schemas_and_texts() {
        let registry = Registry::standard();
        let tag = "tag:stsci.edu:asdf/core/ndarray-1.1.0";
        assert_eq!(registry.schemas_of(tag), ["http://stsci.edu/schemas/asdf/core/ndarray-1.1.0"]);
        for tag in registry.tags() {
            for id in registry.schemas_of(tag) {
                assert!(registry.text(id).is_some(), "{tag} names {id}, which is not embedded");
            }
        }
        assert_eq!(registry.tags_of("http://stsci.edu/schemas/asdf/core/ndarray-1.1.0"), [tag]);
        assert!(Registry::empty().schemas_of(tag).is_empty());
        assert!(registry.schemas_of("tag:nobody.org:x-1.0.0").is_empty());
    }

    #[test]
    fn lines_are_those_of_the_present_text() {
        const ID: &str = "asdf://example.org/schemas/a-1.0.0";
        let mut registry = Registry::empty();
        registry.add_schema_as(ID, "type: object\nproperties:\n  a: {}\n  b:\n    type: string\n").unwrap();
        let lines = |registry: &Registry| {
            ["", "/properties/b", "/properties/b/type", "/none"].map(|at| registry.line(ID, at))
        };
        assert_eq!(lines(&registry), [Some(1), Some(4), Some(5), Some(1)]);
        let before = registry.clone();
        registry.add_schema_as(ID, "\nproperties: {b: {}}\n").unwrap();
        assert_eq!(lines(&registry), [Some(2); 4]);
        assert_eq!(lines(&before), [Some(1), Some(4), Some(5), Some(1)]);
        assert_eq!(registry.line("asdf://example.org/schemas/none-1.0.0", ""), None);
    }

    #[test]
    fn every_embedded_text_is_that_of_its_id() {
        let registry = Registry::standard();
        for id in registry.ids() {
            let text = registry.text(id).unwrap();
            assert!(text.starts_with("%YAML 1.1\n---\n") && text.ends_with("\n...\n"), "{id}");
            assert_eq!(registry.schema(id).unwrap().get::<String>("/id").unwrap(), id);
        }
        assert!(registry.ids().len() > 600);
    }

    #[test]
    fn packages_can_be_added() {
        let mut registry = Registry::new();
        registry.add_schema("id: asdf://x.org/schemas/a-1.0.0\ntype: string\n").unwrap();
        registry
            .add_manifest("tags:\n- {tag_uri: 'asdf://x.org/tags/a-1.0.0', schema_uri: 'asdf://x.org/schemas/a-1.0.0'}\n")
            .unwrap();
        assert_eq!(registry.schemas_of("asdf://x.org/tags/a-1.0.0"), ["asdf://x.org/schemas/a-1.0.0"]);
        assert!(registry.add_schema("type: string").unwrap_err().to_string().contains("'id'"));
        assert!(registry.add_manifest("tags: 5").is_err());
        assert!(registry.schema("http://nowhere").is_err());
    }
}

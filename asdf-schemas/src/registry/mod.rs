//! Which schema a tag has, and where its text is.
//!
//! The schemas of the standard are embedded in the program, compressed; their texts are unpacked and
//! parsed when they are first asked for. Others are added as text, or as folders, whose schemas are read or parsed
//! when they are asked for.

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

pub use edition::Edition;
use unread::Unread;
pub(crate) use versioned::versioned;

/// Schemas by their id, and the schemas of each tag.
///
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::File;
/// use asdf_schemas::{Registry, Validator};
///
/// let mut registry = Registry::new(); // with the schemas of the standard
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
pub struct Registry {
    standard: bool,
    /// Whether schemas of folders replace built-in ones.
    replacing: bool,
    /// Schemas of folders that were not added, since built-in ones have their ids.
    passed_over: Vec<(String, PathBuf)>,
    documents: HashMap<String, Arc<str>>,
    /// Schemas of packages, behind the documents.
    unread: Vec<Arc<Unread>>,
    /// Files of packages that are schemas by their `$schema`, and have no id.
    nameless: Vec<PathBuf>,
    tags: HashMap<String, Vec<String>>,
    /// Manifests that were parsed when they were added.
    manifests: HashMap<String, Arc<Tree>>,
    /// On how many threads schemas of folders are read.
    threads: Threads,
    /// The editions that were asked for since the last schema was added.
    editions: Arc<Mutex<HashMap<Version, Arc<Edition>>>>,
}

impl Registry {
    /// A registry of nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The schemas of every version of the standard, and those of transforms, GWCS and celestial
    /// coordinates.
    #[must_use]
    pub fn new() -> Self {
        Self { standard: true, ..Self::default() }
    }

    /// The schemas of every version of the standard, shared.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(Registry::new()));
        STANDARD.clone()
    }

    /// Adds a schema; it is found by its `id`. One with the same id is replaced.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) when the text is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when it has no `id`.
    pub fn add_schema(&mut self, text: &str) -> Result<()> {
        self.add_document(text).map(|_| ())
    }

    /// Adds a schema and gives its id.
    fn add_document(&mut self, text: &str) -> Result<String> {
        let tree = yaml::parse(text)?;
        let id: String = tree.get("/id")?;
        let id = id.trim_end_matches('#').to_owned();
        self.put(id.clone(), text);
        Ok(id)
    }

    /// Adds a schema under a name of one's own, for one without an `id`. Relative references in it start there.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) when the text is not YAML.
    pub fn add_schema_as(&mut self, id: &str, text: &str) -> Result<()> {
        yaml::parse(text)?;
        self.put(id.to_owned(), text);
        Ok(())
    }

    /// Lets the schemas and manifests of folders that are added from now on replace built-in ones with the same id
    /// or tag.
    #[must_use]
    pub fn replacing_built_in(mut self) -> Self {
        self.replacing = true;
        self
    }

    /// Sets the maximum number of threads that read the schemas of folders that are added from now on. All by default;
    /// with [`Threads::ONE`] the registry starts no thread.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// The ids of schemas in added folders that are not used, because a built-in schema with the same id asks for
    /// something else; sorted. Schemas that differ from the built-in one in their descriptions and examples only are
    /// not among them.
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

    /// Whether a schema of a folder is not added, since there is a built-in one with its id.
    fn is_built_in(&self, id: &str) -> bool {
        self.standard && !self.replacing && embedded::has(id)
    }

    fn put(&mut self, id: String, text: &str) {
        self.manifests.remove(&id);
        self.documents.insert(id, text.into());
        self.editions = Arc::default();
    }

    /// Adds an extension manifest: its tags are validated by the schemas that it names, which have
    /// to be added too.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) when the text is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when it has no list of tags.
    pub fn add_manifest(&mut self, text: &str) -> Result<()> {
        self.add_parsed_manifest(&yaml::parse(text)?, |_, _| true)
    }

    /// Adds the tags of a manifest that `wanted` says.
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

    /// Adds the schemas and manifests of a package: all YAML files with an `id` in a folder and below,
    /// such as the `resources` of a Python package as pip installs it. Other YAML files are passed
    /// over. Of schemas with the same id the one added first stays, since packages come with copies
    /// of each other's. Built-in schemas and tags stay as they are as well, unless the registry is
    /// [replacing](Self::replacing_built_in) them; [`passed_over`](Self::passed_over) has those that differ. Schemas are parsed when they are asked for, so that a damaged one is an error then, and one
    /// without an `id` when what its file is called is asked for; manifests at once. In a folder `schemas` beside a
    /// folder `manifests` the schemas are not even read before.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) when a file cannot be read,
    /// [`Malformed`](asdf_core::error::Kind::Malformed) when a manifest, or a file without a line `id: URI`, is
    /// not YAML, [`Mismatch`](asdf_core::error::Kind::Mismatch) when a manifest has no list of tags; all say the
    /// file.
    pub fn add_folder(&mut self, folder: impl AsRef<Path>) -> Result<()> {
        folder::add(self, folder.as_ref())
    }

    /// Adds the schemas and manifests of an extension. A type that no manifest lists is validated by the schema
    /// whose id ends like its tag, or by one that is [made](crate::export) from the type.
    ///
    /// # Errors
    /// As [`add_schema`](Self::add_schema) and [`add_manifest`](Self::add_manifest).
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

    /// Says by which schema a tag is validated, without a manifest.
    pub fn add_tag(&mut self, tag: &str, schema: &str) {
        self.tags.entry(tag.to_owned()).or_default().push(schema.to_owned());
    }

    /// The ids of the schemas that a tag's nodes are validated by; none for an unknown tag.
    #[must_use]
    pub fn schemas_of(&self, tag: &str) -> Vec<&str> {
        if let Some(schemas) = self.tags.get(tag) {
            return schemas.iter().map(String::as_str).collect();
        }
        if self.standard { embedded::schemas_of(tag).to_vec() } else { Vec::new() }
    }

    /// The tags whose nodes are validated by a schema, sorted; none for one that has no tag of its own.
    #[must_use]
    pub fn tags_of(&self, schema: &str) -> Vec<&str> {
        self.tags().into_iter().filter(|tag| self.schemas_of(tag).contains(&schema)).collect()
    }

    /// The tags of one version of the ASDF Standard, with their schemas. The manifests are read when it is
    /// first asked for.
    ///
    /// # Errors
    /// As those of [`Edition::new`].
    pub fn edition(&self, version: Version) -> Result<Arc<Edition>> {
        let mut editions = self.editions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edition) = editions.get(&version) {
            return Ok(edition.clone());
        }
        let edition = Arc::new(Edition::new(self, version)?);
        editions.insert(version, edition.clone());
        Ok(edition)
    }

    /// The text of a schema, by its id without a fragment.
    #[must_use]
    pub fn text(&self, id: &str) -> Option<&str> {
        let embedded = || if self.standard { embedded::text(id) } else { None };
        if self.is_built_in(id) {
            return self.documents.get(id).map(|text| &**text).or_else(embedded);
        }
        self.own(id).or_else(embedded).or_else(|| self.unread.iter().find_map(|unread| unread.text(id)))
    }

    /// The text of a schema that was added, as far as files are called as their ids end.
    fn own(&self, id: &str) -> Option<&str> {
        let added = self.documents.get(id).map(|text| &**text);
        added.or_else(|| self.unread.iter().find_map(|unread| unread.likely(id)))
    }

    /// A schema, parsed.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) when there is none with this id;
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when a file of a package that is called so has no id; its
    /// `file` is the id when the text is damaged.
    pub fn schema(&self, id: &str) -> Result<Tree> {
        let text = self.text(id).ok_or_else(|| self.fault(id).unwrap_or_else(|| self.none(id)))?;
        yaml::parse(text).map_err(|error| error.at_file(id))
    }

    /// Files of packages that should have a schema and have none with an id.
    fn unusable(&self) -> impl Iterator<Item = &Path> {
        let unread = self.unread.iter().flat_map(|unread| unread.unusable());
        self.nameless.iter().map(PathBuf::as_path).chain(unread)
    }

    /// Why a file that is called as an id ends has no schema that could be found.
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

    /// The ids of the documents that were added and are no unread schemas: all manifests are among them.
    fn own_ids(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(String::as_str)
    }

    /// A manifest that was added, parsed.
    fn manifest(&self, id: &str) -> Result<Arc<Tree>> {
        self.manifests.get(id).map_or_else(|| self.schema(id).map(Arc::new), |tree| Ok(tree.clone()))
    }

    fn embedded_manifests(&self) -> impl Iterator<Item = &'static embedded::Manifest> {
        embedded::manifests().filter(|_| self.standard)
    }

    /// The line of a schema's text, from 1, in which what a JSON Pointer leads to begins, or the last thing
    /// on the way that is there.
    #[must_use]
    pub fn line(&self, id: &str, place: &str) -> Option<u32> {
        let tree = self.schema(id).ok()?;
        let mut node = tree.root()?;
        let mut line = node.position();
        for step in pointer::steps(place) {
            let key = node.entries().map(|(key, _)| key).find(|key| key.text() == Some(step.as_str()));
            let Some(child) = node.child(&step) else { break };
            line = key.unwrap_or(child).position();
            node = child;
        }
        line.map(|(line, _)| line)
    }

    /// The ids of all schemas and manifests, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.documents.keys().map(String::as_str).collect();
        ids.extend(self.unread.iter().flat_map(|unread| unread.all()));
        ids.extend(embedded::ids().filter(|_| self.standard));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// All tags that have schemas, sorted.
    #[must_use]
    pub fn tags(&self) -> Vec<&str> {
        let mut tags: Vec<&str> = self.tags.keys().map(String::as_str).collect();
        tags.extend(embedded::tags().filter(|_| self.standard));
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

/// Whether a text asks for something else than the built-in schema with its id.
fn is_other(id: &str, text: &str) -> bool {
    let without_words =
        |text: &str| yaml::parse(text).ok()?.root().and_then(crate::validate::json).map(rules);
    embedded::text(id).and_then(without_words) != without_words(text)
}

/// What a schema asks for, without the words for people.
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

/// A string, or a list of them.
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

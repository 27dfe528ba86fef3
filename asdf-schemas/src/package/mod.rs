//! Packages of schemas, for those who write them: [checked](Package), and [made into one document](bundle)
//! for editors.
//!
//! ```
//! use asdf_schemas::Registry;
//! use asdf_schemas::package::Package;
//!
//! let folder = tempfile::tempdir()?;
//! let text = "id: asdf://example.org/camera/schemas/lens-1.0.0\n\
//!             properties: {filter: {$ref: filter-1.0.0}}\n";
//! std::fs::write(folder.path().join("lens-1.0.0.yaml"), text)?;
//!
//! let package = Package::read(&[folder.path()], Registry::new())?;
//! for file in package.check() {
//!     assert_eq!(
//!         file.report.violations()[0].to_string(),
//!         "2:29: /properties/filter/$ref: unknown schema 'asdf://example.org/camera/schemas/filter-1.0.0'"
//!     );
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bundle;
mod document;
mod example;
mod keyword;
mod manifest;
mod name;
mod reference;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::tree::Kind;
use asdf_core::{Error, Result, Tree, yaml};

use crate::registry::folder;
use crate::validate::Code;
use crate::{Registry, Report, Validator};

pub use bundle::bundle;
use document::Document;

/// Schemas and manifests that belong together, to be checked.
#[derive(Debug)]
pub struct Package {
    documents: Vec<Document>,
    /// Where the first document with each id is.
    firsts: HashMap<String, usize>,
    /// The tags that manifests list without a schema.
    bare: Vec<String>,
    validator: Validator,
}

/// One file of a package, and what was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The file.
    pub path: PathBuf,
    /// Whether it was found in a folder, and not named itself.
    pub found: bool,
    /// Its tree, if it is YAML.
    pub tree: Option<Tree>,
    /// What was found; it [counts](Report::validated) the examples.
    pub report: Report,
}

impl Package {
    /// Reads files, and the YAML files of folders and below. What they refer to is found among them and in a
    /// registry; of schemas with the same id the package's are taken. YAML files of folders that are neither
    /// schemas nor manifests, having no `id` and no `$schema`, are passed over, but for those of a folder `schemas`
    /// beside a folder `manifests`.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) when a file or folder cannot be read. What is wrong with a file's text is
    /// found by [`check`](Self::check).
    pub fn read(paths: &[impl AsRef<Path>], mut registry: Registry) -> Result<Self> {
        let mut documents = Vec::new();
        for path in paths.iter().map(AsRef::as_ref) {
            if !path.is_dir() {
                documents.push(Document::read(path, false)?);
                continue;
            }
            let mut known = HashMap::new();
            for file in folder::files(path)? {
                let document = Document::read(&file, true)?;
                if document.is_meant() || folder::is_beside_manifests(path, &file, &mut known) {
                    documents.push(document);
                }
            }
        }
        let mut firsts = HashMap::new();
        let mut bare = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            if firsts.contains_key(&document.id) || document.tree.is_err() {
                continue;
            }
            firsts.insert(document.id.clone(), index);
            registry.add_schema_as(&document.id, &document.text)?;
            if document.is_named_by_file() {
                // Brings in the files beside it. One that cannot be read is a reference that leads nowhere.
                let _ = registry.add_schema_file(&document.path);
            }
            if let Some(root) = document.root().filter(|_| document.is_manifest()) {
                // What is wrong with it is found when it is checked.
                let _ = registry.add_manifest(&document.text);
                let tags = root.get("tags").into_iter().flat_map(|tags| tags.items());
                bare.extend(
                    tags.filter_map(|tag| tag.get("tag_uri").unwrap_or(tag).as_str()).map(str::to_owned),
                );
            }
        }
        let validator = Validator::new(Arc::new(registry)).without_blocks();
        Ok(Self { documents, firsts, bare, validator })
    }

    /// The registry with the package's schemas in it.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        self.validator.registry()
    }

    /// Checks every file:
    ///
    /// - schemas against their metaschema, that of `$schema` if it is known, else ASDF's newest, and manifests
    ///   against the schema of manifests;
    /// - whether references lead to a schema, and the tags of `tag` are tags of a manifest;
    /// - whether examples are valid;
    /// - ids, against the file's name and each other;
    /// - whether the schemas of a manifest's tags are there;
    /// - keywords that look like slips.
    ///
    /// Positions are those of the file, in examples too where they are literal blocks.
    pub fn check(&self) -> impl Iterator<Item = Checked> {
        self.documents.iter().enumerate().map(|(index, document)| {
            let (tree, report) = match &document.tree {
                Ok(tree) => (Some(tree.clone()), self.findings(index, document)),
                Err(error) => (None, Report::from_error(error, Code::Unreadable)),
            };
            Checked { path: document.path.clone(), found: document.found, tree, report }
        })
    }

    fn findings(&self, index: usize, document: &Document) -> Report {
        let Some(root) = document.root() else {
            let error = Error::malformed("the file is empty, expected a schema");
            return Report::from_error(&error, Code::Unreadable);
        };
        let mut out = Vec::new();
        let first = self.firsts.get(&document.id).and_then(|first| self.documents.get(*first));
        let another = first.filter(|_| self.firsts.get(&document.id) != Some(&index));
        name::check(document, root, another, &mut out);
        // Keys that stand twice, say; tags of examples are in their texts.
        out.extend(self.validator.validate_tree(root.tree()).findings().cloned());
        let examples = match document.is_manifest() {
            true => {
                manifest::check(&self.validator, root, &mut out);
                0
            }
            false => {
                let formed = document::check(&self.validator, root, &mut out);
                let linked = reference::check(self.registry(), document, root, &mut out);
                keyword::check(self.registry(), &self.bare, root, &mut out);
                // With another's id it would be the other that is asked.
                match formed && linked && another.is_none() && root.kind() == Kind::Mapping {
                    true => example::check(&self.validator, document, root, &mut out),
                    false => 0,
                }
            }
        };
        Report::new(out, examples, Vec::new())
    }
}

/// A document's text as a tree.
fn parsed(path: &Path, text: &str) -> Result<Tree> {
    yaml::parse(text).map_err(|error| error.at_file(path))
}

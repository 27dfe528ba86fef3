//! Checks schema packages, and [bundles](bundle) schemas for editors.
//!
//! This module is for authors of schemas. To use the schemas of a package, add its folder to a [`Registry`] with
//! [`add_folder`](Registry::add_folder).
//!
//! # Examples
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

use crate::expansion;
use crate::registry::folder;
use crate::validate::Code;
use crate::{Registry, Report, Validator};

pub use bundle::bundle;
use document::Document;

/// The schemas and manifests of a package, to be checked.
///
/// # Examples
///
/// ```
/// use asdf_schemas::Registry;
/// use asdf_schemas::package::Package;
/// use asdf_schemas::validate::Code;
///
/// let folder = tempfile::tempdir()?;
/// let text = "id: asdf://example.org/camera/schemas/lens-1.0.0\ntype: string\nmaxlength: 20\n";
/// std::fs::write(folder.path().join("lens-1.0.0.yaml"), text)?;
///
/// let package = Package::read(&[folder.path()], Registry::new())?;
/// let checked = package.check().next().expect("the folder has one file");
/// let warning = &checked.report.warnings()[0];
/// assert_eq!((warning.code(), warning.position()), (Code::UnknownKeyword, Some((3, 1))));
/// assert_eq!(warning.hint(), Some(&"did you mean 'maxLength'?".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Package {
    documents: Vec<Document>,
    /// The index of the first document with each id.
    firsts: HashMap<String, usize>,
    /// The tags that manifests list without a schema.
    bare: Vec<String>,
    validator: Validator,
}

/// A file of a package, and the findings in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The file.
    pub path: PathBuf,
    /// Whether it was found in a folder, instead of being named itself.
    pub found: bool,
    /// Its tree, if it is YAML.
    pub tree: Option<Tree>,
    /// The findings. [`Report::validated`] is the number of examples.
    pub report: Report,
}

impl Package {
    /// Reads files, and the YAML files in folders and below.
    ///
    /// References are resolved in the package, then in the registry. YAML files of folders without an `id` and a `$schema`
    /// are ignored, unless they are in a folder `schemas` with a folder `manifests` beside it.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) if a file or folder cannot be read. [`check`](Self::check) reports the faults in
    /// the texts.
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
                // Adds the files that it refers to. If one cannot be read, the check reports the reference.
                let _ = registry.add_schema_file(&document.path);
            }
            if let Some(root) = document.root().filter(|_| document.is_manifest()) {
                // The check reports its faults.
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

    /// Returns the registry, which contains the schemas of the package.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        self.validator.registry()
    }

    /// Checks every file of the package.
    ///
    /// - Schemas are valid under their metaschema, which is that of `$schema` if it is known, or else the newest of ASDF.
    ///   Manifests are valid under the schema of manifests.
    /// - The targets of references exist, and so do the tags that schemas require.
    /// - Examples are valid.
    /// - Ids are unique and end with the name of the file.
    /// - The schemas of the tags of manifests exist.
    /// - Unknown keywords do not resemble known ones.
    ///
    /// Positions are those in the file. This includes examples that are literal blocks.
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
        // Finds duplicate keys, for example.
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
                // If another file has the same id, the examples would be validated against that file.
                match formed && linked && another.is_none() && root.kind() == Kind::Mapping {
                    true => example::check(&self.validator, document, root, &mut out),
                    false => 0,
                }
            }
        };
        Report::new(out, examples, Vec::new())
    }
}

/// Parses the text of a document.
fn parsed(path: &Path, text: &str) -> Result<Tree> {
    yaml::parse(text).and_then(expansion::small_schema).map_err(|error| error.at_file(path))
}

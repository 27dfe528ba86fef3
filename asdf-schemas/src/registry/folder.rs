//! Adds the schema packages in folders.
//!
//! A package has hundreds of schemas, but a program needs few of them. If there is a folder of manifests, which list the tags,
//! the schemas beside it are not read at first. Elsewhere they are read but not parsed: the id comes from the line `id:`. Only
//! manifests and files without such a line are parsed at once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, Result, Tree, yaml};

use super::text::{id_line, read, texts};
use super::unread::Unread;
use super::{Registry, embedded};

/// The message about a schema without an id.
pub(crate) const NAMELESS: &str = "the schema has no 'id'";

/// The maximum depth of the folders of a package, since a link to a parent folder would not end.
const MAX_DEPTH: usize = 32;

pub(super) fn add(registry: &mut Registry, folder: &Path) -> Result<()> {
    let mut known = HashMap::new();
    let (later, files): (Vec<_>, Vec<_>) =
        files(folder)?.into_iter().partition(|file| is_beside_manifests(folder, file, &mut known));
    if !later.is_empty() {
        registry.unread.push(Arc::new(Unread::new(later, registry.threads)));
    }
    for (file, text) in files.iter().zip(texts(&files, registry.threads)) {
        let text = text?;
        let (id, manifest) = match id_line(&text) {
            Some(id) => (id.to_owned(), !has_line(&text, "$schema:") && has_line(&text, "tags:")),
            None => {
                let tree = yaml::parse(&text).map_err(|error| error.at_file(file))?;
                let Some(root) = tree.root() else { continue };
                let Some(id) = root.get("id").and_then(|id| id.as_str()) else {
                    if root.get("$schema").is_some() {
                        registry.nameless.push(file.clone());
                    }
                    continue;
                };
                (id.to_owned(), is_manifest(root))
            }
        };
        let id = id.trim_end_matches('#');
        if registry.is_built_in(id) {
            registry.passed_over.push((id.to_owned(), file.clone()));
            continue;
        }
        let tree = match manifest {
            true => Some(yaml::parse(&text).map_err(|error| error.at_file(file))?),
            false => None,
        };
        // The line does not show whether the tags are a list.
        if tree.as_ref().is_some_and(|tree| !tree.root().is_some_and(is_manifest)) {
            continue;
        }
        put(registry, id, text, tree).map_err(|error| error.at_file(file))?;
    }
    registry.editions = Arc::default();
    registry.searched = Arc::default();
    Ok(())
}

impl Registry {
    /// Adds a schema or a manifest under an id, unless there is a document with this id.
    ///
    /// These are the resources of Python's asdf: texts by their URIs. The rules are those of
    /// [`add_folder`](Self::add_folder): the first document with an id is used, and built-in ones take precedence.
    ///
    /// ```
    /// use asdf_schemas::Registry;
    ///
    /// let mut registry = Registry::new();
    /// registry.add_resource("asdf://example.org/schemas/lens-1.0.0", "type: object\n")?;
    /// registry.add_resource(
    ///     "asdf://example.org/manifests/camera-1.0.0",
    ///     "tags:\n\
    ///      - tag_uri: asdf://example.org/tags/lens-1.0.0\n  \
    ///        schema_uri: asdf://example.org/schemas/lens-1.0.0\n",
    /// )?;
    /// assert_eq!(
    ///     registry.schemas_of("asdf://example.org/tags/lens-1.0.0"),
    ///     ["asdf://example.org/schemas/lens-1.0.0"]
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the text of a manifest is not YAML,
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if a tag of a manifest has no URI. The id is the file of the error.
    #[doc(alias = "add_resource_mapping")]
    pub fn add_resource(&mut self, id: &str, text: &str) -> Result<()> {
        let id = id.trim_end_matches('#');
        if self.is_built_in(id) {
            return Ok(());
        }
        // Most schemas are not parsed before they are needed.
        let tree = match text.contains("tags") && !has_line(text, "$schema:") {
            true => Some(yaml::parse(text).map_err(|error| error.at_file(id))?),
            false => None,
        };
        let manifest = tree.filter(|tree| tree.root().is_some_and(is_manifest));
        put(self, id, text.into(), manifest).map_err(|error| error.at_file(id))?;
        self.editions = Arc::default();
        self.searched = Arc::default();
        Ok(())
    }
}

/// Adds a document, unless there is one with its id, and the tags of a manifest.
fn put(registry: &mut Registry, id: &str, text: Arc<str>, manifest: Option<Tree>) -> Result<()> {
    let new = registry.own(id).is_none();
    if let Some(tree) = manifest {
        let is_free = |registry: &Registry, tag: &str| {
            registry.replacing || !registry.standard || embedded::schemas_of(tag).is_empty()
        };
        registry.add_parsed_manifest(&tree, is_free)?;
        if new {
            registry.manifests.insert(id.to_owned(), Arc::new(tree));
        }
    }
    if new {
        registry.documents.insert(id.to_owned(), text);
    }
    Ok(())
}

/// Whether a document is a manifest: it has a list of tags at its top level.
pub(crate) fn is_manifest(root: NodeRef<'_>) -> bool {
    let tags = root.get("tags").filter(|_| root.get("$schema").is_none());
    tags.is_some_and(|tags| tags.kind() == Kind::Sequence || root.get("extension_uri").is_some())
}

/// Whether a text has a line that begins with a key.
fn has_line(text: &str, key: &str) -> bool {
    text.match_indices(key)
        .any(|(at, _)| text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n')))
}

/// Whether a file is in a folder `schemas` with a folder `manifests` beside it, as in Python packages. `known` caches the
/// result for each folder.
pub(crate) fn is_beside_manifests(folder: &Path, file: &Path, known: &mut HashMap<PathBuf, bool>) -> bool {
    let above = file.ancestors().skip(1).take_while(|above| *above != folder);
    let mut schemas = above.filter(|above| above.file_name().is_some_and(|name| name == "schemas"));
    schemas.any(|schemas| match known.get(schemas) {
        Some(found) => *found,
        None => *known
            .entry(schemas.to_path_buf())
            .or_insert_with(|| schemas.with_file_name("manifests").is_dir()),
    })
}

/// Returns the reason why a file has no usable schema.
pub(super) fn fault(file: &Path) -> Error {
    let fault = read(file).and_then(|text| yaml::parse(&text));
    fault.err().unwrap_or_else(|| Error::mismatch(NAMELESS)).at_file(file)
}

/// Returns the YAML files of a folder and below, sorted by name, without the version maps of the standard.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, 0, &mut files)?;
    Ok(files)
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    if depth > MAX_DEPTH {
        let error = Error::limit(format!("the folders of a package nest deeper than {MAX_DEPTH} levels"));
        return Err(error.at_file(folder));
    }
    let failed = |error| Error::io("reading the folder of a package", error).at_file(folder);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        entries.push((entry.path(), entry.file_type().map_err(failed)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, kind) in entries {
        if kind.is_dir() || (kind.is_symlink() && path.is_dir()) {
            collect(&path, depth + 1, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !name.starts_with("version_map-") {
                files.push(path);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_off_their_lines() {
        for (text, id) in [
            ("%YAML 1.1\n---\nid: asdf://x.org/a-1.0.0\n", Some("asdf://x.org/a-1.0.0")),
            ("title: a\nid: \"http://x.org/a\" # why\n", Some("http://x.org/a")),
            ("id: 'http://x.org/a#'\r\n", Some("http://x.org/a#")),
            ("id: tag:x.org:a # why\n", Some("tag:x.org:a")),
            ("properties:\n  id: http://x.org/a\n", None),
            ("id: &anchor http://x.org/a\n", None),
            ("id: \"http://x.org/\\x61\"\n", None),
            ("id: >\n  http://x.org/a\n", None),
            ("id: http://x.org/a b\n", None),
            ("{id: 'http://x.org/a'}\n", None),
            ("id: a\n", None),
        ] {
            assert_eq!(id_line(text), id, "{text}");
            let parsed = yaml::parse(text).unwrap();
            let parsed = parsed.find("/id").and_then(|id| id.as_str());
            assert!(id.is_none() || parsed == id, "{text}: {parsed:?}");
        }
    }

    #[test]
    fn a_folder_gives_schemas_and_the_tags_of_manifests() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        write("schemas/a-1.0.0.yaml", "id: asdf://x.org/schemas/a-1.0.0\nproperties:\n  tags: {}\n");
        write("schemas/again.yaml", "id: asdf://x.org/schemas/a-1.0.0\ntitle: not this one\n");
        write("schemas/b-1.0.0.yml", "{id: 'asdf://x.org/schemas/b-1.0.0#'}\n");
        // Not parsed before it is needed.
        write("schemas/damaged-1.0.0.yaml", "id: asdf://x.org/schemas/damaged-1.0.0\na: [\n");
        write(
            "manifests/m-1.0.0.yaml",
            "id: asdf://x.org/manifests/m-1.0.0\ntags:\n- asdf://x.org/tags/bare-1.0.0\n\
             - {tag_uri: 'asdf://x.org/tags/a-1.0.0', schema_uri: 'asdf://x.org/schemas/a-1.0.0'}\n",
        );
        write(
            "manifests/tags-first.yaml",
            "tags:\n- {tag_uri: 'asdf://x.org/tags/b-1.0.0', schema_uri: 'asdf://x.org/schemas/b-1.0.0'}\n\
             id: asdf://x.org/manifests/tags-first\n",
        );
        write("other.yaml", "nothing: here\n");
        let mut registry = Registry::empty();
        registry.add_folder(folder.path()).unwrap();
        let ids = ["manifests/m-1.0.0", "manifests/tags-first"].into_iter();
        let ids = ids.chain(["schemas/a-1.0.0", "schemas/b-1.0.0", "schemas/damaged-1.0.0"]);
        assert_eq!(registry.ids(), ids.map(|id| format!("asdf://x.org/{id}")).collect::<Vec<_>>());
        assert_eq!(registry.tags(), ["a", "b"].map(|name| format!("asdf://x.org/tags/{name}-1.0.0")));
        assert!(registry.schema("asdf://x.org/schemas/a-1.0.0").unwrap().find("/title").is_none());
        let error = registry.schema("asdf://x.org/schemas/damaged-1.0.0").unwrap_err();
        assert!(error.to_string().contains("asdf://x.org/schemas/damaged-1.0.0"), "{error}");
        write("none.yaml", "a: [\n");
        assert!(registry.add_folder(folder.path()).unwrap_err().to_string().contains("none.yaml"));
    }

    /// Files that cannot be used are named, wherever they are.
    #[test]
    fn schemas_without_an_id_are_reported() {
        for schemas in ["schemas", "other"] {
            let folder = tempfile::tempdir().unwrap();
            for below in [schemas, "manifests"] {
                std::fs::create_dir(folder.path().join(below)).unwrap();
            }
            let write = |name: &str, text: &str| {
                std::fs::write(folder.path().join(schemas).join(name), text).unwrap();
            };
            write("a-1.0.0.yaml", "$schema: http://stsci.edu/schemas/yaml-schema/draft-01\ntype: object\n");
            write("b-1.0.0.yaml", "id: asdf://x.org/schemas/b-1.0.0\n");
            let mut registry = Registry::new();
            registry.add_folder(folder.path()).unwrap();
            let shown = |error: Error| error.to_string().replace('\\', "/");
            let file = format!("{schemas}/a-1.0.0.yaml");
            for name in ["asdf://x.org/schemas/a-1.0.0", "schemas/a-1.0.0"] {
                for error in [registry.schema(name).unwrap_err(), registry.find(name).unwrap_err()] {
                    let error = shown(error);
                    assert!(error.ends_with(&format!("{file}: {NAMELESS}")), "{error}");
                }
            }
            let error = shown(registry.schema("asdf://x.org/schemas/called-otherwise-1.0.0").unwrap_err());
            assert!(error.contains("unknown schema 'asdf://x.org/") && error.contains(&file), "{error}");
            assert!(registry.schema("asdf://x.org/schemas/b-1.0.0").is_ok());
        }
    }

    /// Packages come with copies of the standard's schemas, and some with schemas of their own under its ids.
    #[test]
    fn built_in_schemas_and_tags_stay() {
        let id = "http://stsci.edu/schemas/asdf/core/complex-1.0.0";
        let manifest = "id: asdf://x.org/manifests/m-1.0.0\nextension_uri: asdf://x.org/m\ntags:\n\
                        - {tag_uri: 'tag:stsci.edu:asdf/core/complex-1.0.0', schema_uri: 'asdf://x.org/other-1.0.0'}\n";
        for below in ["schemas", "other"] {
            let folder = tempfile::tempdir().unwrap();
            for below in [below, "manifests"] {
                std::fs::create_dir(folder.path().join(below)).unwrap();
            }
            let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
            write(&format!("{below}/complex-1.0.0.yaml"), &format!("id: {id}\ntype: number\n"));
            write("manifests/m-1.0.0.yaml", manifest);
            write("manifests/version_map-1.0.0.yaml", "tags: {a: 1.0.0}\n");
            let registry = |mut registry: Registry| {
                registry.add_folder(folder.path()).unwrap();
                registry
            };
            let kept = registry(Registry::new());
            assert_eq!(kept.passed_over(), [id]);
            assert_eq!(kept.text(id), Registry::new().text(id));
            assert_eq!(kept.schemas_of("tag:stsci.edu:asdf/core/complex-1.0.0"), [id]);
            let replaced = registry(Registry::new().replacing_built_in());
            assert_eq!(replaced.schema(id).unwrap().get::<String>("/type").unwrap(), "number");
            assert_eq!(
                replaced.schemas_of("tag:stsci.edu:asdf/core/complex-1.0.0"),
                ["asdf://x.org/other-1.0.0"]
            );
        }
    }

    /// The same rules hold for resources as for files.
    #[test]
    fn resources_are_schemas_and_manifests() {
        let manifest = |schema: &str| {
            format!(
                "{{tags: [asdf://x.org/bare, {{tag_uri: 'asdf://x.org/tags/a', schema_uri: '{schema}'}}]}}"
            )
        };
        let mut registry = Registry::new();
        registry.add_resource("asdf://x.org/a#", "properties: {tags: {type: array}}").unwrap();
        registry.add_resource("asdf://x.org/a", "title: not this one").unwrap();
        registry.add_resource("asdf://x.org/m", &manifest("asdf://x.org/a")).unwrap();
        assert_eq!(
            registry.schema("asdf://x.org/a").unwrap().get::<String>("/properties/tags/type").unwrap(),
            "array"
        );
        assert_eq!(registry.schemas_of("asdf://x.org/tags/a"), ["asdf://x.org/a"]);
        // Errors in schemas appear when they are used, those in manifests at once.
        registry.add_resource("asdf://x.org/b", "a: [").unwrap();
        assert!(registry.schema("asdf://x.org/b").is_err());
        let error = registry.add_resource("asdf://x.org/n", "tags:\n- {tag_uri: 5}").unwrap_err();
        assert_eq!((error.file(), error.path()), (Some(Path::new("asdf://x.org/n")), Some("/tags/0")));

        let id = "http://stsci.edu/schemas/asdf/core/complex-1.0.0";
        registry.add_resource(id, "type: number").unwrap();
        assert_eq!(registry.text(id), Registry::new().text(id));
        let mut replaced = Registry::new().replacing_built_in();
        replaced.add_resource(id, "type: number").unwrap();
        assert_eq!(replaced.text(id), Some("type: number"));
    }

    #[test]
    fn a_file_is_a_schema_or_a_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let mut registry = Registry::new();
        let schema = write("a.yaml", "id: asdf://x.org/a\ntype: object\nproperties: {tags: {}}\n");
        assert_eq!(registry.add_file(schema).unwrap(), "asdf://x.org/a");
        let manifest =
            "id: asdf://x.org/m\ntags: [{tag_uri: 'asdf://x.org/t', schema_uri: 'asdf://x.org/a'}]\n";
        assert_eq!(registry.add_file(write("m.yaml", manifest)).unwrap(), "asdf://x.org/m");
        assert_eq!(registry.schemas_of("asdf://x.org/t"), ["asdf://x.org/a"]);
        for (name, text) in
            [("n.yaml", "tags: [{tag_uri: 'asdf://x.org/t'}]\n"), ("e.yaml", ""), ("y.yaml", "a: [")]
        {
            let error = registry.add_file(write(name, text)).unwrap_err();
            assert_eq!(error.file(), Some(folder.path().join(name).as_path()), "{error}");
        }
        assert_eq!(registry.add_file("none.yaml").unwrap_err().kind(), asdf_core::error::Kind::Io);
    }

    #[test]
    fn schemas_beside_manifests_are_read_when_they_are_needed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join("resources").join(name);
        for below in ["schemas/deep", "manifests"] {
            std::fs::create_dir_all(at(below)).unwrap();
        }
        let schema = |id: &str, title: &str| format!("id: asdf://x.org/schemas/{id}-1.0.0\ntitle: {title}\n");
        let write = |name: &str, text: &str| std::fs::write(at(name), text).unwrap();
        for name in ["a", "b", "c"] {
            write(&format!("schemas/deep/{name}-1.0.0.yaml"), &schema(name, "before"));
        }
        write("schemas/odd.yaml", &schema("called-otherwise", "odd"));
        // Not a schema. The error appears only if it is looked up.
        write("schemas/none.yaml", "a: [\n");
        write("manifests/m-1.0.0.yaml", "id: asdf://x.org/manifests/m-1.0.0\ntags: []\n");
        let mut registry = Registry::new();
        registry.add_folder(folder.path()).unwrap();
        write("schemas/deep/a-1.0.0.yaml", &schema("a", "after"));
        std::fs::remove_file(at("schemas/deep/b-1.0.0.yaml")).unwrap();
        std::fs::create_dir(at("schemas/deep/b-1.0.0.yaml")).unwrap();
        let title = |id: &str| -> String {
            registry.schema(&format!("asdf://x.org/schemas/{id}-1.0.0")).unwrap().get("/title").unwrap()
        };
        assert_eq!(title("a"), "after");
        let error = registry.schema("asdf://x.org/schemas/b-1.0.0").unwrap_err();
        assert!(error.to_string().contains("b-1.0.0.yaml"), "{error}");
        let error = registry.schema("asdf://x.org/schemas/none").unwrap_err();
        assert!(error.to_string().contains("none.yaml:1:4: the tree is not YAML"), "{error}");
        // The built-in schemas are found without reading a package.
        assert!(registry.schema("http://stsci.edu/schemas/asdf/core/ndarray-1.1.0").is_ok());
        assert_eq!(title("called-otherwise"), "odd");
        write("schemas/deep/c-1.0.0.yaml", &schema("c", "read"));
        assert_eq!(title("c"), "before", "all files were read to find the one with another name");
        let ids: Vec<&str> =
            registry.ids().into_iter().filter(|id| id.starts_with("asdf://x.org/")).collect();
        let expected = ["manifests/m", "schemas/a", "schemas/c", "schemas/called-otherwise"];
        assert_eq!(ids, expected.map(|id| format!("asdf://x.org/{id}-1.0.0")));
    }
}

//! Adds schemas from files, with the files that they refer to.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use asdf_core::tree::Kind;
use asdf_core::{Error, Result, Tree, yaml};
use asdf_schema_model::uri::{decode, encode};
use jsonschema::uri;

use super::{Registry, folder, text};

/// The maximum number of files that one schema can add.
const MAX_FILES: usize = 1000;

impl Registry {
    /// Adds the schema or the manifest in a YAML or JSON file and returns its id.
    ///
    /// A schema is added by [`add_schema_file`](Self::add_schema_file), a manifest by
    /// [`add_resource`](Self::add_resource).
    ///
    /// # Errors
    /// Fails like these functions. [`Mismatch`](asdf_core::error::Kind::Mismatch) if a manifest has no `id`.
    pub fn add_file(&mut self, path: impl AsRef<Path>) -> Result<String> {
        let path = path.as_ref();
        let text = text::read(path)?;
        let tree = yaml::parse(&text).map_err(|error| error.at_file(path))?;
        if !tree.root().is_some_and(folder::is_manifest) {
            return self.add_schema_file(path);
        }
        let id: String = tree.get("/id").map_err(|error| error.at_file(path))?;
        self.add_resource(&id, &text).map_err(|error| error.at_file(path))?;
        Ok(id)
    }

    /// Adds the schema in a YAML or JSON file and returns its id.
    ///
    /// The id of a schema without an `id` is the URL of its file, `file:///...`. Files that it refers to by relative
    /// references, such as `$ref: other.yaml`, are added under their URLs, recursively. A schema with the same id is
    /// replaced. If such a file does not exist, using the schema is an error, but adding it is not.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) if a file cannot be read, [`Malformed`](asdf_core::error::Kind::Malformed)
    /// if one is empty or not YAML, [`Mismatch`](asdf_core::error::Kind::Mismatch) if one is not a mapping,
    /// [`Limit`](asdf_core::error::Kind::Limit) if the schema adds more than 1000 files. All name the file.
    pub fn add_schema_file(&mut self, path: impl AsRef<Path>) -> Result<String> {
        let path = path.as_ref();
        let url = url(path);
        let mut main = None;
        let mut known = HashSet::from([url.clone()]);
        let mut pending = vec![(url, path.to_path_buf())];
        while let Some((url, path)) = pending.pop() {
            let text = text::read(&path)?;
            let text = if is_json(&path) { with_whole_characters(&text) } else { text.into() };
            let tree = yaml::parse(&text).map_err(|error| error.at_file(&path))?;
            // An empty schema would accept everything.
            let root = tree.root().ok_or_else(|| Error::malformed("the schema is empty").at_file(&path))?;
            if root.kind() != Kind::Mapping {
                return Err(root.expected("a mapping with a schema").at_file(&path));
            }
            let own = root.get("id").and_then(|id| id.as_str()).map(|id| id.trim_end_matches('#').to_owned());
            if own.is_none() {
                let new = referenced(&tree, &url).filter(|(url, _)| known.insert(url.clone()));
                pending.extend(new);
            }
            if known.len() > MAX_FILES {
                let message = format!("the schema refers to more than {MAX_FILES} files");
                return Err(Error::limit(message).at_file(&path));
            }
            // Only the first file uses its own id. References find the others by their URLs.
            let id = match &main {
                None => main.insert(own.unwrap_or(url)).clone(),
                Some(_) => url,
            };
            self.put(id, &text);
        }
        Ok(main.unwrap_or_default())
    }
}

/// Returns the existing files that a schema refers to, with their URLs.
fn referenced<'t>(tree: &'t Tree, base: &str) -> impl Iterator<Item = (String, PathBuf)> + 't {
    let base = uri::from_str(base).ok();
    tree.search().key("$ref").filter_map(move |found| {
        let reference = found.node.as_str()?;
        let all = uri::resolve_against(&base.as_ref()?.borrow(), reference).ok()?;
        let url = all.as_str().split('#').next()?.to_owned();
        let path = path(&url).filter(|path| path.is_file())?;
        Some((url, path))
    })
}

/// Returns the `file` URL of the absolute path of a file.
pub(crate) fn url(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut url = "file://".to_owned();
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        url.push('/');
    }
    url + &encode(&text, b"/:")
}

/// Returns the path of a `file` URL.
fn path(url: &str) -> Option<PathBuf> {
    let path = decode(url.strip_prefix("file://")?);
    // The slash before the letter of a drive is not part of the path.
    let drive = path.get(2..3) == Some(":");
    Some(PathBuf::from(if drive { path.get(1..)? } else { &path }))
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Replaces the surrogate pairs of JSON, `\ud83d\udc32`, by the single escape of YAML.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    /// Returns the number in the escape `\uXXXX` at the start of a text.
    fn escape(text: &str) -> Option<u32> {
        u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
    }
    let mut made = String::new();
    let mut rest = text;
    let mut copied = false;
    while let Some(at) = rest.find('\\') {
        let (before, found) = rest.split_at(at);
        made.push_str(before);
        let pair = escape(found).zip(found.get(6..).and_then(escape));
        let character = match pair {
            Some((high @ 0xd800..=0xdbff, low @ 0xdc00..=0xdfff)) => {
                Some(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
            }
            _ => None,
        };
        let len = match character {
            Some(character) => {
                copied = true;
                made.push_str(&format!("\\U{character:08X}"));
                12
            }
            None => {
                // Skips the escaped character, which can be a backslash.
                let len = 1 + found.chars().nth(1).map_or(0, char::len_utf8);
                made.push_str(found.get(..len).unwrap_or_default());
                len
            }
        };
        rest = found.get(len..).unwrap_or_default();
    }
    made.push_str(rest);
    if copied { made.into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validator;
    use std::sync::Arc;

    #[test]
    fn relative_references_lead_to_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("with blank")).unwrap();
        for (name, text) in [
            (
                "main.yaml",
                "properties: {a: {$ref: 'with%20blank/b.json#definitions/n'}, c: {$ref: main.yaml#/definitions/t}}\ndefinitions: {t: {type: boolean}}\n",
            ),
            (
                "with blank/b.json",
                r#"{"definitions": {"n": {"$ref": "../c.yaml"}, "s": {"enum": ["\ud83d\udc32"]}}}"#,
            ),
            ("c.yaml", "id: asdf://x.org/c\ntype: integer\n"),
        ] {
            std::fs::write(at(name), text).unwrap();
        }
        let mut registry = Registry::new();
        let id = registry.add_schema_file(at("main.yaml")).unwrap();
        assert!(id.starts_with("file:///") && id.ends_with("/main.yaml"), "{id}");
        let validator = Validator::new(Arc::new(registry)).with_schema(&id).unwrap();
        for (text, violations) in [("{a: 5, c: true}", 0), ("{a: x, c: 1}", 2)] {
            let tree = yaml::parse(text).unwrap();
            let report = validator.validate_tree(&tree);
            assert_eq!(report.violations().len(), violations, "{text}: {report:?}");
        }
        let mut registry = Registry::new();
        assert_eq!(registry.add_schema_file(at("c.yaml")).unwrap(), "asdf://x.org/c");
        let id = registry.add_schema_file(at("with blank/b.json")).unwrap();
        let schema = registry.schema(&id).unwrap();
        assert_eq!(schema.get::<String>("/definitions/s/enum/0").unwrap(), "\u{1f432}");
        for (text, expected) in [("", "empty"), ("[]", "a mapping"), ("{", "not YAML")] {
            std::fs::write(at("main.yaml"), text).unwrap();
            let error = registry.add_schema_file(at("main.yaml")).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("main.yaml"), "{error}");
        }
    }

    #[test]
    fn pairs_of_escapes_become_one() {
        for (text, expected) in [
            (r#""\ud83d\udc32 \n""#, r#""\U0001F432 \n""#),
            (r#""\\ud83d\udc32""#, r#""\\ud83d\udc32""#),
            (r#""\ud83d\u0041 \u00e9 \ud83d""#, r#""\ud83d\u0041 \u00e9 \ud83d""#),
            (r#"\"#, r#"\"#),
        ] {
            assert_eq!(with_whole_characters(text), expected);
        }
    }

    #[test]
    fn urls_lead_back_to_their_paths() {
        for path_ in ["/a b/c-1.0.0.yaml", "/é/%41"] {
            let url = url(Path::new(path_));
            assert!(url.is_ascii() && !url.contains(' '), "{url}");
            assert_eq!(path(&url).unwrap(), Path::new(path_));
        }
    }
}

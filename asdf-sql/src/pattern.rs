//! Which files a table has: the files of a folder, those that match a pattern, or one file.

use std::path::{Component, Path, PathBuf};

use asdf_core::{Error, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::path::Path as Key;
use serde::{Deserialize, Serialize};

/// The characters of a pattern.
const SPECIAL: [char; 3] = ['*', '?', '['];

/// How `*` and `**` match: `*` stays in its folder.
pub(crate) const MATCHING: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// The files of a folder, those that match a pattern, or one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pattern {
    /// A URL, or an absolute path. Plans carry it, so that each process lists the same files.
    text: String,
}

/// How the files of a [`Pattern`] are found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// This file.
    One(Key),
    /// Files whose keys end with `.asdf`, below a prefix.
    Below(Option<Key>),
    /// Files whose keys match, below a prefix.
    Matching(Option<Key>, glob::Pattern),
}

impl Pattern {
    /// Parses a path or URL. Relative paths are those of the current folder of this process.
    ///
    /// # Errors
    /// If the text is empty, or the URL has no host or bucket.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if text.trim().is_empty() {
            return Err(
                Error::usage("the name of a table is empty").with_hint("name a folder, a glob or a URL")
            );
        }
        if let Some(path) = text.strip_prefix("file://") {
            return Ok(Self { text: path.to_owned() });
        }
        if text.contains("://") {
            let pattern = Self { text: text.to_owned() };
            pattern.store()?;
            return Ok(pattern);
        }
        let path = std::path::absolute(text).map_err(|error| Error::io("finding the folder", error))?;
        let mut absolute = without_parents(path)?.to_string_lossy().into_owned();
        if text.ends_with(['/', std::path::MAIN_SEPARATOR]) && !absolute.ends_with('/') {
            absolute.push('/');
        }
        Ok(Self { text: absolute })
    }

    /// The URL or the absolute path.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The path of files on this machine.
    pub(crate) fn local(&self) -> Option<&Path> {
        (!self.text.contains("://")).then(|| Path::new(&self.text))
    }

    /// The URL of the object store.
    ///
    /// # Errors
    /// If the URL has no host or bucket.
    pub(crate) fn store(&self) -> Result<ObjectStoreUrl> {
        match split(&self.text) {
            None => Ok(ObjectStoreUrl::local_filesystem()),
            Some((origin, _)) => ObjectStoreUrl::parse(origin)
                .map_err(|_| Error::usage("not a URL of a bucket or server").at_file(&self.text)),
        }
    }

    /// The files in a store that is not this machine.
    ///
    /// # Errors
    /// If the text is not a pattern, or not the key of an object.
    pub(crate) fn wanted(&self) -> Result<Wanted> {
        let key = split(&self.text).map(|(_, key)| key).unwrap_or_default();
        let parse = |key: &str| {
            let key = key.trim_end_matches('/');
            let parsed = (!key.is_empty()).then(|| Key::parse(key)).transpose();
            parsed.map_err(|_| Error::usage("not the key of an object").at_file(&self.text))
        };
        if let Some(at) = key.find(SPECIAL) {
            let plain = key.get(..at).unwrap_or_default();
            let folder = plain.rfind('/').and_then(|at| plain.get(..at)).unwrap_or_default();
            return Ok(Wanted::Matching(parse(folder)?, self.glob(key)?));
        }
        match parse(key)? {
            Some(one) if !key.ends_with('/') => Ok(Wanted::One(one)),
            prefix => Ok(Wanted::Below(prefix)),
        }
    }

    /// Whether the text has characters of a pattern.
    pub(crate) fn is_glob(&self) -> bool {
        self.text.contains(SPECIAL)
    }

    fn glob(&self, pattern: &str) -> Result<glob::Pattern> {
        glob::Pattern::new(pattern)
            .map_err(|error| Error::usage(format!("not a pattern: {}", error.msg)).at_file(&self.text))
    }
}

/// Resolves each `..` of an absolute path, and the links before it.
fn without_parents(path: PathBuf) -> Result<PathBuf> {
    let parts: Vec<Component<'_>> = path.components().collect();
    let Some(last) = parts.iter().rposition(|part| *part == Component::ParentDir) else { return Ok(path) };
    let (above, rest) = parts.split_at_checked(last + 1).unwrap_or((&[], &parts));
    let above: PathBuf = above.iter().collect();
    let found = above.canonicalize().map_err(|error| Error::io("opening", error).at_file(&above))?;
    Ok(found.join(rest.iter().collect::<PathBuf>()))
}

/// Splits a URL into scheme and host, and key.
fn split(text: &str) -> Option<(&str, &str)> {
    let start = text.find("://")? + 3;
    let slash = text.get(start..)?.find('/').map_or(text.len(), |at| start + at);
    let key = text.get(slash..).unwrap_or_default();
    Some((text.get(..slash)?, key.strip_prefix('/').unwrap_or(key)))
}

/// Returns the name of an object: an absolute path, or a URL.
pub(crate) fn name(store: &ObjectStoreUrl, key: &Key) -> String {
    let origin = store.as_str().trim_end_matches('/');
    match local_path(store, key) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => format!("{origin}/{key}"),
    }
}

/// Returns the path of an object that is a file on this machine.
pub(crate) fn local_path(store: &ObjectStoreUrl, key: &Key) -> Option<PathBuf> {
    let is_local = store.as_str().starts_with("file:");
    is_local.then(|| object_store::local::LocalFileSystem::new().path_to_filesystem(key).ok())?
}

/// Returns the store and the key of a [`name`].
///
/// # Errors
/// If it is neither a path nor the URL of an object.
pub(crate) fn of_name(name: &str) -> Result<(ObjectStoreUrl, Key)> {
    let pattern = Pattern::parse(name)?;
    let store = pattern.store()?;
    let key = match (pattern.local(), split(name)) {
        (Some(path), _) => Key::from_absolute_path(path).ok(),
        (None, Some((_, key))) => Key::parse(key).ok(),
        (None, None) => None,
    };
    let key = key.ok_or_else(|| Error::usage("not the path or URL of a file").at_file(name))?;
    Ok((store, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_folders_patterns_or_files() {
        let wanted = |text: &str| Pattern::parse(text).unwrap().wanted().unwrap();
        let key = |text: &str| Key::parse(text).unwrap();
        assert_eq!(wanted("s3://b/x/a.asdf"), Wanted::One(key("x/a.asdf")));
        assert_eq!(wanted("s3://b/x/"), Wanted::Below(Some(key("x"))));
        assert_eq!(wanted("s3://b"), Wanted::Below(None));
        let glob = |text: &str| glob::Pattern::new(text).unwrap();
        assert_eq!(wanted("s3://b/x/y*/a.asdf"), Wanted::Matching(Some(key("x")), glob("x/y*/a.asdf")));
        assert_eq!(wanted("s3://b/*.asdf"), Wanted::Matching(None, glob("*.asdf")));
        assert_eq!(Pattern::parse("s3://b/x").unwrap().store().unwrap().as_str(), "s3://b/");
        assert!(Pattern::parse(" ").is_err());
        let local = Pattern::parse("x/").unwrap();
        assert!(local.local().unwrap().is_absolute() && local.text().ends_with("x/"), "{local:?}");
    }

    #[test]
    fn names_lead_back_to_objects() {
        for name_of_file in ["s3://b/x/a b%20c.asdf", "https://h:8080/a.asdf", "/tmp/a b%20#c.asdf"] {
            let (store, key) = of_name(name_of_file).unwrap();
            assert_eq!(name(&store, &key), name_of_file);
        }
    }
}

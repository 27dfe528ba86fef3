//! Finds the files of a pattern.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_remote::Remote;
use chrono::{DateTime, Utc};
use futures_util::StreamExt as _;
use object_store::path::Path as Key;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};

use crate::failure::of_store;
use crate::pattern::{MATCHING, Pattern, Wanted};

/// Returns the files of a pattern in the order of their keys, up to a number.
///
/// # Errors
/// If the store cannot be listed, or no file is found.
pub(crate) async fn list(
    pattern: &Pattern,
    store: &Arc<dyn ObjectStore>,
    most: Option<usize>,
) -> Result<Vec<ObjectMeta>> {
    let most = most.unwrap_or(usize::MAX);
    let found = if let Some(path) = pattern.local() {
        let (path, is_glob) = (path.to_path_buf(), pattern.is_glob());
        blocking(move || on_disk(&path, is_glob, most)).await?
    } else if pattern.text().starts_with("http") {
        let url = pattern.text().to_owned();
        let listed = blocking(move || {
            Remote::new().list(&url)?.take(most).map(|entry| of_entry(&entry?)).collect::<Result<Vec<_>>>()
        });
        let mut found = listed.await?;
        for meta in &mut found {
            // A single URL is returned without a request.
            if meta.size == 0 {
                let head = store.head(&meta.location).await;
                meta.size = head.map_err(|error| of_store(error).at_file(pattern.text()))?.size;
            }
        }
        found
    } else {
        in_store(pattern, store, most).await?
    };
    if found.is_empty() {
        let what =
            if pattern.is_glob() { "no file matches the pattern" } else { "the folder has no .asdf files" };
        return Err(Error::usage(what).at_file(pattern.text()));
    }
    Ok(found)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::io("listing files", std::io::Error::other(error)))?
}

async fn in_store(pattern: &Pattern, store: &Arc<dyn ObjectStore>, most: usize) -> Result<Vec<ObjectMeta>> {
    let at = |error: object_store::Error| of_store(error).at_file(pattern.text());
    let (prefix, glob) = match pattern.wanted()? {
        Wanted::One(key) => return Ok(vec![store.head(&key).await.map_err(at)?]),
        Wanted::Below(prefix) => (prefix, None),
        Wanted::Matching(prefix, glob) => (prefix, Some(glob)),
    };
    let mut listed = store.list(prefix.as_ref());
    let mut found = Vec::new();
    while let Some(meta) = listed.next().await {
        let meta = meta.map_err(at)?;
        let key = meta.location.as_ref();
        let is_wanted = match &glob {
            Some(glob) => glob.matches_with(key, MATCHING),
            None => key.ends_with(".asdf"),
        };
        if is_wanted {
            found.push(meta);
        }
        if found.len() >= most {
            break;
        }
    }
    found.sort_by(|a, b| a.location.cmp(&b.location));
    Ok(found)
}

fn on_disk(path: &FilePath, is_glob: bool, most: usize) -> Result<Vec<ObjectMeta>> {
    if path.is_dir() {
        let entries = walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        let files = entries.filter_map(|entry| match entry {
            Ok(entry) if !entry.file_type().is_file() => None,
            Ok(entry) => {
                let is_asdf = entry.path().extension().is_some_and(|found| found == "asdf");
                is_asdf.then(|| Ok(entry.into_path()))
            }
            Err(error) => Some(Err(Error::io("listing the folder", error.into()).at_file(path))),
        });
        return files.take(most).map(|file| of_file(&file?)).collect();
    }
    if !is_glob || path.is_file() {
        return Ok(vec![of_file(path)?]);
    }
    let text = path.to_string_lossy();
    let matched = glob::glob_with(&text, MATCHING)
        .map_err(|error| Error::usage(format!("not a pattern: {}", error.msg)).at_file(path))?;
    let files = matched.filter_map(|entry| match entry {
        Ok(file) if file.is_dir() => None,
        Ok(file) => Some(of_file(&file)),
        Err(error) => Some(Err(Error::io("listing the folder", error.into()).at_file(path))),
    });
    files.take(most).collect()
}

fn of_file(path: &FilePath) -> Result<ObjectMeta> {
    let at = |error: std::io::Error| Error::io("opening", error).at_file(path);
    let metadata = std::fs::metadata(path).map_err(at)?;
    let location = Key::from_absolute_path(PathBuf::from(path)).map_err(|_| {
        Error::unsupported("the path is not Unicode, or has other names that URLs cannot have").at_file(path)
    })?;
    let last_modified = metadata.modified().map(DateTime::<Utc>::from).unwrap_or_default();
    Ok(ObjectMeta { location, last_modified, size: metadata.len(), e_tag: None, version: None })
}

fn of_entry(entry: &asdf_remote::Entry) -> Result<ObjectMeta> {
    let (_, location) = crate::pattern::of_name(&entry.url)?;
    let last_modified = entry.modified.map(DateTime::<Utc>::from).unwrap_or_default();
    Ok(ObjectMeta { location, last_modified, size: entry.size.unwrap_or(0), e_tag: None, version: None })
}

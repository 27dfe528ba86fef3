//! Finds the files of a pattern.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_remote::{Remote, from_store};
use chrono::{DateTime, Utc};
use futures_util::StreamExt as _;
use futures_util::future::ready;
use futures_util::stream::{BoxStream, once, unfold};
use object_store::path::Path as Key;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};

use crate::pattern::{MATCHING, Pattern, Wanted};

/// The files of a listing, as they are found.
pub(crate) type Listing = BoxStream<'static, Result<ObjectMeta>>;

/// The files that are found ahead on another thread.
const AHEAD: usize = 1024;

/// Returns the files of a pattern, up to a number.
///
/// # Errors
/// If the store cannot be listed, or no file is found.
pub(crate) async fn list(
    pattern: &Pattern,
    store: &Arc<dyn ObjectStore>,
    most: usize,
) -> Result<Vec<ObjectMeta>> {
    let mut listing = stream(pattern, store).await?.take(most);
    let mut found = Vec::new();
    while let Some(meta) = listing.next().await {
        found.push(meta?);
    }
    if found.is_empty() {
        return Err(nothing(pattern));
    }
    Ok(found)
}

/// The error of a pattern without files.
pub(crate) fn nothing(pattern: &Pattern) -> Error {
    let what = match pattern.is_glob() {
        true => "no file matches the pattern",
        false => "the folder has no .asdf files",
    };
    Error::usage(what).at_file(pattern.text())
}

/// Finds the files of a pattern.
///
/// # Errors
/// If the pattern is not valid, or its only file does not exist.
pub(crate) async fn stream(pattern: &Pattern, store: &Arc<dyn ObjectStore>) -> Result<Listing> {
    if let Some(path) = pattern.local() {
        let (path, is_glob) = (path.to_path_buf(), pattern.is_glob());
        return Ok(on_thread(move || on_disk(&path, is_glob)));
    }
    if pattern.text().starts_with("http") {
        let (url, store) = (pattern.text().to_owned(), store.clone());
        let listed = on_thread(move || {
            let entries = Remote::new().list(&url)?;
            Ok(Box::new(entries.map(|entry| of_entry(&entry?))))
        });
        let url = pattern.text().to_owned();
        let sized = listed.then(move |meta| with_size(meta, store.clone(), url.clone()));
        return Ok(sized.boxed());
    }
    in_store(pattern, store).await
}

/// The files that an iterator finds.
type Found = Box<dyn Iterator<Item = Result<ObjectMeta>>>;

/// Runs an iterator on a thread that can block.
fn on_thread(begin: impl FnOnce() -> Result<Found> + Send + 'static) -> Listing {
    let (sender, receiver) = tokio::sync::mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || match begin() {
        // Sending fails if the query has ended.
        Ok(mut found) => drop(found.try_for_each(|meta| sender.blocking_send(meta))),
        Err(error) => drop(sender.blocking_send(Err(error))),
    });
    unfold(receiver, |mut receiver| async { Some((receiver.recv().await?, receiver)) }).boxed()
}

/// Asks for the size of a file if the listing does not say it: a single URL is returned without a request.
async fn with_size(meta: Result<ObjectMeta>, store: Arc<dyn ObjectStore>, url: String) -> Result<ObjectMeta> {
    let mut meta = meta?;
    if meta.size == 0 {
        let head = store.head(&meta.location).await;
        meta.size = head.map_err(|error| from_store(error).at_file(url))?.size;
    }
    Ok(meta)
}

async fn in_store(pattern: &Pattern, store: &Arc<dyn ObjectStore>) -> Result<Listing> {
    let text = pattern.text().to_owned();
    let at = move |error: object_store::Error| from_store(error).at_file(&text);
    let (prefix, glob) = match pattern.wanted()? {
        Wanted::One(key) => {
            let meta = store.head(&key).await.map_err(at)?;
            return Ok(once(async { Ok(meta) }).boxed());
        }
        Wanted::Below(prefix) => (prefix, None),
        Wanted::Matching(prefix, glob) => (prefix, Some(glob)),
    };
    let is_wanted = move |meta: &ObjectMeta| match &glob {
        Some(glob) => glob.matches_with(meta.location.as_ref(), MATCHING),
        None => meta.location.as_ref().ends_with(".asdf"),
    };
    let listed = store.list(prefix.as_ref()).map(move |meta| meta.map_err(&at));
    let wanted = listed.filter(move |meta| ready(meta.as_ref().map_or(true, &is_wanted)));
    Ok(wanted.boxed())
}

fn on_disk(path: &FilePath, is_glob: bool) -> Result<Found> {
    if path.is_dir() {
        let folder = path.to_path_buf();
        let entries = walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        return Ok(Box::new(entries.filter_map(move |entry| match entry {
            Ok(entry) if !entry.file_type().is_file() => None,
            Ok(entry) => {
                let is_asdf = entry.path().extension().is_some_and(|found| found == "asdf");
                is_asdf.then(|| of_file(entry.path()))
            }
            Err(error) => Some(Err(Error::io("listing the folder", error.into()).at_file(&folder))),
        })));
    }
    if !is_glob || path.is_file() {
        return Ok(Box::new(std::iter::once(of_file(path))));
    }
    let text = path.to_string_lossy();
    let matched = glob::glob_with(&text, MATCHING)
        .map_err(|error| Error::usage(format!("not a pattern: {}", error.msg)).at_file(path))?;
    let folder = path.to_path_buf();
    Ok(Box::new(matched.filter_map(move |entry| match entry {
        Ok(file) if file.is_dir() => None,
        Ok(file) => Some(of_file(&file)),
        Err(error) => Some(Err(Error::io("listing the folder", error.into()).at_file(&folder))),
    })))
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

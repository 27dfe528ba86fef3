//! The files in a folder of a store.

use std::collections::VecDeque;
use std::sync::Arc;

use asdf_core::{Error, Result};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::ObjectMeta;
use object_store::path::Path;

use crate::address::{Address, Kind};
use crate::entry::Entry;
use crate::error::from_store;
use crate::runtime;
use crate::state::State;
use crate::web_index::WebIndex;

/// The characters of a pattern.
const SPECIAL: [char; 3] = ['*', '?', '['];

/// Which files of a folder are listed.
#[derive(Debug, Clone)]
enum Wanted {
    /// `*.asdf`, also in folders below.
    Asdf,
    Pattern(glob::Pattern),
}

impl Wanted {
    fn matches(&self, key: &str) -> bool {
        /// `*` stays in its folder.
        const OPTIONS: glob::MatchOptions = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: false,
        };
        match self {
            Self::Asdf => key.ends_with(".asdf"),
            Self::Pattern(pattern) => pattern.matches_with(key, OPTIONS),
        }
    }
}

type Entries = Box<dyn Iterator<Item = Result<Entry>> + Send>;

/// Lists the files that an address names.
pub(crate) fn list(state: &Arc<State>, address: Address) -> Result<Entries> {
    let at_url = |error: Error| error.at_file(address.url());
    // In a URL of a web server, `?` begins a query, and only a file has one.
    let is_query = address.kind == Kind::Web && address.key.contains('?');
    let is_folder = !is_query && (address.key.is_empty() || address.key.ends_with('/'));
    let is_pattern = !is_query && address.key.contains(SPECIAL);
    if !is_folder && !is_pattern {
        let entry = Entry { url: address.url(), size: None, modified: None };
        return Ok(Box::new(std::iter::once(Ok(entry))));
    }
    let (folder, wanted) = if is_pattern {
        let plain = address.key.find(SPECIAL).and_then(|at| address.key.get(..at)).unwrap_or_default();
        let pattern = glob::Pattern::new(&address.key)
            .map_err(|error| at_url(Error::usage(format!("not a pattern: {error}"))))?;
        (address.with_key(plain).folder().to_owned(), Wanted::Pattern(pattern))
    } else {
        (address.key.clone(), Wanted::Asdf)
    };
    let folder = address.with_key(folder);
    match address.kind {
        Kind::Web => {
            let client = state.stores.web(&state.settings, &state.counting()).map_err(at_url)?;
            let found =
                WebIndex::new(client, state.settings.timeout, folder).filter(move |entry| match entry {
                    Ok((key, _)) => wanted.matches(key),
                    Err(_) => true,
                });
            Ok(Box::new(found.map(|entry| entry.map(|(_, entry)| entry))))
        }
        Kind::Disk => Err(at_url(Error::usage("list a folder on disk by its path"))),
        Kind::S3 | Kind::Google | Kind::Azure => {
            let store = state.stores.bucket(&address, &state.settings, &state.counting()).map_err(at_url)?;
            let prefix = Path::parse(folder.key.trim_end_matches('/'))
                .map_err(|error| at_url(Error::usage(format!("not the name of a folder: {error}"))))?;
            let stream = store.list((!prefix.as_ref().is_empty()).then_some(&prefix));
            let objects = Objects { stream: Some(stream), page: VecDeque::new(), folder, wanted };
            Ok(Box::new(objects))
        }
    }
}

/// The objects of a bucket, page by page.
struct Objects {
    stream: Option<BoxStream<'static, object_store::Result<ObjectMeta>>>,
    page: VecDeque<object_store::Result<ObjectMeta>>,
    folder: Address,
    wanted: Wanted,
}

impl Objects {
    /// Waits for the next page. Leaves it empty at the end.
    fn turn(&mut self) -> Result<()> {
        /// The number of keys in a page of S3.
        const PAGE: usize = 1000;
        let Some(mut stream) = self.stream.take() else { return Ok(()) };
        let (stream, page) = runtime::wait(async move {
            let mut page = VecDeque::new();
            while page.len() < PAGE {
                match stream.next().await {
                    None => return (None, page),
                    Some(Err(error)) => {
                        page.push_back(Err(error));
                        return (None, page);
                    }
                    Some(found) => page.push_back(found),
                }
            }
            (Some(stream), page)
        })?;
        (self.stream, self.page) = (stream, page);
        Ok(())
    }
}

impl Iterator for Objects {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Result<Entry>> {
        loop {
            if self.page.is_empty() {
                if let Err(error) = self.turn() {
                    return Some(Err(error));
                }
            }
            let meta = match self.page.pop_front()? {
                Ok(meta) => meta,
                Err(error) => return Some(Err(from_store(error).at_file(self.folder.url()))),
            };
            let key = meta.location.as_ref();
            if self.wanted.matches(key) {
                let url = self.folder.with_key(key).url();
                return Some(Ok(Entry {
                    url,
                    size: Some(meta.size),
                    modified: Some(meta.last_modified.into()),
                }));
            }
        }
    }
}

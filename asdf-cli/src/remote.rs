//! Files that are named by a URL.

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use asdf_core::{File, OpenOptions, Result, Threads};

use crate::remote_options::RemoteOptions;
pub(crate) use crate::url::url;

/// The number of files that are opened at once. Most of their time they wait for the network.
#[cfg(feature = "remote")]
const JOBS: usize = 32;

/// A file that a URL names.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether the URL names a folder or a pattern, rather than the file.
    pub(crate) is_listed: bool,
    /// The size and the time of the last change, if the listing says them.
    pub(crate) known: Option<(u64, SystemTime)>,
}

/// Access to files that are named by a URL.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remote {
    #[cfg(feature = "remote")]
    remote: asdf_remote::Remote,
    /// Whether to print the number of requests.
    #[cfg(feature = "remote")]
    stats: bool,
}

#[cfg(feature = "remote")]
impl Remote {
    pub(crate) fn new(options: &RemoteOptions) -> Self {
        let mut remote = asdf_remote::Remote::new().anonymous(options.anonymous);
        if let Some(url) = &options.endpoint_url {
            remote = remote.endpoint_url(url);
        }
        if let Some(name) = &options.profile {
            remote = remote.profile(name);
        }
        if let Some(bytes) = options.limit_fetched_size {
            remote = remote.most_bytes(bytes);
        }
        if let Some(folder) = &options.cache_folder {
            remote = remote.cache_folder(folder, options.limit_cache_size);
        }
        remote = options.allow_url.iter().fold(remote, asdf_remote::Remote::allow_url);
        Self { remote, stats: options.stats }
    }

    /// Opens the file at a URL.
    pub(crate) fn open(&self, options: &OpenOptions, url: &str) -> Result<File> {
        self.remote.open_with(options, url)
    }

    /// Returns the files that a URL names: itself, those of a folder, or those that match a pattern.
    pub(crate) fn list(&self, url: &str) -> Box<dyn Iterator<Item = Result<Found>> + Send> {
        let is_listed = names_many(url);
        match self.remote.list(url) {
            Err(error) => Box::new(std::iter::once(Err(error))),
            Ok(entries) => {
                let mut entries = entries.peekable();
                if entries.peek().is_none() {
                    let message = "found no file at this URL";
                    let error = asdf_core::Error::usage(message).at_file(url);
                    return Box::new(std::iter::once(Err(error.with_hint("a folder ends with /"))));
                }
                Box::new(entries.map(move |entry| {
                    let entry = entry?;
                    Ok(Found { path: entry.url.into(), is_listed, known: entry.size.zip(entry.modified) })
                }))
            }
        }
    }

    /// Returns whether there is a file at a URL.
    pub(crate) fn exists(&self, url: &str) -> Result<bool> {
        self.remote.exists(url)
    }

    /// Writes a file to a URL. It is put in place only when it is complete.
    pub(crate) fn write(&self, url: &str, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let mut upload = self.remote.upload(url)?;
        write(&mut upload)?;
        upload.finish()
    }

    /// Returns the number of files to open at once, if it was not given.
    pub(crate) fn jobs(&self, paths: &[PathBuf], threads: Threads) -> Threads {
        if paths.iter().any(|path| url(path).is_some()) {
            Threads::new(JOBS.max(threads.count()))
        } else {
            threads
        }
    }

    /// Prints the number of requests, if that was asked for.
    pub(crate) fn tell(&self, out: &mut dyn Write) {
        if self.stats {
            // A failure to print it cannot be reported.
            let _ = writeln!(out, "{}", self.remote.stats());
        }
    }
}

#[cfg(not(feature = "remote"))]
impl Remote {
    pub(crate) fn new(_options: &RemoteOptions) -> Self {
        Self::default()
    }

    pub(crate) fn open(&self, _options: &OpenOptions, url: &str) -> Result<File> {
        Err(left_out(url))
    }

    pub(crate) fn list(&self, url: &str) -> Box<dyn Iterator<Item = Result<Found>> + Send> {
        Box::new(std::iter::once(Err(left_out(url))))
    }

    pub(crate) fn exists(&self, url: &str) -> Result<bool> {
        Err(left_out(url))
    }

    pub(crate) fn write(&self, url: &str, _write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        Err(left_out(url))
    }

    pub(crate) fn jobs(&self, _paths: &[PathBuf], threads: Threads) -> Threads {
        threads
    }

    pub(crate) fn tell(&self, _out: &mut dyn Write) {}
}

#[cfg(not(feature = "remote"))]
fn left_out(url: &str) -> asdf_core::Error {
    asdf_core::Error::unsupported("this build cannot read files at a URL")
        .at_file(url)
        .with_hint(asdf_core::error::Hint::EnableFeature("remote".into()))
}

/// Removes the parts of unfinished uploads, and blocks uploads.
#[cfg(unix)]
pub(crate) fn abandon_uploads() {
    #[cfg(feature = "remote")]
    asdf_remote::abandon_uploads();
}

/// Returns whether a URL names a folder or a pattern.
pub(crate) fn names_many(url: &str) -> bool {
    // In a URL of a web server, `?` begins a query, and only a file has one.
    let web = url.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    let query = web && url.contains('?');
    !query && (url.ends_with('/') || url.contains(['*', '?', '[']))
}

//! Access to remote files: settings, cache and clients.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use asdf_core::source::{Source, Store};
use asdf_core::{Error, File, OpenOptions, Result};
use object_store::{ObjectStore, ObjectStoreExt as _};

use crate::address::{Address, Kind};
use crate::backend::key;
use crate::entry::Entry;
use crate::environment::Environment;
use crate::error::from_store;
use crate::settings::Settings;
use crate::source::RemoteSource;
use crate::state::State;
use crate::stats::Stats;
use crate::upload::Upload;
use crate::{listing, runtime};

/// Opens a file by its URL, with the default settings and options.
///
/// All files that a process opens in this way share their connections and their cache.
///
/// # Errors
/// See [`Remote::open`].
pub fn open(url: &str) -> Result<File> {
    static DEFAULT: std::sync::OnceLock<Remote> = std::sync::OnceLock::new();
    DEFAULT.get_or_init(Remote::new).open(url)
}

/// Access to remote files. Cloning is cheap: the clones share connections, cache and counts.
///
/// # Examples
/// ```no_run
/// use asdf_core::OpenOptions;
/// use asdf_remote::Remote;
///
/// let remote = Remote::new().anonymous(true).cache_size(256 << 20);
/// let file = remote.open_with(&OpenOptions::new().verify_checksums(true), "s3://stpubdata/roman/x.asdf")?;
/// println!("{}", remote.stats());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remote(Arc<State>);

impl Default for Remote {
    fn default() -> Self {
        Self::new()
    }
}

impl Remote {
    /// Makes access with the credentials of the environment, a cache of 64 MiB, and no limit on bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Environment::of_this_process())
    }

    fn with(environment: Environment) -> Self {
        Self(Arc::new(State::new(Settings::new(environment))))
    }

    /// The same with other settings, and with a new cache and new counts.
    fn set(&self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.0.settings.clone();
        change(&mut settings);
        Self(Arc::new(State::new(settings)))
    }

    /// Sets whether to make requests without credentials, even if there are some.
    #[must_use]
    pub fn anonymous(self, yes: bool) -> Self {
        self.set(|settings| settings.anonymous = yes)
    }

    /// Sets the URL of the server to use instead of that of Amazon, Google or Azure.
    #[must_use]
    pub fn endpoint_url(self, url: impl Into<String>) -> Self {
        self.set(|settings| settings.endpoint = Some(url.into()))
    }

    /// Sets the AWS profile. It takes precedence over keys in the environment.
    #[must_use]
    pub fn profile(self, name: impl Into<String>) -> Self {
        self.set(|settings| settings.profile = Some(name.into()))
    }

    /// Sets the variables that choose credentials and servers, instead of the environment of this process.
    ///
    /// They are those of the table in the [crate's documentation](crate), such as `AWS_ACCESS_KEY_ID`. Proxies and
    /// certificates are always those of this process.
    #[must_use]
    pub fn environment<N: Into<String>, V: Into<String>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        self.set(|settings| settings.environment = Environment::new(variables))
    }

    /// Sets the number of bytes that the cache keeps in memory; 0 keeps nothing.
    #[must_use]
    pub fn cache_size(self, bytes: u64) -> Self {
        self.set(|settings| settings.cache = bytes)
    }

    /// Keeps what was read in a folder on disk too, for later processes. Its parts have at most about `bytes` in total.
    ///
    /// Only files whose server sends an ETag are kept. Opening a file still takes a request, which returns its present
    /// ETag and shows that you may read it, so no old data is returned. Parts that were written first are removed first.
    /// Several processes can share the folder. It is created when the first file is opened, and only its owner can read
    /// it on Unix. If it cannot be written later, for example because the disk is full, the parts are requested again.
    #[must_use]
    pub fn cache_folder(self, path: impl Into<PathBuf>, bytes: u64) -> Self {
        self.set(|settings| settings.folder = Some((path.into(), bytes)))
    }

    /// Lets files refer to files in the folder at a URL and below it; see [`open_with`](Self::open_with).
    ///
    /// This holds for references and for the data of arrays. Each call adds a folder. A folder on disk cannot be allowed.
    #[must_use]
    pub fn allow_url(self, folder: impl Into<String>) -> Self {
        self.set(|settings| settings.allowed.push(folder.into()))
    }

    /// Sets the time for a request with its response. After that time no further try begins. The default is 30 seconds.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.set(|settings| settings.timeout = timeout)
    }

    /// Limits the bytes that all requests together can return.
    #[must_use]
    pub fn most_bytes(self, bytes: u64) -> Self {
        self.set(|settings| settings.most = Some(bytes))
    }

    /// Opens a file by its URL.
    ///
    /// # Errors
    /// See [`OpenOptions::open`]. Fails with [`Io`](asdf_core::error::Kind::Io) if the file does not exist, cannot be
    /// accessed, or the network fails; with [`Unsupported`](asdf_core::error::Kind::Unsupported) if the server does not
    /// support range requests and the file is larger than 256 MiB.
    pub fn open(&self, url: &str) -> Result<File> {
        self.open_with(&OpenOptions::new(), url)
    }

    /// Opens a file by its URL, with options.
    ///
    /// References and arrays in other files are read from the folder of the file or below it, if they have the same
    /// origin, and from folders that are [allowed](Self::allow_url). `file:` URLs are opened as paths.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub fn open_with(&self, options: &OpenOptions, url: &str) -> Result<File> {
        let address = Address::parse(url).map_err(|error| error.at_file(url))?;
        match address.kind {
            Kind::Disk => options.open(address.key),
            _ => options.open_in(self.store(), address.url()),
        }
    }

    /// Returns the files as a [`Store`], for [`OpenOptions::open_in`].
    #[must_use]
    pub fn store(&self) -> Arc<dyn Store> {
        Arc::new(self.clone())
    }

    /// Returns the URLs of the files that a URL names.
    ///
    /// | URL | files |
    /// |---|---|
    /// | ends with `/` | `*.asdf` in the folder and below |
    /// | with `*`, `?` or `[..]` in its key | those that match the pattern; `*` does not match `/`, `**` does |
    /// | other | the file itself, without a request |
    ///
    /// Object stores return them sorted by key. Web servers have no listing, except for the directory indexes of nginx and
    /// Apache, which are read.
    ///
    /// # Errors
    /// Each item can be an error of the network. The first fails with
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) if a web server has no directory index.
    pub fn list(&self, url: &str) -> Result<impl Iterator<Item = Result<Entry>> + Send + 'static> {
        let address = Address::parse(url).map_err(|error| error.at_file(url))?;
        listing::list(&self.0.here(), address)
    }

    /// Returns the client for the bucket of a URL, for programs that use the crate `object_store`.
    ///
    /// It has the credentials that this crate finds. Its requests run on the tokio runtime of the caller.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) for URLs of web servers and files on disk; also if the credentials in the
    /// environment are not valid.
    pub fn object_store(&self, url: &str) -> Result<Arc<dyn ObjectStore>> {
        let state = self.0.here();
        let find = || state.stores.bucket(&Address::parse(url)?, &state.settings, &state.counting());
        find().map_err(|error| error.at_file(url))
    }

    /// Returns whether there is a file at a URL of an object store.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn exists(&self, url: &str) -> Result<bool> {
        let (store, path, _) = self.object(url)?;
        let found =
            runtime::wait(async move { store.head(&path).await }).map_err(|error| error.at_file(url))?;
        match found {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(from_store(error).at_file(url)),
        }
    }

    /// Starts to write a file to a URL of an object store. A file that exists is replaced when the upload is finished.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) for URLs of web servers and files on disk. Nothing is sent yet.
    pub fn upload(&self, url: &str) -> Result<Upload> {
        let (store, path, url) = self.object(url)?;
        Ok(Upload::new(store, path, url))
    }

    /// The client, path and URL of an object.
    fn object(&self, url: &str) -> Result<(Arc<dyn ObjectStore>, object_store::path::Path, String)> {
        let find = || {
            let address = Address::parse(url)?;
            if matches!(address.kind, Kind::Web | Kind::Disk) {
                return Err(Error::usage("cannot write to this URL")
                    .with_hint("use s3://, gs:// or az://, or a path"));
            }
            let state = self.0.here();
            let store = state.stores.bucket(&address, &state.settings, &state.counting())?;
            Ok((store, key(&address)?, address.url()))
        };
        find().map_err(|error| error.at_file(url))
    }

    /// Returns the number of requests and bytes so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.0.counters.stats()
    }
}

impl Store for Remote {
    fn open(&self, url: &Path) -> Result<Arc<dyn Source>> {
        let url = url.to_str().unwrap_or_default();
        let address = Address::parse(url)?;
        Ok(Arc::new(RemoteSource::open(&self.0, address)?))
    }

    fn locate(&self, base: &Path, uri: &str, names: &str) -> Result<PathBuf> {
        let base = Address::parse(base.to_str().unwrap_or_default())?;
        let allowed: Result<Vec<_>> =
            self.0.settings.allowed.iter().map(|url| Address::of_folder(url)).collect();
        Ok(base.locate(uri, names, &allowed?)?.url().into())
    }
}

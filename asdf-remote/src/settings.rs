//! How files are found and opened.

use std::path::PathBuf;
use std::time::Duration;

use crate::environment::Environment;

/// The bytes of the cache, unless another size is set.
const CACHE: u64 = 64 << 20;

/// The time for a request, unless another one is set.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How files are found and opened.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) anonymous: bool,
    pub(crate) endpoint: Option<String>,
    pub(crate) profile: Option<String>,
    pub(crate) environment: Environment,
    pub(crate) timeout: Duration,
    pub(crate) cache: u64,
    pub(crate) most: Option<u64>,
    /// The folder of the cache on disk, and its most bytes.
    pub(crate) folder: Option<(PathBuf, u64)>,
    /// The URLs of folders that files of other folders can refer to.
    pub(crate) allowed: Vec<String>,
}

impl Settings {
    /// Makes the default settings.
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            anonymous: false,
            endpoint: None,
            profile: None,
            environment,
            timeout: TIMEOUT,
            cache: CACHE,
            most: None,
            folder: None,
            allowed: Vec::new(),
        }
    }
}

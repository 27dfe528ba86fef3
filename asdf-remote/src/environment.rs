//! The variables of the environment.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The variables of the environment.
#[derive(Clone, Default)]
pub(crate) struct Environment(Arc<BTreeMap<String, String>>);

impl fmt::Debug for Environment {
    /// Without the values, which can be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

impl Environment {
    pub(crate) fn new(variables: BTreeMap<String, String>) -> Self {
        Self(Arc::new(variables))
    }

    pub(crate) fn of_this_process() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self(Arc::new(std::env::vars_os().filter_map(text).collect()))
    }

    /// The value of a variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|value| !value.is_empty()).cloned()
    }

    /// The variables whose names begin with a prefix.
    pub(crate) fn all(&self, prefix: &str) -> Vec<(String, String)> {
        let found = self.0.iter().filter(|(name, value)| name.starts_with(prefix) && !value.is_empty());
        found.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

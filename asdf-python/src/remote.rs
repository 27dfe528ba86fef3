//! Options for files in object stores and on web servers, as a dict of Python.

use std::time::Duration;

use asdf_remote::Remote;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The names that fsspec gives to variables of the environment.
const VARIABLES: [(&str, &str); 7] = [
    ("key", "AWS_ACCESS_KEY_ID"),
    ("secret", "AWS_SECRET_ACCESS_KEY"),
    ("token", "AWS_SESSION_TOKEN"),
    ("region", "AWS_REGION"),
    ("account_name", "AZURE_STORAGE_ACCOUNT_NAME"),
    ("account_key", "AZURE_STORAGE_ACCOUNT_KEY"),
    ("sas_token", "AZURE_STORAGE_SAS_TOKEN"),
];

/// Makes the client of a dict of options. A name in upper case is a variable of the environment.
pub(crate) fn remote(given: Option<&Bound<'_, PyDict>>) -> PyResult<Remote> {
    let mut remote = Remote::new();
    let mut variables: Vec<(String, String)> = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        remote = match name.as_str() {
            "anon" | "anonymous" => remote.anonymous(value.extract()?),
            "endpoint_url" => remote.endpoint_url(value.extract::<String>()?),
            "profile" => remote.profile(value.extract::<String>()?),
            "timeout" => remote.timeout(Duration::try_from_secs_f64(value.extract()?).map_err(|error| {
                PyTypeError::new_err(format!("the timeout of storage_options, in seconds: {error}"))
            })?),
            "most_bytes" => remote.most_bytes(value.extract()?),
            "cache_size" => remote.cache_size(value.extract()?),
            "allow_url" => remote.allow_url(value.extract::<String>()?),
            other => {
                let variable =
                    VARIABLES.iter().find(|(name, _)| *name == other).map(|(_, variable)| *variable);
                let is_variable = !other.is_empty() && !other.contains(|c: char| c.is_ascii_lowercase());
                let Some(variable) = variable.or(is_variable.then_some(other)) else {
                    return Err(unknown(other));
                };
                variables.push((variable.to_owned(), value.extract()?));
                remote
            }
        };
    }
    if variables.is_empty() {
        return Ok(remote);
    }
    let known = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Ok(remote.environment(known.chain(variables)))
}

fn unknown(name: &str) -> PyErr {
    let known: Vec<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
    PyTypeError::new_err(format!(
        "'{name}' is not an option of storage_options: the options are anon, endpoint_url, profile, timeout, most_bytes, \
         cache_size, allow_url, {}, and variables of the environment such as AWS_REGION",
        known.join(", ")
    ))
}

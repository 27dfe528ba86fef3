//! Hints of the libraries, worded for Python.

use std::fmt;

use asdf_core::error::Hint;

/// A hint, worded for Python: `error.display_with(Words)`.
pub(crate) struct Words<'h>(pub(crate) &'h Hint);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Hint::Raise { limit, .. } => write!(f, "pass limits={{'{limit}': N}} for files that you trust"),
            Hint::AddPackage { name: Some(name) } => write!(f, "pass package='{name}'"),
            Hint::AddPackage { name: None } => {
                f.write_str("add the package that defines it with `package` or `schemas`")
            }
            Hint::ActivateEnvironment => {
                f.write_str("install it in this environment, or pass its folder of schemas in `schemas`")
            }
            Hint::Named { name: "asdf-remote/credentials", .. } => f.write_str(
                "check the credentials in `storage_options` or the environment, or whether the file exists: some stores do \
                 not tell the difference",
            ),
            Hint::Named { name: "asdf-remote/allow-url", .. } => {
                f.write_str("allow its folder with storage_options={'allow_url': URL}")
            }
            Hint::ListSchemas => f.write_str("check its id"),
            hint => hint.fmt(f),
        }
    }
}

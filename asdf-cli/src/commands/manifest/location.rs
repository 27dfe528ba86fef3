//! Where the readers of a manifest find the files.

use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};

use crate::remote;

/// The locations of an input file, and of files that it refers to.
pub(super) struct Locations<'a> {
    /// The URL in place of the folder of the input.
    pub(super) base: Option<&'a str>,
    pub(super) input: &'a Path,
}

impl Locations<'_> {
    /// Returns the URL of a file in the manifest.
    pub(super) fn of(&self, path: &Path) -> Result<String> {
        let whole = absolute(path)?;
        let Some(base) = self.base else {
            let text = whole.to_str().map(str::to_owned);
            return text
                .ok_or_else(|| Error::unsupported("the path is not UTF-8, as JSON requires").at_file(path));
        };
        let input = absolute(self.input)?;
        let below = input.parent().and_then(|folder| whole.strip_prefix(folder).ok());
        let steps =
            below.and_then(|below| below.iter().map(|step| step.to_str()).collect::<Option<Vec<_>>>());
        let steps = steps.ok_or_else(|| {
            Error::unsupported("the file of the array is not in the folder that --base-url replaces")
        })?;
        Ok(format!("{}/{}", base.trim_end_matches('/'), steps.join("/")))
    }
}

/// Returns a path of this machine as an absolute one, and a URL as it is.
fn absolute(path: &Path) -> Result<PathBuf> {
    match remote::url(path) {
        Some(url) => Ok(url.into()),
        None => std::path::absolute(path)
            .map_err(|error| Error::io("finding the absolute path", error).at_file(path)),
    }
}

/// Returns the name of a file without its folder and `.asdf`.
pub(super) fn stem(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text =
        if remote::url(path).is_some() { text.split(['?', '#']).next().unwrap_or_default() } else { &text };
    let name = text.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or_default();
    name.strip_suffix(".asdf").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_replaces_the_folder() {
        let input = Path::new("/d/x.asdf");
        let of = |base, path: &str| Locations { base, input }.of(Path::new(path));
        assert_eq!(of(None, "/d/x.asdf").unwrap(), "/d/x.asdf");
        assert_eq!(of(Some("s3://b/c/"), "/d/x.asdf").unwrap(), "s3://b/c/x.asdf");
        assert_eq!(of(Some("s3://b"), "/d/e/y.asdf").unwrap(), "s3://b/e/y.asdf");
        assert!(of(Some("s3://b"), "/e/y.asdf").is_err());
        assert_eq!(of(None, "https://h/x.asdf?a=1").unwrap(), "https://h/x.asdf?a=1");
    }

    #[test]
    fn stems_are_names_without_extension() {
        for (path, expected) in [
            ("a/x.asdf", "x"),
            ("x.fits", "x.fits"),
            ("https://h/a/x.asdf?s=/1", "x"),
            ("s3://b/y.asdf", "y"),
        ] {
            assert_eq!(stem(Path::new(path)), expected);
        }
    }
}

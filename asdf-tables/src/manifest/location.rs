//! Where the readers of a manifest find the files.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use asdf_core::{Error, Result};

/// The locations of a file, and of the files that its arrays are in, as a manifest names them.
///
/// These are URLs as they are, and absolute paths; or a base URL in place of the folder of the file.
///
/// # Examples
/// ```
/// use std::path::Path;
/// use asdf_tables::manifest::Location;
///
/// let location = Location::new("/data/night/image.asdf").base_url("s3://bucket/night");
/// assert_eq!(location.url()?, "s3://bucket/night/image.asdf");
/// assert_eq!(location.of(Path::new("/data/night/parts/image0000.asdf"))?, "s3://bucket/night/parts/image0000.asdf");
/// assert_eq!(location.stem(), "image");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Location {
    input: PathBuf,
    base: Option<String>,
}

impl Location {
    /// Creates the locations of the file at a path or URL.
    #[must_use]
    pub fn new(input: impl Into<PathBuf>) -> Self {
        Self { input: input.into(), base: None }
    }

    /// Sets the URL that replaces the folder of the file.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base = Some(url.into());
        self
    }

    /// Returns the location of the file itself.
    ///
    /// # Errors
    /// Like [`of`](Self::of).
    pub fn url(&self) -> Result<String> {
        self.of(&self.input)
    }

    /// Returns the location of a file that an array is in.
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) if the path is not UTF-8, or the file is not in the folder that
    /// the base URL replaces.
    pub fn of(&self, path: &Path) -> Result<String> {
        let whole = absolute(path)?;
        let Some(base) = &self.base else {
            let text = whole.to_str().map(str::to_owned);
            return text
                .ok_or_else(|| Error::unsupported("the path is not UTF-8, as JSON requires").at_file(path));
        };
        let input = absolute(&self.input)?;
        let below = input.parent().and_then(|folder| whole.strip_prefix(folder).ok());
        let steps =
            below.and_then(|below| below.iter().map(|step| step.to_str()).collect::<Option<Vec<_>>>());
        let steps = steps.ok_or_else(|| {
            Error::unsupported("the file of the array is not in the folder that the base URL replaces")
        })?;
        Ok(format!("{}/{}", base.trim_end_matches('/'), steps.join("/")))
    }

    /// Returns the name of the file without its folder and `.asdf`, for its group.
    #[must_use]
    pub fn stem(&self) -> String {
        let text = self.input.to_string_lossy();
        let text =
            if is_url(&self.input) { text.split(['?', '#']).next().unwrap_or_default() } else { &text };
        let name = text.rsplit(['/', MAIN_SEPARATOR]).next().unwrap_or_default();
        name.strip_suffix(".asdf").unwrap_or(name).to_owned()
    }
}

/// Returns whether a path is a URL, rather than one of this machine.
fn is_url(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|text| text.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Returns a path of this machine as an absolute one, and a URL as it is.
fn absolute(path: &Path) -> Result<PathBuf> {
    match is_url(path) {
        true => Ok(path.to_owned()),
        false => std::path::absolute(path)
            .map_err(|error| Error::io("finding the absolute path", error).at_file(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_replaces_the_folder() {
        let of = |base: Option<&str>, path: &str| {
            let location = Location::new("/d/x.asdf");
            base.map_or(location.clone(), |base| location.base_url(base)).of(Path::new(path))
        };
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
            assert_eq!(Location::new(path).stem(), expected);
        }
    }
}

//! Paths that are URLs.

use std::path::Path;

/// Returns the URL that a path is; `None` for paths of this machine.
#[cfg(feature = "remote")]
pub(crate) fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| asdf_remote::is_url(text))
}

#[cfg(not(feature = "remote"))]
pub(crate) fn url(path: &Path) -> Option<&str> {
    const SCHEMES: [&str; 8] = ["s3", "gs", "az", "abfs", "abfss", "http", "https", "file"];
    let text = path.to_str()?;
    text.split_once("://").is_some_and(|(scheme, _)| SCHEMES.contains(&scheme)).then_some(text)
}

/// Parses the URL of a folder.
pub(crate) fn parse(text: &str) -> std::result::Result<String, String> {
    match url(Path::new(text)) {
        Some(url) => Ok(url.to_owned()),
        None => Err("expected a URL, as in s3://bucket/folder/".to_owned()),
    }
}

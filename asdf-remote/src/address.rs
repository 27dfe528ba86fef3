//! The address of a file: a URL in its parts.

use asdf_core::error::Hint;
use asdf_core::{Error, Result};
use url::Url;

/// The kind of a store, by the scheme of its URLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    S3,
    Google,
    Azure,
    Web,
    Disk,
}

/// Schemes and the kinds of their stores.
const SCHEMES: &[(&str, Kind)] = &[
    ("s3", Kind::S3),
    ("s3a", Kind::S3),
    ("gs", Kind::Google),
    ("az", Kind::Azure),
    ("azure", Kind::Azure),
    ("abfs", Kind::Azure),
    ("abfss", Kind::Azure),
    ("http", Kind::Web),
    ("https", Kind::Web),
    ("file", Kind::Disk),
];

/// Returns whether a text is a URL with a scheme that this crate opens, such as `s3://bucket/key`.
#[must_use]
pub fn is_url(text: &str) -> bool {
    split(text).is_some()
}

fn split(text: &str) -> Option<(Kind, &str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    let (_, kind) = SCHEMES.iter().find(|(known, _)| scheme.eq_ignore_ascii_case(known))?;
    Some((*kind, scheme, rest))
}

/// A URL in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) kind: Kind,
    /// The scheme and the bucket, container or server: `s3://bucket`, `https://host:8080`.
    pub(crate) origin: String,
    /// The bucket, container or server alone.
    pub(crate) bucket: String,
    /// The key of an object store, the path of a file, or path and query of a web server without the first `/`.
    pub(crate) key: String,
}

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let Some((kind, scheme, rest)) = split(text) else {
            return Err(Error::usage("not a URL that can be opened").with_hint(
                "use s3://, gs://, az://, abfs://, https://, http:// or file://, or the path of a file",
            ));
        };
        let scheme = scheme.to_ascii_lowercase();
        if kind == Kind::Disk {
            let path = Url::parse(text).ok().and_then(|url| url.to_file_path().ok());
            let path = path.and_then(|path| path.to_str().map(str::to_owned));
            let key = path.ok_or_else(|| Error::usage("not the URL of a file on this machine"))?;
            return Ok(Self { kind, origin: "file://".to_owned(), bucket: String::new(), key });
        }
        if kind == Kind::Web {
            let url = Url::parse(text).map_err(|error| Error::usage(format!("not a URL: {error}")))?;
            let bucket = url.host_str().unwrap_or_default().to_owned();
            // With user and password, if there are any.
            let key = url.as_str().get(url.path_range_start()..).unwrap_or_default();
            let key = key.split('#').next().unwrap_or_default().trim_start_matches('/').to_owned();
            let origin = url.as_str().get(..url.path_range_start()).unwrap_or_default().to_owned();
            return Ok(Self { kind, origin, bucket, key });
        }
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(Error::usage("the URL does not name a bucket")
                .with_hint(format!("write {scheme}://BUCKET/KEY")));
        }
        Ok(Self {
            kind,
            origin: format!("{scheme}://{bucket}"),
            bucket: bucket.to_owned(),
            key: key.to_owned(),
        })
    }

    /// The whole URL.
    pub(crate) fn url(&self) -> String {
        match self.kind {
            Kind::Disk => self.key.clone(),
            _ => format!("{}/{}", self.origin, self.key),
        }
    }

    /// The same store with another key.
    pub(crate) fn with_key(&self, key: impl Into<String>) -> Self {
        Self { key: key.into(), ..self.clone() }
    }

    /// The key up to its last `/`, with it.
    pub(crate) fn folder(&self) -> &str {
        let path = self.key.split('?').next().unwrap_or_default();
        let path = if self.kind == Kind::Web { path } else { &self.key };
        path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default()
    }

    /// The address to which a URI reference in the file at this address leads.
    ///
    /// It has to be in the folder of this file, in one of the allowed folders, or below them. `names` begins the message
    /// of a refusal.
    pub(crate) fn locate(&self, uri: &str, names: &str, allowed: &[Self]) -> Result<Self> {
        let refused = |why: &str| Error::unsupported(format!("{names} '{}', {why}", uri.escape_debug()));
        let outside = || refused("which is outside the folder of this file").with_hint(allow_url());
        if uri.is_empty() || uri.contains('#') {
            return Err(refused("which is not the URI of a file"));
        }
        let located = match split(uri) {
            Some(_) => Self::parse(uri)?,
            None if uri.split('/').next().is_some_and(|first| first.contains(':')) => return Err(outside()),
            // Of an object, it could be a path in the bucket or on a disk.
            None if uri.starts_with('/') && self.kind != Kind::Web => return Err(outside()),
            None if self.kind == Kind::Web => {
                let base = Url::parse(&self.url()).map_err(|_| refused("which is not the URI of a file"))?;
                let joined = base.join(uri).map_err(|_| refused("which is not the URI of a file"))?;
                Self::parse(joined.as_str())?
            }
            None => {
                let path = percent_decode(uri).ok_or_else(|| refused("which is not the URI of a file"))?;
                self.with_key(format!("{}{path}", self.folder()))
            }
        };
        let straight = located.with_key(straight(&located.key).ok_or_else(outside)?);
        let is_below =
            |base: &Self| straight.origin == base.origin && straight.key.starts_with(base.folder());
        match is_below(self) || (straight.kind != Kind::Disk && allowed.iter().any(is_below)) {
            true => Ok(straight),
            false => Err(outside()),
        }
    }

    /// The address of a folder. A `/` at the end can be left out.
    pub(crate) fn of_folder(url: &str) -> Result<Self> {
        let address = Self::parse(url)?;
        Ok(match address.key.is_empty() || address.key.ends_with('/') {
            true => address,
            false => address.with_key(format!("{}/", address.key)),
        })
    }
}

/// The hint to allow other URLs, which programs recognize by its name.
fn allow_url() -> Hint {
    Hint::Named { name: "asdf-remote/allow-url", text: "allow its folder with `Remote::allow_url`".into() }
}

/// Removes each `.` and each `..` with the name before it. `None` if a `..` leads above the bucket.
fn straight(key: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in key.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The byte at which the path of a URL begins.
trait PathStart {
    fn path_range_start(&self) -> usize;
}

impl PathStart for Url {
    fn path_range_start(&self) -> usize {
        let end = url::Position::BeforePath;
        self[..end].len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_split_into_store_and_key() {
        for (text, kind, origin, key) in [
            ("s3://bucket/a/b c.asdf", Kind::S3, "s3://bucket", "a/b c.asdf"),
            ("S3://bucket/a%20b?c#d", Kind::S3, "s3://bucket", "a%20b?c#d"),
            ("gs://bucket", Kind::Google, "gs://bucket", ""),
            ("abfss://c@acc.dfs.core.windows.net/k", Kind::Azure, "abfss://c@acc.dfs.core.windows.net", "k"),
            ("https://Host:8443/a%20b.asdf?sig=1#x", Kind::Web, "https://host:8443", "a%20b.asdf?sig=1"),
            ("http://user:word@host/a/../b.asdf", Kind::Web, "http://user:word@host", "b.asdf"),
            ("file:///tmp/a%20b.asdf", Kind::Disk, "file://", "/tmp/a b.asdf"),
        ] {
            let found = Address::parse(text).unwrap();
            assert_eq!(
                (found.kind, found.origin.as_str(), found.key.as_str()),
                (kind, origin, key),
                "{text}"
            );
        }
        for text in ["s3:///key", "ftp://host/a", "a.asdf", "/a/b://c", "https://", "file://host/a"] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        assert!(is_url("s3://b/k") && !is_url("dir/s3.asdf") && !is_url("C://x"));
    }

    #[test]
    fn references_stay_in_the_folder_of_the_file() {
        let located = |base: &str, uri: &str| {
            Address::parse(base).unwrap().locate(uri, "the reference leads to", &[]).map(|found| found.url())
        };
        for (base, uri, expected) in [
            ("s3://b/x/a.asdf", "c%20d.asdf", "s3://b/x/c d.asdf"),
            ("s3://b/x/a.asdf", "./y/../c.asdf", "s3://b/x/c.asdf"),
            ("s3://b/x/a.asdf", "s3://b/x/y/c.asdf", "s3://b/x/y/c.asdf"),
            ("https://h/x/a.asdf?sig=1", "c%20d.asdf", "https://h/x/c%20d.asdf"),
            ("https://h/a.asdf", "c.asdf", "https://h/c.asdf"),
        ] {
            assert_eq!(located(base, uri).unwrap(), expected, "{base} {uri}");
        }
        for (base, uri) in [
            ("s3://b/x/a.asdf", "../c.asdf"),
            ("s3://b/x/a.asdf", "/x/c.asdf"),
            ("s3://b/x/a.asdf", "s3://other/x/c.asdf"),
            ("s3://b/x/a.asdf", "../../c.asdf"),
            ("s3://b/x/a.asdf", "y/../../c.asdf"),
            ("s3://b/x/a.asdf", "%2e%2e/c.asdf"),
            ("s3://b/x/a.asdf", "file:///etc/passwd"),
            ("s3://b/x/a.asdf", "http://169.254.169.254/"),
            ("https://h/x/a.asdf", "../c.asdf"),
            ("https://h/x/a.asdf", "//other/x/c.asdf"),
            ("https://h/x/a.asdf", "https://h:8080/x/c.asdf"),
            ("https://h/x/a.asdf", "http://h/x/c.asdf"),
            ("https://h/x/a.asdf", "ftp://h/x/c.asdf"),
            ("https://h/x/a.asdf", ""),
        ] {
            let error = located(base, uri).unwrap_err();
            assert!(error.message().starts_with("the reference leads to"), "{base} {uri}: {error}");
        }
    }

    #[test]
    fn references_lead_to_allowed_folders() {
        let allowed =
            ["https://h/y", "s3://other/", "file:///etc/"].map(|url| Address::of_folder(url).unwrap());
        let located = |base: &str, uri: &str| {
            let base = Address::parse(base).unwrap();
            base.locate(uri, "the reference leads to", &allowed).map(|found| found.url()).ok()
        };
        for (base, uri, expected) in [
            ("https://h/x/a.asdf", "../y/c.asdf", Some("https://h/y/c.asdf")),
            ("https://h/x/a.asdf", "/y/z/c.asdf", Some("https://h/y/z/c.asdf")),
            ("https://h/x/a.asdf", "s3://other/k", Some("s3://other/k")),
            ("s3://b/x/a.asdf", "https://h/y/c.asdf", Some("https://h/y/c.asdf")),
            ("https://h/x/a.asdf", "../yy/c.asdf", None),
            ("https://h/x/a.asdf", "../y/../z/c.asdf", None),
            ("https://h/x/a.asdf", "http://h/y/c.asdf", None),
            ("https://h/x/a.asdf", "s3://other2/k", None),
            ("https://h/x/a.asdf", "file:///etc/passwd", None),
        ] {
            assert_eq!(located(base, uri).as_deref(), expected, "{base} {uri}");
        }
    }
}

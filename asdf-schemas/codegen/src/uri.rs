//! Identifiers of schemas: references relative to a document, and versions at the end of an id.

use std::cmp::Ordering;
use std::fmt;

/// Resolves a reference against the id of the document that it stands in (RFC 3986, the parts that
/// schemas use) and splits off the fragment, which is unescaped: `../unit/unit-1.0.0` in
/// `http://stsci.edu/schemas/asdf/core/x-1.0.0` is `http://stsci.edu/schemas/asdf/unit/unit-1.0.0`.
pub(crate) fn resolve(base: &str, reference: &str) -> (String, String) {
    let (target, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let base = base.split('#').next().unwrap_or(base);
    (absolute(base, target), pointer(unescape(fragment)))
}

/// The JSON Pointer of a fragment. Published schemas leave out its first slash, as in `#definitions/x`.
fn pointer(fragment: String) -> String {
    if fragment.contains('/') && !fragment.starts_with('/') { format!("/{fragment}") } else { fragment }
}

fn absolute(base: &str, target: &str) -> String {
    if target.is_empty() {
        return base.to_owned();
    }
    if has_scheme(target) {
        return target.to_owned();
    }
    let Some((scheme, rest)) = base.split_once(':') else {
        return target.to_owned();
    };
    if target.starts_with("//") {
        return format!("{scheme}:{target}");
    }
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => match rest.find('/') {
            Some(slash) => (format!("//{}", &rest[..slash]), &rest[slash..]),
            None => (format!("//{rest}"), ""),
        },
        None => (String::new(), rest),
    };
    let joined = if target.starts_with('/') {
        target.to_owned()
    } else {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        format!("{folder}{target}")
    };
    format!("{scheme}:{authority}{}", without_dots(&joined))
}

fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let last = path.rsplit('/').next().unwrap_or_default();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                if parts.len() > 1 {
                    parts.pop();
                }
            }
            part => parts.push(part),
        }
    }
    if matches!(last, "." | "..") {
        parts.push("");
    }
    parts.join("/")
}

/// Undoes `%20` and the like; what is no escape stays.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = (ahead.next(), ahead.next());
        match (byte, digits) {
            (b'%', (Some(high), Some(low))) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push(digit(high).unwrap_or(0) * 16 + digit(low).unwrap_or(0));
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The version at the end of an id or a tag: `1.1.0`, `1.7.0-dev`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    numbers: [u64; 3],
    /// What follows a second hyphen.
    extra: Option<String>,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let (numbers, extra) = match text.split_once('-') {
            Some((numbers, extra)) => (numbers, Some(extra.to_owned())),
            None => (text, None),
        };
        let mut parts = numbers.split('.');
        let mut next = || -> Option<u64> {
            let part = parts.next()?;
            if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
        };
        let numbers = [next()?, next()?, next()?];
        parts.next().is_none().then_some(Self { numbers, extra })
    }

    /// As the end of the name of a variant: `V1_1_0`.
    pub(crate) fn variant(&self) -> String {
        let mut name = self.module();
        name.replace_range(..1, "V");
        name
    }

    /// As the name of a module: `v1_1_0`.
    pub(crate) fn module(&self) -> String {
        let [major, minor, patch] = self.numbers;
        let extra: String = self.extra.iter().flat_map(|extra| ["_", extra]).collect();
        let extra: String = extra.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("v{major}_{minor}_{patch}{}", extra.to_lowercase())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        // `1.7.0-dev` is before `1.7.0`.
        let released = |version: &Self| version.extra.is_none();
        (self.numbers, released(self), &self.extra).cmp(&(other.numbers, released(other), &other.extra))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        self.extra.iter().try_for_each(|extra| write!(f, "-{extra}"))
    }
}

/// Splits the version off an id or a tag: `.../software-1.0.0` is `.../software` and `1.0.0`.
pub(crate) fn split_version(id: &str) -> (&str, Option<Version>) {
    for (at, _) in id.match_indices('-') {
        if let Some(version) = id.get(at + 1..).and_then(Version::parse) {
            return (&id[..at], Some(version));
        }
    }
    (id, None)
}

/// Whether the tag of a manifest can be that of a type: a whole URI with a version of three numbers.
pub(crate) fn is_tag(uri: &str) -> bool {
    has_scheme(uri) && split_version(uri).1.is_some()
}

/// Whether every tag that fits the pattern `narrow` fits one of `wide`. May say no where yes is
/// right, for patterns with stars in odd places.
pub(crate) fn covers(wide: &str, narrow: &str) -> bool {
    // A double star may hold slashes, which a single star of `wide` must not be taken to match.
    asdf_core::tree::tag_matches(wide, &narrow.replace("**", "*/*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_as_rfc_3986_says() {
        let base = "http://stsci.edu/schemas/asdf/core/asdf-1.1.0";
        for (reference, id, fragment) in [
            ("software-1.0.0", "http://stsci.edu/schemas/asdf/core/software-1.0.0", ""),
            ("../unit/unit-1.0.0#/a", "http://stsci.edu/schemas/asdf/unit/unit-1.0.0", "/a"),
            ("#/definitions/x%20y%zz", base, "/definitions/x y%zz"),
            ("#definitions/x", base, "/definitions/x"),
            ("#anchor", base, "anchor"),
            ("#", base, ""),
            ("", base, ""),
            ("/x", "http://stsci.edu/x", ""),
            ("//other.org/x", "http://other.org/x", ""),
            ("asdf://a/b", "asdf://a/b", ""),
            ("tag:x,y:z", "tag:x,y:z", ""),
            ("../../../../../x", "http://stsci.edu/x", ""),
            ("./x", "http://stsci.edu/schemas/asdf/core/x", ""),
            ("..", "http://stsci.edu/schemas/asdf/", ""),
        ] {
            assert_eq!(resolve(base, reference), (id.to_owned(), fragment.to_owned()), "{reference}");
        }
        assert_eq!(resolve("asdf://host", "x").0, "asdf://hostx");
        assert_eq!(resolve("no-scheme", "x").0, "x");
    }

    #[test]
    fn versions_are_at_the_end_and_in_order() {
        let (stem, version) = split_version("http://x/history_entry-1.0.0");
        assert_eq!((stem, version.unwrap().module().as_str()), ("http://x/history_entry", "v1_0_0"));
        let (stem, version) = split_version("http://x-1.y/a-1.7.0-dev.2");
        assert_eq!((stem, version.unwrap().module().as_str()), ("http://x-1.y/a", "v1_7_0_dev_2"));
        assert_eq!(split_version("http://x/draft-01").1, None);
        let version = |text: &str| Version::parse(text).unwrap();
        assert!(version("1.10.0") > version("1.9.0") && version("1.7.0-dev") < version("1.7.0"));
        assert_eq!(version("1.7.0-dev").to_string(), "1.7.0-dev");
    }

    #[test]
    fn wide_patterns_cover_narrow_ones() {
        assert!(covers("tag:a/nd-*", "tag:a/nd-1.*") && covers("tag:a/nd-*", "tag:a/nd-1.0.0"));
        assert!(
            covers("tag:**", "tag:a/**")
                && !covers("tag:*", "tag:**")
                && !covers("tag:a/nd-1.0.0", "tag:a/nd-1.*")
        );
    }
}

//! URI references (RFC 3986).

use std::fmt::Write as _;

use crate::pointer;

/// The reserved characters that a path or fragment can contain, without the colon.
///
/// Paths and fragments can also contain letters, digits and `-._~`.
pub const PATH: &[u8] = b"/!$&'()*+,;=@";

/// Splits a URI reference at its `#`. Without `#`, the fragment is empty.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::uri;
///
/// assert_eq!(uri::split("a-1.0.0#/x"), ("a-1.0.0", "/x"));
/// ```
#[must_use]
pub fn split(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// Resolves a `$ref` in the schema with the id `base`.
///
/// Returns the id of the other schema and the JSON Pointer in it.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::uri;
///
/// let base = "http://stsci.edu/schemas/asdf/core/asdf-1.1.0";
/// let (id, pointer) = uri::resolve(base, "../unit/unit-1.0.0#definitions/x%20y");
/// assert_eq!(id, "http://stsci.edu/schemas/asdf/unit/unit-1.0.0");
/// assert_eq!(pointer, "/definitions/x y");
/// ```
#[must_use]
pub fn resolve(base: &str, reference: &str) -> (String, String) {
    let (uri, fragment) = split(reference);
    (join(split(base).0, uri), pointer::from_fragment(decode(fragment)))
}

/// Resolves a URI reference against the URI of the document that contains it (RFC 3986, section 5.2).
///
/// `..` never leaves the host. The base does not have to be absolute.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::uri;
///
/// assert_eq!(uri::join("asdf://x.org/a/b", "../../../c"), "asdf://x.org/c");
/// ```
#[must_use]
pub fn join(base: &str, reference: &str) -> String {
    let (base, wanted) = (Parts::of(base), Parts::of(reference));
    let mut parts = wanted;
    let mut path = without_dots(wanted.path);
    if wanted.scheme.is_none() {
        parts.scheme = base.scheme;
        if wanted.authority.is_none() {
            parts.authority = base.authority;
            if wanted.path.is_empty() {
                path = base.path.to_owned();
                parts.query = wanted.query.or(base.query);
            } else if !wanted.path.starts_with('/') {
                let folder = match base.path.rfind('/') {
                    Some(slash) => base.path.get(..=slash).unwrap_or_default(),
                    None if base.authority.is_some() => "/",
                    None => "",
                };
                path = without_dots(&format!("{folder}{}", wanted.path));
            }
        }
    }
    let mut uri = String::new();
    for (before, part, after) in [
        ("", parts.scheme, ":"),
        ("//", parts.authority, ""),
        ("", Some(path.as_str()), ""),
        ("?", parts.query, ""),
        ("#", parts.fragment, ""),
    ] {
        if let Some(part) = part {
            uri.extend([before, part, after]);
        }
    }
    uri
}

/// Returns whether text begins with a scheme, such as `asdf:`, so that it is a whole URI.
#[must_use]
pub fn has_scheme(uri: &str) -> bool {
    Parts::of(uri).scheme.is_some()
}

/// Decodes percent-encoding, and keeps text that is not encoded correctly.
///
/// A `%` without two hexadecimal digits is kept; bytes that are not UTF-8 are replaced.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::uri;
///
/// assert_eq!(uri::decode("x%20y%zz"), "x y%zz");
/// ```
#[must_use]
pub fn decode(text: &str) -> String {
    String::from_utf8_lossy(&bytes(text).0).into_owned()
}

/// Decodes percent-encoding, and returns `None` for text that is not encoded correctly.
///
/// This is text with a `%` without two hexadecimal digits, or text that does not decode to UTF-8.
#[must_use]
pub fn decode_strict(text: &str) -> Option<String> {
    let (bytes, is_whole) = bytes(text);
    String::from_utf8(bytes).ok().filter(|_| is_whole)
}

/// Percent-encodes all bytes except ASCII letters, digits, `-._~` and the bytes in `kept`.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::uri;
///
/// assert_eq!(uri::encode("/a b/é", uri::PATH), "/a%20b/%C3%A9");
/// ```
#[must_use]
pub fn encode(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// The decoded bytes of a text, and whether each `%` began an escape sequence.
fn bytes(text: &str) -> (Vec<u8>, bool) {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = Vec::with_capacity(text.len());
    let mut is_whole = true;
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escape = after.split_first_chunk::<2>().filter(|_| byte == b'%');
        let escape = escape.and_then(|([high, low], after)| Some((digit(*high)? * 16 + digit(*low)?, after)));
        is_whole &= byte != b'%' || escape.is_some();
        match escape {
            Some((decoded, after)) => {
                bytes.push(decoded);
                rest = after;
            }
            None => bytes.push(byte),
        }
    }
    (bytes, is_whole)
}

/// The parts of a URI reference.
#[derive(Clone, Copy)]
struct Parts<'t> {
    scheme: Option<&'t str>,
    authority: Option<&'t str>,
    path: &'t str,
    query: Option<&'t str>,
    fragment: Option<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(reference: &'t str) -> Self {
        let cut = |text: &'t str, at: char| match text.split_once(at) {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let (rest, fragment) = cut(reference, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query, fragment }
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// A path without `.` and `..` (RFC 3986, section 5.2.4).
fn without_dots(path: &str) -> String {
    let (root, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if matches!(rest.rsplit('/').next(), Some("." | "..")) && !(root.is_empty() && parts.is_empty()) {
        parts.push("");
    }
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
    #[test]
    fn references_resolve_as_rfc_3986_says() {
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http:g"),
        ] {
            assert_eq!(join("http://a/b/c/d;p?q", reference), expected, "{reference}");
        }
    }

    #[test]
    fn other_bases() {
        for (base, reference, expected) in [
            ("tag:x.org:a/b", "c", "tag:x.org:a/c"),
            ("asdf://host", "x", "asdf://host/x"),
            ("no-scheme", "x", "x"),
            ("a/b", "x", "a/x"),
            ("http://x.org/a/b", "/c/./d", "http://x.org/c/d"),
            ("http://x.org/a/b", "tag:x,y:z", "tag:x,y:z"),
            ("http://x.org/a/b", "1:c", "http://x.org/a/1:c"),
        ] {
            assert_eq!(join(base, reference), expected, "{base} {reference}");
        }
    }

    #[test]
    fn schemas_refer_to_places_in_schemas() {
        let base = "http://stsci.edu/schemas/asdf/core/asdf-1.1.0";
        for (reference, id, pointer) in [
            ("software-1.0.0", "http://stsci.edu/schemas/asdf/core/software-1.0.0", ""),
            ("../unit/unit-1.0.0#/a", "http://stsci.edu/schemas/asdf/unit/unit-1.0.0", "/a"),
            ("#/definitions/x%20y%zz", base, "/definitions/x y%zz"),
            ("#definitions/x", base, "/definitions/x"),
            ("#anchor", base, "anchor"),
            ("#", base, ""),
            ("", base, ""),
        ] {
            assert_eq!(resolve(base, reference), (id.to_owned(), pointer.to_owned()), "{reference}");
        }
        assert_eq!(resolve("asdf://x.org/a#", "#/b"), ("asdf://x.org/a".to_owned(), "/b".to_owned()));
    }

    #[test]
    fn percent_encoding() {
        for (text, decoded, is_whole) in [
            ("a%41%c3%A9", "aA\u{e9}", true),
            ("%", "%", false),
            ("%4", "%4", false),
            ("%+1%4g%%41", "%+1%4g%A", false),
            ("\u{e9}", "\u{e9}", true),
        ] {
            assert_eq!(decode(text), decoded, "{text}");
            assert_eq!(decode_strict(text), is_whole.then(|| decoded.to_owned()), "{text}");
        }
        assert_eq!((decode("%FF"), decode_strict("%FF")), ("\u{fffd}".to_owned(), None));
        assert_eq!(encode("a b:c/d~\u{e9}", b"/"), "a%20b%3Ac/d~%C3%A9");
        assert_eq!(decode_strict(&encode("#?%\n", b"")).as_deref(), Some("#?%\n"));
        assert!(has_scheme("tag:x") && has_scheme("a+b-c.d:") && !has_scheme("1:x") && !has_scheme("/a:b"));
    }
}

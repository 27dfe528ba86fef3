//! Checking URIs.

use crate::error::{Error, Result};

/// Checks that a text is an absolute URI: a scheme such as `asdf:`, then characters that RFC 3986 allows.
///
/// `what` names the identified thing in the message.
pub(crate) fn check(uri: &str, what: &str, example: &str) -> Result<()> {
    if is_uri(uri) {
        return Ok(());
    }
    let shown = uri.chars().take(60).collect::<String>();
    Err(Error::usage(format!("found `{}`, expected the URI of {what}", shown.escape_debug()))
        .with_hint(format!("write an absolute URI such as `{example}`")))
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let named = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    // Two hexadecimal digits must follow each percent sign.
    let escaped = rest.split('%').skip(1).all(|after| {
        after.get(..2).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    });
    named && !rest.is_empty() && rest.bytes().all(allowed) && escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        for uri in [
            "asdf://example.org/camera/extensions/camera-1.0.0",
            "http://stsci.edu/schemas/yaml-schema/draft-01",
            "tag:stsci.edu:asdf/core/ndarray-1.1.0",
            "a+b-c.d:e%20f",
            "urn:x",
        ] {
            assert!(is_uri(uri), "{uri}");
        }
        for text in [
            "",
            "not a uri",
            "asdf",
            "asdf:",
            "://x",
            "1a:b",
            "a:b c",
            "a:é",
            "a:%2",
            "a:%zz",
            "a:b\n",
            "/a/b",
            "a_b:c",
        ] {
            assert!(!is_uri(text), "{text}");
        }
        let error = check("not a uri", "an extension", "asdf://example.org/x-1.0.0").unwrap_err();
        assert_eq!(
            error.to_string(),
            "found `not a uri`, expected the URI of an extension\n  hint: write an absolute URI such as `asdf://example.org/x-1.0.0`"
        );
    }
}

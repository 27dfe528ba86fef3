//! JSON Pointers (RFC 6901): `/properties/a~1b`.

use std::borrow::Cow;

/// Returns the steps of a pointer, unescaped. Text before the first slash is skipped.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::pointer;
///
/// assert_eq!(pointer::steps("/a~1b/0").collect::<Vec<_>>(), ["a/b", "0"]);
/// assert_eq!(pointer::steps("").count(), 0);
/// ```
pub fn steps(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescape)
}

/// Unescapes a step: `a~1b` becomes `a/b`. The result is borrowed if nothing is escaped.
#[must_use]
pub fn unescape(step: &str) -> Cow<'_, str> {
    match step.contains('~') {
        true => step.replace("~1", "/").replace("~0", "~").into(),
        false => step.into(),
    }
}

/// Escapes a step: `a/b` becomes `a~1b`. The result is borrowed if nothing has to be escaped.
#[must_use]
pub fn escape(step: &str) -> Cow<'_, str> {
    match step.contains(['~', '/']) {
        true => step.replace('~', "~0").replace('/', "~1").into(),
        false => step.into(),
    }
}

/// Returns the pointer for the decoded fragment of a reference.
///
/// Some published schemas omit the first slash, as in `#definitions/x`, and the Python library asdf accepts that. A
/// fragment without a slash is the name of an anchor and is returned unchanged.
#[must_use]
pub fn from_fragment(fragment: String) -> String {
    if fragment.contains('/') && !fragment.starts_with('/') { format!("/{fragment}") } else { fragment }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_escaped_and_unescaped() {
        for (step, escaped) in [("a", "a"), ("a/b", "a~1b"), ("~1", "~01"), ("", ""), ("~/", "~0~1")] {
            assert_eq!(escape(step), escaped);
            assert_eq!(unescape(escaped), step);
            assert_eq!(steps(&format!("/x/{escaped}")).last().as_deref(), Some(step));
        }
        // Some published schemas have a `~` that is not an escape sequence.
        assert_eq!(unescape("a~b"), "a~b");
    }

    #[test]
    fn fragments_are_pointers() {
        for (fragment, pointer) in
            [("", ""), ("/a", "/a"), ("definitions/x", "/definitions/x"), ("anchor", "anchor")]
        {
            assert_eq!(from_fragment(fragment.to_owned()), pointer);
        }
    }
}

//! The patterns of --ignore.

use asdf_core::tree::Path;

/// Parses the pattern of a path. One that does not begin with `/` or `*` has dots and brackets, as in Python's
/// asdftool: `a.b[0].c`, `a.b[*]`.
pub(super) fn pattern(text: &str) -> Result<String, String> {
    Path::pattern(text).ok_or_else(|| "expected a path such as /history or history.entries[0]".to_owned())
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn paths_of_both_kinds() {
        for (text, path) in [
            ("/a/b", "/a/b"),
            ("**/date", "**/date"),
            ("asdf_library", "/asdf_library"),
            ("history.extensions[0].software", "/history/extensions/0/software"),
            ("list[*].x", "/list/*/x"),
            ("list[].x", "/list/*/x"),
            ("\"a-b\".c", "/a-b/c"),
        ] {
            assert_eq!(pattern(text).as_deref(), Ok(path));
        }
        assert!(pattern("a | b").is_err() && pattern("").is_err() && pattern("a[0").is_err());
    }
}

//! Matching tags against patterns.

/// Returns whether a tag matches a pattern.
///
/// `*` matches any characters but `/`, and `**` matches any characters. Everything else matches itself.
/// Schemas (`tag:`), derived types (`accepts`) and extension manifests use such patterns to name several
/// versions at once.
///
/// # Examples
/// ```
/// use asdf_core::tree::tag_matches;
///
/// assert!(tag_matches("tag:stsci.edu:asdf/core/ndarray-*", "tag:stsci.edu:asdf/core/ndarray-1.1.0"));
/// assert!(!tag_matches("asdf://example.org/*", "asdf://example.org/tags/camera-1.0.0"));
/// assert!(tag_matches("asdf://example.org/**", "asdf://example.org/tags/camera-1.0.0"));
/// ```
#[doc(alias = "uri_match")]
#[doc(alias = "wildcard")]
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks every index")]
pub const fn tag_matches(pattern: &str, tag: &str) -> bool {
    // Backtracking points at which a star takes one more byte: the last single star and the last double one.
    // A single star before a double one never needs it, because the double star can take the same bytes.
    let (pattern, tag) = (pattern.as_bytes(), tag.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut single: Option<(usize, usize)> = None;
    let mut double: Option<(usize, usize)> = None;
    loop {
        if p < pattern.len() && pattern[p] == b'*' {
            if p + 1 < pattern.len() && pattern[p + 1] == b'*' {
                p += 2;
                (double, single) = (Some((p, t)), None);
            } else {
                p += 1;
                single = Some((p, t));
            }
            continue;
        }
        if p < pattern.len() && t < tag.len() && pattern[p] == tag[t] {
            (p, t) = (p + 1, t + 1);
            continue;
        }
        if p == pattern.len() && t == tag.len() {
            return true;
        }
        match (single, double) {
            (Some((after, from)), _) if from < tag.len() && tag[from] != b'/' => {
                single = Some((after, from + 1));
                (p, t) = (after, from + 1);
            }
            (_, Some((after, from))) if from < tag.len() => {
                (double, single) = (Some((after, from + 1)), None);
                (p, t) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tag_matches;

    #[test]
    fn stars() {
        let quantity = "tag:stsci.edu:asdf/unit/quantity-1.2.0";
        assert!(tag_matches(quantity, quantity));
        assert!(tag_matches("tag:stsci.edu:asdf/unit/quantity-1.*", quantity));
        assert!(tag_matches("tag:**/quantity-*", quantity));
        assert!(!tag_matches("tag:*/quantity-*", quantity));
        assert!(!tag_matches("tag:stsci.edu:asdf/unit/quantity-2.*", quantity));
        assert!(!tag_matches("tag:stsci.edu:asdf/unit/quantity-1.2", quantity));
        assert!(tag_matches("**", quantity) && !tag_matches("*", quantity) && !tag_matches("", quantity));
    }
    /// Implements the documented rule by trying everything.
    fn fits(pattern: &[u8], tag: &[u8]) -> bool {
        match (pattern, tag) {
            ([b'*', b'*', rest @ ..], _) => (0..=tag.len()).any(|taken| fits(rest, &tag[taken..])),
            ([b'*', rest @ ..], _) => {
                let most = tag.iter().position(|&byte| byte == b'/').unwrap_or(tag.len());
                (0..=most).any(|taken| fits(rest, &tag[taken..]))
            }
            ([], []) => true,
            ([a, pattern @ ..], [b, tag @ ..]) => a == b && fits(pattern, tag),
            _ => false,
        }
    }

    #[test]
    fn every_short_pattern_matches_as_documented() {
        let words = |letters: &str| {
            let mut all = vec![String::new()];
            let mut last = all.clone();
            for _ in 0..6 {
                last =
                    last.iter().flat_map(|word| letters.chars().map(move |c| format!("{word}{c}"))).collect();
                all.extend_from_slice(&last);
            }
            all
        };
        let tags = words("a/");
        for pattern in words("a/*") {
            for tag in &tags {
                assert_eq!(
                    tag_matches(&pattern, tag),
                    fits(pattern.as_bytes(), tag.as_bytes()),
                    "{pattern} {tag}"
                );
            }
        }
    }
}

//! Matching tags against patterns.

/// Whether a tag fits a pattern: `*` stands for any characters but `/`, `**` for any characters at
/// all, everything else for itself. This is how `tag:` in schemas, `accepts` in derived types and
/// extension manifests name several versions at once.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks every index")]
pub const fn tag_matches(pattern: &str, tag: &str) -> bool {
    // Where to go back to when a star has to take one more byte.
    let (pattern, tag) = (pattern.as_bytes(), tag.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize, bool)> = None;
    loop {
        if p < pattern.len() && pattern[p] == b'*' {
            let double = p + 1 < pattern.len() && pattern[p + 1] == b'*';
            p += if double { 2 } else { 1 };
            star = Some((p, t, double));
            continue;
        }
        if p < pattern.len() && t < tag.len() && pattern[p] == tag[t] {
            (p, t) = (p + 1, t + 1);
            continue;
        }
        if p == pattern.len() && t == tag.len() {
            return true;
        }
        match star {
            Some((after, from, double)) if from < tag.len() && (double || tag[from] != b'/') => {
                star = Some((after, from + 1, double));
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
}

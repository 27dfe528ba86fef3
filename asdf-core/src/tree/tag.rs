//! Matching tags against patterns.

/// Whether a tag fits a pattern: `*` stands for any characters but `/`, `**` for any characters at
/// all, everything else for itself. This is how `tag:` in schemas, `accepts` in derived types and
/// extension manifests name several versions at once.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks every index")]
pub const fn tag_matches(pattern: &str, tag: &str) -> bool {
    // Where to go back to when a star has to take one more byte: the last star, and the last double one. A
    // single star before a double one never has to: what the double one takes, it may take too.
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
    /// What the words say, by trying everything.
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
    fn every_short_pattern_fits_what_it_says() {
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

//! Suggestions for misspelled words.

/// Returns the candidate that a word most likely misspells, if one is close enough.
///
/// A candidate is close enough if at most a third of the word's characters are wrong, missing, extra or swapped with an
/// adjacent one. Case is ignored. If several candidates are equally close, the first in alphabetical order is returned.
/// For words of more than 100 characters the function returns `None`.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::nearest;
///
/// assert_eq!(nearest("widht", &["height", "width"]), Some("width"));
/// assert_eq!(nearest("colour", &["height", "width"]), None);
/// ```
#[must_use]
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    /// Comparing longer words takes too long.
    const LONGEST: usize = 100;
    let length = word.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let fold = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    let word = fold(word);
    let distance = |candidate: &str| strsim::osa_distance(&word, &fold(candidate));
    let (distance, best) = candidates.iter().map(|candidate| (distance(candidate), *candidate)).min()?;
    // One other character makes another word of a single one.
    (distance * 3 <= length.max(3) && distance < length).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_words() {
        let keys = ["width", "height", "depth", "unit", "min_length"];
        for (word, expected) in [
            ("widht", Some("width")),
            ("Width", Some("width")),
            ("heigth", Some("height")),
            ("units", Some("unit")),
            ("minLength", Some("min_length")),
            ("colour", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, &keys), expected, "{word}");
        }
        assert_eq!(nearest("x", &[]), None);
        assert_eq!(nearest(&"x".repeat(101), &[&"x".repeat(101)]), None);
        assert_eq!(nearest("bat", &["cat", "bar"]), Some("bar"));
        assert_eq!(
            [nearest("a", &["b", "ab"]), nearest("a", &["A"]), nearest("ab", &["b"])],
            [None, Some("A"), Some("b")]
        );
    }
}

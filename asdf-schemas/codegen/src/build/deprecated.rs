//! Deprecated schemas.

use asdf_core::NodeRef;

use super::Builder;
use crate::Result;
use crate::library::Place;

impl Builder<'_> {
    /// The deprecation note of a schema, from the schema or the manifest of its tag.
    ///
    /// The schema has `deprecated: true`, or one of them has the word in its title, as in "The domain of an axis.
    /// (deprecated since 1.1.0)".
    pub(super) fn deprecated(&self, place: Place) -> Result<Option<String>> {
        let schema = self.schema(place)?;
        let flag = schema.get("deprecated").and_then(NodeRef::as_bool) == Some(true);
        let in_manifest = self.packages.tags_of(place.document).filter_map(|tag| tag.title.as_deref());
        let said = schema.text("title").into_iter().chain(in_manifest).find_map(words);
        Ok(match said {
            None if flag => Some("deprecated in the schema".to_owned()),
            said => said,
        })
    }
}

/// The words around "deprecated": the text in the same parentheses, or the sentence.
fn words(title: &str) -> Option<String> {
    let at = title.to_ascii_lowercase().find("deprecated")?;
    let (before, after) = title.split_at_checked(at)?;
    let start = before.rfind(['(', '.', '\n']).map_or(0, |start| start + 1);
    let ends = |(index, c): &(usize, char)| match c {
        ')' | '\n' => true,
        // Dots of a version do not end the sentence.
        '.' => !after.get(index + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
        _ => false,
    };
    let end = after.char_indices().find(ends).map_or(title.len(), |(index, _)| at + index);
    Some(title.get(start..end)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_words_around_are_taken() {
        for (title, words) in [
            ("The domain of an axis. (deprecated since 1.1.0)", Some("deprecated since 1.1.0")),
            ("Deprecated: use another.", Some("Deprecated: use another")),
            ("What is deprecated", Some("What is deprecated")),
            ("A domain.", None),
        ] {
            assert_eq!(super::words(title).as_deref(), words, "{title}");
        }
    }
}

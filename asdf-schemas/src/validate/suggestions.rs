//! Suggests the correct spelling of names, within a limit.

use asdf_schema_model::nearest;

/// The suggestions for one node.
///
/// A node can have many faults, and each could be compared with many names, so later faults get no suggestion.
pub(super) struct Suggestions {
    /// The number of names that can still be compared.
    left: usize,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { left: 200_000 }
    }
}

impl Suggestions {
    /// Returns the name that a word most likely misspells. `names` is called only if `count` names can be compared.
    pub(super) fn nearest<'n>(
        &mut self,
        word: &str,
        count: usize,
        names: impl FnOnce() -> Vec<&'n str>,
    ) -> Option<&'n str> {
        self.left = self.left.checked_sub(count)?;
        nearest(word, &names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_faults_get_suggestions() {
        let mut suggestions = Suggestions { left: 5 };
        assert_eq!(suggestions.nearest("widht", 2, || vec!["height", "width"]), Some("width"));
        assert_eq!(suggestions.nearest("colour", 3, || vec!["a", "b", "c"]), None);
        assert_eq!(suggestions.nearest("widht", 1, || unreachable!("no names are left")), None);
    }
}

//! Warnings about content that was not validated because its tags have no schema.

use std::collections::HashMap;

use asdf_core::error::Hint;
use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, Tree};

use super::{Code, Report};

/// The maximum number of warnings.
const MOST: usize = 10;

impl Report {
    /// Returns warnings for content without a schema.
    ///
    /// With a place, the warning is about the nearest tag at or above it. Without one, the warnings are about the tags of
    /// the values directly below the root. `tree` is the tree that was validated.
    ///
    /// ```
    /// use asdf_core::yaml;
    /// use asdf_schemas::Validator;
    ///
    /// let tree = yaml::parse("lens: !<asdf://example.org/tags/lens-1.0.0> {focus: {mm: 35}}")?;
    /// let report = Validator::standard().validate_tree(&tree);
    /// let warnings = report.unchecked_content(&tree, Some(&"/lens/focus/mm".parse()?));
    /// assert_eq!(
    ///     warnings[0].summary().to_string(),
    ///     "/lens: not checked: no schema for the tag asdf://example.org/tags/lens-1.0.0",
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn unchecked_content(&self, tree: &Tree, place: Option<&Path>) -> Vec<Error> {
        let places: Vec<(Path, &str)> = match place {
            Some(place) => {
                let above = std::iter::successors(Some(place.clone()), Path::parent);
                let mut tagged = above.filter_map(|place| {
                    let tag = tree.find(place.as_str()).and_then(NodeRef::own_tag)?;
                    Some((place, tag))
                });
                tagged.next().into_iter().collect()
            }
            None => {
                let entries = tree.root().into_iter().flat_map(NodeRef::entries);
                let tagged = |(key, value): (NodeRef<'_>, _)| {
                    Some((Path::from_iter([key.as_str()?]), NodeRef::own_tag(value)?))
                };
                entries.filter_map(tagged).collect()
            }
        };
        let notes = self.notes().iter().filter(|note| note.code() == Code::UnknownTag);
        let hints: HashMap<&str, Option<&Hint>> =
            notes.filter_map(|note| Some((note.found()?, note.hint()))).collect();
        let warning = |(place, tag): &(Path, &str)| {
            let hint = hints.get(tag)?;
            let message = format!("not checked: no schema for the tag {}", tag.escape_debug());
            let error = Error::unsupported(message).at_path(place.as_str());
            Some(match hint {
                Some(hint) => error.with_hint((*hint).clone()),
                None => error,
            })
        };
        places.iter().filter_map(warning).take(MOST).collect()
    }
}

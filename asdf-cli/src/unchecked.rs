//! Warnings that schemas have nothing to say about the content of a file.

use std::collections::HashMap;

use asdf_core::error::Hint;
use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, Tree};
use asdf_schemas::Report;
use asdf_schemas::validate::Code;

/// More tags without schemas are not named.
const MOST: usize = 10;

/// Warns if the nearest tag at or above a changed place has no schema; without a place, if the values right below the
/// root have tags without schemas.
pub(crate) fn warnings<'t>(tree: &'t Tree, report: &Report, changed: Option<&Path>) -> Vec<Error> {
    let places: Vec<(String, &str)> = match changed {
        Some(changed) => {
            let tagged = |place: String| tag(tree, &place).map(|tag| (place, tag));
            above(changed).into_iter().find_map(tagged).into_iter().collect()
        }
        None => {
            let entries = tree.root().into_iter().flat_map(NodeRef::entries);
            let tagged = |(key, value): (NodeRef<'_>, NodeRef<'t>)| {
                let mut place = Path::root();
                place.push(key.as_str()?);
                Some((place.to_string(), value.own_tag()?))
            };
            entries.filter_map(tagged).collect()
        }
    };
    let notes = report.notes().iter().filter(|note| note.code() == Code::UnknownTag);
    let hints: HashMap<&str, Option<&Hint>> =
        notes.filter_map(|note| Some((note.found()?, note.hint()))).collect();
    let warning = |(place, own): &(String, &str)| {
        let hint = hints.get(own)?;
        let message = format!("not checked: no schema for the tag {}", own.escape_debug());
        let error = Error::unsupported(message).at_path(place);
        Some(match hint {
            Some(hint) => error.with_hint((*hint).clone()),
            None => error,
        })
    };
    places.iter().filter_map(warning).take(MOST).collect()
}

/// A path and all paths above it, the root last.
fn above(path: &Path) -> Vec<String> {
    let path = path.as_str();
    let ends = std::iter::once(path.len()).chain(path.rmatch_indices('/').map(|(at, _)| at));
    ends.filter_map(|end| path.get(..end)).map(str::to_owned).collect()
}

fn tag<'t>(tree: &'t Tree, place: &str) -> Option<&'t str> {
    tree.find(place).and_then(NodeRef::own_tag)
}

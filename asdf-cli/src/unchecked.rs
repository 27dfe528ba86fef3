//! Warnings that schemas have nothing to say about the content of a file.

use asdf_core::tree::NodeRef;
use asdf_core::{Error, Path, Tree};
use asdf_schemas::Report;
use asdf_schemas::validate::Code;

/// Warns if the nearest tag at or above a changed place has no schema; without a place, if the values right below the
/// root have tags without schemas.
pub(crate) fn warnings(tree: &Tree, report: &Report, changed: Option<&Path>) -> Vec<Error> {
    let places: Vec<String> = match changed {
        Some(changed) => {
            above(changed).into_iter().find(|place| tag(tree, place).is_some()).into_iter().collect()
        }
        None => {
            let keys = tree.root().into_iter().flat_map(NodeRef::entries).filter_map(|(key, _)| key.as_str());
            let below_root = |key: &str| {
                let mut place = Path::root();
                place.push(key);
                place.to_string()
            };
            keys.map(below_root).collect()
        }
    };
    places.iter().filter_map(|place| warning(tree, report, place)).collect()
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

fn warning(tree: &Tree, report: &Report, place: &str) -> Option<Error> {
    let own = tag(tree, place)?;
    // A note stands at the first node of its tag.
    let is_of_tag = |at: &Path| tag(tree, at.as_str()) == Some(own);
    let note =
        report.notes().iter().find(|note| note.code() == Code::UnknownTag && is_of_tag(note.path()))?;
    let message = format!("not checked: no schema for the tag {}", own.escape_debug());
    let error = Error::unsupported(message).at_path(place);
    Some(match note.hint() {
        Some(hint) => error.with_hint(hint),
        None => error,
    })
}

//! Checks of ids: they exist, are unique, and end with the name of the file.

use asdf_core::tree::{NodeRef, Path};

use super::document::Document;
use crate::registry::folder::NAMELESS;
use crate::validate::{Code, Violation};

/// Checks the id of a document. `another` is a document of the package with the same id.
pub(super) fn check(
    document: &Document,
    root: NodeRef<'_>,
    another: Option<&Document>,
    out: &mut Vec<Violation>,
) {
    let Some(node) = root.get("id").filter(|node| node.as_str().is_some()) else {
        let mut violation = Violation::at(root, Path::root(), Code::Id, NAMELESS.to_owned());
        violation.hint = Some("add an id such as asdf://example.org/camera/schemas/lens-1.0.0".into());
        return out.push(violation);
    };
    let mut report = |message| out.push(Violation::at(node, Path::from_iter(["id"]), Code::Id, message));
    if let Some(another) = another {
        report(format!("{} has the same id", another.path.display()));
    }
    let id = document.id.as_str();
    if !id.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()) {
        report(format!("found '{}', expected a URI", id.escape_debug()));
    }
    let last = id.rsplit(['/', ':']).next().unwrap_or(id);
    let stem = document.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if last != stem {
        report(format!("the id ends with '{}', but the file is named '{stem}'", last.escape_debug()));
    }
}

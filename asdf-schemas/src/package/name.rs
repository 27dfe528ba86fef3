//! Ids: that they are there, different, and like the file's name.

use asdf_core::tree::{NodeRef, Path};

use super::document::Document;
use crate::registry::folder::NAMELESS;
use crate::validate::{Code, Violation};

/// `another` is a document of the package that has the same id.
pub(super) fn check(
    document: &Document,
    root: NodeRef<'_>,
    another: Option<&Document>,
    out: &mut Vec<Violation>,
) {
    let Some(node) = root.get("id").filter(|node| node.as_str().is_some()) else {
        let mut violation = Violation::at(root, Path::root(), Code::Id, NAMELESS.to_owned());
        violation.hint = Some("ids look like asdf://example.org/camera/schemas/lens-1.0.0".into());
        return out.push(violation);
    };
    let mut told = |message| out.push(Violation::at(node, Path::from_iter(["id"]), Code::Id, message));
    if let Some(another) = another {
        told(format!("{} has this id too", another.path.display()));
    }
    let id = document.id.as_str();
    if !id.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()) {
        told(format!("found '{}', expected a URI", id.escape_debug()));
    }
    let last = id.rsplit(['/', ':']).next().unwrap_or(id);
    let stem = document.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if last != stem {
        told(format!("the id ends with '{}', and the file is called '{stem}'", last.escape_debug()));
    }
}

//! Checks of manifests: they are valid, and the schemas of their tags exist.

use asdf_core::tree::{NodeRef, Path};
use asdf_schema_model::nearest;

use crate::Validator;
use crate::validate::{Code, Violation};

/// The schema of manifests.
const MANIFEST: &str = "asdf://asdf-format.org/core/schemas/extension_manifest-1.0.0";

pub(super) fn check(validator: &Validator, root: NodeRef<'_>, out: &mut Vec<Violation>) {
    if let Ok(report) = validator.validate_node(root, MANIFEST) {
        out.extend(report.findings().cloned());
    }
    let registry = validator.registry();
    for (index, tag) in root.get("tags").into_iter().flat_map(NodeRef::items).enumerate() {
        let Some(schemas) = tag.get("schema_uri") else { continue };
        let one_or_more =
            schemas.items().enumerate().map(|(place, schema)| (Some(place.to_string()), schema));
        for (place, schema) in one_or_more.chain([(None, schemas)]) {
            let Some(id) = schema.as_str().filter(|id| registry.text(id).is_none()) else { continue };
            let steps = ["tags".to_owned(), index.to_string(), "schema_uri".to_owned()];
            let path: Path = steps.into_iter().chain(place).collect();
            let message = format!("unknown schema '{}'", id.escape_debug());
            let mut violation = Violation::at(schema, path, Code::Manifest, message);
            violation.hint =
                nearest(id, &registry.ids()).map(|like| format!("did you mean '{like}'?").into());
            out.push(violation);
        }
    }
}

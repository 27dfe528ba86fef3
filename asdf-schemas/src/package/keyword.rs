//! Finds keywords without effect: misspelled ones, and tags that do not exist.

use std::collections::HashMap;

use asdf_core::tree::{NodeRef, YAML_TAG, tag_matches};
use asdf_schema_model::nearest;
use asdf_schema_model::{Draft, KEYWORDS};

use super::document::each_schema;
use crate::Registry;
use crate::validate::{Code, Violation};

/// Adds warnings about keywords without effect. `bare` has the tags that manifests list without a schema.
pub(super) fn check(registry: &Registry, bare: &[String], root: NodeRef<'_>, out: &mut Vec<Violation>) {
    let tags = registry.tags();
    let heeded = KEYWORDS.iter().filter(|keyword| keyword.draft != Draft::Later);
    let keywords: Vec<&str> = heeded.map(|keyword| keyword.name).collect();
    let mut known: HashMap<&str, bool> = HashMap::new();
    each_schema(root, &mut |schema, path| {
        for (key, value) in schema.entries() {
            let Some(name) = key.as_str() else { continue };
            let mut at = path.clone();
            at.push(name);
            if let Some(like) = nearest(name, &keywords).filter(|_| !keywords.contains(&name)) {
                let message = format!("unknown keyword '{}', which has no effect", name.escape_debug());
                let mut warning = Violation::at(key, at, Code::UnknownKeyword, message);
                warning.hint = Some(format!("did you mean '{like}'?").into());
                out.push(warning);
                continue;
            }
            let Some(pattern) = value.as_str().filter(|_| name == "tag") else { continue };
            let fits = *known.entry(pattern).or_insert_with(|| {
                pattern.starts_with(YAML_TAG)
                    || !registry.schemas_of(pattern).is_empty()
                    || tags.iter().any(|tag| tag_matches(pattern, tag))
                    || bare.iter().any(|tag| tag_matches(pattern, tag))
            });
            if !fits {
                let message = format!("no known manifest has the tag {}", pattern.escape_debug());
                let mut warning = Violation::at(value, at, Code::TagKeyword, message);
                warning.hint = nearest(pattern, &tags).map(|like| format!("did you mean '{like}'?").into());
                out.push(warning);
            }
        }
    });
}

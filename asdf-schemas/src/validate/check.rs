//! Keywords and checks that a program adds to a validator.

use std::fmt;
use std::sync::Arc;

use asdf_core::Result;
use asdf_core::tree::{NodeRef, Path, tag_matches};
use serde_json::Value;

use super::{Code, Findings, Violation};

/// A keyword of schemas that a program has added.
#[derive(Clone)]
pub(super) struct OwnKeyword {
    pub(super) name: String,
    pub(super) holds: Arc<Holds>,
}

/// Returns the message if a node violates the keyword with this value.
pub(super) type Holds = dyn Fn(&Value, NodeRef<'_>) -> Option<String> + Send + Sync;

/// A check of all nodes whose tag matches a pattern.
#[derive(Clone)]
pub(super) struct OwnCheck {
    pub(super) pattern: String,
    pub(super) check: Arc<Checks>,
}

/// Returns an error if a node is not valid. The `others` of the error are reported too.
pub(super) type Checks = dyn Fn(NodeRef<'_>) -> Result<()> + Send + Sync;

impl OwnCheck {
    /// Whether nodes with this tag are checked.
    pub(super) fn is_about(&self, tag: &str) -> bool {
        !tag.is_empty() && tag_matches(&self.pattern, tag)
    }

    pub(super) fn run(&self, node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
        let Err(error) = (self.check)(node) else { return };
        for error in std::iter::once(&error).chain(error.others()) {
            let mut violation = Violation::from_error(error, Code::Check);
            violation.path = path().join(&violation.path);
            if violation.position.is_none() {
                violation.position = node.position();
                violation.end = node.end_position();
            }
            out.push(violation);
        }
    }
}

impl fmt::Debug for OwnKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnKeyword").field(&self.name).finish()
    }
}

impl fmt::Debug for OwnCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnCheck").field(&self.pattern).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Registry, Validator};
    use asdf_core::{Error, yaml};

    #[test]
    fn checks_and_keywords_of_a_program_run_where_they_belong() {
        let mut registry = Registry::new();
        registry.add_schema_as("asdf://x.org/s", "{properties: {a: {schema: 5}}}").unwrap();
        let validator = Validator::new(Arc::new(registry))
            .with_check("asdf://x.org/t-*", |node| {
                Err(Error::mismatch(format!("no {}", node.text().unwrap_or_default())))
            })
            .with_keyword("schema", |value, node| {
                (node.as_i64() != value.as_i64()).then(|| "not the same".to_owned())
            })
            .with_schema("asdf://x.org/s")
            .unwrap();
        let text =
            "{a: 4, b: !<asdf://x.org/t-1> x, c: !<asdf://x.org/u-1> y, d: !<asdf://x.org/t-2> z, e: 1}";
        let report = validator.validate_tree(&yaml::parse(text).unwrap());
        let found: Vec<_> = report.violations().iter().map(|one| (one.code(), one.to_string())).collect();
        let expected = [
            (Code::Keyword, "1:5: /a: not the same".to_owned()),
            (Code::Check, "1:31: /b: no x".to_owned()),
            (Code::Check, "1:83: /d: no z".to_owned()),
        ];
        assert_eq!(found, expected);
        let shown = format!("{validator:?}");
        assert!(
            shown.contains("OwnCheck(\"asdf://x.org/t-*\")") && shown.contains("OwnKeyword(\"schema\")"),
            "{shown}"
        );
    }
}

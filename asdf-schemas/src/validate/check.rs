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

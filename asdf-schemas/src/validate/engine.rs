//! The one place that knows the validation library: one compiled schema.

use std::error::Error as StdError;
use std::sync::Arc;

use asdf_core::tree::NodeRef;
use jsonschema::{Draft, Retrieve, Uri};
use serde_json::Value;

use super::closest;
use super::instance::{Instance, TreeJson};
use super::{Violation, keywords, normal};
use crate::Registry;

/// A schema, ready to validate nodes.
#[derive(Debug)]
pub(super) struct Engine {
    id: String,
    validator: jsonschema::Validator<TreeJson>,
}

impl Engine {
    /// Compiles a schema and what it refers to; says in one sentence why it cannot.
    pub(super) fn new(registry: &Arc<Registry>, id: &str) -> Result<Self, String> {
        let schema = load(registry, id)?;
        let validator = jsonschema::options_for::<TreeJson>()
            .with_draft(Draft::Draft4)
            .with_base_uri(id)
            .with_retriever(Packages(registry.clone()))
            .should_validate_formats(false)
            .with_keyword("tag", |parent, value, _| keywords::tag(parent, value))
            .with_keyword("ndim", |parent, value, _| keywords::ndim(parent, value))
            .with_keyword("max_ndim", |parent, value, _| keywords::max_ndim(parent, value))
            .with_keyword("datatype", |parent, value, _| keywords::datatype(parent, value))
            .with_keyword(normal::NO_TIMESTAMP, |parent, value, _| keywords::no_timestamp(parent, value))
            .build(&schema)
            .map_err(|error| format!("the schema {id} cannot be used: {error}"))?;
        Ok(Self { id: id.to_owned(), validator })
    }

    pub(super) fn is_valid(&self, node: NodeRef<'_>) -> bool {
        self.validator.is_valid(Instance::Node(node))
    }

    /// All that is wrong with a node; paths are below it.
    pub(super) fn violations(&self, node: NodeRef<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for error in self.validator.iter_errors(Instance::Node(node)) {
            closest::explain(&error, node, &mut violations);
        }
        for violation in &mut violations {
            violation.schema = Some(self.id.clone());
        }
        violations
    }
}

fn load(registry: &Registry, id: &str) -> Result<Value, String> {
    let tree = registry.schema(id).map_err(|error| error.to_string())?;
    let root = tree.root().ok_or_else(|| format!("the schema {id} is empty"))?;
    Ok(normal::document(root))
}

/// The registry as the library asks it for schemas that are referred to.
struct Packages(Arc<Registry>);

impl Retrieve for Packages {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn StdError + Send + Sync>> {
        let id = uri.as_str();
        load(&self.0, id.split('#').next().unwrap_or(id)).map_err(Into::into)
    }
}

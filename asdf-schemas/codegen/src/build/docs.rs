//! The docs of a type or a field, from the annotations of a schema.

use asdf_core::tree::Kind;
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Node, NodeId, NodeRef};

use super::Builder;
use super::inline::inline;
use crate::Result;
use crate::library::Place;
use crate::model::Docs;
use crate::schema::Schema;

/// The maximum number of lines of a schema in docs.
const MAX_LINES: usize = 24;

/// The title, description and default of a schema.
pub(super) fn of(schema: Schema<'_>) -> Docs {
    let text =
        |keyword| schema.text(keyword).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Docs {
        title: text("title"),
        description: text("description"),
        default: schema.get("default").map(inline),
        ..Docs::default()
    }
}

impl Builder<'_> {
    /// The text of the schema without its annotations, for a value without a type.
    pub(super) fn words_at(&self, places: &[Place]) -> Result<Option<String>> {
        for &place in places {
            if self.is_empty(place)? {
                continue;
            }
            return Ok(Node::from_ref(self.packages.node(place)).and_then(words).ok().flatten());
        }
        Ok(None)
    }
}

fn words(mut node: Node) -> Result<Option<String>> {
    let walk: Vec<NodeId> = node.view().walk().map(|node| node.id()).collect();
    for id in walk {
        for name in ["title", "description", "examples"] {
            // A property can have the name of an annotation; then its value is a schema.
            let value = node.tree().node(id).get(name);
            if value.is_some_and(|value| value.kind() != Kind::Mapping) {
                node.tree_mut().remove(id, name);
            }
        }
    }
    let text = emit(node.tree(), EmitOptions::new().directives(false).width(90))?;
    Ok((text.lines().count() <= MAX_LINES).then(|| text.trim_end().to_owned()))
}

/// The description and text of the first example.
pub(super) fn example(examples: NodeRef<'_>) -> Option<(String, String)> {
    let first = examples.item(0)?;
    let about = first.item(0)?.as_str()?;
    let text = first.items().last()?.as_str()?;
    (first.len() > 1).then(|| (about.trim().to_owned(), text.trim_end().to_owned()))
}

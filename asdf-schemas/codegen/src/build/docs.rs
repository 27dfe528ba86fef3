//! What the docs of a type or a field say, out of a schema's annotations.

use asdf_core::tree::Kind;
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Node, NodeId, NodeRef};

use super::Builder;
use super::inline::inline;
use crate::Result;
use crate::library::Place;
use crate::model::Docs;
use crate::schema::Schema;

/// The most lines of a schema that docs show.
const MAX_LINES: usize = 24;

/// Title, description and default of a schema.
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
    /// The schema itself, without its annotations, for a value that has no type.
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
            // A property may have such a name: then it holds a schema.
            let value = node.tree().node(id).get(name);
            if value.is_some_and(|value| value.kind() != Kind::Mapping) {
                node.tree_mut().remove(id, name);
            }
        }
    }
    let text = emit(node.tree(), EmitOptions::new().directives(false).width(90))?;
    Ok((text.lines().count() <= MAX_LINES).then(|| text.trim_end().to_owned()))
}

/// What the first example shows, and its text.
pub(super) fn example(examples: NodeRef<'_>) -> Option<(String, String)> {
    let first = examples.item(0)?;
    let about = first.item(0)?.as_str()?;
    let text = first.items().last()?.as_str()?;
    (first.len() > 1).then(|| (about.trim().to_owned(), text.trim_end().to_owned()))
}

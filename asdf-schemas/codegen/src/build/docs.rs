//! What the docs of a type or a field say, out of a schema's annotations.

use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Kind, Node, NodeId, NodeRef};

use super::Builder;
use super::facts::Facts;
use crate::Result;
use crate::library::Place;
use crate::model::Docs;
use crate::schema::Keywords;

/// The most of a value, or of a schema, that docs and messages show.
const MAX_INLINE: usize = 200;
const MAX_LINES: usize = 24;
/// The most of a note.
const MAX_WHOLE: usize = 100_000;

/// Title, description and default of a schema.
pub(super) fn of(keywords: &Keywords<'_>) -> Docs {
    let text = |text: Option<&str>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Docs {
        title: text(keywords.title),
        description: text(keywords.description),
        default: keywords.default.map(inline),
        ..Docs::default()
    }
}

impl<'a> Builder<'a> {
    /// The docs of a whole schema, with an example.
    pub(super) fn docs_of_root(&self, facts: &Facts<'a>, place: Place) -> Result<Docs> {
        let own = of(&self.keywords(place)?);
        let mut docs = self.docs_of_part(facts);
        if own.title.is_some() || own.description.is_some() {
            (docs.title, docs.description) = (own.title, own.description);
        }
        docs.default = None;
        docs.example = facts.examples.and_then(example);
        Ok(docs)
    }

    pub(super) fn docs_of_part(&self, facts: &Facts<'a>) -> Docs {
        let mut docs = facts.docs.clone();
        docs.default = None;
        for (_, keyword, value) in &facts.loose {
            docs.rules.push(format!("Not checked: `{keyword}: {}`.", inline(*value)));
        }
        docs
    }

    /// The schema itself, without its annotations, for a value that has no type.
    pub(super) fn words_at(&self, places: &[Place]) -> Result<Option<String>> {
        for &place in places {
            if self.is_empty(place)? {
                continue;
            }
            return Ok(Node::copy(self.packages.node(place)).and_then(words).ok().flatten());
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
    let text = emit(node.tree(), EmitOptions { directives: false, width: 90, ..EmitOptions::default() })?;
    Ok((text.lines().count() <= MAX_LINES).then(|| text.trim_end().to_owned()))
}

/// What the first example shows, and its text.
fn example(examples: NodeRef<'_>) -> Option<(String, String)> {
    let first = examples.item(0)?;
    let about = first.item(0)?.as_str()?;
    let text = first.items().last()?.as_str()?;
    (first.len() > 1).then(|| (about.trim().to_owned(), text.trim_end().to_owned()))
}

/// A value as YAML on one line, cut off when it is long.
pub(super) fn inline(node: NodeRef<'_>) -> String {
    let mut text = String::new();
    write(node, 0, 4 * MAX_INLINE, &mut text);
    if text.chars().count() > MAX_INLINE {
        text = text.chars().take(MAX_INLINE).chain("...".chars()).collect();
    }
    text
}

/// A value as YAML on one line, all of it up to a length that no keyword has.
pub(super) fn whole(node: NodeRef<'_>) -> String {
    let mut text = String::new();
    write(node, 0, MAX_WHOLE, &mut text);
    text
}

fn write(node: NodeRef<'_>, depth: usize, most: usize, out: &mut String) {
    // Deeper or longer than this is cut off anyway; cycles end here too.
    if depth > 16 || out.len() > most {
        out.push_str("...");
        return;
    }
    match node.kind() {
        Kind::Sequence => {
            out.push('[');
            for (index, item) in node.items().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(item, depth + 1, most, out);
            }
            out.push(']');
        }
        Kind::Mapping => {
            out.push('{');
            for (index, (key, value)) in node.entries().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write(key, depth + 1, most, out);
                out.push_str(": ");
                write(value, depth + 1, most, out);
            }
            out.push('}');
        }
        Kind::String => {
            let text = node.text().unwrap_or_default();
            let plain = !text.is_empty()
                && asdf_core::yaml::parse(text)
                    .is_ok_and(|tree| tree.root().and_then(|root| root.as_str()) == Some(text))
                && !text.contains([',', '{', '}', '[', ']', '\n']);
            if plain {
                out.push_str(text);
            } else {
                out.push_str(&format!(
                    "'{}'",
                    text.escape_debug().to_string().replace("\\'", "''").replace("\\\"", "\"")
                ));
            }
        }
        _ => out.push_str(node.text().unwrap_or_default()),
    }
}

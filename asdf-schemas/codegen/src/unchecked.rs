//! Lists in the docs of types what the types do not check.

use std::collections::BTreeMap;

use asdf_schema_model::pointer::unescape;

use crate::library::Library;
use crate::model::{Docs, Loss, Shape};
use crate::owners::{Owners, owner, owners};
use crate::shape::Shared;

/// The endings of most messages.
const ENDS: [&str; 2] = [" is not checked", " are not checked"];

/// The maximum number of characters of a sentence.
const MAX_LENGTH: usize = 240;

/// Adds a sentence for each place where a type is looser than its schema: to the docs of the field if it concerns a
/// property, otherwise to the docs of the type.
pub(crate) fn describe(library: &Library, shared: &mut Shared) {
    let owners = owners(library, shared);
    let mut found: BTreeMap<usize, Vec<(Option<String>, String)>> = BTreeMap::new();
    for loss in shared.losses.iter().filter(|loss| loss.in_docs) {
        if let Some((type_, property)) = subject(library, &owners, loss) {
            found.entry(type_).or_default().push((property, sentence(&loss.message)));
        }
    }
    for (type_, sentences) in found {
        let Some(item) = shared.types.get_mut(type_).map(|shared| &mut shared.item) else { continue };
        for (property, sentence) in sentences {
            let field = match &mut item.shape {
                Shape::Struct(shape) => {
                    let mut fields = shape.fields.iter_mut().filter(|field| !field.flatten);
                    fields.find(|field| Some(&field.property) == property.as_ref())
                }
                Shape::Enum(_) | Shape::Newtype(_) => None,
            };
            add(field.map_or(&mut item.docs, |field| &mut field.docs), sentence);
        }
    }
}

/// The type that a loss belongs to, and the property if the loss is in its schema.
fn subject(library: &Library, owners: &Owners<'_>, loss: &Loss) -> Option<(usize, Option<String>)> {
    let (type_, at) = owner(library, owners, loss.place)?;
    let below = library.pointer(loss.place).strip_prefix(at)?;
    let mut steps = below.split('/').skip(1);
    loop {
        match steps.next() {
            Some("properties") => {
                let name = steps.next().map(|step| unescape(step).into_owned());
                return Some((type_, name));
            }
            Some("allOf" | "anyOf" | "oneOf") => _ = steps.next(),
            Some(_) | None => return Some((type_, None)),
        }
    }
}

/// Turns a message into a sentence.
fn sentence(message: &str) -> String {
    let text = match ENDS.iter().find_map(|end| message.strip_suffix(end)) {
        Some(what) => format!("Not checked: {what}"),
        None => {
            let mut letters = message.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    };
    match text.char_indices().nth(MAX_LENGTH) {
        None => format!("{text}."),
        // The cut may be inside code, which must be closed.
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            let tick = if kept.matches('`').count() % 2 == 1 { "`" } else { "" };
            format!("{kept}...{tick}")
        }
    }
}

fn add(docs: &mut Docs, sentence: String) {
    if !docs.rules.contains(&sentence) {
        docs.rules.push(sentence);
    }
}

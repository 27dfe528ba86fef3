//! Values of schemas as YAML on one line.

use asdf_core::NodeRef;
use asdf_core::tree::Kind;

/// The maximum length of a value in docs and messages.
const MAX_INLINE: usize = 200;
/// The maximum length of a note.
const MAX_WHOLE: usize = 100_000;

/// A value as YAML on one line, shortened if it is long.
pub(super) fn inline(node: NodeRef<'_>) -> String {
    let mut text = String::new();
    write(node, 0, 4 * MAX_INLINE, &mut text);
    if text.chars().count() > MAX_INLINE {
        text = text.chars().take(MAX_INLINE).chain("...".chars()).collect();
    }
    text
}

/// A value as YAML on one line, in full up to a length that no keyword reaches.
pub(super) fn whole(node: NodeRef<'_>) -> String {
    let mut text = String::new();
    write(node, 0, MAX_WHOLE, &mut text);
    text
}

fn write(node: NodeRef<'_>, depth: usize, most: usize, out: &mut String) {
    // Deeper or longer values are shortened anyway. This also ends cycles.
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

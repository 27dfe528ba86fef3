//! YAML values on the command line.

use std::cmp::Ordering;
use std::fmt::Write as _;

use asdf_core::tree::{ASDF_TAG, Kind, NodeRef};
use asdf_core::{Result, Tree, error, yaml};

/// Parses a word as YAML into a new tree. Tags are written as in the file that the value is put into.
pub(crate) fn parse(word: &str, into: &Tree) -> Result<Tree> {
    parse_text(word, into).map_err(|error| {
        let message = format!("the value is not YAML: {}", error.message());
        let error = error.with_kind(error::Kind::Usage).with_message(message);
        // The error gets the name of the file, but the word is not in that file.
        error
            .map_position(|_, _| None)
            .with_hint("put it in quotes, or pass --string to treat it as a string")
    })
}

/// Parses the text of a file like [`parse`]; errors have their line in that file.
pub(crate) fn parse_text(word: &str, into: &Tree) -> Result<Tree> {
    let mut text = String::new();
    if !word.starts_with('%') {
        text.push_str("%YAML 1.1\n");
        let standard = [("!".to_owned(), ASDF_TAG.to_owned())];
        let handles = if into.handles().is_empty() { &standard } else { into.handles() };
        for (handle, prefix) in handles {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "%TAG {handle} {prefix}");
        }
        text.push_str("---\n");
    }
    let before = text.lines().count();
    text.push_str(word);
    text.push('\n');
    let in_word = |line: u32, column| {
        let line = line.checked_sub(u32::try_from(before).ok()?).filter(|&line| line > 0)?;
        Some((line, column))
    };
    let mut tree = yaml::parse(&text).map_err(|error| error.map_position(in_word))?;
    if tree.root().is_none() {
        let null = tree.add_null();
        tree.set_root(null);
    }
    Ok(tree)
}

/// Returns a tree whose root is a string.
pub(crate) fn text(word: &str) -> Tree {
    let mut tree = Tree::new();
    let text = tree.add_str(word);
    tree.set_root(text);
    tree
}

/// Compares two scalars: numbers by value, null and booleans only with their own kind, all else as text. Returns
/// `None` if there is no order, as for NaN or a list.
pub(crate) fn compare(node: NodeRef<'_>, value: NodeRef<'_>) -> Option<Ordering> {
    let is_number = |node: NodeRef<'_>| matches!(node.kind(), Kind::Int | Kind::Float);
    if is_number(node) && is_number(value) {
        return match (node.as_i128(), value.as_i128()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => node.as_f64()?.partial_cmp(&value.as_f64()?),
        };
    }
    let is_text = |node: NodeRef<'_>| matches!(node.kind(), Kind::String | Kind::Timestamp);
    match (node.kind(), value.kind()) {
        (Kind::Null, Kind::Null) => Some(Ordering::Equal),
        (Kind::Bool, Kind::Bool) => Some(node.as_bool().cmp(&value.as_bool())),
        _ if is_text(node) && is_text(value) => Some(node.text()?.cmp(value.text()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::error;

    #[test]
    fn errors_have_a_line_in_a_file_but_not_in_a_word() {
        let tree = Tree::new();
        let error = parse("[1, 2", &tree).unwrap_err();
        assert_eq!(
            (error.kind(), error.code(), error.line()),
            (error::Kind::Usage, Some(error::Code::Yaml), None)
        );
        assert!(error.hint().is_some());
        let error = parse_text("a: 1\nb: }\n", &tree).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(2), Some(4)));
    }
}

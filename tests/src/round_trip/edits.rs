//! Edits trees, and computes the part of the text that an edit can change.

use std::ops::Range;

use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeId, NodeRef, Style};
use asdf_core::yaml::parse;

use super::levels::same_tags;
use super::{Choices, Written, written};

/// An edit that was made.
#[derive(Debug, Clone)]
pub struct Edit {
    /// A description of the edit, for messages.
    pub done: String,
    /// The bytes of the tree's text that the edit can change; `None` if it can change several places.
    pub range: Option<Range<usize>>,
    /// Whether it only adds text.
    pub adds: bool,
}

/// Extends a range of bytes to include a bare `!` before it. That tag changes the kind of the scalar after it, and changes
/// with it.
fn with_bare_tag(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    // Comments may be between the two.
    let mut blanks = before.trim_end_matches([' ', '\t']);
    while let Some(lines) = blanks.strip_suffix(['\n', '\r']) {
        let line = lines.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let comment = lines.get(line..).unwrap_or_default();
        let comment = comment
            .strip_prefix('#')
            .map(|_| 0)
            .or_else(|| comment.find(" #").or_else(|| comment.find("\t#")));
        blanks = lines.get(..comment.map_or(lines.len(), |at| line + at)).unwrap_or_default();
        blanks = blanks.trim_end_matches([' ', '\t']);
    }
    let bare = blanks.strip_suffix('!').filter(|rest| {
        blanks.len() < before.len()
            && rest.chars().next_back().is_none_or(|c| c.is_whitespace() || "[{,".contains(c))
    });
    bare.map_or(range.clone(), |rest| rest.len()..range.end)
}

/// Parses a text, makes one edit and writes the tree. Returns the new text and how it was written; `None` if the text
/// cannot be parsed or has nothing to edit.
///
/// # Errors
/// If the new text differs from the edited tree, or bytes changed that the edit must not change.
pub fn edit_text(text: &str, choices: &mut Choices<'_>) -> Result<Option<(String, Written, Edit)>, String> {
    let Ok(mut tree) = parse(text) else { return Ok(None) };
    let Some(edit) = edit_tree(&mut tree, choices) else { return Ok(None) };
    let describe = |why: &str, out: &str| format!("{}: {why}\n{text:?}\n{out:?}", edit.done);
    let (out, how) = match written(&tree) {
        Ok(written) => written,
        // The edit can exceed the depth limit.
        Err(why) if why.contains("nests deeper") => return Ok(None),
        Err(why) => return Err(describe(&why, "")),
    };
    let again = parse(&out).map_err(|error| describe(&error.to_string(), &out))?;
    if let (Some(a), Some(b)) = (tree.root(), again.root()) {
        if a != b {
            return Err(describe("what was written is not the edited tree", &out));
        }
        same_tags(a, b).map_err(|why| describe(&why, &out))?;
    }
    if how == Written::Exactly {
        if let Some(range) = &edit.range {
            let range = with_bare_tag(text, range.clone());
            let kept = text.get(..range.start).is_some_and(|before| out.starts_with(before))
                && text.get(range.end..).is_some_and(|after| out.ends_with(after))
                && out.len() >= range.start + text.len() - range.end;
            if !kept {
                return Err(describe(&format!("bytes outside of {range:?} changed"), &out));
            }
        }
        if edit.adds {
            let front = text.bytes().zip(out.bytes()).take_while(|(a, b)| a == b).count();
            let back = text.bytes().rev().zip(out.bytes().rev()).take_while(|(a, b)| a == b).count();
            if front + back < text.len() {
                return Err(describe("more than one place changed", &out));
            }
        }
    }
    Ok(Some((out, how, edit)))
}

/// The position of a node.
struct Place {
    path: String,
    id: NodeId,
    parent: Option<NodeId>,
}

/// Makes one edit in a tree by JSON Pointers. Returns `None` if there is nothing to edit.
pub fn edit_tree(tree: &mut Tree, choices: &mut Choices<'_>) -> Option<Edit> {
    let mut places = Vec::new();
    // In a large tree, choose from some of the nodes, from others each time.
    let stride = tree.root()?.walk().count() / 200 + 1;
    let offset = choices.below(stride);
    let mut walk = tree.root()?.walk();
    let mut index = 0;
    while let Some(node) = walk.next() {
        index += 1;
        if index > 1 && index % stride != offset {
            continue;
        }
        let path = walk.path().to_string();
        // Two keys can have the same text.
        if tree.find(&path).is_some_and(|found| found.id() == node.id()) {
            let parent = path.rfind('/').and_then(|slash| tree.find(path.get(..slash)?));
            places.push(Place { path, id: node.id(), parent: parent.map(|parent| parent.id()) });
        }
    }
    let kind = |tree: &Tree, place: &Place| tree.node(place.id).kind();
    let scalars: Vec<&Place> = places.iter().filter(|place| kind(tree, place).is_scalar()).collect();
    let collections: Vec<&Place> = places.iter().filter(|place| !kind(tree, place).is_scalar()).collect();
    let below: Vec<&Place> = places.iter().filter(|place| place.parent.is_some()).collect();
    match choices.below(10) {
        0..=3 if !scalars.is_empty() => {
            let place = choices.of(&scalars);
            let range = own_range(tree, place, true);
            let (value, shown) = scalar(tree, choices);
            tree.edit(&place.path).set(value).ok()?;
            Some(Edit { done: format!("set {} to {shown}", place.path), range, adds: false })
        }
        4 if !scalars.is_empty() => {
            let place = choices.of(&scalars);
            let range = own_range(tree, place, false);
            let tag = tree.node(place.id).tag().map(str::to_owned);
            let (value, shown) = scalar(tree, choices);
            // A YAML tag of the old scalar can be wrong for the new one.
            tree.assign(place.id, value).ok()?;
            if tag.is_some_and(|tag| tag.starts_with("tag:yaml.org,2002:")) {
                tree.set_tag(place.id, None);
                return Some(Edit {
                    done: format!("untag {} and assign {shown}", place.path),
                    range: None,
                    adds: false,
                });
            }
            Some(Edit { done: format!("assign {shown} to {}", place.path), range, adds: false })
        }
        5 | 6 if !collections.is_empty() => {
            let place = choices.of(&collections);
            let node = tree.node(place.id);
            let (start, end) = (node.span().start as usize, node.span().end as usize);
            // A collection under a key can share its line with the text after it.
            let line = end + tree.text().get(end..)?.find('\n').map_or(tree.text().len() - end, |at| at + 1);
            let adds = node.style() != Style::Any;
            let (value, shown) = scalar(tree, choices);
            let at = match tree.node(place.id).kind() {
                Kind::Mapping => format!("{}/new{}", place.path, choices.below(100)),
                _ => {
                    let index = choices.below(tree.node(place.id).len() + 1);
                    format!("{}/{index}", place.path)
                }
            };
            let adds = adds
                && tree
                    .find(&at)
                    .is_none_or(|old| tree.node(place.id).kind() == Kind::Sequence && old.id() != place.id);
            tree.edit(&at).insert(value).ok()?;
            Some(Edit { done: format!("insert {shown} at {at}"), range: adds.then_some(start..line), adds })
        }
        7 if !below.is_empty() => {
            let place = choices.of(&below);
            let range = removal(tree, place);
            tree.edit(&place.path).remove().ok()?;
            Some(Edit { done: format!("remove {}", place.path), range, adds: false })
        }
        8 if !below.is_empty() => {
            let place = choices.of(&below);
            let range = key_of(tree, place)
                .filter(|key| key.kind().is_scalar() && !is_foreign(tree, place, *key))
                .map(|key| {
                    let span = key.span();
                    let bare = key.tag().is_none() && key.anchor().is_none() && span.end > span.start;
                    bare.then_some(span.start as usize..span.end as usize)
                });
            let name = *choices.of(&["renamed", "new: name", "5", "", "null", "- x"]);
            tree.edit(&place.path).rename(name).ok()?;
            Some(Edit {
                done: format!("rename {} to {name:?}", place.path),
                range: range.flatten(),
                adds: false,
            })
        }
        _ if !below.is_empty() => {
            let (place, other) = (choices.of(&below), choices.of(&collections));
            let to = format!(
                "{}/{}",
                other.path,
                if tree.node(other.id).kind() == Kind::Mapping { "moved" } else { "-" }
            );
            tree.edit(&place.path).move_to(&to).ok()?;
            Some(Edit { done: format!("move {} to {to}", place.path), range: None, adds: false })
        }
        _ => None,
    }
}

const STRINGS: &[&str] = &[
    "new",
    "",
    " ",
    "two words",
    "a: b",
    "- a",
    "#",
    "a #b",
    "'",
    "\"",
    "\n",
    "two\nlines\n",
    "tab\t",
    "yes",
    "12",
    "\u{85}",
    "\u{feff}",
    "x, y]",
    "{",
    "!",
    "&a",
    "*a",
    "%",
    "é😀",
    "---",
    "...",
    "? a",
    ":",
    "-",
    "<<",
    "=",
    "0x1f",
];

fn scalar(tree: &mut Tree, choices: &mut Choices<'_>) -> (NodeId, String) {
    let id = match choices.below(12) {
        0 => tree.add_int(7),
        1 => tree.add_int(-123_456_789_i64),
        2 => tree.add_float(1.0e-5),
        3 => tree.add_float(f64::NAN),
        4 => tree.add_bool(true),
        5 => tree.add_null(),
        6 => tree.add_timestamp("2026-11-20 12:30:00"),
        7 => tree.add_bytes(b"bytes"),
        _ => {
            let text = *choices.of(STRINGS);
            tree.add_str(text)
        }
    };
    if choices.once_in(12) {
        let tag = *choices.of(&["tag:stsci.edu:asdf/new-1.0.0", "x:y", "!local"]);
        tree.set_tag(id, Some(tag));
    }
    let node = tree.node(id);
    let shown = format!("{node:?}");
    (id, shown)
}

fn key_of<'t>(tree: &'t Tree, place: &Place) -> Option<NodeRef<'t>> {
    let parent = tree.node(place.parent?);
    let mut entries = parent.entries().rev();
    entries
        .find(|(key, value)| {
            value.id() == place.id
                && key.text().is_some_and(|text| {
                    place.path.ends_with(&format!("/{}", text.replace('~', "~0").replace('/', "~1")))
                })
        })
        .map(|(key, _)| key)
}

/// Returns whether a node is an alias at its place, so that its span is elsewhere.
fn is_foreign(tree: &Tree, place: &Place, node: NodeRef<'_>) -> bool {
    let Some(parent) = place.parent else { return false };
    let (outer, inner) = (tree.node(parent).span(), node.span());
    let key_end = key_of(tree, place).filter(|key| key.id() != node.id()).map_or(0, |key| key.span().end);
    inner.start < outer.start || inner.end > outer.end || inner.start < key_end
}

fn has_anchor(node: NodeRef<'_>) -> bool {
    node.walk().any(|below| {
        below.anchor().is_some()
            || below.entries().any(|(key, _)| key.walk().any(|key| key.anchor().is_some()))
    })
}

/// Returns the bytes of a scalar, with its tag and anchor if another node replaces it.
fn own_range(tree: &Tree, place: &Place, replaced: bool) -> Option<Range<usize>> {
    let node = tree.node(place.id);
    let (start, end) = (node.span().start as usize, node.span().end as usize);
    if is_foreign(tree, place, node) || (replaced && node.anchor().is_some()) {
        return None;
    }
    // A bare `!` is not stored in the tree.
    let unspecific = tree.text().get(..start)?.trim_end().ends_with('!');
    if (replaced && node.tag().is_some()) || unspecific || start == end {
        // The tag is before the scalar, after the key or the dash.
        let key = key_of(tree, place).map(|key| key.span().end as usize);
        let parent = place.parent.map(|parent| tree.node(parent));
        if let (None, Some(parent)) = (key, parent) {
            let earlier =
                parent.items().filter(|item| item.span().end as usize <= start && item.id() != place.id);
            let before = earlier.map(|item| item.span().end as usize).max();
            return Some(before.unwrap_or(parent.span().start as usize)..end);
        }
        return Some(key.unwrap_or(0)..end);
    }
    Some(start..end)
}

/// Returns the lines of an entry or item; in a flow collection, the bytes up to the adjacent entries.
fn removal(tree: &Tree, place: &Place) -> Option<Range<usize>> {
    let node = tree.node(place.id);
    let parent = tree.node(place.parent?);
    if has_anchor(node) || is_foreign(tree, place, node) || key_of(tree, place).is_some_and(has_anchor) {
        return None;
    }
    let text = tree.text();
    let spans = |node: NodeRef<'_>| (node.span().start as usize, node.span().end as usize);
    let children: Vec<(usize, usize)> = if parent.kind() == Kind::Mapping {
        // The span of an alias is that of its anchor.
        parent.entries().map(|(key, value)| (spans(key).0, spans(value).1)).collect()
    } else {
        parent.items().map(spans).collect()
    };
    if children.windows(2).any(|pair| matches!(pair, [a, b] if a.1 > b.0)) {
        return None;
    }
    let own = match key_of(tree, place) {
        Some(key) if is_foreign(tree, place, key) => return None,
        Some(key) => (spans(key).0, spans(node).1),
        None => spans(node),
    };
    let before =
        children.iter().filter(|child| child.1 <= own.0 && **child != own).map(|child| child.1).max();
    let after = children.iter().filter(|child| child.0 >= own.1 && **child != own).map(|child| child.0).min();
    let (outer_start, outer_end) = spans(parent);
    let end_of_line =
        |at: usize| at + text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len() - at, |n| n + 1);
    let line = text.get(..outer_start)?.rfind('\n').map_or(0, |at| at + 1);
    let start =
        before.unwrap_or(if text.get(line..outer_start)?.trim().is_empty() { line } else { outer_start });
    let end = after.unwrap_or_else(|| {
        if parent.style() == Style::Flow { outer_end } else { end_of_line(own.1.max(outer_end)) }
    });
    Some(start..end)
}

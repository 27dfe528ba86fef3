//! What our parser and its judge, granit-parser, say differently about a text: for tests and fuzzing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ParseOptions, judge, parse};
use crate::error::Result;
use crate::tree::{Kind, NodeRef, Style, Tree};

/// What the two say differently about a text, but for the differences that are known and meant.
pub(super) fn surprise(text: &str) -> Option<String> {
    // NEL, LS and PS break lines for us alone.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return None;
    }
    match (parse(text), judged(text)) {
        (Ok(ours), Ok(theirs)) => {
            // A block scalar that the end of the text cuts off has a line break for the judge alone.
            let known = !text.ends_with('\n');
            difference(&ours, &theirs).filter(|_| !known)
        }
        (Ok(_), Err(error)) => {
            let told = error.to_string();
            let known = THEIR_REFUSALS.iter().any(|part| told.contains(part))
                || (adjacent_value(text) && told.contains("did not find expected"));
            (!known).then(|| format!("only the judge refuses: {error}"))
        }
        (Err(error), Ok(_)) => {
            let told = error.to_string();
            let known = OUR_REFUSALS.iter().any(|part| told.contains(part)) || comment_behind_a_tab(text);
            (!known).then(|| format!("only we refuse: {error}"))
        }
        (Err(_), Err(_)) => None,
    }
}

fn judged(text: &str) -> Result<Tree> {
    judge::parse_with(Arc::from(text), ParseOptions::default())
}

/// The first difference of two trees of one text: kinds, texts, tags, styles, anchors, children and sharing,
/// and where nodes stand. The places of block scalars (ours begin at `|`, the judge's at their text) and
/// of nodes that are not written are not compared, nor is the end of collections (the judge's is the
/// next token).
fn difference(ours: &Tree, theirs: &Tree) -> Option<String> {
    let (a, b) = match (ours.root(), theirs.root()) {
        (None, None) => return None,
        (Some(a), Some(b)) => (a, b),
        // The judge makes a null of an empty document.
        (None, Some(b)) | (Some(b), None) if b.is_null() => return None,
        (a, b) => return Some(format!("roots: ours {a:?}, theirs {b:?}")),
    };
    if ours.comments() != theirs.comments() {
        return Some(format!("comments: ours {:?}, theirs {:?}", ours.comments(), theirs.comments()));
    }
    let mut met = BTreeMap::new();
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        if let Some(known) = met.insert(a.id(), b.id()) {
            if known != b.id() {
                return Some(format!("sharing: {a:?} and {b:?}"));
            }
            continue;
        }
        let same = (a.kind(), a.style(), a.text(), a.tag(), a.anchor(), a.child_ids().len())
            == (b.kind(), b.style(), b.text(), b.tag(), b.anchor(), b.child_ids().len());
        let placed = match a.style() {
            Style::Literal | Style::Folded => true,
            Style::Plain if a.text() == Some("") => true,
            _ if a.kind().is_scalar() => a.span() == b.span(),
            // The judge's begins behind the first `-` when it stands at the column of its key.
            Style::Block if a.kind() == Kind::Sequence => a.span().start <= b.span().start,
            _ => a.span().start == b.span().start,
        };
        if !(same && placed) {
            return Some(format!("ours {}, theirs {}", line(a), line(b)));
        }
        let pairs = a.child_ids().iter().zip(b.child_ids());
        pending.extend(pairs.map(|(&x, &y)| (ours.node(x), theirs.node(y))));
    }
    None
}

fn line(node: NodeRef<'_>) -> String {
    format!(
        "{:?} {:?} {:?} tag {:?} anchor {:?} {:?} at {:?}",
        node.kind(),
        node.style(),
        node.text(),
        node.tag(),
        node.anchor(),
        node.child_ids().len(),
        node.span()
    )
}

/// What the two say differently about a text.
#[cfg(test)]
pub(super) fn verdict(text: &str) -> Option<String> {
    match (parse(text), judged(text)) {
        (Ok(ours), Ok(theirs)) if ours.handles() != theirs.handles() => {
            Some(format!("handles: ours {:?}, theirs {:?}", ours.handles(), theirs.handles()))
        }
        (Ok(ours), Ok(theirs)) => difference(&ours, &theirs),
        (Err(_), Err(_)) => None,
        (Ok(_), Err(error)) => Some(format!("only the judge refuses: {error}")),
        (Err(error), Ok(_)) => Some(format!("only we refuse: {error}")),
    }
}

/// What only the judge refuses.
const THEIR_REFUSALS: &[&str] = &[
    // `{a:[b]}`, which PyYAML reads.
    "':' may not precede any of",
    // `[?<line break> : x]`.
    "unexpected EOF while parsing an implicit flow mapping",
    // A key without indentation in a flow mapping of several lines.
    "illegal placement of ':' indicator",
    // A line of nothing but a tab inside quotes.
    "tab cannot be used as indentation",
    // A comment after an empty block scalar that says its indentation.
    "wrongly indented line in block scalar",
    // A line of nothing but a tab at the beginning of a block scalar that says its indentation.
    "a block scalar content cannot start with a tab",
    // A directive to be ignored with more than sixteen words, or 1024 bytes.
    "reserved directive exceeds the configured limit",
    "directive exceeds the configured limit of 1024 bytes",
    // A directive to be ignored with other characters in its name.
    "found unexpected non-alphabetical character",
];

/// `{"a"<line break>:b}` and `{"a<line break>b":c}`: a value right behind the colon of a quoted key of several
/// lines, or on a line of its own, which the judge reads or refuses by what stands between.
fn adjacent_value(text: &str) -> bool {
    let behind_quotes = |line: &str| {
        let mut colons =
            line.match_indices(['"', '\'']).filter_map(|(at, _)| line.get(at + 1..)?.strip_prefix(':'));
        colons.any(|value| !value.is_empty() && !value.starts_with([' ', '\t']))
    };
    text.split(['\n', '\r']).any(|line| line.trim_start().starts_with(':') || behind_quotes(line))
}

/// A comment ends a plain text of several lines, for libyaml and PyYAML too; behind a tab the judge goes on with
/// the text after it.
fn comment_behind_a_tab(text: &str) -> bool {
    text.split(['\n', '\r']).any(|line| {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.split_at(blanks).0.contains('\t') && line.split_at(blanks).1.starts_with('#')
    })
}

/// What only we refuse.
const OUR_REFUSALS: &[&str] = &[
    // As libyaml: 1.1 and 1.2 only.
    "found the YAML version",
    // As libyaml: before keys and dashes, where the judge reads them as other blanks.
    "found a tab in the indentation",
    // `[?]`, which is a key's mark in YAML 1.1 and a string to the judge.
    "found '?', expected a value",
    // `%TAG !a!tag:x` without the blank.
    "expected a tag handle like",
    // `&a[b]`, which libyaml refuses too.
    "expected a space after the anchor or tag",
    // Before plain text, where the judge drops some.
    "found a byte order mark",
    // Among directives, where the judge takes it for the beginning of a document.
    "found '\\u{feff}', expected '---'",
    // `{k:# v}`.
    "found '#' right after other text",
    // A `:` without indentation in a flow collection of several lines.
    "expected the ':' of a flow mapping to be indented",
];

//! Differences between our parser and the reference parser, granit-parser, for tests and fuzzing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ParseOptions, parse, reference_parser};
use crate::error::Result;
use crate::tree::{Kind, NodeRef, Style, Tree};

/// Returns how the two parsers differ for a text, except for known and intended differences.
pub(super) fn surprise(text: &str) -> Option<String> {
    // Only our parser treats NEL, LS and PS as line breaks.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return None;
    }
    match (parse(text), parse_by_reference(text)) {
        (Ok(ours), Ok(theirs)) => {
            // Only the reference parser ends a block scalar with a line break if the end of the text
            // truncates it.
            let known = !text.ends_with('\n');
            difference(&ours, &theirs).filter(|_| !known)
        }
        (Ok(_), Err(error)) => {
            let message = error.to_string();
            let known = THEIR_REFUSALS.iter().any(|part| message.contains(part))
                || (adjacent_value(text) && message.contains("did not find expected"));
            (!known).then(|| format!("only the reference parser rejects: {error}"))
        }
        (Err(error), Ok(_)) => {
            let message = error.to_string();
            let known = OUR_REFUSALS.iter().any(|part| message.contains(part))
                || comment_behind_a_tab(text)
                || (surrogate_pair(text) && message.contains("found an invalid escape"));
            (!known).then(|| format!("only our parser rejects: {error}"))
        }
        (Err(_), Err(_)) => None,
    }
}

fn parse_by_reference(text: &str) -> Result<Tree> {
    reference_parser::parse_with(Arc::from(text), ParseOptions::default())
}

/// Returns the first difference of two trees of one text.
///
/// Compares kinds, texts, tags, styles, anchors, children, sharing and positions. Does not compare the
/// positions of block scalars (ours begin at `|`, theirs at the text), of absent nodes, and of the ends of
/// collections (theirs is the next token).
fn difference(ours: &Tree, theirs: &Tree) -> Option<String> {
    let (a, b) = match (ours.root(), theirs.root()) {
        (None, None) => return None,
        (Some(a), Some(b)) => (a, b),
        // The reference parser creates a null for an empty document.
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
            // The reference parser begins it after the first `-` if that is at the column of its key.
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

/// Returns how the two parsers differ for a text.
#[cfg(test)]
pub(super) fn verdict(text: &str) -> Option<String> {
    match (parse(text), parse_by_reference(text)) {
        (Ok(ours), Ok(theirs)) if ours.handles() != theirs.handles() => {
            Some(format!("handles: ours {:?}, theirs {:?}", ours.handles(), theirs.handles()))
        }
        (Ok(ours), Ok(theirs)) => difference(&ours, &theirs),
        (Err(_), Err(_)) => None,
        (Ok(_), Err(error)) => Some(format!("only the reference parser rejects: {error}")),
        (Err(error), Ok(_)) => Some(format!("only our parser rejects: {error}")),
    }
}

/// Errors that only the reference parser returns.
const THEIR_REFUSALS: &[&str] = &[
    // `{a:[b]}`, which PyYAML reads.
    "':' may not precede any of",
    // `[?<line break> : x]`.
    "unexpected EOF while parsing an implicit flow mapping",
    // A key without indentation in a multi-line flow mapping.
    "illegal placement of ':' indicator",
    // A line with only a tab inside quotes.
    "tab cannot be used as indentation",
    // A comment after an empty block scalar with an indentation indicator.
    "wrongly indented line in block scalar",
    // A line with only a tab at the beginning of a block scalar with an indentation indicator.
    "a block scalar content cannot start with a tab",
    // A reserved directive with more than sixteen words or 1024 bytes.
    "reserved directive exceeds the configured limit",
    "directive exceeds the configured limit of 1024 bytes",
    // A reserved directive with other characters in its name.
    "found unexpected non-alphabetical character",
];

/// Returns whether a value is directly after the colon of a multi-line quoted key, or on a line of its own.
///
/// Examples are `{"a"<line break>:b}` and `{"a<line break>b":c}`. The reference parser accepts or rejects
/// them depending on what is between.
fn adjacent_value(text: &str) -> bool {
    let behind_quotes = |line: &str| {
        let mut colons =
            line.match_indices(['"', '\'']).filter_map(|(at, _)| line.get(at + 1..)?.strip_prefix(':'));
        colons.any(|value| !value.is_empty() && !value.starts_with([' ', '\t']))
    };
    text.split(['\n', '\r']).any(|line| line.trim_start().starts_with(':') || behind_quotes(line))
}

/// Returns whether a comment follows a tab on its line.
///
/// A comment ends a multi-line plain text, for libyaml and PyYAML too. After a tab, the reference parser
/// continues with the text after the comment.
fn comment_behind_a_tab(text: &str) -> bool {
    text.split(['\n', '\r']).any(|line| {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.split_at(blanks).0.contains('\t') && line.split_at(blanks).1.starts_with('#')
    })
}

/// Returns whether two escapes may be a pair of surrogates.
///
/// The reference parser reads them as one character, as JSON does. libyaml refuses them too.
fn surrogate_pair(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.get(at + 2..at + 4).unwrap_or_default();
        let first = u8::from_str_radix(digits, 16).is_ok_and(|first| (0xd8..0xdc).contains(&first));
        first && text.get(at + 6..).is_some_and(|rest| rest.starts_with("\\u"))
    })
}

/// Errors that only our parser returns.
const OUR_REFUSALS: &[&str] = &[
    // As in libyaml: 1.1 and 1.2 only.
    "found the YAML version",
    // As in libyaml: before keys and dashes, which the reference parser treats as other blanks.
    "found a tab in the indentation",
    // `[?]`, which is a key indicator in YAML 1.1 and a string for the reference parser.
    "found '?', expected a value",
    // `%TAG !a!tag:x` without the blank.
    "expected a tag handle like",
    // `&a[b]`, which libyaml rejects too.
    "expected a space after the anchor or tag",
    // Before plain text. The reference parser drops some.
    "found a byte order mark",
    // Among directives. The reference parser treats it as the beginning of a document.
    "found '\\u{feff}', expected '---'",
    // `{k:# v}`.
    "found '#' right after other text",
    // A `:` without indentation in a multi-line flow collection.
    "expected the ':' of a flow mapping to be indented",
];

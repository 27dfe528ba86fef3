//! Locating the entries of a mapping and the items of a sequence in the text.

use std::ops::Range;

use super::pair::Pair;
use crate::tree::{Kind, NodeRef, Style};

/// An entry or item, from its key or dash to the end of its value.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
    /// A scalar key without tag and anchor.
    pub(super) key: Option<Range<usize>>,
    /// The value without tag and anchor.
    value: Range<usize>,
    /// The value with tag and anchor.
    whole: Range<usize>,
    alias: bool,
    /// The text to write before a value if the key has no `:`.
    colon: Option<String>,
}

impl Part {
    pub(super) fn pair<'o, 't>(&self, old: NodeRef<'o>, new: NodeRef<'t>, flow: bool) -> Pair<'o, 't> {
        Pair {
            old,
            new,
            flow,
            at: self.value.clone(),
            whole: self.whole.clone(),
            alias: self.alias,
            colon: self.colon.clone(),
        }
    }
}

/// All parts of a collection.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    pub(super) flow: bool,
    /// The column of keys and dashes, from 0.
    pub(super) column: usize,
}

impl Parts {
    /// Finds the parts; `None` if their form is not supported.
    ///
    /// `from` is the start of the collection, after its tag and anchor.
    pub(super) fn new(text: &str, node: NodeRef<'_>, from: usize, flow: bool) -> Option<Self> {
        let mut parts = Vec::with_capacity(node.len());
        // A pair in a flow sequence has no bracket.
        let mut at = from + usize::from(flow && text.get(from..)?.starts_with(['[', '{']));
        let mapping = node.kind() == Kind::Mapping;
        let keys: Vec<NodeRef<'_>> = node.entries().map(|(key, _)| key).collect();
        let values = if mapping { node.values() } else { node.items().collect() };
        for (index, value) in values.into_iter().enumerate() {
            let start = skip(text, at, flow);
            let key_end = match (mapping, flow) {
                (true, _) => key_end(text, start, *keys.get(index)?)?,
                (false, true) => start,
                (false, false) => text.get(start..)?.starts_with('-').then_some(start + 1)?,
            };
            let mut part = value_part(text, start, key_end, value, mapping, flow)?;
            part.key = keys.get(index).and_then(|key| own_key(text, start, *key));
            at = part.end;
            parts.push(part);
        }
        let column = parts.first().map_or(0, |part| part.start - line_start(text, part.start));
        Some(Self { parts, flow, column })
    }

    /// Returns the bytes to remove with a part, if other parts remain.
    pub(super) fn removal(&self, text: &str, index: usize) -> Option<Range<usize>> {
        let part = self.parts.get(index)?;
        let next = self.parts.get(index + 1);
        let before = index.checked_sub(1).and_then(|index| self.parts.get(index));
        if self.flow {
            return Some(match (next, before) {
                (Some(next), _) => part.start..next.start,
                (None, Some(before)) => before.end..part.end,
                (None, None) => part.start..part.end,
            });
        }
        let line = line_start(text, part.start);
        if text.get(line..part.start)?.trim().is_empty() {
            // Remove whole lines. Comments before the next part belong to that part.
            let end = if text.get(..part.end)?.ends_with('\n') {
                part.end
            } else {
                text.len().min(line_end(text, part.end) + line_break(text, part.end))
            };
            return Some(line..end);
        }
        // The part follows an item's dash, so the next one moves up.
        Some(part.start..next?.start)
    }
}

fn value_part(
    text: &str,
    start: usize,
    key_end: usize,
    value: NodeRef<'_>,
    mapping: bool,
    flow: bool,
) -> Option<Part> {
    let mut at = key_end;
    let part = |end: usize, value: Range<usize>, whole: Range<usize>| Part {
        start,
        end,
        key: None,
        value,
        whole,
        alias: false,
        colon: None,
    };
    if mapping {
        at = skip(text, at, false);
        if !text.get(at..)?.starts_with(':') {
            // A key without a value, as in a set.
            let (end, absent) = (key_end, value.span().start == value.span().end);
            let indent = " ".repeat(start - line_start(text, start));
            let colon = if flow { ": ".to_owned() } else { format!("\n{indent}: ") };
            return absent.then(|| Part { colon: Some(colon), ..part(end, end..end, end..end) });
        }
        at += 1;
    }
    let content = skip(text, at, false);
    let span = value.span();
    let (from, to) = (span.start as usize, span.end as usize);
    // A mapping can begin with an alias too, but then its span begins here.
    if text.get(content..)?.starts_with('*') && from != content {
        let end = content + 1 + text.get(content + 1..)?.find(ends_name).unwrap_or(text.len() - content - 1);
        return Some(Part { alias: true, ..part(end, content..end, content..end) });
    }
    if to < at {
        return None;
    }
    if from == to {
        // The value is absent, but it can have a tag or an anchor.
        return Some(part(to, to..to, content.min(to)..to));
    }
    if from < at {
        return None;
    }
    let last = trimmed(text, from, to);
    Some(part(to, from..last, content..last))
}

/// Returns the end of a range without trailing blanks and line breaks, as in a block scalar.
pub(super) fn trimmed(text: &str, from: usize, end: usize) -> usize {
    let is_blank = |c: char| matches!(c, ' ' | '\t') || BREAKS.contains(&c);
    text.get(from..end).map_or(end, |range| from + range.trim_end_matches(is_blank).len())
}

/// Returns whether only blanks precede a byte on its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    text.get(line_start(text, at)..at).is_some_and(|before| before.trim().is_empty())
}

/// Returns the range of a scalar key without tag and anchor. A `!` alone belongs to it.
fn own_key(text: &str, start: usize, key: NodeRef<'_>) -> Option<Range<usize>> {
    let (from, to) = (key.span().start as usize, key.span().end as usize);
    let bare = key.kind().is_scalar() && key.tag().is_none() && key.anchor().is_none();
    let before = text.get(start..from)?;
    let from = match before.trim_start_matches('?').trim() {
        "" => from,
        "!" => start + before.find('!')?,
        _ => return None,
    };
    (bare && to > from).then_some(from..to)
}

/// Returns whether a character ends the name of an alias.
fn ends_name(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}')
}

/// Returns the end of a key whose tag and anchor begin at a byte.
fn key_end(text: &str, start: usize, key: NodeRef<'_>) -> Option<usize> {
    let rest = text.get(start..)?;
    let explicit = rest.strip_prefix('?').is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']));
    if explicit {
        let flow = key.kind().is_scalar() || key.style() == Style::Flow;
        return if flow && key.span().start as usize > start { Some(key.span().end as usize) } else { None };
    }
    if rest.starts_with('*') {
        return Some(start + rest.find(ends_name)?);
    }
    if !key.kind().is_scalar() && key.style() != Style::Flow {
        return None;
    }
    let span = key.span();
    ((span.start as usize) >= start).then_some(span.end as usize)
}

/// Returns the next byte that is not blank, comment or, in flow collections, comma.
pub(super) fn skip(text: &str, from: usize, commas: bool) -> usize {
    let mut at = from;
    let mut before = text.get(..from).and_then(|before| before.chars().next_back());
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let is_blank = |c: char| matches!(c, ' ' | '\t') || BREAKS.contains(&c);
        match c {
            c if is_blank(c) => at += c.len_utf8(),
            ',' if commas => at += 1,
            '#' if before.is_none_or(|before| before == ',' || is_blank(before)) => at = line_end(text, at),
            _ => break,
        }
        before = text.get(..at).and_then(|before| before.chars().next_back());
    }
    at
}

/// The characters that break lines. NEL, LS and PS do so only in YAML 1.1.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |found| found + 1);
    let line = before.get(start..).unwrap_or_default();
    // Texts of many levels can have long lines: few of them have other line breaks than `\n`.
    if line.is_ascii() && !line.contains('\r') {
        return start;
    }
    let other = line.char_indices().rev().find(|(_, c)| BREAKS.contains(c));
    other.map_or(start, |(found, c)| start + found + c.len_utf8())
}

/// Returns the end of a byte's line, before its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find(BREAKS)).map_or(text.len(), |found| at + found)
}

/// Returns the length of the line break after a byte's line.
fn line_break(text: &str, at: usize) -> usize {
    let rest = text.get(line_end(text, at)..).unwrap_or_default();
    if rest.starts_with("\r\n") { 2 } else { rest.chars().next().map_or(0, char::len_utf8) }
}

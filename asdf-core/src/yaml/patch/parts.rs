//! Where the entries of a mapping and the items of a sequence are in the text.

use std::ops::Range;

use super::Pair;
use crate::tree::{Kind, NodeRef, Style};

/// One entry or item: from its key or dash to the end of its value.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The value alone, without tag and anchor.
    value: Range<usize>,
    alias: bool,
}

impl Part {
    pub(super) fn pair<'o, 't>(&self, old: NodeRef<'o>, new: NodeRef<'t>, flow: bool) -> Pair<'o, 't> {
        Pair { old, new, flow, at: self.value.clone(), alias: self.alias }
    }
}

/// All parts of a collection.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    pub(super) flow: bool,
    /// In which column keys and dashes stand, from 0.
    pub(super) column: usize,
}

impl Parts {
    /// Finds the parts; `None` when they are written in a way that is not followed here.
    /// `from` is where the collection begins, behind its tag and anchor.
    pub(super) fn new(text: &str, node: NodeRef<'_>, from: usize, flow: bool) -> Option<Self> {
        let mut parts = Vec::with_capacity(node.len());
        let mut at = from + usize::from(flow);
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
            let part = value_part(text, start, key_end, value, mapping, flow)?;
            at = part.end;
            parts.push(part);
        }
        let column = parts.first().map_or(0, |part| part.start - line_start(text, part.start));
        Some(Self { parts, flow, column })
    }

    /// The bytes that go when a part goes, not all of them going.
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
            // Its own lines, with their end; comments before the next part are the next part's.
            let end = if text.get(..part.end)?.ends_with('\n') {
                part.end
            } else {
                text.len().min(line_end(text, part.end) + line_break(text, part.end))
            };
            return Some(line..end);
        }
        // Behind the dash of an item: the next one moves up.
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
    if mapping {
        at = skip(text, at, false);
        if !text.get(at..)?.starts_with(':') {
            // A key alone, as in a set.
            let end = key_end;
            return (value.span().start == value.span().end).then_some(Part {
                start,
                end,
                value: end..end,
                alias: false,
            });
        }
        at += 1;
    }
    let content = skip(text, at, false);
    let span = value.span();
    let (from, to) = (span.start as usize, span.end as usize);
    if text.get(content..)?.starts_with('*') && (from < start || from > content) {
        let end = content + 1 + text.get(content + 1..)?.find(ends_name).unwrap_or(text.len() - content - 1);
        return Some(Part { start, end, value: content..end, alias: true });
    }
    if from == to || (value.is_null() && value.text() == Some("")) {
        // Nothing is written there, but a tag or an anchor may be.
        let bare = value.tag().is_none() && value.anchor().is_none();
        let end = if bare { at } else { to.max(at) };
        return Some(Part { start, end, value: end..end, alias: false });
    }
    if from < at {
        return None;
    }
    let end = end_of(text, value, flow)?;
    let from = if value.kind().is_scalar() { from } else { behind_properties(text, content) };
    Some(Part { start, end, value: from..end, alias: false })
}

/// Where the content behind a tag and an anchor begins.
pub(super) fn behind_properties(text: &str, from: usize) -> usize {
    let mut at = skip(text, from, false);
    while text.get(at..).is_some_and(|rest| rest.starts_with(['!', '&'])) {
        let rest = text.get(at..).unwrap_or_default();
        at = skip(text, at + rest.find(char::is_whitespace).unwrap_or(rest.len()), false);
    }
    at
}

/// What ends the name of an alias.
fn ends_name(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}')
}

/// Where a key ends that begins, with its tag and anchor, at a byte.
fn key_end(text: &str, start: usize, key: NodeRef<'_>) -> Option<usize> {
    let rest = text.get(start..)?;
    let explicit = rest.strip_prefix('?').is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']));
    if explicit {
        let flow = key.kind().is_scalar() || key.style() == Style::Flow;
        return if flow && key.span().start as usize > start { Some(key.span().end as usize) } else { None };
    }
    if !key.kind().is_scalar() && key.style() != Style::Flow {
        return None;
    }
    if rest.starts_with('*') {
        return Some(start + rest.find(ends_name)?);
    }
    let span = key.span();
    ((span.start as usize) >= start).then_some(span.end as usize)
}

/// Where the content of a node ends; block collections end with their last value.
fn end_of(text: &str, node: NodeRef<'_>, flow: bool) -> Option<usize> {
    let mut node = node;
    loop {
        if node.kind().is_scalar() || flow || node.style() == Style::Flow {
            return Some(node.span().end as usize);
        }
        let (last, key) = match node.kind() {
            Kind::Mapping => {
                let (key, value) = node.entries().next_back()?;
                (value, Some(key))
            }
            _ => (node.items().next_back()?, None),
        };
        let span = last.span();
        let begins = key.map_or(node.span().start, |key| key.span().start) as usize;
        let absent = span.start == span.end;
        if (span.start as usize) < begins || absent {
            // An alias, or nothing: its place is known from its key only.
            let key = key?;
            let start = key.span().start as usize;
            return value_part(text, start, key.span().end as usize, last, true, false).map(|part| part.end);
        }
        node = last;
    }
}

/// The first byte from here on that is not blank, comment or, in flow collections, comma.
pub(super) fn skip(text: &str, from: usize, commas: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let blank_before = at == 0 || matches!(bytes.get(at - 1), Some(b' ' | b'\t' | b'\n' | b'\r' | b','));
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b',' if commas => at += 1,
            b'#' if blank_before => at = line_end(text, at),
            _ => break,
        }
    }
    at
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

/// Where the line of a byte ends, before its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |found| at + found)
}

/// The length of the line break behind a byte's line.
fn line_break(text: &str, at: usize) -> usize {
    match text.get(line_end(text, at)..).unwrap_or_default().as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

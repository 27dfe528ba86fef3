//! Anchors, aliases and tags.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZeroU64;

use asdf_schema_model::uri;

use super::class::{self, TAG, URI};
use super::{Parser, run, scanner};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::printable::short;
use crate::tree::{Kind, NodeId, Seed, Span, Style, YAML_TAG, has_int, resolve, to_bool, to_f64};

/// The anchor and tag before a node's content.
///
/// A tag is 0 for none, 1 for `!` alone, and otherwise the tree's number for it plus one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Properties {
    pub(super) anchor: Option<Name>,
    pub(super) tag: u32,
}

/// The range of an anchor's name, packed into one word that fits a register.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name(NonZeroU64);

impl Name {
    fn new(span: Span) -> Option<Self> {
        NonZeroU64::new(u64::from(span.start) << 32 | u64::from(span.end)).map(Self)
    }

    pub(super) fn span(self) -> Span {
        let half = |word: u64| u32::try_from(word & u64::from(u32::MAX)).unwrap_or(u32::MAX);
        Span { start: half(self.0.get() >> 32), end: half(self.0.get()) }
    }
}

/// `!` alone: the scalar resolves as if it were plain, whatever its quotes, as in PyYAML.
///
/// libyaml writes timestamps in flow mappings like this.
const NON_SPECIFIC: u32 = 1;

/// The maximum size in bytes of the prefix of a `%TAG` handle.
pub(super) const MAX_PREFIX: usize = 1024;

/// The number of bytes searched for the end of a recently used tag, because a text without blanks can have
/// tags too.
const NEAR: usize = 128;

/// The number of slots for looking up a tag by its spelling.
const SLOTS: usize = 64;

impl Properties {
    pub(super) fn is_empty(self) -> bool {
        self.anchor.is_none() && self.tag == 0
    }
}

/// The tags of a document, each resolved once.
#[derive(Debug)]
pub(super) struct Tags<'t> {
    /// `%TAG` handles with their prefixes.
    pub(super) handles: HashMap<&'t str, String, Seed>,
    /// The meaning of each tag for scalars, in the tree's order. Only the parser adds tags to the tree.
    known: Vec<Meaning>,
    /// The most recent tag for each hash of its spelling.
    recent: [(&'t str, u32); SLOTS],
    /// The total bytes of all resolved tags, which handles could multiply.
    bytes: usize,
}

impl Default for Tags<'_> {
    fn default() -> Self {
        Self { handles: HashMap::default(), known: Vec::new(), recent: [("", 0); SLOTS], bytes: 0 }
    }
}

/// The meaning of a tag for a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// None, for an application's tag.
    Own,
    Null,
    Int,
    Float,
    Bool,
    Timestamp,
    /// Text, for YAML's other tags.
    Text,
}

impl Meaning {
    fn of(tag: &str) -> Self {
        match tag.strip_prefix(YAML_TAG) {
            None => Self::Own,
            Some("null") => Self::Null,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("bool") => Self::Bool,
            Some("timestamp") => Self::Timestamp,
            Some(_) => Self::Text,
        }
    }
}

impl Tags<'_> {
    /// Returns the tag that was recently written in the same way.
    #[inline]
    fn find_recent(&self, raw: &str) -> Option<u32> {
        self.recent.get(slot(raw)).filter(|(text, _)| !raw.is_empty() && *text == raw).map(|(_, tag)| *tag)
    }

    /// Returns the tag's index in the tree, from 1.
    pub(super) fn index(tag: u32) -> u32 {
        tag.saturating_sub(1)
    }

    /// Returns the kind of a scalar with a tag.
    #[inline]
    pub(super) fn kind(&self, text: &str, style: Style, tag: u32) -> Kind {
        let meaning = match tag {
            0 => Meaning::Own,
            NON_SPECIFIC => return resolve(text),
            _ => self.known.get(tag as usize - 2).copied().unwrap_or(Meaning::Own),
        };
        match meaning {
            Meaning::Own if style == Style::Plain => resolve(text),
            Meaning::Null => Kind::Null,
            Meaning::Int if has_int(text) => Kind::Int,
            Meaning::Float if to_f64(text).is_some() => Kind::Float,
            Meaning::Bool if to_bool(text).is_some() => Kind::Bool,
            Meaning::Timestamp if resolve(text) == Kind::Timestamp => Kind::Timestamp,
            _ => Kind::String,
        }
    }
}

impl<'t> Parser<'t> {
    /// Reads anchor and tag, in either order, with the blanks after them.
    #[inline]
    pub(super) fn properties(&mut self) -> Result<Properties> {
        if matches!(self.here(), b'&' | b'!') { self.some_properties() } else { Ok(Properties::default()) }
    }

    fn some_properties(&mut self) -> Result<Properties> {
        let mut properties = Properties::default();
        loop {
            let start = self.at;
            match self.here() {
                b'&' if properties.anchor.is_none() => properties.anchor = Name::new(self.name()?),
                b'!' if properties.tag == 0 => properties.tag = self.tag()?,
                b'&' => return Err(self.error(start, "found a second anchor, expected the node's content")),
                b'!' => return Err(self.error(start, "found a second tag, expected the node's content")),
                _ => return Ok(properties),
            }
            self.end = self.at;
            let flow_end = self.flows > 0 && matches!(self.here(), b',' | b']' | b'}');
            if !self.gap(self.at) && !flow_end {
                return Err(self.expected("a space after the anchor or tag"));
            }
            self.blanks();
        }
    }

    /// Joins the properties of previous lines with those of this line.
    pub(super) fn join(&self, at: usize, outer: Properties, inner: Properties) -> Result<Properties> {
        self.clash(at, outer, inner.anchor.is_some(), inner.tag != 0)?;
        Ok(Properties { anchor: outer.anchor.or(inner.anchor), tag: outer.tag.max(inner.tag) })
    }

    /// Checks that a node has at most one anchor and one tag.
    pub(super) fn clash(&self, at: usize, outer: Properties, anchor: bool, tag: bool) -> Result<()> {
        if outer.anchor.is_some() && anchor {
            return Err(self.error(at, "found a second anchor, expected the node's content"));
        }
        if outer.tag != 0 && tag {
            return Err(self.error(at, "found a second tag, expected the node's content"));
        }
        Ok(())
    }

    /// Reads the name of an anchor or alias after `&` or `*`.
    fn name(&mut self) -> Result<Span> {
        self.at += 1;
        let start = self.at;
        while !self.gap(self.at) && !matches!(self.here(), b',' | b'[' | b']' | b'{' | b'}') {
            self.at += 1;
        }
        if start == self.at {
            return Err(self.expected("the name of an anchor"));
        }
        let name = self.slice(start, self.at);
        match name.find('\u{FEFF}') {
            Some(at) => Err(self.error(start + at, "found a byte order mark in the name of an anchor")),
            None => Ok(Span { start: scanner::offset(start), end: scanner::offset(self.at) }),
        }
    }

    pub(super) fn alias(&mut self) -> Result<NodeId> {
        let start = self.at;
        let name = self.name()?;
        let name = self.span_text(name);
        self.end = self.at;
        self.anchors.get(name).ok_or_else(|| {
            let name = short(name, 40);
            self.error(start, format!("found the alias '*{name}', but no anchor '&{name}' before it"))
        })
    }

    fn tag(&mut self) -> Result<u32> {
        let start = self.at;
        // The same spelling as a recent tag, followed by a blank or the end, is the same tag.
        let near = self.bytes.get(..self.bytes.len().min(start + NEAR)).unwrap_or_default();
        let end = run::solid(near, start);
        if let Some(tag) = self.tags.find_recent(self.slice(start, end)).filter(|_| self.gap(end)) {
            self.at = end;
            return Ok(tag);
        }
        self.at += 1;
        if self.here() == b'<' {
            while class::is(self.byte(self.at + 1), URI) {
                self.at += 1;
            }
            self.at += 1;
            if self.here() != b'>' {
                return Err(self.expected("'>' at the end of the tag"));
            }
            self.at += 1;
        } else {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let length = rest.iter().position(|&byte| !class::is(byte, TAG) && byte != b'!');
            self.at += length.unwrap_or(rest.len());
        }
        let raw = self.slice(start, self.at);
        if let Some(tag) = self.tags.find_recent(raw) {
            return Ok(tag);
        }
        let tag = self.resolve_tag(start, raw)?;
        if let Some(recent) = self.tags.recent.get_mut(slot(raw)) {
            *recent = (raw, tag);
        }
        Ok(tag)
    }

    fn resolve_tag(&mut self, start: usize, raw: &'t str) -> Result<u32> {
        let (prefix, rest) = if raw == "!" {
            return Ok(NON_SPECIFIC);
        } else if let Some(uri) = raw.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>')) {
            if uri.is_empty() {
                return Err(self.error(start, "found an empty tag, expected a URI between '!<' and '>'"));
            }
            ("", uri)
        } else {
            let (handle, suffix) = match raw.get(1..).and_then(|rest| rest.split_once('!')) {
                Some((name, suffix)) => (raw.get(..name.len() + 2).unwrap_or_default(), suffix),
                None => ("!", raw.get(1..).unwrap_or_default()),
            };
            if suffix.is_empty() || suffix.contains('!') {
                return Err(self.error(
                    start,
                    format!("found the tag '{}', expected a handle and a suffix without '!'", short(raw, 40)),
                ));
            }
            let prefix = match (self.tags.handles.get(handle), handle) {
                (Some(prefix), _) => prefix.as_str(),
                (None, "!") => "!",
                (None, "!!") => YAML_TAG,
                (None, _) => {
                    return Err(self.error(
                        start,
                        format!("found the tag handle '{}', which no %TAG line declares", short(handle, 40)),
                    ));
                }
            };
            (prefix, suffix)
        };
        let rest = self.unescape(start, rest)?;
        self.scratch.clear();
        self.scratch.push_str(prefix);
        self.scratch.push_str(&rest);
        let full = self.scratch.as_str();
        if full == "!" {
            return Ok(NON_SPECIFIC);
        }
        let index = self.tree.intern_tag(full);
        let tag = index.saturating_add(1);
        if (index as usize) <= self.tags.known.len() {
            return Ok(tag);
        }
        self.tags.bytes += full.len();
        if self.tags.bytes > self.max_tag_bytes {
            let (line, column) = self.tree.position(scanner::offset(start));
            let message = format!(
                "the tags of the tree, as full URIs, are larger than the limit of {} bytes",
                self.max_tag_bytes
            );
            return Err(Error::limit(message).with_code(Code::TreeSize).at_position(line, column).with_hint(
                Hint::Raise { limit: LimitName::TreeTagBytes, from: self.max_tag_bytes as u64, to: None },
            ));
        }
        self.tags.known.push(Meaning::of(full));
        Ok(tag)
    }

    /// Decodes escapes such as `%41` in a tag.
    pub(super) fn unescape(&self, start: usize, text: &'t str) -> Result<Cow<'t, str>> {
        if !text.contains('%') {
            return Ok(Cow::Borrowed(text));
        }
        let wrong =
            || self.error(start, "found '%' in a tag, expected two hexadecimal digits after it, of UTF-8");
        uri::decode_strict(text).map(Cow::Owned).ok_or_else(wrong)
    }
}

/// Returns the slot of a tag: a cheap hash of its length and its last sixteen bytes, in which tags differ by
/// name and version.
#[inline]
fn slot(raw: &str) -> usize {
    let (before, last) = match raw.as_bytes().split_last_chunk::<8>() {
        Some((rest, last)) => (rest, u64::from_le_bytes(*last)),
        None => (raw.as_bytes(), 0),
    };
    let before = match before.last_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => before.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    };
    let mixed = last ^ before.rotate_left(21) ^ raw.len() as u64;
    usize::try_from(mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48).unwrap_or(0) % SLOTS
}

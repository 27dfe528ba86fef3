//! Writes a tree as JSON with the kind of every node, to compare with scripts in other languages.
//!
//! A node is `{"t": "int", "v": "5"}` or similar. Integers are decimal digits, floats are the hexadecimal digits of their
//! bits (or `nan`), and strings are unchanged. Timestamps are in ISO form to the microsecond, and bytes are hexadecimal
//! digits. Collections are numbered by their first place in the tree, and `ref` refers to an earlier one. A tag of an
//! application is under `tag`. A scalar with such a tag is written as its text, since Python's asdf does not resolve it.

use std::collections::HashMap;
use std::fmt::Write as _;

use asdf_core::tree::Kind;
use asdf_core::value::Moment;
use asdf_core::{NodeId, NodeRef, Tree};

/// Writes a whole tree.
#[must_use]
pub fn typed(tree: &Tree) -> String {
    let mut writer = Writer::default();
    match tree.root() {
        Some(root) => writer.node(root),
        None => writer.scalar("null", "", None),
    }
    writer.out
}

/// Writes a text in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

/// Writes a timestamp in ISO form, to the microsecond, which is Python's resolution.
#[must_use]
pub fn iso(moment: Moment) -> String {
    let mut text = format!("{:04}-{:02}-{:02}", moment.year, moment.month, moment.day);
    if moment.has_time {
        let micros = moment.nanosecond / 1000;
        let (hour, minute, second) = (moment.hour, moment.minute, moment.second);
        let _ = write!(text, "T{hour:02}:{minute:02}:{second:02}.{micros:06}");
    }
    if let Some(offset) = moment.offset {
        let sign = if offset < 0 { '-' } else { '+' };
        let _ = write!(text, "{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60);
    }
    text
}

#[derive(Default)]
struct Writer {
    out: String,
    met: HashMap<NodeId, usize>,
}

impl Writer {
    fn node(&mut self, node: NodeRef<'_>) {
        if !node.kind().is_scalar() {
            self.collection(node);
            return;
        }
        let text = node.text().unwrap_or_default();
        if node.own_tag().is_some() {
            self.scalar("text", text, node.own_tag());
            return;
        }
        if let Some(bytes) = node.as_bytes() {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            self.scalar("bytes", &digits, None);
            return;
        }
        match node.kind() {
            Kind::Null => self.scalar("null", "", None),
            Kind::Bool => {
                self.scalar("bool", if node.as_bool() == Some(true) { "true" } else { "false" }, None)
            }
            Kind::Int => {
                let value = node.as_bigint().map_or_else(|| "none".to_owned(), |value| value.to_string());
                self.scalar("int", &value, None);
            }
            Kind::Float => {
                let value = node.as_f64().map_or_else(|| "none".to_owned(), bits);
                self.scalar("float", &value, None);
            }
            Kind::Timestamp => {
                self.scalar("time", &Moment::parse(text).map_or_else(|| "none".to_owned(), iso), None);
            }
            _ => self.scalar("str", text, None),
        }
    }

    fn scalar(&mut self, kind: &str, value: &str, tag: Option<&str>) {
        let tag = tag.map_or_else(String::new, |tag| format!(",\"tag\":{}", quoted(tag)));
        let _ = write!(self.out, "{{\"t\":\"{kind}\",\"v\":{}{tag}}}", quoted(value));
    }

    fn collection(&mut self, node: NodeRef<'_>) {
        let next = self.met.len();
        if let Some(number) = self.met.get(&node.id()) {
            let _ = write!(self.out, "{{\"t\":\"ref\",\"v\":{number}}}");
            return;
        }
        self.met.insert(node.id(), next);
        let _ = write!(self.out, "{{\"id\":{next},");
        if let Some(tag) = node.own_tag() {
            let _ = write!(self.out, "\"tag\":{},", quoted(tag));
        }
        if let Some(items) = node.as_set() {
            self.list("set", items, Self::node);
        } else if let Some(entries) = node.as_omap() {
            self.list("omap", entries, Self::pair);
        } else if let Some(entries) = node.as_pairs() {
            self.list("pairs", entries, Self::pair);
        } else if node.kind() == Kind::Sequence {
            self.list("seq", node.items(), Self::node);
        } else {
            self.list("map", node.entries(), Self::pair);
        }
        self.out.push('}');
    }

    fn list<T>(&mut self, kind: &str, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        let _ = write!(self.out, "\"t\":\"{kind}\",\"v\":[");
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(self, item);
        }
        self.out.push(']');
    }

    fn pair(&mut self, (key, value): (NodeRef<'_>, NodeRef<'_>)) {
        self.out.push('[');
        self.node(key);
        self.out.push(',');
        self.node(value);
        self.out.push(']');
    }
}

fn bits(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{:016x}", value.to_bits()) }
}

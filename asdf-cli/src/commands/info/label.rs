//! Labels: the text after the name of a node.

use std::sync::Arc;

use asdf_core::file::FileBlock;
use asdf_core::tree::{ASDF_TAG, Kind, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, NdArray};
use asdf_tables::{Column, Columns, Dataset};
use unicode_width::UnicodeWidthStr as _;

use super::{Args, is_array, key_text};
use crate::printable::{line, short};
use crate::quantity::Quantity;
use crate::{bytes, value_text};

/// The most characters of a string or a datatype.
const CHARACTERS: usize = 80;

/// Creates the labels of nodes.
pub(super) struct Labels<'a> {
    pub(super) args: &'a Args,
    /// The blocks of the file; empty if the labels of arrays do not name their blocks.
    pub(super) blocks: Vec<Arc<FileBlock>>,
}

/// The label of a node that is shown as a value instead of its items or entries.
pub(super) enum Summary {
    /// An array or a quantity.
    Line(String),
    /// A table.
    Table { title: String, columns: Vec<String> },
}

/// The content of a collection on one line.
pub(super) struct Inline {
    pub(super) text: String,
    /// Whether the text is the complete content.
    pub(super) is_complete: bool,
}

impl Labels<'_> {
    /// Returns the label of a node whose content is on the lines below it, or that has no content.
    pub(super) fn of(&self, node: NodeRef<'_>) -> String {
        let tag = tag(node);
        if self.args.all && is_array(node) {
            return format!(": {}{tag}", self.stored_array(node));
        }
        match self.summary(node) {
            Some(Summary::Line(text) | Summary::Table { title: text, .. }) => {
                // The text shows that this is an array; its tag is not needed.
                return if is_array(node) { format!(": {text}") } else { format!("{tag}: {text}") };
            }
            None => {}
        }
        match node.kind() {
            Kind::Mapping if node.is_empty() => format!(": {{}}{tag}"),
            Kind::Sequence if node.is_empty() => format!(": []{tag}"),
            Kind::Mapping => tag,
            Kind::Sequence => format!(" [{}]{tag}", node.len()),
            _ => format!(": {}{tag}", self.scalar(node)),
        }
    }

    /// Returns the label of a folded collection, with the part of its content that fits into `room` characters.
    pub(super) fn folded(&self, node: NodeRef<'_>, room: usize) -> String {
        let tag = tag(node);
        let room = room.saturating_sub(tag.width() + 2);
        match self.summary(node) {
            Some(Summary::Table { title, columns }) => {
                let names =
                    columns.iter().map(|column| column.split(' ').next().unwrap_or_default().to_owned());
                let room = room.saturating_sub(title.width() + 2);
                format!("{tag}: {title}: {}", joined(names, columns.len(), room).text)
            }
            _ => format!("{tag}: {}", self.inline(node, room).text),
        }
    }

    /// Returns the label of the library that wrote the file, or of its history.
    pub(super) fn bookkeeping(&self, node: NodeRef<'_>, room: usize) -> String {
        let text = |key: &str| node.get(key).and_then(NodeRef::text);
        if let (Some(name), Some(version)) = (text("name"), text("version")) {
            return format!(": {} {}", self.cut(name), self.cut(version));
        }
        let count = |key: &str| node.get(key).filter(|list| list.kind() == Kind::Sequence).map(NodeRef::len);
        let entries = if node.kind() == Kind::Sequence { Some(node.len()) } else { count("entries") };
        let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let parts = [
            count("extensions").map(|n| plural(n, "extension", "extensions")),
            entries.map(|n| plural(n, "entry", "entries")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { self.folded(node, room) } else { format!(": {}", parts.join(", ")) }
    }

    /// Returns the content of a collection on one line, as in `{a: 1, b: {…}, … 5 more}`.
    pub(super) fn inline(&self, node: NodeRef<'_>, room: usize) -> Inline {
        let mut is_complete = true;
        let mut text = |node: NodeRef<'_>| match node.kind() {
            Kind::Mapping | Kind::Sequence => match self.summary(node) {
                Some(Summary::Line(text) | Summary::Table { title: text, .. }) => {
                    is_complete = false;
                    text
                }
                None if node.is_empty() => brackets(node, ""),
                None => {
                    is_complete = false;
                    brackets(node, "…")
                }
            },
            _ => self.scalar(node),
        };
        let parts: Vec<String> = match node.kind() {
            Kind::Sequence => node.items().take(self.args.max_items).map(&mut text).collect(),
            _ => {
                // No more than these can fit.
                let entries = node.entries().take(room);
                let part = |(key, value): (NodeRef<'_>, NodeRef<'_>)| {
                    let key = line(&key_text(key));
                    let value = text(value);
                    if self.args.no_show_values { key } else { format!("{key}: {value}") }
                };
                entries.map(part).collect()
            }
        };
        let inner = joined(parts.into_iter(), node.len(), room.saturating_sub(2));
        Inline { text: brackets(node, &inner.text), is_complete: is_complete && inner.is_complete }
    }

    /// Returns the summary of an array, a quantity or a table; `None` for other nodes.
    pub(super) fn summary(&self, node: NodeRef<'_>) -> Option<Summary> {
        if self.args.all || node.kind().is_scalar() {
            return None;
        }
        if is_array(node) {
            return Some(match NdArray::from_node(node) {
                Ok(array) => self.array_or_records(&array),
                Err(error) => Summary::Line(format!("damaged array ({})", line(error.message()))),
            });
        }
        node.own_tag()?;
        let collection = |key: &str| node.get(key).filter(|value| !value.kind().is_scalar());
        if collection("columns").is_some_and(|list| list.kind() == Kind::Sequence) {
            return match Dataset::from_node(node) {
                Ok(Dataset::Table { columns, .. }) => Some(table(&columns)),
                _ => None,
            };
        }
        if collection("value").or_else(|| collection("data")).is_some() {
            return match Dataset::from_node(node) {
                Ok(Dataset::Array { array, unit, .. }) => {
                    Some(Summary::Line(self.array(&array, unit.as_deref())))
                }
                _ => None,
            };
        }
        let quantity = Quantity::of(node).filter(|_| !self.args.no_show_values)?;
        Some(Summary::Line(self.cut(&quantity.text())))
    }

    fn array_or_records(&self, array: &NdArray) -> Summary {
        match (array.datatype(), array.shape()) {
            (Datatype::Struct(_), [_]) => match Columns::from_records(array) {
                Ok(columns) => table(&columns),
                Err(_) => Summary::Line(self.array(array, None)),
            },
            _ => Summary::Line(self.array(array, None)),
        }
    }

    /// Describes an array, as in `float32 [4096, 4096], DN / s, 67.1 MB`.
    fn array(&self, array: &NdArray, unit: Option<&str>) -> String {
        let mut text = short(&array.datatype().to_string(), CHARACTERS);
        text.push_str(&format!(" {:?}", array.shape()));
        if let Some(unit) = unit {
            text.push_str(&format!(", {}", self.cut(unit)));
        }
        if let Some(size) = size(array) {
            text.push_str(&format!(", {}", bytes::shown(size)));
        }
        match (array.is_inline(), array.external()) {
            (_, Some(uri)) => text.push_str(&format!(", in {}", line(uri))),
            (true, _) => text.push_str(", inline"),
            _ if self.args.sizes || self.args.blocks => text.push_str(&format!(", {}", self.block(array))),
            _ => {}
        }
        if array.mask().is_some() {
            text.push_str(", masked");
        }
        text
    }

    /// Describes where the data of an array is, and its number of bytes there.
    fn block(&self, array: &NdArray) -> String {
        let Some(number) = array.source() else { return String::new() };
        let block = usize::try_from(number).ok().and_then(|at| self.blocks.get(at));
        let header =
            block.map(|block| block.header()).filter(|header| self.args.sizes && !header.is_streamed());
        match header {
            Some(header) if !header.compression.is_none() => {
                format!("block {number}: {} of {}", bytes::shown(header.used_size), header.compression)
            }
            Some(header) => format!("block {number}: {}", bytes::shown(header.used_size)),
            None => format!("block {number}"),
        }
    }

    /// Describes an array in the whole tree: datatype, shape and location of the data.
    fn stored_array(&self, node: NodeRef<'_>) -> String {
        let array = match NdArray::from_node(node) {
            Ok(array) => array,
            Err(error) => return format!("damaged array ({})", line(error.message())),
        };
        let mut text = self.array(&array, None);
        if let Some(block) = array.source().filter(|_| !self.args.sizes && !self.args.blocks) {
            text.push_str(&format!(", block {block}"));
        }
        text
    }

    fn scalar(&self, node: NodeRef<'_>) -> String {
        match node.kind() {
            Kind::Null => "null".to_owned(),
            kind if self.args.no_show_values => format!("{kind:?}").to_lowercase(),
            Kind::String => format!("'{}'", self.cut(node.text().unwrap_or_default())),
            _ => self.cut(&value_text::scalar(node)),
        }
    }

    fn cut(&self, text: &str) -> String {
        short(text, if self.args.all { usize::MAX } else { CHARACTERS })
    }
}

/// Returns the tag of a node, without the prefix of the standard's tags.
fn tag(node: NodeRef<'_>) -> String {
    let short = |tag: &str| line(tag.strip_prefix(ASDF_TAG).unwrap_or(tag));
    node.own_tag().map(|tag| format!(" <{}>", short(tag))).unwrap_or_default()
}

fn brackets(node: NodeRef<'_>, text: &str) -> String {
    if node.kind() == Kind::Sequence { format!("[{text}]") } else { format!("{{{text}}}") }
}

/// Joins the parts that fit into `room` characters, and adds the number of the others.
fn joined(parts: impl Iterator<Item = String>, count: usize, room: usize) -> Inline {
    let rest = |left: usize| format!("… {left} more");
    let mut text = String::new();
    let mut shown = 0;
    for part in parts {
        let separator = if shown > 0 { ", " } else { "" };
        let left = count.saturating_sub(shown + 1);
        let after = if left > 0 { 2 + rest(left).width() } else { 0 };
        if text.width() + separator.len() + part.width() + after > room {
            break;
        }
        text.push_str(separator);
        text.push_str(&part);
        shown += 1;
    }
    let left = count.saturating_sub(shown);
    if left > 0 {
        text.push_str(if shown > 0 { ", " } else { "" });
        text.push_str(&if shown > 0 { rest(left) } else { "…".to_owned() });
    }
    Inline { text, is_complete: left == 0 }
}

/// Describes a table, as in `1000 rows, 7 columns, 56 kB`, and its columns.
fn table(columns: &Columns) -> Summary {
    let count = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let width = (columns.as_slice().len() + columns.left_out().len()) as u64;
    let mut title = format!("{}, {}", count(columns.rows(), "row"), count(width, "column"));
    if let Some(size) = columns.row_size().ok().and_then(|size| size.checked_mul(columns.rows())) {
        title.push_str(&format!(", {}", bytes::shown(size)));
    }
    let described = |column: &Column| {
        let cell = column.cell();
        let shape = if cell.is_empty() { String::new() } else { format!(" {cell:?}") };
        let unit =
            column.unit.as_deref().map(|unit| format!(" {}", short(unit, CHARACTERS))).unwrap_or_default();
        let datatype = short(&column.array.datatype().to_string(), CHARACTERS);
        format!("{} {datatype}{shape}{unit}", short(&column.name, CHARACTERS))
    };
    let names = columns.left_out().iter().map(|left_out| short(&left_out.name, CHARACTERS));
    Summary::Table { title, columns: columns.as_slice().iter().map(described).chain(names).collect() }
}

/// Returns the number of bytes of an array's elements.
pub(super) fn size(array: &NdArray) -> Option<u64> {
    array.datatype().size().ok().and_then(|item| array.len().checked_mul(item))
}

/// Joins words to lines of at most `width` characters.
pub(super) fn wrapped(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let word = if at + 1 < words.len() { format!("{word},") } else { word.clone() };
        match lines.last_mut() {
            Some(last) if last.width() + 1 + word.width() <= width => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

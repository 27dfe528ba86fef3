//! The contents of a file as JSON.

use std::collections::HashMap;
use std::io::Write;

use asdf_core::file::{FileBlock, IndexState};
use asdf_core::tree::{Kind, NodeId, NodeRef, Path};
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result};
use asdf_tables::json;
use serde_json::{Value as Json, json};

use super::{Args, is_array, key_text};
use crate::hint::Words;
use crate::outcome::output;

fn warning_text(warning: &Error) -> String {
    warning.display_with(Words).to_string()
}

/// Writes the JSON in pieces, so that a large tree is not in memory a second time.
pub(super) fn write(
    name: &str,
    file: &File,
    root: Option<NodeRef<'_>>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<()> {
    let header = file.header();
    let mut warnings: Vec<String> = file.warnings().iter().map(warning_text).collect();
    let blocks: Vec<Json> = match file.blocks() {
        Ok(blocks) => blocks.iter().map(|block| json_block(block)).collect(),
        Err(error) => {
            warnings.push(error.display_with(Words).to_string());
            Vec::new()
        }
    };
    warnings.extend(file.missed_blocks().unwrap_or_default().iter().map(warning_text));
    let index = match file.index() {
        Ok(IndexState::Absent) => "absent",
        Ok(IndexState::Right) => "right",
        Ok(IndexState::Wrong) => "wrong",
        Err(_) => "unknown",
    };
    let path = file.tree().resolve_path(args.path.as_deref().unwrap_or_default());
    let mut writer = JsonTree { args, out, seen: HashMap::new(), path };
    writer.text("{\"asdf_info\": 1, \"tree\": ")?;
    match root {
        Some(root) => writer.node(root, 0)?,
        None => writer.text("null")?,
    }
    for (name, value) in [
        ("file", name.into()),
        ("format", header.format.to_string().into()),
        ("standard", header.standard.to_string().into()),
        ("comments", header.comments.clone().into()),
        ("blocks", Json::Array(blocks)),
        ("index", index.into()),
        ("warnings", warnings.into()),
    ] {
        writer.member(name, &value)?;
    }
    if let Some(container) = file.container() {
        writer.member("container", &container.format().into())?;
    }
    if let Some(root) = root.filter(|_| args.arrays) {
        let path = file.tree().resolve_path(args.path.as_deref().unwrap_or_default());
        writer.member("arrays", &super::arrays::json(file, root, &path))?;
    }
    writer.text("}\n")
}

fn json_block(block: &FileBlock) -> Json {
    let header = block.header();
    json!({
        "offset": block.offset(),
        "header_size": header.header_size,
        "flags": header.flags,
        "compression": header.compression.to_string(),
        "allocated_size": header.allocated_size,
        "used_size": header.used_size,
        "data_size": header.data_size,
        "checksum": header.checksum.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
    })
}

/// Writes nodes as {"kind", "line", "column"[, "tag"]} with "value", "items", "entries", "array", "length" or
/// "same_as".
struct JsonTree<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    /// The paths of the nodes that were written. Shared nodes are written once.
    seen: HashMap<NodeId, Path>,
    path: Path,
}

impl JsonTree<'_> {
    fn text(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(output)
    }

    fn json(&mut self, value: &Json) -> Result<()> {
        write!(self.out, "{}", json::Printable(value)).map_err(output)
    }

    /// Writes another member of an object.
    fn member(&mut self, name: &str, value: &Json) -> Result<()> {
        self.text(", \"")?;
        self.text(name)?;
        self.text("\": ")?;
        self.json(value)
    }

    fn node(&mut self, node: NodeRef<'_>, depth: usize) -> Result<()> {
        self.text("{\"kind\": ")?;
        self.json(&format!("{:?}", node.kind()).to_lowercase().into())?;
        if let Some(tag) = node.tag() {
            self.member("tag", &tag.into())?;
        }
        if let Some((line, column)) = node.position() {
            self.member("line", &line.into())?;
            self.member("column", &column.into())?;
        }
        self.content(node, depth)?;
        self.text("}")
    }

    fn content(&mut self, node: NodeRef<'_>, depth: usize) -> Result<()> {
        if !node.kind().is_scalar() || node.anchor().is_some() {
            if let Some(first) = self.seen.get(&node.id()) {
                let first = first.as_str().into();
                return self.member("same_as", &first);
            }
            self.seen.insert(node.id(), self.path.clone());
        }
        match node.kind() {
            Kind::Null => self.member("value", &Json::Null),
            Kind::Bool => self.member("value", &node.as_bool().into()),
            Kind::Float => self.member("value", &node.as_f64().map_or(Json::Null, json::float)),
            Kind::Int => match node.as_i128() {
                Some(number) => self.member("value", &json::integer(number)),
                None => self.member("value", &node.text().into()),
            },
            Kind::String | Kind::Timestamp => self.member("value", &node.text().into()),
            Kind::Sequence | Kind::Mapping if is_array(node) => self.member("array", &json_array(node)),
            _ if self.args.depth.is_some_and(|most| depth >= most) => {
                self.member("length", &node.len().into())
            }
            Kind::Sequence => {
                self.text(", \"items\": [")?;
                for (index, item) in node.items().enumerate() {
                    self.text(if index > 0 { ", " } else { "" })?;
                    self.below(&index.to_string(), item, depth)?;
                }
                self.text("]")
            }
            Kind::Mapping => {
                self.text(", \"entries\": [")?;
                for (index, (key, value)) in node.entries().enumerate() {
                    let key = key_text(key);
                    self.text(if index > 0 { ", {\"key\": " } else { "{\"key\": " })?;
                    self.json(&key.as_str().into())?;
                    self.text(", \"node\": ")?;
                    self.below(&key, value, depth)?;
                    self.text("}")?;
                }
                self.text("]")
            }
        }
    }

    fn below(&mut self, step: &str, child: NodeRef<'_>, depth: usize) -> Result<()> {
        // Only nodes that can be reached again need their path.
        if child.kind().is_scalar() && child.anchor().is_none() {
            return self.node(child, depth + 1);
        }
        let parent = self.path.clone();
        self.path.push(step);
        self.node(child, depth + 1)?;
        self.path = parent;
        Ok(())
    }
}

fn json_array(node: NodeRef<'_>) -> Json {
    match NdArray::from_node(node) {
        Ok(array) => json!({
            "datatype": json::datatype(array.datatype()),
            "shape": array.shape(),
            "byteorder": array.byteorder().to_string(),
            "block": array.source(),
            "file": array.external(),
            "inline": array.is_inline(),
            "masked": array.mask().is_some(),
        }),
        Err(error) => json!({"error": error.display_with(Words).to_string()}),
    }
}

//! `asdf info`: what is in a file, without reading its data.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use asdf_core::file::{FileBlock, IndexState};
use asdf_core::tree::{ASDF_TAG, Kind, NodeId, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Path, Result};
use serde_json::{Value as Json, json};

use crate::canonical;
use crate::commands::{Outcome, output};
use crate::printable::{line, short};

/// Show what is in a file: its tree with tags, shapes and datatypes. No array is read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON: {"asdf_info": 1, "tree", "file", "format", "standard", "comments", "blocks", "index",
    /// "warnings"}
    #[arg(long)]
    json: bool,

    /// Show the tree only so deep
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Show all items of long lists and the whole of long strings
    #[arg(long)]
    all: bool,

    /// List the blocks too
    #[arg(long)]
    blocks: bool,

    /// The file
    file: PathBuf,
}

/// How many items of a list are shown, and how many characters of a string.
const ITEMS: usize = 10;
const CHARACTERS: usize = 80;

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let file = File::open(&args.file)?;
    if args.json {
        write_json(&file, args, out)?;
        return Ok(Outcome::Fine);
    }
    head(&file, args, out).map_err(output)?;
    if let Some(root) = file.tree().root() {
        let mut drawing = Drawing { args, out: &mut *out, seen: HashMap::new(), path: Path::root() };
        drawing.root(root).map_err(output)?;
    }
    if args.blocks {
        blocks(&file, out)?;
    }
    Ok(Outcome::Fine)
}

fn head(file: &File, args: &Args, out: &mut dyn Write) -> std::io::Result<()> {
    let header = file.header();
    let blocks = match file.blocks() {
        Ok(blocks) if blocks.len() == 1 => "1 block".to_owned(),
        Ok(blocks) => format!("{} blocks", blocks.len()),
        Err(error) => format!("damaged blocks ({})", line(error.message())),
    };
    writeln!(
        out,
        "{}: ASDF {}, standard {}, {blocks}",
        line(&args.file.display().to_string()),
        header.format,
        header.standard
    )?;
    for comment in &header.comments {
        writeln!(out, "#{}", line(comment))?;
    }
    for warning in file.warnings() {
        writeln!(out, "warning: {}", line(warning.message()))?;
    }
    Ok(())
}

/// A tag without the part that all tags of the standard share.
fn short_tag(tag: &str) -> String {
    line(tag.strip_prefix(ASDF_TAG).unwrap_or(tag))
}

struct Drawing<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    /// The collections that were drawn, with their paths: shared ones are drawn once.
    seen: HashMap<NodeId, Path>,
    path: Path,
}

impl Drawing<'_> {
    fn root(&mut self, root: NodeRef<'_>) -> std::io::Result<()> {
        let label = self.label(root);
        writeln!(self.out, "tree{label}")?;
        self.children(root, "", 1)
    }

    /// The drawing below a node; as deep as the tree, which is limited.
    fn children(&mut self, node: NodeRef<'_>, indent: &str, depth: usize) -> std::io::Result<()> {
        let hidden = self.args.depth.is_some_and(|most| depth > most);
        if node.kind().is_scalar() || is_array(node) || node.is_empty() || hidden {
            return Ok(());
        }
        self.seen.insert(node.id(), self.path.clone());
        let shown =
            if self.args.all || node.kind() == Kind::Mapping { node.len() } else { node.len().min(ITEMS) };
        let named: Vec<(String, NodeRef<'_>)> = match node.kind() {
            Kind::Sequence => {
                node.items().take(shown).enumerate().map(|(i, item)| (i.to_string(), item)).collect()
            }
            _ => node.entries().map(|(key, value)| (key_text(key), value)).collect(),
        };
        let more = node.len() - shown;
        let last = named.len();
        for (index, (name, child)) in named.into_iter().enumerate() {
            let is_last = index + 1 == last && more == 0;
            let branch = if is_last { "└─" } else { "├─" };
            if let Some(first) = self.seen.get(&child.id()).filter(|_| !child.kind().is_scalar()) {
                let first = if first.as_str().is_empty() { "/" } else { first.as_str() };
                writeln!(self.out, "{indent}{branch} {}: same as {}", line(&name), line(first))?;
                continue;
            }
            let label = self.label(child);
            writeln!(self.out, "{indent}{branch} {}{label}", line(&name))?;
            let below = format!("{indent}{}", if is_last { "   " } else { "│  " });
            let parent = self.path.clone();
            self.path.push(&name);
            self.children(child, &below, depth + 1)?;
            self.path = parent;
        }
        if more > 0 {
            writeln!(self.out, "{indent}└─ … {more} more")?;
        }
        Ok(())
    }

    /// What a node is, after its name.
    fn label(&self, node: NodeRef<'_>) -> String {
        let tag = node.own_tag().map(|tag| format!(" <{}>", short_tag(tag))).unwrap_or_default();
        if is_array(node) {
            return format!(": {}{tag}", array_text(node));
        }
        match node.kind() {
            Kind::Mapping if node.is_empty() => format!(": {{}}{tag}"),
            Kind::Sequence if node.is_empty() => format!(": []{tag}"),
            Kind::Mapping => tag,
            Kind::Sequence => format!(" [{}]{tag}", node.len()),
            Kind::Null => format!(": null{tag}"),
            Kind::String => format!(": '{}'{tag}", self.scalar(node)),
            _ => format!(": {}{tag}", self.scalar(node)),
        }
    }

    fn scalar(&self, node: NodeRef<'_>) -> String {
        let most = if self.args.all { usize::MAX } else { CHARACTERS };
        short(node.text().unwrap_or_default(), most)
    }
}

fn key_text(key: NodeRef<'_>) -> String {
    key.text().map_or_else(|| key.describe(), str::to_owned)
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

/// Datatype, shape and where the data is.
fn array_text(node: NodeRef<'_>) -> String {
    let array = match NdArray::from_node(node) {
        Ok(array) => array,
        Err(error) => return format!("damaged array ({})", line(error.message())),
    };
    let place = match (array.source(), array.external()) {
        (Some(block), _) => format!("block {block}"),
        (None, Some(uri)) => format!("in {}", line(uri)),
        (None, None) => "inline".to_owned(),
    };
    let mask = if array.mask().is_some() { ", masked" } else { "" };
    format!("{} {:?}, {place}{mask}", short(&array.datatype().to_string(), CHARACTERS), array.shape())
}

fn blocks(file: &File, out: &mut dyn Write) -> Result<()> {
    for block in file.blocks()? {
        let header = block.header();
        let label = header.compression;
        let sizes = if label.is_none() {
            format!("{} bytes", header.data_size)
        } else {
            format!("{} bytes in {} of {label}", header.data_size, header.used_size)
        };
        let streamed = if header.streamed() { ", streamed" } else { "" };
        writeln!(out, "block {} at byte {}: {sizes}{streamed}", block.number(), block.offset())
            .map_err(output)?;
    }
    let index = match file.index()? {
        IndexState::Absent => "no block index",
        IndexState::Right => "block index: right",
        IndexState::Wrong => "block index: wrong, not used",
    };
    writeln!(out, "{index}").map_err(output)
}

/// Written as it goes: a large tree is not built a second time as JSON.
fn write_json(file: &File, args: &Args, out: &mut dyn Write) -> Result<()> {
    let header = file.header();
    let mut warnings: Vec<String> = file.warnings().iter().map(ToString::to_string).collect();
    let blocks: Vec<Json> = match file.blocks() {
        Ok(blocks) => blocks.iter().map(|block| json_block(block)).collect(),
        Err(error) => {
            warnings.push(error.to_string());
            Vec::new()
        }
    };
    let index = match file.index() {
        Ok(IndexState::Absent) => "absent",
        Ok(IndexState::Right) => "right",
        Ok(IndexState::Wrong) => "wrong",
        Err(_) => "unknown",
    };
    let mut writer = JsonTree { args, out, seen: HashMap::new(), path: Path::root() };
    writer.text("{\"asdf_info\": 1, \"tree\": ")?;
    match file.tree().root() {
        Some(root) => writer.node(root, 0)?,
        None => writer.text("null")?,
    }
    for (name, value) in [
        ("file", args.file.display().to_string().into()),
        ("format", header.format.to_string().into()),
        ("standard", header.standard.to_string().into()),
        ("comments", header.comments.clone().into()),
        ("blocks", Json::Array(blocks)),
        ("index", index.into()),
        ("warnings", warnings.into()),
    ] {
        writer.member(name, &value)?;
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

/// Nodes as {"kind", "line", "column"[, "tag"]} and "value", "items", "entries", "array", "length" or
/// "same_as".
struct JsonTree<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    /// The paths of what was written: shared nodes are written once.
    seen: HashMap<NodeId, Path>,
    path: Path,
}

impl JsonTree<'_> {
    fn text(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(output)
    }

    fn json(&mut self, value: &Json) -> Result<()> {
        serde_json::to_writer(&mut *self.out, value).map_err(|error| output(error.into()))
    }

    /// One more member of an object.
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
            Kind::Float => self.member("value", &node.as_f64().map_or(Json::Null, canonical::plain_float)),
            Kind::Int => match node.as_i128() {
                Some(number) => self.member("value", &canonical::integer(number)),
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
        // Paths are kept of what can be met again, and of nothing else.
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
            "datatype": canonical::datatype(array.datatype()),
            "shape": array.shape(),
            "byteorder": array.byteorder().to_string(),
            "block": array.source(),
            "file": array.external(),
            "inline": array.is_inline(),
            "masked": array.mask().is_some(),
        }),
        Err(error) => json!({"error": error.to_string()}),
    }
}

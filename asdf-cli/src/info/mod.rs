//! `asdf info`: what is in a file, without reading its data.

mod json;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::block::Header;
use asdf_core::file::{FileBlock, IndexState};
use asdf_core::tree::{ASDF_TAG, Kind, NodeId, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Path, Result};

use crate::commands::{Outcome, output};
use crate::complete_path::PLACE;
use crate::files::inputs;
use crate::many::Failures;
use crate::place;
use crate::printable::{line, short};

/// Show what is in files: their trees with tags, shapes and datatypes. No array is read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf info image.asdf
  asdf info --path /roman/meta --depth 1 image.asdf
  asdf info --sizes --no-show-values archive/           how large each array is, and stored
  asdf info --json --blocks image.asdf | jq .blocks")]
pub(crate) struct Args {
    /// Print one object for each file: {"asdf_info": 1, "tree", "file", "format", "standard", "comments", "blocks", "index",
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
    #[arg(long, alias = "show-blocks")]
    blocks: bool,

    /// Show only what is at a place of the tree, and below it
    #[arg(long, value_name = "PATH", value_hint = PLACE)]
    path: Option<String>,

    /// Show how many bytes each array has, and as how many it is stored
    #[arg(long)]
    sizes: bool,

    /// Show so many items of long lists at most
    #[arg(long, value_name = "N", default_value_t = ITEMS, conflicts_with = "all")]
    max_rows: usize,

    /// Show so many characters of long strings at most
    #[arg(long, value_name = "N", default_value_t = CHARACTERS, conflicts_with = "all")]
    max_cols: usize,

    /// Show values; so it is anyway
    #[arg(long, overrides_with = "no_show_values")]
    show_values: bool,

    /// Show the kinds of scalars and not their values
    #[arg(long, overrides_with = "show_values")]
    no_show_values: bool,

    /// Files, folders (every *.asdf below), patterns, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// How many items of a list are shown, and how many characters of a string.
const ITEMS: usize = 10;
const CHARACTERS: usize = 80;

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let mut failures = Failures::default();
    for (number, input) in inputs(args.paths.clone()).enumerate() {
        if number > 0 && !args.json {
            writeln!(out).map_err(output)?;
        }
        let opened = input.and_then(|input| Ok((input.name(), input.open()?)));
        let root = opened.and_then(|(name, file)| match &args.path {
            // What is not there is told before anything is printed.
            Some(path) => {
                let id = place::at(&file, path).map_err(|error| error.at_file(&name))?.id();
                Ok((name, Some(id), file))
            }
            None => Ok((name, file.tree().root().map(NodeRef::id), file)),
        });
        match root {
            Ok((name, root, file)) => show(&name, &file, root.map(|id| file.tree().node(id)), args, out)?,
            Err(error) => failures.add(error),
        }
    }
    failures.end().map(|()| Outcome::Fine)
}

fn show(name: &str, file: &File, root: Option<NodeRef<'_>>, args: &Args, out: &mut dyn Write) -> Result<()> {
    if args.json {
        return json::write(name, file, root, args, out);
    }
    head(name, file, out).map_err(output)?;
    if let Some(root) = root {
        let path = Path::from(place::pointer(args.path.as_deref().unwrap_or_default()));
        // Damaged ones are told above.
        let blocks = if args.sizes { file.blocks().unwrap_or_default() } else { Vec::new() };
        let mut drawing = Drawing { args, out: &mut *out, blocks, seen: HashMap::new(), path };
        drawing.root(root).map_err(output)?;
    }
    if args.blocks {
        blocks(file, out)?;
    }
    Ok(())
}

fn head(name: &str, file: &File, out: &mut dyn Write) -> std::io::Result<()> {
    let header = file.header();
    let blocks = match file.blocks() {
        Ok(blocks) if blocks.len() == 1 => "1 block".to_owned(),
        Ok(blocks) => format!("{} blocks", blocks.len()),
        Err(error) => format!("damaged blocks ({})", line(error.message())),
    };
    writeln!(out, "{}: ASDF {}, standard {}, {blocks}", line(name), header.format, header.standard)?;
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
    /// The blocks of the file, where sizes are asked for.
    blocks: Vec<Arc<FileBlock>>,
    /// The collections that were drawn, with their paths: shared ones are drawn once.
    seen: HashMap<NodeId, Path>,
    path: Path,
}

impl Drawing<'_> {
    fn root(&mut self, root: NodeRef<'_>) -> std::io::Result<()> {
        let label = self.label(root);
        let name = if self.path.as_str().is_empty() { "tree".to_owned() } else { line(self.path.as_str()) };
        writeln!(self.out, "{name}{label}")?;
        self.children(root, "", 1)
    }

    /// The drawing below a node; as deep as the tree, which is limited.
    fn children(&mut self, node: NodeRef<'_>, indent: &str, depth: usize) -> std::io::Result<()> {
        let hidden = self.args.depth.is_some_and(|most| depth > most);
        if node.kind().is_scalar() || is_array(node) || node.is_empty() || hidden {
            return Ok(());
        }
        self.seen.insert(node.id(), self.path.clone());
        let shown = if self.args.all || node.kind() == Kind::Mapping {
            node.len()
        } else {
            node.len().min(self.args.max_rows)
        };
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
            let sizes = if self.args.sizes { sizes(node, &self.blocks) } else { String::new() };
            return format!(": {}{sizes}{tag}", array_text(node));
        }
        match node.kind() {
            Kind::Mapping if node.is_empty() => format!(": {{}}{tag}"),
            Kind::Sequence if node.is_empty() => format!(": []{tag}"),
            Kind::Mapping => tag,
            Kind::Sequence => format!(" [{}]{tag}", node.len()),
            Kind::Null => format!(": null{tag}"),
            kind if self.args.no_show_values => format!(": {}{tag}", format!("{kind:?}").to_lowercase()),
            Kind::String => format!(": '{}'{tag}", self.scalar(node)),
            _ => format!(": {}{tag}", self.scalar(node)),
        }
    }

    fn scalar(&self, node: NodeRef<'_>) -> String {
        let most = if self.args.all { usize::MAX } else { self.args.max_cols };
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

/// The bytes of an array's elements, and those of the block that they are in.
fn sizes(node: NodeRef<'_>, blocks: &[Arc<FileBlock>]) -> String {
    let Ok(array) = NdArray::from_node(node) else { return String::new() };
    let Ok(item) = array.datatype().size() else { return String::new() };
    let own = array.len().saturating_mul(item);
    let number = array.source().and_then(|source| usize::try_from(source).ok());
    match number.and_then(|number| blocks.get(number)).filter(|block| !block.header().streamed()) {
        Some(block) => format!(", {own} bytes stored as {}", block.header().used_size),
        None => format!(", {own} bytes"),
    }
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
        let mut more = String::new();
        if header.streamed() {
            more.push_str(", streamed");
        }
        if let Some(free) = header.allocated_size.checked_sub(header.used_size).filter(|&free| free > 0) {
            more.push_str(&format!(", {free} free"));
        }
        if usize::from(header.header_size) != Header::LEN - Header::PREFIX {
            more.push_str(&format!(", data at byte {}", header.data_offset(block.offset())?));
        }
        if header.checksum == [0; 16] && !header.streamed() {
            more.push_str(", no checksum");
        }
        writeln!(out, "block {} at byte {}: {sizes}{more}", block.number(), block.offset())
            .map_err(output)?;
    }
    let index = match file.index()? {
        IndexState::Absent => "no block index",
        IndexState::Right => "block index: right",
        IndexState::Wrong => "block index: wrong, not used",
    };
    writeln!(out, "{index}").map_err(output)
}

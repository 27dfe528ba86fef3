//! `asdf info`: shows the contents of a file without reading its data.

mod arrays;
mod blocks;
mod drawing;
mod json;
mod label;
mod names;
mod outline;
mod plan;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::tree::{NodeId, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{File, NdArray, Result};
use asdf_schemas::Registry;
use asdf_schemas::titles::Titles;

use crate::colour::Colours;
use crate::complete_path::PLACE;
use crate::context::Context;
use crate::failures::Failures;
use crate::input::inputs;
use crate::outcome::{Outcome, output};
use crate::place;
use crate::printable::line;
use crate::sources::Sources;
use crate::terminal::Window;
use crate::warning::Warnings;
use drawing::Drawing;
use label::Labels;
use plan::Plan;

/// Show the tree of files, with the shape and datatype of arrays.
///
/// The tree fits on a screen: arrays come first, tables are lists of columns, and deep nodes are folded to one line.
/// So are the history and the library that wrote the file. Data of arrays is not read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf info image.asdf
  asdf info --path /roman/meta --depth 1 image.asdf
  asdf info --arrays image.asdf                         the arrays instead of the tree
  asdf info --all image.asdf                            the whole tree, in the order of the file
  asdf info --package rad image.asdf                    with the titles of a package's schemas
  asdf info --json --blocks image.asdf | jq .blocks")]
pub(crate) struct Args {
    /// Print one JSON object per file
    ///
    /// {"asdf_info": 1, "tree", "file", "format", "standard", "comments", "blocks", "index", "warnings"}, and "arrays"
    /// with --arrays. "container": "FITS" if the ASDF file is in a FITS file.
    #[arg(long)]
    json: bool,

    /// Show at most N levels of the tree, each of them in full
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Show the whole tree, in the order of the file
    ///
    /// Lists have all their items, and strings their full length.
    #[arg(long)]
    all: bool,

    /// List the arrays instead of the tree
    ///
    /// Each line has the path, datatype, shape, size and storage of an array.
    #[arg(long, conflicts_with_all = ["all", "depth"])]
    arrays: bool,

    /// Unfold the history and the library that wrote the file
    #[arg(long)]
    history: bool,

    /// List the blocks as well
    #[arg(long, alias = "show-blocks")]
    blocks: bool,

    /// Show only the node at PATH and those below it
    #[arg(long, value_name = "PATH", value_hint = PLACE)]
    path: Option<String>,

    /// Show array sizes in memory and on disk
    #[arg(long)]
    sizes: bool,

    /// Print at most N lines [default: those that fit on a screen]
    ///
    /// Deep nodes are folded first.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    max_rows: Option<usize>,

    /// Cut lines after N characters
    #[arg(long, value_name = "N")]
    max_cols: Option<usize>,

    /// Show at most N items of a list
    #[arg(long, value_name = "N", default_value_t = ITEMS, conflicts_with = "all")]
    max_items: usize,

    /// Show values (default; for asdftool scripts)
    #[arg(long, overrides_with = "no_show_values")]
    show_values: bool,

    /// Show the types of scalars instead of their values
    #[arg(long, overrides_with = "show_values")]
    no_show_values: bool,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    sources: Sources,
}

/// The default of --max-items.
const ITEMS: usize = 10;

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
    // The titles of the standard's schemas only repeat the tags.
    let titles = (!Arc::ptr_eq(&registry, &Registry::standard())).then(|| Titles::new(registry));
    let mut failures = Failures::default();
    for (number, input) in inputs(args.paths.clone(), &context.remote).enumerate() {
        if number > 0 && !args.json {
            writeln!(out).map_err(output)?;
        }
        let opened = input.and_then(|input| Ok((input.name(), context.open_quietly(&input.path)?)));
        let root = opened.and_then(|(name, file)| match &args.path {
            // A path that does not exist is reported before anything is printed.
            Some(path) => {
                let id = place::at(&file, path).map_err(|error| error.at_file(&name))?.id();
                Ok((name, Some(id), file))
            }
            None => Ok((name, file.tree().root().map(NodeRef::id), file)),
        });
        match root {
            Ok((name, root, file)) => {
                show(&name, &file, root.map(|id| file.tree().node(id)), titles.as_ref(), args, context, out)?
            }
            Err(error) => failures.add(error),
        }
    }
    failures.end().map(|()| Outcome::Fine)
}

fn show(
    name: &str,
    file: &File,
    root: Option<NodeRef<'_>>,
    titles: Option<&Titles>,
    args: &Args,
    context: &Context,
    out: &mut dyn Write,
) -> Result<()> {
    if args.json {
        return json::write(name, file, root, args, out);
    }
    let head = head(name, file, &context.warnings, out).map_err(output)?;
    if let Some(root) = root {
        tree(file, root, titles, args, head, context.colours, out).map_err(output)?;
    }
    if args.blocks {
        blocks::list(file, out)?;
    }
    Ok(())
}

/// Draws the tree below a node, or lists its arrays.
fn tree(
    file: &File,
    root: NodeRef<'_>,
    titles: Option<&Titles>,
    args: &Args,
    head: usize,
    colours: Colours,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let path = file.tree().resolve_path(args.path.as_deref().unwrap_or_default());
    if args.arrays {
        return arrays::list(file, root, &path, colours, out);
    }
    let rows = args.max_rows.map(|rows| rows.saturating_sub(head));
    if rows == Some(0) {
        return Ok(());
    }
    // `head` has already warned of damaged blocks.
    let blocks = if args.sizes { file.blocks().unwrap_or_default() } else { Vec::new() };
    let labels = Labels { args, blocks };
    let folded: Vec<NodeId> = if args.all || args.history || !path.as_str().is_empty() {
        Vec::new()
    } else {
        let entries = outline::entries(root, args).into_iter();
        entries.filter(|(name, _)| outline::is_bookkeeping(name)).map(|(_, node)| node.id()).collect()
    };
    let width = Window::of_terminal().columns.max(NARROWEST);
    let plan = (!args.all && (args.depth.is_none() || args.max_rows.is_some()))
        .then(|| Plan::of(root, &labels, &folded, width, rows));
    let mut drawing =
        Drawing { labels, colours, out, plan, folded, width, seen: HashMap::new(), path, titles };
    drawing.root(root)
}

/// The least number of columns that folded collections are fitted to.
const NARROWEST: usize = 60;

/// Prints the lines about the file itself and returns their number.
fn head(name: &str, file: &File, warnings: &Warnings, out: &mut dyn Write) -> std::io::Result<usize> {
    let header = file.header();
    let blocks = match file.blocks() {
        Ok(blocks) if blocks.len() == 1 => "1 block".to_owned(),
        Ok(blocks) => format!("{} blocks", blocks.len()),
        Err(error) => format!("damaged blocks ({})", line(error.message())),
    };
    let place = file.container().map(|container| format!(" in {}", container.format())).unwrap_or_default();
    writeln!(out, "{}: ASDF {}{place}, standard {}, {blocks}", line(name), header.format, header.standard)?;
    for comment in &header.comments {
        writeln!(out, "#{}", line(comment))?;
    }
    for warning in file.warnings() {
        writeln!(out, "warning: {}", line(warning.message()))?;
    }
    for warning in file.missed_blocks().unwrap_or_default() {
        warnings.tell(warning.at_file(name));
    }
    Ok(1 + header.comments.len() + file.warnings().len())
}

fn key_text(key: NodeRef<'_>) -> String {
    key.text().map_or_else(|| key.describe(), str::to_owned)
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

//! `asdf history`: shows the processing history of files.

use std::io::Write;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{File, Result};
use asdf_tables::json::Printable;
use serde_json::{Value as Json, json};

use crate::context::Context;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable::line;

/// Show the processing history of files, oldest entry first.
///
/// The last line names the software that wrote the file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf history image.asdf
  asdf history --json archive/ | jq -r '.entries[].time'")]
pub(crate) struct Args {
    /// Print one JSON object per line
    ///
    /// {"asdf_history": 1, "file", "library", "entries": [{"time", "description", "software": [{"name", "version",
    /// "author", "homepage"}]}]}
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    many: InputFiles,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let colours = context.colours;
    let several = args.many.is_many();
    args.many.ask(
        context,
        |input, file| Ok((input.name(), library(file), entries(file))),
        |(name, library, entries)| {
            if args.json {
                let report = json!({"asdf_history": 1, "file": name, "library": library, "entries": entries});
                return writeln!(out, "{}", Printable(&report)).map_err(output);
            }
            let prefix = if several { format!("{}: ", colours.bold(line(&name))) } else { String::new() };
            for entry in &entries {
                let text = |key: &str| line(entry.get(key).and_then(Json::as_str).unwrap_or("-"));
                let software =
                    entry.get("software").and_then(Json::as_array).into_iter().flatten().map(program);
                let software: Vec<String> = software.collect();
                let by = if software.is_empty() {
                    String::new()
                } else {
                    format!("  {}", colours.dim(format!("({})", software.join(", "))))
                };
                writeln!(out, "{prefix}{}  {}{by}", colours.bold(text("time")), text("description"))
                    .map_err(output)?;
            }
            let writer = match library.is_null() {
                true => "writer unknown".to_owned(),
                false => format!("written by {}", program(&library)),
            };
            writeln!(out, "{prefix}{}", colours.dim(writer)).map_err(output)
        },
    )?;
    Ok(Outcome::Fine)
}

fn program(software: &Json) -> String {
    let text = |key: &str| software.get(key).and_then(Json::as_str);
    let name = text("name").unwrap_or("unknown software");
    let version = text("version").map(|version| format!(" {version}")).unwrap_or_default();
    let more: Vec<&str> = ["author", "homepage"].into_iter().filter_map(text).collect();
    let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
    line(&format!("{name}{version}{more}"))
}

fn library(file: &File) -> Json {
    file.tree().find("/asdf_library").map_or(Json::Null, software)
}

fn software(node: NodeRef<'_>) -> Json {
    let text = |key: &str| node.get(key).and_then(NodeRef::text);
    json!({
        "name": text("name"),
        "version": text("version"),
        "author": text("author"),
        "homepage": text("homepage"),
    })
}

/// Returns the entries of the history: a list in old files, and the list `entries` of a mapping in newer ones.
fn entries(file: &File) -> Vec<Json> {
    let history = file.tree().find("/history");
    let list =
        history.and_then(|node| if node.kind() == Kind::Sequence { Some(node) } else { node.get("entries") });
    let one = |node: NodeRef<'_>| {
        let text = |key: &str| node.get(key).and_then(NodeRef::text);
        let programs = match node.get("software") {
            Some(list) if list.kind() == Kind::Sequence => list.items().map(software).collect(),
            Some(one) if one.kind() == Kind::Mapping => vec![software(one)],
            _ => Vec::new(),
        };
        json!({"time": text("time"), "description": text("description"), "software": programs})
    };
    list.into_iter().flat_map(NodeRef::items).map(one).collect()
}

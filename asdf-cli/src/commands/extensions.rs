//! `asdf extensions`: lists the extensions that wrote files, or the available ones.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::tree::{NodeRef, Tree};
use asdf_core::{File, Result};
use asdf_schemas::Registry;
use asdf_tables::json::Printable;
use serde_json::{Value as Json, json};

use crate::colour::Colours;
use crate::context::Context;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::sources::Sources;

/// List the extensions that wrote files, from their history.
///
/// Without a file, lists the extensions that have a manifest here, each with its tags.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf extensions image.asdf
  asdf extensions -s                                    names only
  asdf extensions --package rad --json")]
pub(crate) struct Args {
    /// Print only the extensions, without their tags
    #[arg(short, long, conflicts_with = "tags_only")]
    summary: bool,

    /// Print only the tags
    #[arg(short, long)]
    tags_only: bool,

    /// Print JSON: {"asdf_extensions": 1, "extensions": [{"uri", ...}]}
    ///
    /// The other keys of an extension are "tags"; with files, they are "file", "software" and "version".
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sources: Sources,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    if args.paths.is_empty() {
        known(args, &*args.sources.registry(context)?, context.colours, out)?;
        return Ok(Outcome::Fine);
    }
    let colours = context.colours;
    let many = InputFiles::of(args.paths.clone());
    let several = many.is_many();
    let mut all: Vec<Json> = Vec::new();
    let asked = many.ask(
        context,
        |input, file| Ok(of_file(file, &input.name())),
        |found| {
            for extension in &found {
                if args.json {
                    continue;
                }
                let text = |name: &str| line(extension.get(name).and_then(Json::as_str).unwrap_or_default());
                let file = if several { format!("{}: ", text("file")) } else { String::new() };
                writeln!(
                    out,
                    "{file}{}  {} {}",
                    colours.bold(text("uri")),
                    text("software"),
                    text("version")
                )
                .map_err(output)?;
            }
            all.extend(found);
            Ok(())
        },
    );
    if args.json {
        let report = json!({"asdf_extensions": 1, "extensions": all});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
    }
    asked.map(|()| Outcome::Fine)
}

/// Returns the extensions in a file's history. Old files, whose history is a list, have none.
fn of_file(file: &File, name: &str) -> Vec<Json> {
    let extensions = file.tree().find("/history/extensions");
    let text = |node: NodeRef<'_>, path: &str| node.find(path).and_then(NodeRef::text).map(str::to_owned);
    let one = |node: NodeRef<'_>| {
        json!({
            "file": name,
            "uri": text(node, "/extension_uri").or_else(|| text(node, "/extension_class")),
            "software": text(node, "/software/name"),
            "version": text(node, "/software/version"),
        })
    };
    extensions.into_iter().flat_map(NodeRef::items).map(one).collect()
}

/// Prints the manifests of a registry.
fn known(args: &Args, registry: &Registry, colours: Colours, out: &mut dyn Write) -> Result<()> {
    let manifests = registry.ids().into_iter().filter_map(|id| {
        let tree = registry.schema(id).ok()?;
        tree.find("/tags").filter(|_| tree.find("/extension_uri").is_some())?;
        Some(tree)
    });
    let mut all: Vec<Json> = Vec::new();
    for manifest in manifests {
        let uri = manifest.find("/extension_uri").and_then(NodeRef::text).unwrap_or_default();
        let tags = tags(&manifest);
        if args.json {
            all.push(json!({"uri": uri, "tags": tags}));
            continue;
        }
        if !args.tags_only {
            writeln!(out, "{}", colours.bold(line(uri))).map_err(output)?;
        }
        let indent = if args.tags_only { "" } else { "  " };
        for tag in tags.iter().filter(|_| !args.summary) {
            writeln!(out, "{indent}{}", line(tag)).map_err(output)?;
        }
    }
    if args.json {
        let report = json!({"asdf_extensions": 1, "extensions": all});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
    }
    Ok(())
}

/// Returns the tags of a manifest, which are URIs or mappings with a `tag_uri`.
fn tags(manifest: &Tree) -> Vec<String> {
    let tags = manifest.find("/tags").into_iter().flat_map(NodeRef::items);
    tags.filter_map(|tag| tag.text().or_else(|| tag.get("tag_uri")?.text())).map(str::to_owned).collect()
}

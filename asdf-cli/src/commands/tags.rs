//! `asdf tags`: lists the tags in files, or those that have schemas.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use asdf_core::Result;
use asdf_schemas::Registry;
use asdf_tables::json::Printable;
use serde_json::{Value as Json, json};

use crate::colour::Colours;
use crate::context::Context;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::sources::Sources;

/// List the tags in files, with their counts and missing schemas.
///
/// Without a file, lists all tags that have a schema.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf tags image.asdf
  asdf tags -d archive/                                 with the schemas
  asdf tags --package rad image.asdf
  asdf tags | grep ndarray")]
pub(crate) struct Args {
    /// Show the schemas of each tag
    #[arg(short, long, alias = "display-classes")]
    display_schemas: bool,

    /// Print JSON: {"asdf_tags": 1, "tags": [{"tag", "count", "schemas"}]}
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    sources: Sources,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let registry = args.sources.registry(context)?;
    if args.paths.is_empty() {
        let tags = registry.tags().into_iter().map(|tag| (tag.to_owned(), None));
        return print(args, &registry, tags, context.colours, out);
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let asked = InputFiles::of(args.paths.clone()).ask(
        context,
        |_, file| {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            for node in file.tree().root().into_iter().flat_map(|root| root.walk()) {
                if let Some(tag) = node.own_tag() {
                    *counts.entry(tag.to_owned()).or_default() += 1;
                }
            }
            Ok(counts)
        },
        |found| {
            found.into_iter().for_each(|(tag, count)| *counts.entry(tag).or_default() += count);
            Ok(())
        },
    );
    print(args, &registry, counts.into_iter().map(|(tag, count)| (tag, Some(count))), context.colours, out)?;
    asked.map(|()| Outcome::Fine)
}

fn print(
    args: &Args,
    registry: &Registry,
    tags: impl Iterator<Item = (String, Option<u64>)>,
    colours: Colours,
    out: &mut dyn Write,
) -> Result<Outcome> {
    if args.json {
        let tags: Vec<Json> = tags
            .map(|(tag, count)| json!({"schemas": registry.schemas_of(&tag), "count": count, "tag": tag}))
            .collect();
        writeln!(out, "{}", Printable(&json!({"asdf_tags": 1, "tags": tags}))).map_err(output)?;
        return Ok(Outcome::Fine);
    }
    for (tag, count) in tags {
        let schemas = registry.schemas_of(&tag);
        let count = count.map(|count| format!("{count:>6}  ")).unwrap_or_default();
        let tag = colours.bold(line(&tag));
        match schemas.is_empty() {
            true => writeln!(out, "{count}{tag}  {}", colours.yellow("(no schema)")),
            false => writeln!(out, "{count}{tag}"),
        }
        .map_err(output)?;
        for schema in schemas.iter().filter(|_| args.display_schemas) {
            writeln!(out, "    {}", colours.dim(line(schema))).map_err(output)?;
        }
    }
    Ok(Outcome::Fine)
}

//! `asdf new`: creates an empty file, or one from YAML or a schema.

mod template;

use std::path::PathBuf;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Error, File, Result};
use asdf_schemas::{Validator, Violation};

use crate::commands::set;
use crate::context::Context;
use crate::new_file::{self, free};
use crate::outcome::Outcome;
use crate::sources::Sources;
use crate::standard_version::Standard;
use crate::value;

/// Create a file: empty, from YAML, or as a template of a schema.
///
/// Without %TAG directives in the YAML, its tags are those of the standard, as in !core/ndarray-1.1.0 [1, 2].
///
/// In a template, required properties have their default, else the smallest valid value, or null if the schema does
/// not restrict them. Optional properties are comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf new empty.asdf
  asdf new --set /target=M31 --set '/filters=[F062, F087]' new.asdf
  asdf new --tree template.yaml --set /meta/date=2026-11-20 new.asdf
  asdf new --schema unit/quantity --path /width new.asdf
  asdf new --schemas camera/ --schema exposure --set /exposure/seconds=2.5 new.asdf
  asdf new --schema tree.yaml new.asdf                  a schema for the whole tree")]
pub(crate) struct Args {
    /// Read the tree from a YAML file
    #[arg(long, value_name = "YAML")]
    tree: Option<PathBuf>,

    /// Start from a template of this schema
    ///
    /// The schema is a tag or id, or its last parts, with or without the version, or a file. A tagged value is placed
    /// at
    /// --path (default: the tag's name). An untagged one becomes the whole tree.
    #[arg(long, value_name = "TAG|ID|FILE", conflicts_with = "tree")]
    schema: Option<String>,

    /// Put the template at PATH
    #[arg(long, value_name = "PATH", requires = "schema")]
    path: Option<String>,

    #[command(flatten)]
    sources: Sources,

    /// Set the value at PATH, in YAML; can be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,

    #[command(flatten)]
    standard: Standard,

    /// Replace the file if it exists
    #[arg(short, long)]
    force: bool,

    /// Skip schema validation
    #[arg(long)]
    no_validate: bool,

    /// The new file, or - for standard output
    file: PathBuf,
}

fn assignment(text: &str) -> std::result::Result<(String, String), String> {
    let (path, value) = text.split_once('=').ok_or("expected PATH=VALUE, as in /target=M31")?;
    Ok((path.to_owned(), value.to_owned()))
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    free(&args.file, args.force, "choose another name, or replace it with --force", &context.remote)?;
    let version = args.standard.version;
    let registry = args.sources.registry(context)?;
    let mut file = File::new();
    let mut template = None;
    if let Some(name) = &args.schema {
        file.set_standard(version);
        template = Some(template::fill(&mut file, registry.clone(), name, args.path.as_deref(), version)?);
    }
    if let Some(path) = &args.tree {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::io("reading the tree", error).at_file(path))?;
        tree(&mut file, &text, context).map_err(|error| error.at_file(path))?;
    }
    for (path, word) in &args.set {
        let value = value::parse(word, file.tree())?;
        let path = file.tree().resolve_path(path);
        file.tree_mut().edit(path.as_str()).make_parents()?;
        set::put(&mut file, &path, &value)?;
    }
    if version != file.standard() {
        asdf_schemas::convert(&mut file, version, &Validator::new(registry.clone()))?;
    }
    if !args.no_validate {
        let report = match &template {
            Some(template) => template.validator.validate_tree(file.tree()),
            None => Validator::new(registry).validate_tree(file.tree()),
        };
        let errors = report.violations().iter().take(10).map(Violation::to_error);
        if let Some(error) = errors.reduce(Error::and) {
            return Err(error.with_hint("pass --no-validate to write it anyway"));
        }
        for error in report.unchecked_content(file.tree(), None) {
            context.warnings.tell(error.at_file(&args.file));
        }
    }
    let Some(template) = template else {
        new_file::write(&context.write_options(), &file, &args.file, &context.remote)?;
        return Ok(Outcome::Fine);
    };
    // Without blocks, the whole file is text.
    let text = String::from_utf8_lossy(&context.write_options().to_bytes(&file)?).into_owned();
    let text = template.comment(&text, &args.file)?;
    new_file::write_text(text.as_bytes(), &args.file, &context.remote)?;
    Ok(Outcome::Fine)
}

/// Parses a YAML text and makes it the tree of the file.
fn tree(file: &mut File, text: &str, context: &Context) -> Result<()> {
    let tree = match text.lines().any(|line| line.starts_with('%')) {
        true => context.parse(text)?,
        false => value::parse_text(text, file.tree())?,
    };
    let root = tree.at("")?;
    if root.is_null() {
        return Ok(());
    }
    if root.kind() != Kind::Mapping {
        // `value::parse_text` adds %TAG lines before the text, so positions do not match the file.
        return Err(root.expected("a mapping").map_position(|_, _| None));
    }
    let tag = file.tree().root().and_then(NodeRef::tag).map(str::to_owned);
    let new = file.tree_mut().graft(root)?;
    if root.tag().is_none() {
        file.tree_mut().set_tag(new, tag.as_deref());
    }
    file.tree_mut().set_root(new);
    Ok(())
}

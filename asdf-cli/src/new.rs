//! `asdf new`: a file made of nothing, or of YAML.

use std::path::PathBuf;

use asdf_core::file::Version;
use asdf_core::tree::NodeRef;
use asdf_core::{Error, File, Kind, Result, WriteOptions, yaml};
use asdf_schemas::Validator;

use crate::commands::Outcome;
use crate::{set, value};

/// Make a new file: empty, or with the tree of a YAML file and values of the command line.
///
/// Tags in the YAML are those of the standard where it says nothing else: !core/ndarray-1.1.0 [1, 2].
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf new empty.asdf
  asdf new --set /target=M31 --set '/filters=[F062, F087]' new.asdf
  asdf new --tree template.yaml --set /meta/date=2026-11-20 new.asdf")]
pub(crate) struct Args {
    /// Take the tree from a YAML file
    #[arg(long, value_name = "YAML")]
    tree: Option<PathBuf>,

    /// Set a value, in YAML, at a place of the tree; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,

    /// The version of the ASDF Standard
    #[arg(long, value_name = "VERSION", default_value = "1.6.0", value_parser = version)]
    standard: Version,

    /// Replace the file if it is there already
    #[arg(short, long)]
    force: bool,

    /// Write also what the schemas do not allow
    #[arg(long)]
    no_validate: bool,

    /// The new file
    file: PathBuf,
}

fn version(text: &str) -> std::result::Result<Version, String> {
    Version::parse(text).ok_or_else(|| "expected three numbers, as in 1.6.0".to_owned())
}

fn assignment(text: &str) -> std::result::Result<(String, String), String> {
    let (path, value) = text.split_once('=').ok_or("expected a path, = and a value, as in /target=M31")?;
    Ok((path.to_owned(), value.to_owned()))
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if !args.force && args.file.symlink_metadata().is_ok() {
        return Err(Error::usage("this file is there already")
            .at_file(&args.file)
            .with_hint("choose another name, or replace it with --force"));
    }
    let mut file = File::new();
    if let Some(path) = &args.tree {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::io("reading the tree", error).at_file(path))?;
        tree(&mut file, &text).map_err(|error| error.at_file(path))?;
    }
    for (path, word) in &args.set {
        let value = value::parse(word, file.tree())?;
        set::put(&mut file, path, &value)?;
    }
    let validator = Validator::standard();
    if args.standard != file.standard() {
        asdf_schemas::convert(&mut file, args.standard, &validator)?;
    }
    if !args.no_validate {
        let report = validator.validate_tree(file.tree());
        let errors = report.violations().iter().take(10);
        let errors =
            errors.map(|violation| Error::mismatch(violation.message()).at_path(violation.path().as_str()));
        if let Some(error) = errors.reduce(Error::and) {
            return Err(error.with_hint("--no-validate writes it all the same"));
        }
    }
    WriteOptions::new().write(&file, &args.file)?;
    Ok(Outcome::Fine)
}

/// Takes the tree of a YAML text, whose root becomes that of the file.
fn tree(file: &mut File, text: &str) -> Result<()> {
    let tree = match text.lines().any(|line| line.starts_with('%')) {
        true => yaml::parse(text)?,
        false => value::parse(text, file.tree())?,
    };
    let root = tree.at("")?;
    if root.is_null() {
        return Ok(());
    }
    if root.kind() != Kind::Mapping {
        return Err(root.expected("a mapping"));
    }
    let tag = file.tree().root().and_then(NodeRef::tag).map(str::to_owned);
    let new = file.tree_mut().graft(root)?;
    if root.tag().is_none() {
        file.tree_mut().set_tag(new, tag.as_deref());
    }
    file.tree_mut().set_root(new);
    Ok(())
}

//! `asdf set`: changes one value of a file.

use std::io::Write;
use std::path::PathBuf;

use asdf_core::tree::{Kind, NodeId, NodeRef, Path};
use asdf_core::{Error, File, Result, Tree};

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::saving::{Checker, Saving};
use crate::warning::Warnings;
use crate::{place, value};

/// Set one value of a file: add a key or item, or replace its value.
///
/// The new value gets the tag of the old one unless it has a tag itself, so a time stays a time. The same holds for
/// the values in a mapping. The rest of the tree is kept byte for byte: comments, order, spacing. Blocks move only if
/// the tree needs their space. Nothing is written if the new value violates the schemas.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf set image.asdf /roman/meta/exposure/type WFI_IMAGE
  asdf set image.asdf roman.meta.exposure.type WFI_IMAGE  the same
  asdf set image.asdf /filters '[F062, F087]'
  asdf set image.asdf /filters/- F106                   append an item
  asdf set image.asdf /filters/-1 F129                  the last item
  asdf set image.asdf /width '!unit/quantity-1.1.0 {unit: m, value: 2.4}'
  asdf set --package rad image.asdf /roman/meta/instrument/detector WFI01
  asdf set --parents image.asdf /notes/weather/wind 3.5  also creates notes and weather
  asdf set --string image.asdf /serial 0042             a string, whatever it looks like")]
pub(crate) struct Args {
    #[command(flatten)]
    saving: Saving,

    /// Print JSON: {"asdf_set": 1, "file", "path", "added", "tag"}
    #[arg(long)]
    json: bool,

    /// Treat VALUE as a string instead of YAML
    #[arg(short, long)]
    string: bool,

    /// Create missing parents, as mappings
    #[arg(short, long)]
    parents: bool,

    /// Drop the tags of the values that are replaced
    #[arg(long)]
    untagged: bool,

    /// The file, or - for standard input
    file: PathBuf,

    /// The path in the tree, as in /roman/meta/0 or roman.meta[0]
    ///
    /// The last step can be - to append an item, or -1 for the last item.
    #[arg(value_hint = PLACE)]
    path: String,

    /// The value as YAML; !core/... is a tag of the standard
    #[arg(allow_negative_numbers = true)]
    value: String,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let mut report = serde_json::Value::Null;
    args.saving.edit(&args.file, context, |file, checker| {
        let path = file.tree().resolve_path(&args.path);
        let value = match args.string {
            true => value::text(&args.value),
            false => value::parse(&args.value, file.tree())?,
        };
        if args.parents {
            let made = file.tree_mut().edit(path.as_str()).make_parents();
            made.map_err(|error| place::with_guess(file, path.as_str(), error))?;
        }
        let added = file.tree().find(path.as_str()).is_none();
        match args.untagged {
            true => put(file, &path, &value)?,
            false => put_tagged(file, &path, &value, checker, &context.warnings)?,
        }
        let tag = file.tree().find(path.as_str()).and_then(NodeRef::own_tag);
        report = serde_json::json!({
            "asdf_set": 1,
            "file": args.saving.target(&args.file).display().to_string(),
            "path": path.as_str(),
            "added": added,
            "tag": tag,
        });
        Ok(path)
    })?;
    if args.json {
        args.saving.tell(&args.file, &report, out).map_err(output)?;
    }
    Ok(Outcome::Fine)
}

/// Puts a value at a path.
pub(crate) fn put(file: &mut File, path: &Path, value: &Tree) -> Result<()> {
    let root = value.at("")?;
    if path.as_str().is_empty() && root.kind() != Kind::Mapping {
        return Err(Error::usage("the root of a file must be a mapping")
            .with_hint("name one of its keys, as in /name"));
    }
    if !path.as_str().is_empty() {
        // `asdf unset` cannot remove a tree, so it is created only on request.
        file.tree().at("").map_err(|error| error.with_hint("pass --parents to create the tree"))?;
    }
    let id = file.tree_mut().graft(root)?;
    let result = file.tree_mut().edit(path.as_str()).set(id);
    result.map_err(|error| place::with_guess(file, path.as_str(), error))
}

/// Puts a value at a path, with the tag of the value that it replaces. Drops the tag with a warning if it does not fit
/// a value of another kind.
fn put_tagged(
    file: &mut File,
    path: &Path,
    value: &Tree,
    checker: &Checker,
    warnings: &Warnings,
) -> Result<()> {
    let old = file.tree().find(path.as_str());
    let tags = old.map(|old| kept(old, value.root())).unwrap_or_default();
    let same_kind = |old: NodeRef<'_>, new: NodeRef<'_>| {
        is_scalar(old) == is_scalar(new) && (is_scalar(old) || old.kind() == new.kind())
    };
    let alike = old.zip(value.root()).is_none_or(|(old, new)| same_kind(old, new));
    let name = file.path().map(std::path::Path::to_path_buf);
    put(file, path, value)?;
    for (below, tag) in &tags {
        tag_at(file, &path.join(below), Some(tag));
    }
    let Some((_, tag)) = tags.first().filter(|(below, _)| below.as_str().is_empty() && !alike) else {
        return Ok(());
    };
    // Some tags allow values of several kinds, such as times; only the schema shows this.
    if checker.knows(tag) && checker.check(file).is_ok() {
        return Ok(());
    }
    tag_at(file, path, None);
    let found = value.at("")?.describe();
    let error = Error::mismatch(format!("the tag {tag} does not fit {found}: the new value has no tag"));
    let error =
        error.at_path(path.as_str()).with_hint("pass --untagged to drop the tag without this warning");
    warnings.tell(match name {
        Some(name) => error.at_file(name),
        None => error,
    });
    Ok(())
}

fn is_scalar(node: NodeRef<'_>) -> bool {
    !matches!(node.kind(), Kind::Mapping | Kind::Sequence)
}

fn tag_at(file: &mut File, path: &Path, tag: Option<&str>) {
    let id: Option<NodeId> = file.tree().find(path.as_str()).map(NodeRef::id);
    if let Some(id) = id {
        file.tree_mut().set_tag(id, tag);
    }
}

/// Returns the tags that a new value gets from an old one, with their paths relative to it. Values under the same keys
/// keep their tags too.
fn kept(old: NodeRef<'_>, new: Option<NodeRef<'_>>) -> Vec<(Path, String)> {
    let Some(new) = new else { return Vec::new() };
    let mut tags = Vec::new();
    if new.own_tag().is_some() {
        return tags;
    }
    if let Some(tag) = old.own_tag() {
        tags.push((Path::root(), tag.to_owned()));
    }
    for (key, value) in new.entries() {
        let Some((key, old)) = key.as_str().and_then(|key| Some((key, old.get(key)?))) else { continue };
        // The tag would not fit a value of another kind.
        if is_scalar(old) != is_scalar(value) || (!is_scalar(old) && old.kind() != value.kind()) {
            continue;
        }
        let mut path = Path::root();
        path.push(key);
        tags.extend(kept(old, Some(value)).into_iter().map(|(below, tag)| (path.join(&below), tag)));
    }
    tags
}

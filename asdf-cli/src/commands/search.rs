//! `asdf search`: finds nodes by key, value, tag and type.

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{Error, File, NdArray, Result, Tree, yaml};
use asdf_tables::json::{self, Printable};
use clap::ValueEnum;
use regex::Regex;
use serde_json::{Value as Json, json};

use crate::colour::Colours;
use crate::context::Context;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable::{line, short};
use crate::value::compare;
use crate::{place, value_text};

/// Search trees by key, value, tag or type.
///
/// Without any of these options all nodes are shown.
///
/// Exit codes: 0, something was found; 1, nothing was found; 2, wrong usage, or a file could not be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf search --key exposure image.asdf
  asdf search --key '^detector$' --value '^WFI0[1-9]$' archive/
  asdf search --tag gwcs/ --json archive/
  asdf search --type ndarray image.asdf")]
pub(crate) struct Args {
    /// Find nodes whose key matches this regular expression
    #[arg(short, long, value_name = "REGEX")]
    key: Option<Regex>,

    /// Find scalars whose text matches REGEX, or nodes equal to JSON
    ///
    /// A number, true, false, null, a list or an object in JSON is compared by value. Anything else is a regular
    /// expression.
    #[arg(long, value_name = "REGEX|JSON")]
    value: Option<Wanted>,

    /// Find nodes whose tag, a full URI, matches this regular expression
    #[arg(short, long, value_name = "REGEX")]
    tag: Option<Regex>,

    /// Find nodes of this type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    kind: Option<Type>,

    /// Show at most N nodes per file
    #[arg(long, value_name = "N")]
    max_rows: Option<usize>,

    /// Show at most N characters of a value
    #[arg(long, value_name = "N", default_value_t = 80)]
    max_cols: usize,

    /// Show values (default; for asdftool scripts)
    #[arg(long, overrides_with = "no_show_values")]
    show_values: bool,

    /// Show paths only
    #[arg(long, overrides_with = "show_values")]
    no_show_values: bool,

    /// Print one JSON object per line
    ///
    /// {"asdf_search": 1, "file", "path", "line", "tag", "value"}. The value of a mapping or a sequence is null.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    many: InputFiles,
}

/// The value to search for.
#[derive(Debug, Clone)]
enum Wanted {
    Pattern(Regex),
    Equal(Box<Tree>),
}

impl FromStr for Wanted {
    type Err = String;

    /// Parses a value as Python's asdftool does.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let pattern = match serde_json::from_str::<Json>(text) {
            Ok(Json::String(pattern)) => pattern,
            Err(_) => text.to_owned(),
            Ok(_) => {
                return yaml::parse(&format!("{text}\n"))
                    .map(|tree| Self::Equal(Box::new(tree)))
                    .map_err(|error| error.to_string());
            }
        };
        Regex::new(&pattern).map(Self::Pattern).map_err(|error| error.to_string())
    }
}

impl Wanted {
    fn is(&self, node: NodeRef<'_>) -> bool {
        match self {
            Self::Pattern(pattern) => node.text().is_some_and(|text| pattern.is_match(text)),
            Self::Equal(value) => value
                .root()
                .is_some_and(|value| node == value || compare(node, value) == Some(Ordering::Equal)),
        }
    }
}

/// The type of a node. Python's names are aliases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Type {
    #[value(alias = "dict")]
    Mapping,
    #[value(alias = "list")]
    Sequence,
    #[value(alias = "str")]
    String,
    Int,
    Float,
    Bool,
    #[value(alias = "NoneType")]
    Null,
    #[value(alias = "datetime", alias = "datetime.datetime")]
    Timestamp,
    /// An array
    #[value(alias = "array", alias = "asdf.tags.core.ndarray.NDArrayType", alias = "numpy.ndarray")]
    Ndarray,
}

impl Type {
    fn is(self, node: NodeRef<'_>) -> bool {
        let kind = match self {
            Self::Ndarray => return is_array(node),
            Self::Mapping => Kind::Mapping,
            Self::Sequence => Kind::Sequence,
            Self::String => Kind::String,
            Self::Int => Kind::Int,
            Self::Float => Kind::Float,
            Self::Bool => Kind::Bool,
            Self::Null => Kind::Null,
            Self::Timestamp => Kind::Timestamp,
        };
        node.kind() == kind && !is_array(node)
    }
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    words_are_files(args)?;
    let many = args.many.is_many();
    let mut any = false;
    args.many.ask(
        context,
        |input, file| {
            let name = input.name();
            let prefix = if many { format!("{}: ", line(&name)) } else { String::new() };
            Ok(found(args, file, &name, &prefix, context.colours))
        },
        |text| {
            any |= !text.is_empty();
            out.write_all(text.as_bytes()).map_err(output)
        },
    )?;
    Ok(if any { Outcome::Fine } else { Outcome::NotFine })
}

/// Refuses a word to search for among the files. Other programs take the word as an argument.
fn words_are_files(args: &Args) -> Result<()> {
    let is_word = |path: &&PathBuf| {
        let plain = !path.to_string_lossy().contains(['*', '?', '[', '/', '.', '-']);
        plain && path.symlink_metadata().is_err()
    };
    let (words, files): (Vec<&PathBuf>, Vec<&PathBuf>) = args.many.paths.iter().partition(is_word);
    match (words.first(), files.first()) {
        (Some(word), Some(file)) => {
            let (word, file) = (word.display(), file.display());
            Err(Error::usage(format!("'{word}' is not a file")).with_hint(format!(
                "run `asdf search --key {word} {file}` to search for it, or pass --value {word}"
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the lines for one file.
fn found(args: &Args, file: &File, name: &str, prefix: &str, colours: Colours) -> String {
    let mut search = file.tree().search();
    if let Some(key) = &args.key {
        search = search.key_where(|text| key.is_match(text));
    }
    if let Some(value) = &args.value {
        search = search.filter_node(|node| value.is(node));
    }
    if let Some(tag) = &args.tag {
        search = search.filter_node(|node| node.tag().is_some_and(|text| tag.is_match(text)));
    }
    if let Some(kind) = args.kind {
        search = search.filter_node(move |node| kind.is(node));
    }
    let mut text = String::new();
    for found in search.take(args.max_rows.unwrap_or(usize::MAX)) {
        let (path, node) = (found.path.as_str(), found.node);
        if args.json {
            let value = node.kind().is_scalar().then(|| json::node(node));
            let line = node.position().map(|(line, _)| line);
            let report = json!({
                "asdf_search": 1, "file": name, "path": path, "line": line, "tag": node.tag(), "value": value,
            });
            text.push_str(&Printable(&report).to_string());
        } else {
            text.push_str(prefix);
            text.push_str(&colours.bold(line(place::shown(path))).to_string());
            if !args.no_show_values {
                text.push_str(": ");
                text.push_str(&short(&described(node), args.max_cols));
            }
        }
        text.push('\n');
    }
    text
}

/// Describes a node: a scalar's text, an array's datatype and shape, or the size of a collection.
fn described(node: NodeRef<'_>) -> String {
    match (is_array(node), node.text()) {
        (true, _) => match NdArray::from_node(node) {
            Ok(array) => format!("{} {:?}", array.datatype(), array.shape()),
            Err(error) => error.message().to_owned(),
        },
        (false, Some(_)) => value_text::scalar(node).into_owned(),
        (false, None) => node.describe(),
    }
}

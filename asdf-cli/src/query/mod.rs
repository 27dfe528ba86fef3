//! `asdf query`: jq's language over the trees of files.

mod filter;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};
use jaq_json::write::Pp;
use jaq_json::{Val, read, write};

use crate::canonical::{self, Arrays};
use crate::commands::{Outcome, output};
use crate::many::{Failures, Many};
use crate::printable;

use filter::{Filter, Stopped};

/// Ask files in jq's language: the filter runs on the tree of each, and what it makes is printed.
///
/// The tree is that of `asdf get --json`: no tags, arrays of blocks as their nodes with shape and datatype,
/// those of lists with their lists, NaN and infinities as strings, aliases written out, references as they
/// stand. The variable $file is the name of the file. <https://jqlang.org/manual> explains the language.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "asdf query [OPTIONS] <PATH>... <FILTER>",
    after_help = "Examples:
  asdf query image.asdf .roman.meta.exposure
  asdf query -r archive/ '[$file, .target] | @tsv'
  asdf query -c image.asdf '.. | objects | select(.datatype?) | {datatype, shape}'
  asdf query --slurp night/ 'map(.meta.exposure_time) | add'
  asdf query -e --arg name WFI01 image.asdf '.meta.detector == $name' > /dev/null && ..."
)]
pub(crate) struct Args {
    /// Print strings as they are, without quotes
    #[arg(short, long)]
    raw_output: bool,

    /// Print each value on one line
    #[arg(short, long)]
    compact_output: bool,

    /// Exit with 1 when the last value is null or false, or there is none
    #[arg(short, long)]
    exit_status: bool,

    /// Run the filter once, on a list of all trees
    #[arg(short, long)]
    slurp: bool,

    /// Show tags too, as `asdf dump` does: {"$tag": URI, "$value": node}
    #[arg(long)]
    tags: bool,

    /// Set $NAME to a string; may be given several times
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"], action = clap::ArgAction::Append)]
    arg: Vec<String>,

    /// Set $NAME to a value in JSON; may be given several times
    #[arg(long, num_args = 2, value_names = ["NAME", "JSON"], action = clap::ArgAction::Append)]
    argjson: Vec<String>,

    /// Files, folders (every *.asdf below), patterns, or - for standard input, and last the filter
    // One argument, since clap takes no options between the files of one and the next.
    #[arg(required = true, value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    words: Vec<OsString>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let (many, code) = match args.words.split_last() {
        Some((code, paths)) if !paths.is_empty() => {
            (Many::of(paths.iter().map(PathBuf::from).collect()), code)
        }
        _ => return Err(Error::usage("there is no filter").with_hint("asdf query FILE FILTER")),
    };
    let filter =
        Filter::new(&code.to_string_lossy(), variables(args)?).map_err(|error| {
            match Path::new(code).is_file() {
                true => error.with_hint("the filter comes last, after the files"),
                false => error,
            }
        })?;
    let arrays = if args.tags { Arrays::AsNodes } else { Arrays::Untagged };
    let mut printer = Printer { args, out, last: None };
    let mut failures = Failures::default();
    let mut all: Vec<Val> = Vec::new();
    let mut halted = None;
    let asked = many.ask(
        |input, file| {
            let mut text = Vec::new();
            match file.tree().root() {
                Some(root) => canonical::write(root, arrays, &mut text)?,
                None => text.extend(b"null"),
            }
            Ok((input.name(), text))
        },
        |(name, text)| {
            if halted.is_some() {
                return Ok(());
            }
            let tree = read::parse_single(&text)
                .map_err(|error| Error::unsupported(format!("the tree as JSON: {error}")).at_file(&name))?;
            if args.slurp {
                all.push(tree);
                return Ok(());
            }
            match filter.run(&name, tree, |value| printer.print(value)) {
                Ok(()) => Ok(()),
                Err(Stopped::Halt(code)) => {
                    halted = Some(code);
                    Ok(())
                }
                // What cannot be printed ends everything, a filter that does not fit one file only that.
                Err(Stopped::Failed(error)) if !crate::commands::is_about_content(&error) => Err(error),
                Err(Stopped::Failed(error)) => {
                    failures.add(error.at_file(&name));
                    Ok(())
                }
            }
        },
    );
    match asked {
        Err(error) if error.file().is_none() => return Err(error),
        Err(error) => failures.add(error),
        Ok(()) => {}
    }
    if args.slurp {
        match filter.run("", all.into_iter().collect(), |value| printer.print(value)) {
            Ok(()) => {}
            Err(Stopped::Halt(code)) => halted = Some(code),
            Err(Stopped::Failed(error)) => failures.add(error),
        }
    }
    let yes = printer.last.unwrap_or(false) || !args.exit_status;
    failures.end()?;
    Ok(match halted {
        None if yes => Outcome::Fine,
        Some(0) => Outcome::Fine,
        _ => Outcome::NotFine,
    })
}

/// The variables of the command line.
fn variables(args: &Args) -> Result<Vec<(String, Val)>> {
    let pairs = |words: &[String]| -> Vec<(String, String)> {
        let pair = |pair: &[String]| Some((pair.first()?.clone(), pair.get(1)?.clone()));
        words.chunks(2).filter_map(pair).collect()
    };
    let mut all: Vec<(String, Val)> =
        pairs(&args.arg).into_iter().map(|(name, text)| (name, Val::from(text))).collect();
    for (name, text) in pairs(&args.argjson) {
        let value = read::parse_single(text.as_bytes())
            .map_err(|error| Error::usage(format!("--argjson {name}: this is not JSON: {error}")))?;
        all.push((name, value));
    }
    Ok(all)
}

struct Printer<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    /// Whether the last value was neither null nor false.
    last: Option<bool>,
}

impl Printer<'_> {
    fn print(&mut self, value: &Val) -> Result<()> {
        self.last = Some(!matches!(value, Val::Null | Val::Bool(false)));
        let mut text = Vec::new();
        match value {
            Val::TStr(bytes) | Val::BStr(bytes) if self.args.raw_output => text.extend_from_slice(bytes),
            value => {
                let indent = (!self.args.compact_output).then(|| "  ".to_owned());
                let style = Pp { indent, sep_space: !self.args.compact_output, ..Pp::default() };
                write::write(&mut text, &style, 0, value).map_err(output)?;
            }
        }
        text.push(b'\n');
        if std::io::stdout().is_terminal() {
            text = printable::document(&String::from_utf8_lossy(&text)).into_owned().into_bytes();
        }
        self.out.write_all(&text).map_err(output)
    }
}

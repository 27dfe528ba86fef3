//! `asdf query`: runs a jq filter on the trees of files.

mod filter;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};

use asdf_core::{Error, Result};
use asdf_tables::json::{Form, write_node};
use jaq_json::write::{Pp, Styles};
use jaq_json::{Val, read, write};
use jaq_std::input::RcIter;

use crate::colour::Colours;
use crate::context::Context;
use crate::failures::Failures;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable;

use filter::{Filter, Given, Stopped};

/// Run a jq filter on the tree of each file.
///
/// The filter gets the tree that `asdf get --json` prints. It has no tags, NaN and infinities are strings, aliases
/// are expanded, and references are kept. An array in a block is its node, with shape and datatype; an inline array
/// has its lists. The variable $file is the name of the file. With --null-input, $file is null, and input_filename is
/// the name of the last file that `input` has read. <https://jqlang.org/manual> explains the language.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "asdf query [OPTIONS] <PATH>... <FILTER>",
    after_help = "Examples:
  asdf query image.asdf .roman.meta.exposure
  asdf query -r archive/ '[$file, .target] | @tsv'
  asdf query -c image.asdf '.. | objects | select(.datatype?) | {datatype, shape}'
  asdf query --slurp night/ 'map(.meta.exposure_time) | add'
  asdf query -n archive/ 'reduce inputs as $tree (0; . + $tree.meta.exposure_time)'
  asdf query --tags image.asdf '.. | objects | select(.\"$tag\"? // \"\" | test(\"quantity\")) | .value'
  asdf query -e --arg name WFI01 image.asdf '.meta.detector == $name' > /dev/null && ..."
)]
pub(crate) struct Args {
    /// Print strings without quotes and escapes
    #[arg(short, long)]
    raw_output: bool,

    /// Print strings without quotes, and no line break after values
    #[arg(short, long)]
    join_output: bool,

    /// Print strings without quotes, and a NUL after each value
    #[arg(long, conflicts_with_all = ["raw_output", "join_output"])]
    raw_output0: bool,

    /// Print the keys of objects in alphabetical order
    #[arg(short = 'S', long)]
    sort_keys: bool,

    /// Print each value on one line
    #[arg(short, long)]
    compact_output: bool,

    /// Exit with 1 if the last value is null or false, or none was printed
    #[arg(short, long)]
    exit_status: bool,

    /// Run the filter once, on null; `input` and `inputs` read the trees
    #[arg(short, long)]
    null_input: bool,

    /// Run the filter once, on a list of all trees
    #[arg(short, long)]
    slurp: bool,

    /// Add the tags of nodes
    ///
    /// A mapping gets its tag under the key "$tag". Other tagged nodes become {"$tag": URI, "$value": node}.
    #[arg(long)]
    tags: bool,

    /// Set $NAME to a string; can be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"], action = clap::ArgAction::Append)]
    arg: Vec<String>,

    /// Set $NAME to a JSON value; can be repeated
    #[arg(long, num_args = 2, value_names = ["NAME", "JSON"], action = clap::ArgAction::Append)]
    argjson: Vec<String>,

    /// The files to read, and last the filter
    ///
    /// The files can be files, folders (every *.asdf below), patterns, or - for standard input.
    // A single argument, because clap does not allow options between the values of two arguments.
    #[arg(required = true, value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    words: Vec<OsString>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let (paths, code) = match args.words.split_last() {
        Some((code, paths)) if args.null_input || !paths.is_empty() => (paths, code),
        _ => {
            return Err(Error::usage("found one argument, expected a file and a filter")
                .with_hint("run `asdf query FILE FILTER`"));
        }
    };
    let filter =
        Filter::new(&code.to_string_lossy(), variables(args)?).map_err(|error| {
            match Path::new(code).is_file() {
                true => error.with_hint("put the filter last, after the files"),
                false => error,
            }
        })?;
    let many = InputFiles::of(paths.iter().map(PathBuf::from).collect());
    let mut printer = Printer { args, colours: context.colours, out, last: None };
    let mut failures = Failures::default();
    let mut halted = None;
    std::thread::scope(|scope| {
        // The channel is short, so that few trees are in memory at a time.
        let (send, receive) = sync_channel::<Text>(2);
        let reading = scope.spawn(move || read_all(&many, args, context, &send));
        let current = RefCell::new(None);
        let trees = std::iter::from_fn(|| {
            let (name, text) = receive.recv().ok()?;
            let tree =
                read::parse_single(&text).map_err(|error| format!("{name}: the tree as JSON: {error}"));
            current.replace(Some(name));
            Some(tree)
        });
        let ran = {
            // With --slurp, all trees are a single input.
            let trees: Box<dyn Iterator<Item = std::result::Result<Val, String>> + '_> = match args.slurp {
                true => Box::new(std::iter::once_with(|| trees.collect())),
                false => Box::new(trees),
            };
            let inputs = RcIter::new(trees);
            let given = Given { inputs: &inputs, file: &current };
            run_on_all(args, &filter, &given, &mut printer, &mut failures)
        };
        // The thread that reads files ends when its channel is closed.
        drop(receive);
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        halted = ran?;
        if let Err(error) = read {
            failures.add(error);
        }
        Ok(())
    })?;
    let yes = printer.last.unwrap_or(false) || !args.exit_status;
    failures.end()?;
    Ok(match halted {
        None if yes => Outcome::Fine,
        Some(0) => Outcome::Fine,
        _ => Outcome::NotFine,
    })
}

/// A file's name, and its tree as JSON.
type Text = (String, Vec<u8>);

/// Reads the trees of all files, until the receiver is dropped.
fn read_all(many: &InputFiles, args: &Args, context: &Context, send: &SyncSender<Text>) -> Result<()> {
    let form = if args.tags { Form::TagKeys } else { Form::Untagged };
    if many.paths.is_empty() {
        return Ok(());
    }
    let mut wanted = true;
    let read = many.ask(
        context,
        |input, file| {
            let mut text = Vec::new();
            match file.tree().root() {
                Some(root) => write_node(root, form, &mut text)?,
                None => text.extend(b"null"),
            }
            Ok((input.name(), text))
        },
        |text| {
            send.send(text).map_err(|_| {
                wanted = false;
                Error::usage("the filter has ended")
            })
        },
    );
    if wanted { read } else { Ok(()) }
}

/// Runs the filter once for each input, or once on null with --null-input. Skips inputs that the filter has read with
/// `input`. Returns the exit code if the filter calls `halt`.
fn run_on_all(
    args: &Args,
    filter: &Filter,
    given: &Given<'_>,
    printer: &mut Printer<'_>,
    failures: &mut Failures,
) -> Result<Option<i32>> {
    let null = args.null_input.then_some(Ok(Val::Null));
    let inputs = null.into_iter().chain(given.inputs.take_while(|_| !args.null_input));
    for input in inputs {
        let ran = match input {
            Ok(input) => filter.run(input, given, |value| printer.print(value)),
            Err(why) => Err(Stopped::Failed(Error::unsupported(why))),
        };
        match ran {
            Ok(()) => {}
            Err(Stopped::Halt(code)) => return Ok(Some(code)),
            // A failure to print ends the program. A filter that fails on one file only skips that file.
            Err(Stopped::Failed(error)) if !crate::outcome::is_about_content(&error) => return Err(error),
            Err(Stopped::Failed(error)) => failures.add(match given.name() {
                Some(name) if !args.slurp => error.at_file(name),
                _ => error,
            }),
        }
    }
    Ok(None)
}

/// Returns the variables of --arg and --argjson.
fn variables(args: &Args) -> Result<Vec<(String, Val)>> {
    let pairs = |words: &[String]| -> Vec<(String, String)> {
        let pair = |pair: &[String]| Some((pair.first()?.clone(), pair.get(1)?.clone()));
        words.chunks(2).filter_map(pair).collect()
    };
    let mut all: Vec<(String, Val)> =
        pairs(&args.arg).into_iter().map(|(name, text)| (name, Val::from(text))).collect();
    for (name, text) in pairs(&args.argjson) {
        let value = read::parse_single(text.as_bytes())
            .map_err(|error| Error::usage(format!("the value of --argjson {name} is not JSON: {error}")))?;
        all.push((name, value));
    }
    Ok(all)
}

struct Printer<'a> {
    args: &'a Args,
    colours: Colours,
    out: &'a mut dyn Write,
    /// Whether the last value was neither null nor false.
    last: Option<bool>,
}

impl Printer<'_> {
    fn print(&mut self, value: &Val) -> Result<()> {
        let args = self.args;
        self.last = Some(!matches!(value, Val::Null | Val::Bool(false)));
        let mut text = Vec::new();
        let mut is_raw = false;
        match value {
            Val::TStr(bytes) | Val::BStr(bytes)
                if args.raw_output || args.raw_output0 || args.join_output =>
            {
                is_raw = true;
                text.extend_from_slice(bytes);
                if args.raw_output0 && text.contains(&0) {
                    return Err(Error::mismatch("--raw-output0 cannot print a string with a NUL"));
                }
            }
            value => {
                let indent = (!args.compact_output).then(|| "  ".to_owned());
                let styles = if self.colours.is_on() { Styles::ansi() } else { Styles::default() };
                let sort_keys = args.sort_keys;
                let style = Pp { indent, sep_space: !args.compact_output, sort_keys, styles };
                write::write(&mut text, &style, 0, value).map_err(output)?;
            }
        }
        // The only control characters of JSON output are those of colours.
        if is_raw && std::io::stdout().is_terminal() {
            text = printable::document(&String::from_utf8_lossy(&text)).into_owned().into_bytes();
        }
        match (args.raw_output0, args.join_output) {
            (true, _) => text.push(0),
            (_, true) => {}
            _ => text.push(b'\n'),
        }
        self.out.write_all(&text).map_err(output)
    }
}

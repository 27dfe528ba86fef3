//! `asdf query`: runs a jq filter on the trees of files.

mod filter;
mod frame;
mod limits;
mod process;
mod worker;

use std::ffi::{OsStr, OsString};
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ChildStdin;

use asdf_core::{Error, Result};
use asdf_tables::json::{Form, write_node};
use jaq_json::{Val, read};

use crate::context::Context;
use crate::failures::Failures;
use crate::input_files::InputFiles;
use crate::outcome::{Outcome, output};
use crate::printable;

use frame::{Frame, Kind};
use limits::Limits;
use process::Process;

/// Run a jq filter on the tree of each file.
///
/// The filter gets the tree that `asdf get --json` prints. It has no tags, NaN and infinities are strings, aliases
/// are expanded, and references are kept. An array in a block is its node, with shape and datatype; an inline array
/// has its lists. The variable $file is the name of the file. With --null-input, $file is null, and input_filename is
/// the name of the last file that `input` has read. <https://jqlang.org/manual> explains the language.
///
/// A filter cannot read other files, import modules or use the network. It can read the environment variables, with $ENV
/// and env. It runs in a process of its own, with limits on memory, stack and computing time; only the stack is limited
/// on Windows.
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

    #[command(flatten)]
    limits: Limits,

    /// Run the filter on the trees from standard input, in the process that `asdf query` starts
    #[arg(long, hide = true)]
    worker: bool,

    /// The files to read, and last the filter
    ///
    /// The files can be files, folders (every *.asdf below), patterns, URLs, or - for standard input.
    // A single argument, because clap does not allow options between the values of two arguments.
    #[arg(required = true, value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    words: Vec<OsString>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    let (paths, code) = match args.words.split_last() {
        Some((code, [])) if args.worker => {
            return worker::run(args, &code.to_string_lossy(), context.colours);
        }
        Some((code, paths)) if args.null_input || !paths.is_empty() => (paths, code),
        _ => {
            return Err(Error::usage("found one argument, expected a file and a filter")
                .with_hint("run `asdf query FILE FILTER`"));
        }
    };
    let many = InputFiles::of(paths.iter().map(PathBuf::from).collect());
    let (mut process, trees) = Process::start(args, code, context.colours, &context.program)?;
    let mut failures = Failures::default();
    let mut end = None;
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || send_all(&many, args, context, trees));
        let received = receive_all(args, code, &mut process, &mut failures, out);
        // The thread that reads files ends when the process does.
        drop(process);
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match received {
            Ok(frame) => end = Some(frame),
            Err(error) if crate::outcome::is_about_content(&error) => failures.add(error),
            Err(error) => return Err(error),
        }
        if let Err(error) = read {
            failures.add(error);
        }
        Ok(())
    })?;
    failures.end()?;
    let (last, halted) = end.map(|end| (end.text(0), end.text(1))).unwrap_or_default();
    let yes = last == "1" || !args.exit_status;
    Ok(match halted.as_str() {
        "" if yes => Outcome::Fine,
        "0" => Outcome::Fine,
        _ => Outcome::NotFine,
    })
}

/// Sends the trees of all files to the filter, until it has ended.
fn send_all(
    many: &InputFiles,
    args: &Args,
    context: &Context,
    mut trees: BufWriter<ChildStdin>,
) -> Result<()> {
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
        |(name, text)| {
            let sent = frame::write(&mut trees, Kind::Tree, &[name.as_bytes(), &text]);
            sent.and_then(|()| trees.flush()).map_err(|_| {
                wanted = false;
                Error::usage("the filter has ended")
            })
        },
    );
    if wanted { read } else { Ok(()) }
}

/// Prints the values of the filter and collects its errors, until the last message, which is returned.
fn receive_all(
    args: &Args,
    code: &OsStr,
    process: &mut Process,
    failures: &mut Failures,
    out: &mut dyn Write,
) -> Result<Frame> {
    loop {
        let frame = process.next()?;
        match frame.kind {
            Kind::Taken => process.current = Some(frame.text(0)),
            Kind::Json | Kind::Raw => print(args, frame, out)?,
            Kind::Failed => {
                let error = Error::mismatch(frame.text(1));
                failures.add(match frame.text(0) {
                    name if name.is_empty() => error,
                    name => error.at_file(name),
                });
            }
            Kind::Unusable => {
                let error = Error::usage(frame.text(0));
                return Err(match frame.text(1) {
                    _ if Path::new(code).is_file() => error.with_hint("put the filter last, after the files"),
                    hint if hint.is_empty() => error,
                    hint => error.with_hint(hint),
                });
            }
            Kind::End => return Ok(frame),
            Kind::Tree => {}
        }
    }
}

/// Prints one value.
fn print(args: &Args, frame: Frame, out: &mut dyn Write) -> Result<()> {
    let is_raw = frame.kind == Kind::Raw;
    let mut text = frame.parts.into_iter().next().unwrap_or_default();
    // The only control characters of JSON output are those of colours.
    if is_raw && std::io::stdout().is_terminal() {
        text = printable::document(&String::from_utf8_lossy(&text)).into_owned().into_bytes();
    }
    match (args.raw_output0, args.join_output) {
        (true, _) => text.push(0),
        (_, true) => {}
        _ => text.push(b'\n'),
    }
    out.write_all(&text).map_err(output)
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

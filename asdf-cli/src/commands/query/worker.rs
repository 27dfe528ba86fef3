//! The process that runs a filter.
//!
//! The interpreter of filters is recursive and has no limits, so that a filter or the values that it makes can exhaust the
//! stack or the memory, which ends a process at once. The filter therefore has a process of its own, whose memory and time
//! the system limits, and `asdf query` reports why it ended. The process gets trees on its standard input, and writes
//! values and errors to its standard output.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Stdin, Write};

use asdf_core::printable::json;
use asdf_core::{Error, Result};
use jaq_json::write::{Pp, Styles};
use jaq_json::{Val, read, write};
use jaq_std::input::RcIter;

use super::Args;
use super::filter::{Filter, Given, Stopped};
use super::frame::{self, Kind};
use crate::colour::Colours;
use crate::outcome::{Outcome, output};

/// Runs the filter on the trees from standard input.
pub(super) fn run(args: &Args, code: &str, colours: Colours) -> Result<Outcome> {
    args.limits.limit_memory();
    args.limits.renew_time();
    let out = standard_output().map_err(output)?;
    let stack = usize::try_from(args.limits.limit_filter_stack).unwrap_or(usize::MAX);
    std::thread::scope(|scope| {
        let filter = std::thread::Builder::new().name("filter".to_owned()).stack_size(stack);
        let running = filter.spawn_scoped(scope, || {
            let mut worker = Worker { args, colours, out: BufWriter::new(out), last: None };
            worker.run(code)
        });
        let Ok(running) = running else {
            let message = format!("cannot reserve {stack} bytes for the stack of the filter");
            let parts = [message.as_bytes(), b"lower --limit-filter-stack"];
            return frame::write(&mut io::stdout(), Kind::Unusable, &parts).map_err(output);
        };
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    Ok(Outcome::Fine)
}

/// Returns the standard output. The program has locked its own handle, so another thread needs one of its own.
fn standard_output() -> io::Result<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

struct Worker<'a> {
    args: &'a Args,
    colours: Colours,
    out: BufWriter<File>,
    /// Whether the last value was neither null nor false.
    last: Option<bool>,
}

impl Worker<'_> {
    fn run(&mut self, code: &str) -> Result<()> {
        let filter = super::variables(self.args).and_then(|variables| Filter::new(code, variables));
        let filter = match filter {
            Ok(filter) => filter,
            Err(error) => {
                self.send(Kind::Unusable, &[error.message().as_bytes(), b""])?;
                return self.flush();
            }
        };
        let halted = self.on_all(&filter)?;
        let last = self.last.map_or("", |last| if last { "1" } else { "0" });
        let code = halted.map(|code| code.to_string()).unwrap_or_default();
        self.send(Kind::End, &[last.as_bytes(), code.as_bytes()])?;
        self.flush()
    }

    fn send(&mut self, kind: Kind, parts: &[&[u8]]) -> Result<()> {
        frame::write(&mut self.out, kind, parts).map_err(output)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(output)
    }

    /// Runs the filter once for each input, or once on null with --null-input. Skips inputs that the filter has read with
    /// `input`. Returns the exit code if the filter calls `halt`.
    fn on_all(&mut self, filter: &Filter) -> Result<Option<i32>> {
        let args = self.args;
        let current = RefCell::new(None);
        let worker = RefCell::new(self);
        let mut input = BufReader::new(io::stdin());
        let trees = std::iter::from_fn(|| match worker.borrow_mut().next(&mut input) {
            Ok(tree) => tree.map(|(name, tree)| {
                let tree = tree.map_err(|why| format!("{name}: the tree as JSON: {why}"));
                current.replace(Some(name));
                tree
            }),
            // The other process has ended.
            Err(_) => None,
        });
        // With --slurp, all trees are a single input.
        let trees: Box<dyn Iterator<Item = std::result::Result<Val, String>> + '_> = match args.slurp {
            true => Box::new(std::iter::once_with(|| trees.collect())),
            false => Box::new(trees),
        };
        let inputs = RcIter::new(trees);
        let given = Given { inputs: &inputs, file: &current };
        let null = args.null_input.then_some(Ok(Val::Null));
        for input in null.into_iter().chain(given.inputs.take_while(|_| !args.null_input)) {
            let ran = match input {
                Ok(input) => filter.run(input, &given, |value| worker.borrow_mut().print(value)),
                Err(why) => Err(Stopped::Failed(Error::unsupported(why))),
            };
            match ran {
                Ok(()) => {}
                Err(Stopped::Halt(code)) => return Ok(Some(code)),
                // A failure to print ends the program. A filter that fails on one file only skips that file.
                Err(Stopped::Failed(error)) if !crate::outcome::is_about_content(&error) => {
                    return Err(error);
                }
                Err(Stopped::Failed(error)) => {
                    let name = given.name().filter(|_| !args.slurp).unwrap_or_default();
                    let parts = [name.as_bytes(), error.message().as_bytes()];
                    worker.borrow_mut().send(Kind::Failed, &parts)?;
                }
            }
        }
        Ok(None)
    }

    /// Reads the next tree with the name of its file.
    fn next(&mut self, input: &mut BufReader<Stdin>) -> Result<Option<(String, ReadTree)>> {
        self.flush()?;
        let Some(frame) = frame::read(input).map_err(|error| Error::io("reading a tree", error))? else {
            return Ok(None);
        };
        let name = frame.text(0);
        self.send(Kind::Taken, &[name.as_bytes()])?;
        self.flush()?;
        self.args.limits.renew_time();
        let json = frame.parts.get(1).map_or(&[][..], Vec::as_slice);
        Ok(Some((name, read::parse_single(json).map_err(|error| error.to_string()))))
    }

    fn print(&mut self, value: &Val) -> Result<()> {
        let args = self.args;
        self.last = Some(!matches!(value, Val::Null | Val::Bool(false)));
        match value {
            Val::TStr(bytes) | Val::BStr(bytes)
                if args.raw_output || args.raw_output0 || args.join_output =>
            {
                if args.raw_output0 && bytes.contains(&0) {
                    return Err(Error::mismatch("--raw-output0 cannot print a string with a NUL"));
                }
                let bytes: &[u8] = bytes;
                self.send(Kind::Raw, &[bytes])
            }
            value => {
                let mut text = Vec::new();
                let indent = (!args.compact_output).then(|| "  ".to_owned());
                let styles = if self.colours.is_on() { Styles::ansi() } else { Styles::default() };
                let sort_keys = args.sort_keys;
                let style = Pp { indent, sep_space: !args.compact_output, sort_keys, styles };
                write::write(&mut text, &style, 0, value).map_err(output)?;
                self.send(Kind::Json, &[json(&String::from_utf8_lossy(&text)).as_bytes()])
            }
        }
    }
}

/// A tree, or why its JSON cannot be read.
type ReadTree = std::result::Result<Val, String>;

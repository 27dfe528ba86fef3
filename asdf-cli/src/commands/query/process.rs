//! Starts the process that runs a filter, and reports why it ended.

use std::ffi::OsStr;
use std::io::{self, BufReader, BufWriter, Read};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread::JoinHandle;

use asdf_core::{Error, Result};

use super::Args;
use super::frame::{self, Frame};
use crate::colour::Colours;
use crate::printable::short;
use crate::program::Program;

/// The process of a filter. It is killed when this is dropped.
pub(super) struct Process {
    child: Child,
    answers: BufReader<ChildStdout>,
    /// Reads what the process prints when it ends unexpectedly.
    last_words: Option<JoinHandle<String>>,
    /// The file whose tree the filter has.
    pub(super) current: Option<String>,
}

impl Process {
    /// Starts the process. Its standard input expects trees.
    pub(super) fn start(
        args: &Args,
        code: &OsStr,
        colours: Colours,
        program: &Program,
    ) -> Result<(Self, BufWriter<ChildStdin>)> {
        let failed = |error| Error::io("starting a process for the filter", error);
        let mut command = program.again().map_err(failed)?;
        command.args(["query", "--worker", "--no-config"]);
        command.args(["--color", if colours.is_on() { "always" } else { "never" }]);
        for (name, is_set) in [
            ("--raw-output", args.raw_output),
            ("--join-output", args.join_output),
            ("--raw-output0", args.raw_output0),
            ("--sort-keys", args.sort_keys),
            ("--compact-output", args.compact_output),
            ("--null-input", args.null_input),
            ("--slurp", args.slurp),
        ] {
            command.args(is_set.then_some(name));
        }
        for (name, words) in [("--arg", &args.arg), ("--argjson", &args.argjson)] {
            for pair in words.chunks(2) {
                command.arg(name).args(pair);
            }
        }
        command.args(args.limits.words()).arg("--").arg(code);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let (trees, answers) = (child.stdin.take(), child.stdout.take());
        let last_words = child.stderr.take().and_then(|mut stderr| {
            let reading = move || {
                let mut text = Vec::new();
                // What is missing of the text only makes a message less exact.
                let _ = (&mut stderr).take(1 << 14).read_to_end(&mut text);
                let _ = io::copy(&mut stderr, &mut io::sink());
                String::from_utf8_lossy(&text).into_owned()
            };
            std::thread::Builder::new().spawn(reading).ok()
        });
        let (Some(trees), Some(answers)) = (trees, answers) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let process = Self { child, answers: BufReader::new(answers), last_words, current: None };
        Ok((process, BufWriter::new(trees)))
    }

    /// Returns the next message of the process.
    ///
    /// # Errors
    /// [`Limit`](asdf_core::error::Kind::Limit) if the process has ended before its last message.
    pub(super) fn next(&mut self) -> Result<Frame> {
        match frame::read(&mut self.answers) {
            Ok(Some(frame)) => Ok(frame),
            Ok(None) => Err(self.end()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.end()),
            Err(error) => Err(Error::io("reading the values of the filter", error)),
        }
    }

    /// Returns the error for a process that has ended too early.
    fn end(&mut self) -> Error {
        let status = self.child.wait();
        let words = self.last_words.take().and_then(|reading| reading.join().ok()).unwrap_or_default();
        let error = match status.ok().and_then(|status| Exhausted::of(status, &words)) {
            Some(Exhausted::Time) => Error::limit("the filter takes too much computing time")
                .with_hint("raise --limit-filter-time for filters that you trust"),
            Some(Exhausted::Memory) => Error::limit("the filter needs too much memory")
                .with_hint("raise --limit-filter-memory for filters that you trust"),
            Some(Exhausted::Stack) => {
                Error::limit("the filter, or a value that it makes, is nested too deeply")
                    .with_hint("raise --limit-filter-stack for filters that you trust")
            }
            None => {
                let line = words.lines().find(|line| !line.trim().is_empty()).unwrap_or("without a message");
                Error::limit(format!("the process of the filter ended unexpectedly: {}", short(line, 200)))
            }
        };
        match &self.current {
            Some(name) => error.at_file(name),
            // No file is at fault.
            None => crate::outcome::usage(error),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process has used up.
#[derive(Debug, PartialEq, Eq)]
enum Exhausted {
    Time,
    Memory,
    Stack,
}

impl Exhausted {
    /// Recognizes the end of a process. The texts are those of Rust's runtime.
    fn of(status: ExitStatus, words: &str) -> Option<Self> {
        if ["memory allocation of", "capacity overflow"].iter().any(|text| words.contains(text)) {
            return Some(Self::Memory);
        }
        if words.contains("has overflowed its stack") {
            return Some(Self::Stack);
        }
        Self::of_signal(status)
    }

    #[cfg(unix)]
    fn of_signal(status: ExitStatus) -> Option<Self> {
        use std::os::unix::process::ExitStatusExt as _;

        use rustix::process::Signal;
        let signal = status.signal()?;
        if signal == Signal::XCPU.as_raw() {
            Some(Self::Time)
        } else if signal == Signal::KILL.as_raw() {
            // Linux kills processes if the machine has no more memory.
            Some(Self::Memory)
        } else if signal == Signal::SEGV.as_raw() || signal == Signal::BUS.as_raw() {
            Some(Self::Stack)
        } else {
            None
        }
    }

    #[cfg(not(unix))]
    fn of_signal(_: ExitStatus) -> Option<Self> {
        None
    }
}

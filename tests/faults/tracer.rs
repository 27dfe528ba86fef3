//! Runs the program under the tracer, which makes one of its calls fail.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What happens at a call. The tracer's own documentation has the meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Kill,
    Torn,
    Short,
    Error(i32),
    Broken(i32),
    Full(i32),
}

const EINTR: i32 = 4;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;

impl Fault {
    /// The faults that make sense for a call.
    pub(crate) fn of(call: &Call) -> Vec<Self> {
        let mut all = vec![Self::Kill, Self::Error(ENOSPC), Self::Error(EIO), Self::Error(EINTR)];
        if call.size > 1 {
            all.extend([Self::Torn, Self::Short, Self::Full(ENOSPC)]);
        }
        if call.size > 1 || matches!(call.name.as_str(), "open" | "openat" | "fsync" | "ftruncate") {
            all.extend([Self::Broken(EIO), Self::Broken(ENOSPC)]);
        }
        all
    }

    pub(crate) fn kills(self) -> bool {
        matches!(self, Self::Kill | Self::Torn)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(formatter, "none"),
            Self::Kill => write!(formatter, "kill"),
            Self::Torn => write!(formatter, "torn"),
            Self::Short => write!(formatter, "short"),
            Self::Error(number) => write!(formatter, "error:{number}"),
            Self::Broken(number) => write!(formatter, "broken:{number}"),
            Self::Full(number) => write!(formatter, "full:{number}"),
        }
    }
}

/// A call that changes a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// How many bytes it writes.
    pub(crate) size: u64,
    pub(crate) path: PathBuf,
}

/// The program, and the tracer that runs it.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) tracer: PathBuf,
    pub(crate) asdf: PathBuf,
    /// A script that changes the file it gets, for `asdf edit`.
    pub(crate) editor: PathBuf,
}

impl Programs {
    /// Runs a command line in a folder, without the tracer.
    pub(crate) fn run(&self, folder: &Path, line: &str) -> std::io::Result<Output> {
        self.prepared(&self.asdf, folder).args(line.split_whitespace()).output()
    }

    /// Runs a command line with a fault at a call, numbered from 1. Returns the calls that it made.
    pub(crate) fn run_with(
        &self,
        root: &Path,
        line: &str,
        at: usize,
        fault: Fault,
    ) -> std::io::Result<(Output, Vec<Call>)> {
        let log = root.join("calls");
        let output = self
            .prepared(&self.tracer, &root.join("work"))
            .arg(root.join("work"))
            .args([at.to_string(), fault.to_string()])
            .arg(&log)
            .arg(&self.asdf)
            .args(line.split_whitespace())
            .output()?;
        let calls = std::fs::read_to_string(&log)?;
        let call = |line: &str| {
            let mut words = line.splitn(4, ' ').skip(1);
            let (name, size, path) = (words.next()?, words.next()?, words.next()?);
            Some(Call { name: name.to_owned(), size: size.parse().ok()?, path: PathBuf::from(path) })
        };
        Ok((output, calls.lines().filter_map(call).collect()))
    }

    fn prepared(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).env("EDITOR", &self.editor).env_remove("VISUAL");
        // One thread makes the calls in the same order each time.
        command.env("RAYON_NUM_THREADS", "1").env("TMPDIR", folder.with_file_name("tmp"));
        command.stdin(std::process::Stdio::null());
        command
    }
}

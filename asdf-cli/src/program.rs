//! How users call the program, and how it starts itself.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::program_name::ProgramName;

/// Describes how users call the program, and how it can be started again.
///
/// The default is the program `asdf`, which is the executable of this process.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(crate) name: ProgramName,
    /// The command that starts it, and its first arguments; empty for the executable of this process.
    command: Vec<OsString>,
    /// The folder in which other programs are looked for; `None` for that of the executable.
    folder: Option<PathBuf>,
}

impl Program {
    /// Creates a program that an executable such as an interpreter runs.
    ///
    /// Help and hints have `name`. `command` starts the program again, when the arguments of a command are added to it: the
    /// filter of `asdf query` has a process of its own. `folder` is where `asdf sql` looks for `asdf-sql` first.
    pub fn new(
        name: &'static str,
        command: impl IntoIterator<Item = OsString>,
        folder: impl Into<PathBuf>,
    ) -> Self {
        Self { name: ProgramName(name), command: command.into_iter().collect(), folder: Some(folder.into()) }
    }

    /// Returns a command that starts this program, even if its file was replaced meanwhile.
    #[cfg_attr(not(feature = "query"), allow(dead_code, reason = "only filters have a process of their own"))]
    pub(crate) fn again(&self) -> io::Result<Command> {
        if let Some((program, arguments)) = self.command.split_first() {
            let mut command = Command::new(program);
            command.args(arguments);
            return Ok(command);
        }
        #[cfg(target_os = "linux")]
        if std::fs::exists("/proc/self/exe").unwrap_or(false) {
            use std::os::unix::process::CommandExt as _;
            let mut command = Command::new("/proc/self/exe");
            command.arg0(self.name.0);
            return Ok(command);
        }
        std::env::current_exe().map(Command::new)
    }

    /// Returns the path of another program in the folder of this one, if it is there.
    pub(crate) fn beside(&self, other: &str) -> Option<PathBuf> {
        let file = format!("{other}{}", std::env::consts::EXE_SUFFIX);
        let path = match &self.folder {
            Some(folder) => folder.join(file),
            None => std::env::current_exe().ok()?.with_file_name(file),
        };
        path.is_file().then_some(path)
    }
}

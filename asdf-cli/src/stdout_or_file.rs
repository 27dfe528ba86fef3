//! The output of a command that is not an ASDF file: standard output, or a new file.

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::{Error, Result, error};

use crate::context::Context;
use crate::new_file::{free, not_for_terminals};
use crate::printable;
use crate::remote::{self, Remote};
use crate::standard_streams::is_std;

/// Standard output, or a new file.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StdoutOrFile {
    /// Write to OUT, or to standard output for -
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Replace OUT if it exists
    #[arg(short, long)]
    force: bool,
}

impl StdoutOrFile {
    /// Returns whether --output was given.
    #[cfg(feature = "picture")]
    pub(crate) fn is_given(&self) -> bool {
        self.output.is_some()
    }

    /// Returns the path of the new file; `None` for standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_std(path))
    }

    /// Refuses to replace a file without --force, and to send binary data to a terminal.
    pub(crate) fn check(&self, binary: bool, remote: &Remote) -> Result<()> {
        match self.path() {
            Some(path) => free(
                path,
                self.force,
                "choose another name with --output, or replace it with --force",
                remote,
            ),
            None if binary => not_for_terminals(),
            None => Ok(()),
        }
    }

    /// Writes the output with `write`. Text for a terminal is escaped. A file is put in place only when it is complete, and errors of the output have
    /// its path.
    pub(crate) fn write(
        &self,
        context: &Context,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let Some(path) = self.path() else { return printable::to_document(out, write) };
        let named = |error: Error| match error.kind() {
            error::Kind::Io => error.at_file(path),
            _ => error,
        };
        if let Some(url) = remote::url(path) {
            return context
                .remote
                .write(url, |file| write(&mut context.progress.counted(file)).map_err(named));
        }
        asdf_core::file::replace(path, |file| write(&mut context.progress.counted(file)).map_err(named))
    }
}

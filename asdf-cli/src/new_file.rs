//! The output file of a command.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use asdf_core::{Error, File, Result, WriteOptions};

use crate::outcome::output;
use crate::printable;
use crate::remote::{self, Remote};
use crate::standard_streams::is_std;

/// The file that a command creates.
#[derive(Debug, clap::Args)]
pub(crate) struct NewFile {
    /// Write to OUTPUT; - for standard output, the default if FILE is -
    #[arg(short, long)]
    output: Option<PathBuf>,

    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl NewFile {
    /// Returns whether the new file goes to standard output.
    pub(crate) fn is_std(&self, input: &Path) -> bool {
        is_std(self.output.as_deref().unwrap_or(input))
    }

    /// Returns whether the new file is at a URL.
    pub(crate) fn is_remote(&self) -> bool {
        self.output.as_deref().is_some_and(|output| remote::url(output).is_some())
    }

    /// Returns the path of the new file: that of --output, or the input's name with `addition`. Refuses to replace a
    /// file without --force, and to send binary data to a terminal.
    pub(crate) fn path(&self, input: &Path, addition: &str, remote: &Remote) -> Result<PathBuf> {
        let path = self.text_path(input, addition, remote)?;
        if is_std(&path) { not_for_terminals().map(|()| path) } else { Ok(path) }
    }

    /// Returns the path like [`NewFile::path`], for a text file, which a terminal can show.
    pub(crate) fn text_path(&self, input: &Path, addition: &str, remote: &Remote) -> Result<PathBuf> {
        if self.output.is_none() && remote::url(input).is_some() {
            let error = Error::usage("expected a name for the output of a remote file").at_file(input);
            return Err(error.with_hint("pass --output FILE"));
        }
        let path = self.output.clone().unwrap_or_else(|| {
            if is_std(input) {
                return input.to_path_buf();
            }
            let mut name = input.file_stem().unwrap_or_default().to_owned();
            name.push(addition);
            // `addition` can include another extension.
            if !addition.contains('.') {
                name.push(".asdf");
            }
            input.with_file_name(name)
        });
        free(&path, self.force, "choose another name with --output, or replace it with --force", remote)?;
        Ok(path)
    }
}

/// Returns an error with `hint` if the file exists and `force` is not set.
pub(crate) fn free(path: &Path, force: bool, hint: &'static str, remote: &Remote) -> Result<()> {
    let exists = || match remote::url(path) {
        Some(url) => remote.exists(url),
        None => Ok(path.symlink_metadata().is_ok()),
    };
    if force || is_std(path) || !exists()? {
        return Ok(());
    }
    Err(Error::usage("the file already exists").at_file(path).with_hint(hint))
}

/// Refuses to send binary data to a terminal.
pub(crate) fn not_for_terminals() -> Result<()> {
    if std::io::stdout().is_terminal() {
        return Err(Error::usage("cannot write binary data to a terminal")
            .with_hint("name a file, or redirect the output: > FILE"));
    }
    Ok(())
}

/// Writes an ASDF file to a path or URL, or to standard output for `-`.
pub(crate) fn write(options: &WriteOptions, file: &File, path: &Path, remote: &Remote) -> Result<()> {
    if let Some(url) = remote::url(path) {
        return remote.write(url, |out| options.write_to(file, out));
    }
    if !is_std(path) {
        return options.write(file, path);
    }
    not_for_terminals()?;
    options.write_to(file, std::io::stdout().lock())
}

/// Writes a text to a path or URL, or to standard output for `-`, where it is escaped if that is a terminal.
pub(crate) fn write_text(bytes: &[u8], path: &Path, remote: &Remote) -> Result<()> {
    let write =
        |out: &mut dyn Write| out.write_all(bytes).map_err(|error| Error::io("writing", error).at_file(path));
    if let Some(url) = remote::url(path) {
        return remote.write(url, write);
    }
    if is_std(path) {
        let mut out = std::io::stdout().lock();
        return printable::to_document(&mut out, |out| {
            out.write_all(bytes).and_then(|()| out.flush()).map_err(output)
        });
    }
    asdf_core::file::replace(path, |out| write(out))
}

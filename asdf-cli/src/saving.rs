//! How a file is changed by a command: what schemas say about it, and where it goes.

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::file::UpdateOptions;
use asdf_core::{Error, File, Result};
use asdf_schemas::{Validator, Violation};
use serde_json::Value as Json;

use crate::opening;
use crate::target::{self, free, is_std};

/// Where a changed file goes.
#[derive(Debug, clap::Args)]
pub(crate) struct Saving {
    /// Write the changed file here, or to standard output for -, and leave FILE as it is
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Replace OUT if it is there already
    #[arg(short, long, requires = "output")]
    force: bool,

    /// Change the bytes of FILE itself, not those of a copy that takes its place: for large files
    #[arg(long, conflicts_with = "output")]
    in_place: bool,

    /// Write also what the schemas do not allow
    #[arg(long)]
    no_validate: bool,
}

impl Saving {
    /// Opens a file, changes it and writes it back. Only what has to change in its text and its bytes does.
    /// Nothing is written when the change brings in what the schemas do not allow; what was wrong before may
    /// stay so.
    ///
    /// What is read from standard input goes to standard output, unless --output names a file.
    pub(crate) fn edit(&self, path: &Path, change: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
        if self.in_place && is_std(path) {
            return Err(Error::usage("standard input cannot be changed in place"));
        }
        let mut file = opening::open(path)?;
        let before = self.violations(&file);
        change(&mut file).map_err(|error| error.at_file(path))?;
        self.check(&file, &before).map_err(|error| error.at_file(path))?;
        self.write(&mut file)
    }

    /// What the schemas do not allow in a file, unless nobody wants to know.
    pub(crate) fn violations(&self, file: &File) -> Vec<Violation> {
        match self.no_validate {
            true => Vec::new(),
            false => Validator::standard().validate_tree(file.tree()).violations().to_vec(),
        }
    }

    /// Whether the schemas allow all that has changed.
    pub(crate) fn check(&self, file: &File, before: &[Violation]) -> Result<()> {
        let same = |a: &Violation, b: &Violation| {
            (a.code(), a.path(), a.message()) == (b.code(), b.path(), b.message())
        };
        let after = self.violations(file);
        let new = after.iter().filter(|now| !before.iter().any(|was| same(now, was)));
        let errors = new.map(|violation| {
            let error = Error::mismatch(violation.message()).at_path(violation.path().as_str());
            match violation.hint() {
                Some(hint) => error.with_hint(hint),
                None => error,
            }
        });
        match errors.take(10).reduce(Error::and) {
            Some(error) => Err(error.with_hint("--no-validate writes it all the same")),
            None => Ok(()),
        }
    }

    /// Writes a changed file, to where it was opened or to another place.
    pub(crate) fn write(&self, file: &mut File) -> Result<()> {
        // Who wrote the file does not change with one of its values.
        let options = opening::write_options().sign(false);
        match &self.output {
            Some(output) => {
                self.free()?;
                target::write(&options, file, output)
            }
            // It was read from standard input.
            None if file.path().is_none() => target::write(&options, file, Path::new("-")),
            None => UpdateOptions::new().in_place(self.in_place).write_options(options).update(file),
        }
    }

    /// Whether nothing is in the place of the file that is written, or may be replaced there.
    pub(crate) fn free(&self) -> Result<()> {
        let hint = "choose another name with --output, or replace it with --force";
        self.output.as_ref().map_or(Ok(()), |output| free(output, self.force, hint))
    }

    /// Prints what was done; to standard error when the file itself goes to standard output.
    pub(crate) fn tell(&self, file: &Path, told: &Json, out: &mut dyn Write) -> std::io::Result<()> {
        match is_std(self.target(file)) {
            true => writeln!(std::io::stderr(), "{told}"),
            false => writeln!(out, "{told}"),
        }
    }

    /// The file that is written.
    pub(crate) fn target<'a>(&'a self, file: &'a Path) -> &'a Path {
        self.output.as_deref().unwrap_or(file)
    }
}

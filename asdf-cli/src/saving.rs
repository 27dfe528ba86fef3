//! Changing a file: validating the change, and writing the result.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::file::UpdateOptions;
use asdf_core::tree::Path as TreePath;
use asdf_core::{Error, File, Result};
use asdf_schemas::Validator;
use asdf_schemas::validate::ChangeValidator;
use asdf_tables::json::Printable;
use serde_json::Value as Json;

use crate::context::Context;
use crate::new_file::{self, free};
use crate::sources::Sources;
use crate::standard_streams::is_std;

/// Where a changed file goes.
#[derive(Debug, clap::Args)]
pub(crate) struct Saving {
    /// Write to OUT, or to standard output for -, instead of changing FILE
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Replace OUT if it exists
    #[arg(short, long, requires = "output")]
    force: bool,

    /// Edit FILE directly instead of replacing it (faster for large files)
    ///
    /// Without this option, other names of the file (hard links) keep the old contents.
    #[arg(long, conflicts_with = "output")]
    in_place: bool,

    /// Skip schema validation
    #[arg(long)]
    no_validate: bool,

    #[command(flatten)]
    sources: Sources,
}

/// Validates a change against the schemas; does nothing with --no-validate.
pub(crate) struct Checker(Option<ChangeValidator>);

impl Saving {
    /// Opens a file, changes it with `change`, and writes it back. `change` returns the path that it changed.
    ///
    /// Text and bytes that need not change stay the same. Nothing is written if the change adds violations of the
    /// schemas; violations that were there before can stay. A file from standard input goes to standard output,
    /// unless --output names a file.
    pub(crate) fn edit(
        &self,
        path: &Path,
        context: &Context,
        change: impl FnOnce(&mut File, &Checker) -> Result<TreePath>,
    ) -> Result<()> {
        if self.in_place && is_std(path) {
            return Err(Error::usage("cannot edit standard input in place"));
        }
        let mut file = context.open_to_change(path)?;
        self.refuse_container(&file, path)?;
        let checker = self.checker(&file, context)?;
        let changed = change(&mut file, &checker).map_err(|error| error.at_file(path))?;
        let mut warnings = checker.check(&file).map_err(|error| error.at_file(path))?;
        warnings.extend(checker.unchecked(&file, Some(&changed)));
        self.write(&mut file, context)?;
        warnings.into_iter().for_each(|one| context.warnings.tell(one.at_file(path)));
        Ok(())
    }

    /// Returns an error if a file cannot be written back because it is in a file of another format.
    pub(crate) fn refuse_container(&self, file: &File, path: &Path) -> Result<()> {
        let Some(container) = file.container().filter(|_| self.output.is_none()) else { return Ok(()) };
        let format = container.format();
        let message = format!("the ASDF file is inside a {format} file, which cannot be changed");
        let hint = "pass --output FILE to write a plain ASDF file, or convert it with `asdf convert` first";
        Err(Error::unsupported(message).at_file(path).with_hint(hint))
    }

    /// Records the violations of a file before it is changed.
    pub(crate) fn checker(&self, file: &File, context: &Context) -> Result<Checker> {
        let validator = match self.no_validate {
            true => None,
            false => Some(Arc::new(Validator::new(self.sources.registry(context)?))),
        };
        Ok(Checker(validator.map(|validator| ChangeValidator::new(validator, file.tree()))))
    }

    /// Writes a changed file to its own path, or to that of --output.
    pub(crate) fn write(&self, file: &mut File, context: &Context) -> Result<()> {
        // A changed value does not make this program the writer of the file.
        let options = context.write_options().sign(false);
        match &self.output {
            Some(output) => {
                self.free(context)?;
                new_file::write(&options, file, output, &context.remote)
            }
            // The file was read from standard input.
            None if file.url().is_some() => {
                Err(Error::usage("a remote file cannot be changed in place").with_hint("pass --output FILE"))
            }
            None if file.path().is_none() => new_file::write(&options, file, Path::new("-"), &context.remote),
            None => UpdateOptions::new().in_place(self.in_place).write_options(options).update(file),
        }
    }

    /// Returns an error if --output exists and --force was not given.
    pub(crate) fn free(&self, context: &Context) -> Result<()> {
        let hint = "choose another name with --output, or replace it with --force";
        self.output.as_ref().map_or(Ok(()), |output| free(output, self.force, hint, &context.remote))
    }

    /// Prints a report; to standard error if the file itself goes to standard output.
    pub(crate) fn tell(&self, file: &Path, report: &Json, out: &mut dyn Write) -> std::io::Result<()> {
        match is_std(self.target(file)) {
            true => writeln!(std::io::stderr(), "{}", Printable(report)),
            false => writeln!(out, "{}", Printable(report)),
        }
    }

    /// Returns the path of the file that is written.
    pub(crate) fn target<'a>(&'a self, file: &'a Path) -> &'a Path {
        self.output.as_deref().unwrap_or(file)
    }
}

impl Checker {
    /// Returns warnings about content without a schema: around the changed path, or in the whole tree.
    pub(crate) fn unchecked(&self, file: &File, changed: Option<&TreePath>) -> Vec<Error> {
        let Self(Some(changes)) = self else { return Vec::new() };
        changes.validator().validate_tree(file.tree()).unchecked_content(file.tree(), changed)
    }

    /// Whether there is a schema for a tag.
    pub(crate) fn knows(&self, tag: &str) -> bool {
        let has_schema =
            |changes: &ChangeValidator| !changes.validator().registry().schemas_of(tag).is_empty();
        self.0.as_ref().is_some_and(has_schema)
    }

    /// Validates all changed nodes, and returns the new warnings.
    pub(crate) fn check(&self, file: &File) -> Result<Vec<Error>> {
        let Self(Some(changes)) = self else { return Ok(Vec::new()) };
        changes.check(file.tree()).map_err(|error| error.with_hint("pass --no-validate to write it anyway"))
    }
}

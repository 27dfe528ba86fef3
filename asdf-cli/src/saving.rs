//! How a file is changed by a command: what schemas say about it, and where it goes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::file::UpdateOptions;
use asdf_core::tree::Path as TreePath;
use asdf_core::{Error, File, Result};
use asdf_schemas::Validator;
use asdf_schemas::validate::ChangeValidator;
use serde_json::Value as Json;

use crate::context::Context;
use crate::new_file::{self, free};
use crate::sources::Sources;
use crate::standard_streams::is_std;

/// Where a changed file goes.
#[derive(Debug, clap::Args)]
pub(crate) struct Saving {
    /// Write the changed file here, or to standard output for -, and leave FILE as it is
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Replace OUT if it is there already
    #[arg(short, long, requires = "output")]
    force: bool,

    /// Edit FILE directly instead of replacing it by a new copy (faster for large files)
    #[arg(long, conflicts_with = "output")]
    in_place: bool,

    /// Skip schema validation
    #[arg(long)]
    no_validate: bool,

    #[command(flatten)]
    sources: Sources,
}

/// What the schemas say about a change; nothing with --no-validate.
pub(crate) struct Checker(Option<ChangeValidator>);

impl Saving {
    /// Opens a file, changes it at the path that `change` returns, and writes it back. Only what has to change in its
    /// text and its bytes does.
    /// Nothing is written when the change brings in what the schemas do not allow; what was wrong before may
    /// stay so.
    ///
    /// What is read from standard input goes to standard output, unless --output names a file.
    pub(crate) fn edit(
        &self,
        path: &Path,
        context: &Context,
        change: impl FnOnce(&mut File, &Checker) -> Result<TreePath>,
    ) -> Result<()> {
        if self.in_place && is_std(path) {
            return Err(Error::usage("standard input cannot be changed in place"));
        }
        let mut file = context.open_to_write(path)?;
        let checker = self.checker(&file, context)?;
        let changed = change(&mut file, &checker).map_err(|error| error.at_file(path))?;
        let mut warnings = checker.check(&file).map_err(|error| error.at_file(path))?;
        warnings.extend(checker.unchecked(&file, Some(&changed)));
        self.write(&mut file, context)?;
        warnings.into_iter().for_each(|one| context.warnings.tell(one.at_file(path)));
        Ok(())
    }

    /// What the schemas say about a file before it is changed.
    pub(crate) fn checker(&self, file: &File, context: &Context) -> Result<Checker> {
        let validator = match self.no_validate {
            true => None,
            false => Some(Arc::new(Validator::new(self.sources.registry(context)?))),
        };
        Ok(Checker(validator.map(|validator| ChangeValidator::new(validator, file.tree()))))
    }

    /// Writes a changed file, to where it was opened or to another place.
    pub(crate) fn write(&self, file: &mut File, context: &Context) -> Result<()> {
        // Who wrote the file does not change with one of its values.
        let options = context.write_options().sign(false);
        match &self.output {
            Some(output) => {
                self.free()?;
                new_file::write(&options, file, output)
            }
            // It was read from standard input.
            None if file.path().is_none() => new_file::write(&options, file, Path::new("-")),
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

impl Checker {
    /// Warns of content without a schema: that which a place belongs to, or else all of the tree.
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

    /// Checks that the schemas allow all that has changed, and gives the new warnings.
    pub(crate) fn check(&self, file: &File) -> Result<Vec<Error>> {
        let Self(Some(changes)) = self else { return Ok(Vec::new()) };
        changes.check(file.tree()).map_err(|error| error.with_hint("pass --no-validate to write it anyway"))
    }
}

//! How a file is changed by a command: what schemas say about it, and where it goes.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::file::UpdateOptions;
use asdf_core::tree::Path as TreePath;
use asdf_core::{Error, File, Result};
use asdf_schemas::validate::{Code, Severity};
use asdf_schemas::{Report, Validator, Violation};
use serde_json::Value as Json;

use crate::context::Context;
use crate::sources::Sources;
use crate::standard_streams::is_std;
use crate::target::{self, free};
use crate::unchecked;

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

/// What the schemas say about the tree of a file, before and after it is changed.
pub(crate) struct Checker {
    /// Nothing without validation.
    validator: Option<Validator>,
    before: Vec<Violation>,
}

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
            false => Some(Validator::new(self.sources.registry(context)?)),
        };
        let mut checker = Checker { validator, before: Vec::new() };
        checker.before =
            checker.report(file).map(|report| report.findings().cloned().collect()).unwrap_or_default();
        Ok(checker)
    }

    /// Writes a changed file, to where it was opened or to another place.
    pub(crate) fn write(&self, file: &mut File, context: &Context) -> Result<()> {
        // Who wrote the file does not change with one of its values.
        let options = context.write_options().sign(false);
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

impl Checker {
    fn report(&self, file: &File) -> Option<Report> {
        self.validator.as_ref().map(|validator| validator.validate_tree(file.tree()))
    }

    /// What is found now and was not before.
    fn new_findings(&self, file: &File) -> Vec<Violation> {
        fn key(one: &Violation) -> (Code, &TreePath, &str) {
            (one.code(), one.path(), one.message())
        }
        let before: HashSet<_> = self.before.iter().map(key).collect();
        let after = self.report(file);
        let after = after.iter().flat_map(Report::findings);
        after.filter(|now| !before.contains(&key(now))).cloned().collect()
    }

    /// Warns of content without a schema: that which a place belongs to, or else all of the tree.
    pub(crate) fn unchecked(&self, file: &File, changed: Option<&TreePath>) -> Vec<Error> {
        let report = self.report(file);
        report.map(|report| unchecked::warnings(file.tree(), &report, changed)).unwrap_or_default()
    }

    /// Whether there is a schema for a tag.
    pub(crate) fn knows(&self, tag: &str) -> bool {
        self.validator.as_ref().is_some_and(|validator| !validator.registry().schemas_of(tag).is_empty())
    }

    /// Whether the schemas allow all that has changed.
    pub(crate) fn allows(&self, file: &File) -> bool {
        self.new_findings(file).iter().all(|one| one.severity() != Severity::Error)
    }

    /// Checks that the schemas allow all that has changed, and gives the new warnings.
    pub(crate) fn check(&self, file: &File) -> Result<Vec<Error>> {
        let new = self.new_findings(file);
        let of = |severity: Severity| {
            new.iter().filter(move |one| one.severity() == severity).take(10).map(Violation::to_error)
        };
        match of(Severity::Error).reduce(Error::and) {
            Some(error) => Err(error.with_hint("pass --no-validate to write it anyway")),
            None => {
                // The file is written anew, with other lines.
                Ok(of(Severity::Warning).map(|warning| warning.map_position(|_, _| None)).collect())
            }
        }
    }
}

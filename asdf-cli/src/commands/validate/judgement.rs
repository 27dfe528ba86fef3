//! The result of validating one file.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use asdf_core::{Error, File, Result, Tree};
use asdf_schemas::validate::{Code, Severity, Snippet};
use asdf_schemas::{Report, Validator, Violation};

use crate::context::Context;
use crate::hint::Words;
use crate::input::Input;
use crate::outcome::is_about_content;

/// Validates files, on many threads.
pub(crate) struct Judge {
    pub(super) validator: Validator,
    /// Whether lines of the file are shown.
    pub(super) lines: bool,
    pub(super) strict: bool,
}

/// The result of one file.
pub(crate) struct Judgement {
    pub(crate) name: String,
    /// The name with the exact bytes that the system uses.
    pub(crate) file: OsString,
    /// Whether the file was found in a folder.
    pub(crate) found: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) validated: usize,
    /// The singular noun for what `validated` counts.
    pub(crate) noun: &'static str,
    pub(crate) complete: bool,
    pub(crate) unknown: Vec<String>,
    /// The number of nodes with a tag that has no schema.
    pub(crate) unchecked: usize,
    /// Whether the file has a tree.
    pub(crate) has_tree: bool,
    /// Why the file could not be read.
    pub(crate) failure: Option<Error>,
}

/// A finding, with the line of the file that is shown.
pub(crate) struct Finding {
    pub(crate) violation: Violation,
    pub(crate) severity: Severity,
    pub(crate) snippet: Option<Snippet>,
}

impl Finding {
    /// Returns the hint, worded for the command line.
    pub(crate) fn hint(&self) -> Option<Words<'_>> {
        self.violation.hint().map(Words)
    }
}

impl Judge {
    pub(crate) fn judge(&self, input: Result<Input>, context: &Context) -> Judgement {
        let input = match input {
            Ok(input) => input,
            Err(error) => return Judgement::failed(String::new(), error),
        };
        // A panic for one file must not stop the check of the others.
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge_input(&input, context)));
        judged.unwrap_or_else(|_| {
            let error = Error::malformed(
                "the program failed while it checked this file; the rest of the file was not checked",
            )
            .with_hint("report this bug, with the file if possible");
            self.report(&input, &Report::from_error(&error, Code::Stopped), None)
        })
    }

    fn judge_input(&self, input: &Input, context: &Context) -> Judgement {
        match context.open_quietly(&input.path) {
            Ok(file) => self.report(input, &self.validator.validate_file(&file), Some(&file)),
            Err(error) if is_about_content(&error) => {
                self.report(input, &Report::from_error(&error, Code::Unreadable), None)
            }
            Err(error) => Judgement::failed(input.name(), error),
        }
    }

    fn report(&self, input: &Input, report: &Report, file: Option<&File>) -> Judgement {
        Judgement {
            name: input.name(),
            file: input.raw_name(),
            found: input.found,
            findings: Self::findings(report, file.map(File::tree), self.lines, self.strict),
            validated: report.validated(),
            noun: "tagged node",
            complete: report.is_complete(),
            unknown: report.unknown_tags().to_vec(),
            unchecked: report.unchecked(),
            has_tree: file.is_none_or(|file| file.tree().root().is_some()),
            failure: None,
        }
    }

    /// Returns the findings of a report: with the lines of the tree's text if `lines` is set, and with warnings as
    /// errors if `strict` is set.
    pub(crate) fn findings(report: &Report, tree: Option<&Tree>, lines: bool, strict: bool) -> Vec<Finding> {
        let finding = |violation: &Violation| Finding {
            violation: violation.clone(),
            severity: match violation.severity() {
                Severity::Warning if strict => Severity::Error,
                severity => severity,
            },
            snippet: tree.filter(|_| lines).and_then(|tree| Snippet::of(violation, tree)),
        };
        report.findings().map(finding).collect()
    }
}

impl Judgement {
    /// Creates the result of a file that could not be opened. Machine-readable formats report it as a finding; other
    /// formats leave it to the error at the end.
    fn failed(name: String, error: Error) -> Self {
        let report = Report::from_error(&error, Code::Unreadable);
        let name = match error.file() {
            Some(file) if name.is_empty() => file.display().to_string(),
            _ => name,
        };
        Self {
            file: name.clone().into(),
            name,
            found: false,
            findings: Judge::findings(&report, None, false, false),
            validated: 0,
            noun: "tagged node",
            complete: false,
            unknown: Vec::new(),
            unchecked: 0,
            has_tree: true,
            failure: Some(error),
        }
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Returns a message about the tags without a schema.
    pub(crate) fn missing_schemas(&self) -> Option<String> {
        match self.unknown.as_slice() {
            [] => None,
            [tag] => Some(format!("no schema for {tag}")),
            [first, _] => Some(format!("no schemas for {first} and 1 more tag")),
            [first, others @ ..] => Some(format!("no schemas for {first} and {} more tags", others.len())),
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_schemas::Registry;

    #[test]
    fn a_panic_is_a_finding_of_its_file() {
        let path = format!("{}/tests/console/files/exposure.asdf", env!("CARGO_MANIFEST_DIR"));
        let validator = Validator::new(Registry::standard()).with_check("**", |_| panic!("on purpose"));
        let judge = Judge { validator, lines: true, strict: false };
        let judgement = judge.judge(Ok(Input::named(path.clone().into())), &Context::for_completions());
        assert!(judgement.failure.is_none() && !judgement.is_valid() && !judgement.complete);
        assert_eq!(judgement.findings[0].violation.code(), Code::Stopped);
        assert_eq!(judgement.name, path);
    }
}

//! What was found out about one file.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use asdf_core::{Error, File, Result, Tree};
use asdf_schemas::validate::{Code, Severity};
use asdf_schemas::{Report, Validator, Violation};

use super::snippet::Snippet;
use crate::context::Context;
use crate::hint::Words;
use crate::input::Input;
use crate::outcome::is_about_content;

/// What judges files, on many threads.
pub(crate) struct Judge {
    pub(super) validator: Validator,
    /// Whether the lines of the file are shown.
    pub(super) lines: bool,
    pub(super) strict: bool,
}

/// The result of one file.
pub(crate) struct Judgement {
    pub(crate) name: String,
    /// The name with the bytes that the system has for it.
    pub(crate) file: OsString,
    /// Whether the file was found in a folder.
    pub(crate) found: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) validated: usize,
    /// What was validated.
    pub(crate) noun: &'static str,
    pub(crate) complete: bool,
    pub(crate) unknown: Vec<String>,
    /// How many tagged nodes have a tag without a schema.
    pub(crate) unchecked: usize,
    /// Whether there is anything to check: a file may be without a tree.
    pub(crate) has_tree: bool,
    /// Why the file could not be got at.
    pub(crate) failure: Option<Error>,
}

/// One finding, with what is shown of the file.
pub(crate) struct Finding {
    pub(crate) violation: Violation,
    pub(crate) severity: Severity,
    pub(crate) snippet: Option<Snippet>,
}

impl Finding {
    /// What to do about it, in the words of the command line.
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
        // One file shall not keep the others from being checked, whatever is wrong with it or with this program.
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge_input(&input, context)));
        judged.unwrap_or_else(|_| {
            let error = Error::malformed(
                "the program failed while it checked this file, which was not looked at to its end",
            )
            .with_hint("this is a fault of the program: please report it, with the file if you can");
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

    /// The findings of a report about a tree, with the lines of its text, and with warnings as errors.
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
    /// A file that could not be opened. Formats for machines tell it as a finding, people see the error at the end.
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

    /// Which tags have no schema, in words.
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

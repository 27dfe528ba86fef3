//! The format `junit`: one test suite for each file, with a failed test for each violation or one passed test.

use std::io::Write;

use asdf_core::printable::xml;
use asdf_schemas::validate::{Code, Severity};

use super::super::judgement::Judgement;
use super::{Printer, Summary};

pub(super) struct Junit {
    pub(super) quiet: bool,
}

impl Printer for Junit {
    fn begin(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"asdf validate\">")
    }

    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        let name = xml(&judgement.name);
        let failures = judgement.count(Severity::Error);
        if let Some(error) = &judgement.failure {
            // JUnit's `error` is for tests that could not run.
            let (message, text) = (xml(error.message()), xml(&error.to_string()));
            return writeln!(
                out,
                "  <testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\">\n    \
                 <testcase classname=\"{name}\" name=\"{} /\">\n      \
                 <error type=\"file\" message=\"{message}\">{text}</error>\n    </testcase>\n  </testsuite>",
                Code::Unreadable
            );
        }
        writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">",
            failures.max(1)
        )?;
        if failures == 0 {
            writeln!(out, "    <testcase classname=\"{name}\" name=\"valid\"/>")?;
        }
        for finding in judgement.findings.iter().filter(|one| one.severity == Severity::Error) {
            let violation = &finding.violation;
            let (code, path) = (violation.code(), violation.path().as_str());
            let test = xml(&format!("{code} {}", if path.is_empty() { "/" } else { path }));
            writeln!(out, "    <testcase classname=\"{name}\" name=\"{test}\">")?;
            let (message, rule) = (xml(violation.message()), xml(violation.rule()));
            let text = xml(&format!("{}:{violation}", judgement.name));
            writeln!(
                out,
                "      <failure type=\"{rule}\" message=\"{message}\">{text}</failure>\n    </testcase>"
            )?;
        }
        let others: Vec<String> = judgement
            .findings
            .iter()
            .filter(|one| !self.quiet && one.severity < Severity::Error)
            .map(|one| xml(&format!("{}: {}", one.severity, one.violation)))
            .collect();
        if !others.is_empty() {
            writeln!(out, "    <system-out>{}</system-out>", others.join("\n"))?;
        }
        writeln!(out, "  </testsuite>")
    }

    fn end(&mut self, _: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "</testsuites>")
    }
}

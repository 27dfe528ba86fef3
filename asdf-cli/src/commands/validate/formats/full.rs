//! The format `full`: findings with the marked line of the file.

use std::io::Write;
use std::sync::Arc;

use asdf_schemas::validate::{Severity, Snippet};
use asdf_schemas::{Registry, Violation};

use super::super::judgement::{Finding, Judgement};
use super::concise::{parts, shown, total, verdict};
use super::{Detail, Printer, Summary};
use crate::colour::Colours;
use crate::printable;

pub(super) struct Full {
    pub(super) detail: Detail,
    pub(super) colours: Colours,
    pub(super) registry: Arc<Registry>,
}

impl Printer for Full {
    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        if judgement.failure.is_some() {
            return Ok(());
        }
        for finding in shown(judgement, self.detail) {
            let (place, rest) = parts(judgement, finding);
            self.colours.write_bold(&place, out)?;
            match finding.severity {
                Severity::Error => writeln!(out, ": {rest}")?,
                Severity::Warning => writeln!(out, ": {} {rest}", self.colours.yellow("warning:"))?,
                Severity::Note => writeln!(out, ": note: {rest}")?,
            }
            match (&finding.snippet, finding.severity) {
                // Notes do not show the line.
                (_, Severity::Note) | (None, _) => self.remarks(finding, 1, out)?,
                (Some(snippet), _) => {
                    let gutter = snippet.line.to_string().len();
                    mark(snippet, gutter, finding.severity, self.colours, out)?;
                    self.remarks(finding, gutter, out)?;
                }
            }
        }
        verdict(judgement, self.detail, self.colours, out)
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        total(summary, self.detail, out)
    }
}

fn mark(
    snippet: &Snippet,
    gutter: usize,
    severity: Severity,
    colours: Colours,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let bar = colours.blue("|");
    let (before, marks) = (" ".repeat(snippet.before), "^".repeat(snippet.marked));
    writeln!(out, " {:gutter$} {bar}", "")?;
    writeln!(out, " {} {bar} {}", colours.blue(snippet.line), snippet.text)?;
    match severity {
        Severity::Error => writeln!(out, " {:gutter$} {bar} {before}{}", "", colours.red(marks)),
        _ => writeln!(out, " {:gutter$} {bar} {before}{}", "", colours.yellow(marks)),
    }
}

impl Full {
    /// Prints the rule with its location in the schema, and the hint.
    fn remarks(&self, finding: &Finding, gutter: usize, out: &mut dyn Write) -> std::io::Result<()> {
        let violation = &finding.violation;
        let equals = self.colours.blue("=");
        let rule = self.rule(violation);
        writeln!(out, " {:gutter$} {equals} {}: {rule}", "", violation.code())?;
        if let Some(hint) = finding.hint() {
            writeln!(out, " {:gutter$} {equals} hint: {}", "", printable::line(&hint.to_string()))?;
        }
        Ok(())
    }

    fn rule(&self, violation: &Violation) -> String {
        let Some(schema) = violation.schema() else { return violation.code().title().to_owned() };
        let place = violation.place().unwrap_or_default();
        let line = self.registry.line(schema, place).map(|line| format!(", line {line}")).unwrap_or_default();
        printable::line(&format!("{} at {schema}#{place}{line}", violation.rule()))
    }
}

//! The format `github`: workflow commands of GitHub Actions, which annotate files.

use std::io::Write;

use asdf_core::printable::github::{message, property};
use asdf_schemas::validate::Severity;

use super::super::judgement::Judgement;
use super::{Printer, Summary};

pub(super) struct Github {
    pub(super) quiet: bool,
}

impl Printer for Github {
    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        for finding in &judgement.findings {
            let violation = &finding.violation;
            let command = match finding.severity {
                Severity::Error => "error",
                _ if self.quiet => continue,
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            // GitHub expects paths relative to the repository, without `./`.
            let name = judgement.name.strip_prefix("./").unwrap_or(&judgement.name);
            let mut properties = format!("file={},title={}", property(name), violation.code());
            if let Some((line, column)) = violation.position() {
                properties.push_str(&format!(",line={line},col={column}"));
                if let Some((end, column)) = violation.end() {
                    properties.push_str(&format!(",endLine={end},endColumn={column}"));
                }
            }
            let hint = finding.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
            writeln!(out, "::{command} {properties}::{}", message(&format!("{violation}{hint}")))?;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        if self.quiet { Ok(()) } else { writeln!(out, "{}", summary.text()) }
    }
}

//! The formats `json` and `jsonl`: one JSON document, or one for each file.

use std::io::Write;
use std::sync::Arc;

use asdf_schemas::Registry;
use asdf_schemas::validate::Severity;
use asdf_tables::json::Printable;
use serde_json::{Value, json};

use super::super::judgement::{Finding, Judgement};
use super::{Printer, Summary};

pub(super) struct Json {
    pub(super) lines: bool,
    pub(super) first: bool,
    pub(super) registry: Arc<Registry>,
}

impl Printer for Json {
    fn begin(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.lines { Ok(()) } else { writeln!(out, "{{\"asdf_validate\": 1, \"files\": [") }
    }

    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        let list = |severity: Severity| -> Vec<Value> {
            let findings = judgement.findings.iter().filter(|finding| finding.severity == severity);
            findings.map(|finding| self.finding(finding)).collect()
        };
        let mut object = json!({
            "file": judgement.name,
            "valid": judgement.is_valid(),
            "opened": judgement.failure.is_none(),
            "tree": judgement.has_tree && judgement.failure.is_none(),
            "complete": judgement.complete,
            "validated": judgement.validated,
            "unchecked": judgement.unchecked,
            "violations": list(Severity::Error),
            "warnings": list(Severity::Warning),
            "notes": list(Severity::Note),
            "unknown_tags": judgement.unknown,
        });
        if self.lines {
            if let Some(members) = object.as_object_mut() {
                members.insert("asdf_validate".to_owned(), 1.into());
            }
            return writeln!(out, "{}", Printable(&object));
        }
        let comma = if std::mem::take(&mut self.first) { "" } else { "," };
        writeln!(out, "{comma}{}", Printable(&object))
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        if self.lines {
            return Ok(());
        }
        let summary = json!({
            "files": summary.files,
            "valid": summary.files - summary.invalid,
            "invalid": summary.invalid,
            "unreadable": summary.unreadable,
            "partly_checked": summary.partial,
            "unknown_tags": summary.unknown,
            "violations": summary.violations,
            "warnings": summary.warnings,
            "gone_from_baseline": summary.gone,
        });
        writeln!(out, "], \"summary\": {}}}", Printable(&summary))
    }
}

impl Json {
    fn finding(&self, finding: &Finding) -> Value {
        let violation = &finding.violation;
        let (position, end) = (violation.position(), violation.end());
        let line = violation.schema().zip(violation.place());
        json!({
            "code": violation.code().id(),
            "severity": finding.severity.name(),
            "rule": violation.rule(),
            "path": violation.path().as_str(),
            "line": position.map(|(line, _)| line),
            "column": position.map(|(_, column)| column),
            "end_line": end.map(|(line, _)| line),
            "end_column": end.map(|(_, column)| column),
            "offset": violation.offset(),
            "message": violation.message(),
            "found": violation.found(),
            "expected": violation.expected(),
            "hint": finding.hint().map(|hint| hint.to_string()),
            "schema": violation.schema(),
            "place": violation.place(),
            "schema_line": line.and_then(|(schema, place)| self.registry.line(schema, place)),
        })
    }
}

//! The format `sarif`: SARIF 2.1.0 (OASIS) for code hosts and editors.

use std::io::Write;
use std::path::Path;

use asdf_schema_model::uri::encode;
use asdf_schemas::validate::{Code, Severity};
use asdf_tables::json::Printable;
use serde_json::{Value, json};

use super::super::judgement::{Finding, Judgement};
use super::{Printer, Summary};

pub(super) struct Sarif {
    pub(super) first: bool,
    pub(super) quiet: bool,
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

impl Printer for Sarif {
    fn begin(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let rules: Vec<Value> = Code::ALL
            .iter()
            .map(|code| {
                json!({
                    "id": code.id(),
                    "name": code.rule(),
                    "shortDescription": {"text": code.title()},
                    "help": {"text": code.explanation(), "markdown": code.explanation()},
                    "defaultConfiguration": {"level": level(code.severity())},
                })
            })
            .collect();
        let driver = json!({
            "name": "asdf validate",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        writeln!(
            out,
            "{{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{{\
             \"tool\": {{\"driver\": {driver}}}, \"columnKind\": \"unicodeCodePoints\", \"results\": ["
        )
    }

    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        let quiet = self.quiet;
        for finding in judgement.findings.iter().filter(|one| !quiet || one.severity == Severity::Error) {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            writeln!(out, "{comma}{}", Printable(&result(judgement, finding)))?;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        let invocation = json!([{"executionSuccessful": summary.unreadable == 0}]);
        writeln!(out, "], \"invocations\": {invocation}}}]}}")
    }
}

fn result(judgement: &Judgement, finding: &Finding) -> Value {
    let violation = &finding.violation;
    let mut region = json!({});
    let mut set = |name: &str, value: Value| {
        if let Some(region) = region.as_object_mut() {
            region.insert(name.to_owned(), value);
        }
    };
    match (violation.position(), violation.offset()) {
        (Some((line, column)), _) => {
            set("startLine", line.into());
            set("startColumn", column.into());
            if let Some((line, column)) = violation.end() {
                set("endLine", line.into());
                set("endColumn", column.into());
            }
        }
        (None, Some(offset)) => {
            set("byteOffset", offset.into());
            set("byteLength", 0.into());
        }
        (None, None) => set("startLine", 1.into()),
    }
    let hint = finding.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    json!({
        "ruleId": violation.code().id(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == violation.code()),
        "level": level(finding.severity),
        "message": {"text": format!("{}{hint}", violation.message())},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": uri(&judgement.name)}, "region": region},
            "logicalLocations": [{"fullyQualifiedName": violation.path().as_str(), "kind": "value"}],
        }],
    })
}

/// Returns a path as a URI: relative, or with the scheme `file`.
fn uri(path: &str) -> String {
    let scheme = if Path::new(path).is_absolute() { "file://" } else { "" };
    scheme.to_owned() + &encode(&path.replace('\\', "/"), b"/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_are_uris() {
        assert_eq!(super::uri("a b/é#1.asdf"), "a%20b/%C3%A9%231.asdf");
        #[cfg(unix)]
        assert_eq!(super::uri("/data/x.asdf"), "file:///data/x.asdf");
    }
}

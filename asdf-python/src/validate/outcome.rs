//! The result of validating one file, on its way to Python.

use asdf_core::error::Kind;
use asdf_core::printable::line;
use asdf_core::tree::NodeRef;
use asdf_core::{Error, File, Tree};
use asdf_schemas::validate::{Code, Severity, Snippet};
use asdf_schemas::{Registry, Report, Violation};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::Failure;
use crate::hint::Words;

/// The result of validating one file.
pub(crate) struct Outcome {
    file: Option<String>,
    findings: Vec<Finding>,
    validated: usize,
    unchecked: usize,
    unknown: Vec<String>,
    complete: bool,
    has_tree: bool,
    /// Why the file could not be read.
    error: Option<Error>,
}

/// A finding with what is only known while the file is open.
struct Finding {
    violation: Violation,
    severity: Severity,
    /// The tag of the node, or of the nearest node above that has one.
    tag: Option<String>,
    /// The line of the rule in its schema.
    schema_line: Option<u32>,
    /// The message with the marked line of the file, without the name of the file.
    text: String,
}

impl Outcome {
    /// Makes the outcome of a report. With `strict`, warnings are violations.
    pub(super) fn new(
        report: &Report,
        file: Option<&File>,
        name: Option<String>,
        registry: &Registry,
        strict: bool,
    ) -> Self {
        let tree = file.map(File::tree);
        let findings = report.findings().map(|violation| Finding::new(violation, tree, registry, strict));
        Self {
            file: name,
            findings: findings.collect(),
            validated: report.validated(),
            unchecked: report.unchecked(),
            unknown: report.unknown_tags().to_vec(),
            complete: report.is_complete(),
            has_tree: tree.is_none_or(|tree| tree.root().is_some()),
            error: None,
        }
    }

    /// Makes the outcome of a file that could not be read. If that is not because of its content, it keeps the error.
    pub(super) fn failed(error: Error, code: Code, name: Option<String>, registry: &Registry) -> Self {
        let report = Report::from_error(&error, code);
        let outcome = Self::new(&report, None, name, registry, false);
        match error.kind() {
            Kind::Io | Kind::Usage => Self { error: Some(error), ..outcome },
            _ => outcome,
        }
    }

    /// Returns the error of a file that could not be opened.
    pub(super) fn checked(self) -> Result<Self, Failure> {
        match self.error {
            Some(error) => Err(error.into()),
            None => Ok(self),
        }
    }

    /// Makes the object `asdfast.Report`.
    pub(crate) fn into_report(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let module = py.import("asdfast._report")?;
        let class = module.getattr("Violation")?;
        let lists = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| (severity, PyList::empty(py)));
        for finding in &self.findings {
            let list = lists.iter().find(|(severity, _)| *severity == finding.severity);
            if let Some((_, list)) = list {
                list.append(class.call((), Some(&finding.values(py)?))?)?;
            }
        }
        let values = PyDict::new(py);
        values.set_item("file", self.file)?;
        for (name, (_, list)) in ["violations", "warnings", "notes"].into_iter().zip(lists) {
            values.set_item(name, list)?;
        }
        values.set_item("validated", self.validated)?;
        values.set_item("unchecked", self.unchecked)?;
        values.set_item("unknown_tags", self.unknown)?;
        values.set_item("is_complete", self.complete)?;
        values.set_item("has_tree", self.has_tree)?;
        let error = self.error.map(|error| PyErr::from(Failure::from(error)).into_value(py));
        values.set_item("error", error)?;
        module.getattr("Report")?.call((), Some(&values))
    }
}

impl Finding {
    fn new(violation: &Violation, tree: Option<&Tree>, registry: &Registry, strict: bool) -> Self {
        let severity = match violation.severity() {
            Severity::Warning if strict => Severity::Error,
            severity => severity,
        };
        let place = violation.place().unwrap_or_default();
        let schema_line = violation.schema().and_then(|schema| registry.line(schema, place));
        let snippet =
            tree.filter(|_| severity != Severity::Note).and_then(|tree| Snippet::of(violation, tree));
        let text = text(violation, severity, schema_line, snippet.as_ref());
        let tag = tree.and_then(|tree| tag(tree.root()?, violation));
        Self { violation: violation.clone(), severity, tag, schema_line, text }
    }

    /// Returns the arguments of `asdfast.Violation`.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let violation = &self.violation;
        let (line, column) = violation.position().unzip();
        let (end_line, end_column) = violation.end().unzip();
        let values = PyDict::new(py);
        values.set_item("path", violation.path().as_str())?;
        values.set_item("line", line)?;
        values.set_item("column", column)?;
        values.set_item("end_line", end_line)?;
        values.set_item("end_column", end_column)?;
        values.set_item("offset", violation.offset())?;
        values.set_item("code", violation.code().id())?;
        values.set_item("rule", violation.rule())?;
        values.set_item("severity", self.severity.name())?;
        values.set_item("message", violation.message())?;
        values.set_item("found", violation.found())?;
        values.set_item("expected", violation.expected())?;
        values.set_item("hint", violation.hint().map(|hint| Words(hint).to_string()))?;
        values.set_item("tag", self.tag.as_deref())?;
        values.set_item("schema", violation.schema())?;
        values.set_item("schema_path", violation.place())?;
        values.set_item("schema_line", self.schema_line)?;
        values.set_item("text", &self.text)?;
        Ok(values)
    }
}

/// Returns the tag of the node with a violation, or of the nearest node above that has one.
fn tag(root: NodeRef<'_>, violation: &Violation) -> Option<String> {
    // The path of a finding in a block is that of the root.
    let mut path = violation.offset().is_none().then(|| violation.path().clone());
    while let Some(here) = path {
        let tag = root.find(here.as_str()).and_then(NodeRef::own_tag);
        if tag.is_some() {
            return tag.map(str::to_owned);
        }
        path = here.parent();
    }
    None
}

/// Returns a finding as `asdf validate` prints it, after the name of the file.
fn text(
    violation: &Violation,
    severity: Severity,
    schema_line: Option<u32>,
    snippet: Option<&Snippet>,
) -> String {
    let mut text = match violation.position() {
        Some((line, column)) => format!(":{line}:{column}: "),
        None => ": ".to_owned(),
    };
    match severity {
        Severity::Error => {}
        Severity::Warning => text.push_str("warning: "),
        Severity::Note => text.push_str("note: "),
    }
    let path = violation.path().as_str();
    let at = match (violation.position(), violation.offset()) {
        (None, Some(offset)) => format!("at byte {offset}"),
        _ if path.is_empty() => "/".to_owned(),
        _ => path.to_owned(),
    };
    text.push_str(&line(&format!("{at}: {}", violation.message())));
    let mut gutter = 1;
    if let Some(Snippet { line, text: shown, before, marked, .. }) = snippet {
        gutter = line.to_string().len();
        let (before, marks) = (" ".repeat(*before), "^".repeat(*marked));
        text.push_str(&format!("\n {:gutter$} |\n {line} | {shown}\n {:gutter$} | {before}{marks}", "", ""));
    }
    let rule = match violation.schema() {
        None => violation.code().title().to_owned(),
        Some(schema) => {
            let at = schema_line.map(|line| format!(", line {line}")).unwrap_or_default();
            format!("{} at {schema}#{}{at}", violation.rule(), violation.place().unwrap_or_default())
        }
    };
    text.push_str(&format!("\n {:gutter$} = {}: {}", "", violation.code(), line(&rule)));
    if let Some(hint) = violation.hint() {
        text.push_str(&format!("\n {:gutter$} = hint: {}", "", line(&Words(hint).to_string())));
    }
    text
}

//! The format `concise`: one line for each finding, as compilers print errors.

use std::io::Write;

use asdf_schemas::validate::Severity;

use super::super::judgement::{Finding, Judgement};
use super::{Detail, Printer, Summary, counted};
use crate::colour::Colours;
use crate::place::shown as shown_path;
use crate::printable;

pub(super) struct Concise {
    pub(super) detail: Detail,
    pub(super) colours: Colours,
}

impl Printer for Concise {
    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        if judgement.failure.is_some() {
            return Ok(());
        }
        for finding in shown(judgement, self.detail) {
            let (place, rest) = parts(judgement, finding);
            let code = format!("{} {}", finding.severity, finding.violation.code());
            let code = match finding.severity {
                Severity::Error => self.colours.red(code).to_string(),
                Severity::Warning => self.colours.yellow(code).to_string(),
                Severity::Note => code,
            };
            self.colours.write_bold(&place, out)?;
            writeln!(out, ": {code} {rest}")?;
            if let Some(hint) = finding.hint().filter(|_| finding.severity > Severity::Note) {
                writeln!(out, "  hint: {}", printable::line(&hint.to_string()))?;
            }
        }
        verdict(judgement, self.detail, self.colours, out)
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        total(summary, self.detail, out)
    }
}

/// Returns the findings to print.
pub(super) fn shown(judgement: &Judgement, detail: Detail) -> impl Iterator<Item = &Finding> {
    judgement.findings.iter().filter(move |finding| !detail.quiet || finding.severity == Severity::Error)
}

/// Returns `FILE:LINE:COLUMN` and `/path: message` of a finding.
pub(super) fn parts(judgement: &Judgement, finding: &Finding) -> (Vec<u8>, String) {
    let mut place = printable::name(&judgement.file);
    let violation = &finding.violation;
    if let Some((line, column)) = violation.position() {
        place.extend(format!(":{line}:{column}").into_bytes());
    }
    let at = match (violation.position(), violation.offset()) {
        (None, Some(offset)) => format!("at byte {offset}"),
        _ => shown_path(violation.path().as_str()).to_owned(),
    };
    (place, printable::line(&format!("{at}: {}", violation.message())))
}

/// Prints the line about the whole file.
pub(super) fn verdict(
    judgement: &Judgement,
    detail: Detail,
    colours: Colours,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let valid = judgement.is_valid();
    if detail.quiet || (valid && judgement.found && !detail.verbose) {
        return Ok(());
    }
    out.write_all(&printable::name(&judgement.file))?;
    let more = if judgement.complete { "" } else { ", the rest was not checked" };
    match judgement.count(Severity::Error) {
        0 if !judgement.has_tree => writeln!(out, ": {}, no tree{more}", colours.green("valid")),
        0 => {
            let all = counted(judgement.validated + judgement.unchecked, judgement.noun);
            let nodes = match judgement.unchecked {
                0 => all,
                _ => format!("{} of {all}", judgement.validated),
            };
            let missing = judgement.missing_schemas().map(|text| format!("; {text}")).unwrap_or_default();
            writeln!(out, ": {}, {nodes} checked{more}{}", colours.green("valid"), printable::line(&missing))
        }
        count => writeln!(out, ": {}{more}", colours.red(counted(count, "violation"))),
    }
}

/// Prints the line about all files.
pub(super) fn total(summary: &Summary, detail: Detail, out: &mut dyn Write) -> std::io::Result<()> {
    if detail.quiet || (summary.files + summary.unreadable < 2 && summary.gone == 0) {
        return Ok(());
    }
    writeln!(out, "{}", summary.text())
}

//! One line for each finding, as compilers print them.

use std::io::Write;

use asdf_schemas::validate::Severity;

use super::super::judgement::{Finding, Judgement};
use super::{Detail, Printer, Summary, counted};
use crate::colour::{bold, green, red, yellow};
use crate::printable;

pub(super) struct Concise {
    pub(super) detail: Detail,
}

impl Printer for Concise {
    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        for finding in shown(judgement, self.detail) {
            writeln!(out, "{}", headline(judgement, finding))?;
            if let Some(hint) = finding.violation.hint().filter(|_| finding.severity > Severity::Note) {
                writeln!(out, "  hint: {}", printable::line(hint))?;
            }
        }
        verdict(judgement, self.detail, out)
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        total(summary, self.detail, out)
    }
}

/// The findings that are told.
pub(super) fn shown(judgement: &Judgement, detail: Detail) -> impl Iterator<Item = &Finding> {
    judgement.findings.iter().filter(move |finding| !detail.quiet || finding.severity == Severity::Error)
}

/// `FILE:LINE:COLUMN: /path: message`.
pub(super) fn headline(judgement: &Judgement, finding: &Finding) -> String {
    let violation = &finding.violation;
    let place = match violation.position() {
        Some((line, column)) => format!("{}:{line}:{column}", printable::line(&judgement.name)),
        None => printable::line(&judgement.name),
    };
    let text = violation.to_string();
    let rest = match violation.position() {
        Some(_) => text.split_once(": ").map_or("", |(_, rest)| rest),
        None => &text,
    };
    let rest = printable::line(rest);
    match finding.severity {
        Severity::Error => format!("{}: {rest}", bold(place)),
        Severity::Warning => format!("{}: {} {rest}", bold(place), yellow("warning:")),
        Severity::Note => format!("{}: note: {rest}", bold(place)),
    }
}

/// What is said about the file as a whole.
pub(super) fn verdict(judgement: &Judgement, detail: Detail, out: &mut dyn Write) -> std::io::Result<()> {
    let valid = judgement.is_valid();
    if detail.quiet || (valid && judgement.found && !detail.verbose) {
        return Ok(());
    }
    let name = printable::line(&judgement.name);
    let more = if judgement.complete { "" } else { ", and not everything was looked at" };
    match judgement.count(Severity::Error) {
        0 => {
            let nodes = counted(judgement.validated, judgement.noun);
            writeln!(out, "{name}: {}, {nodes} checked{more}", green("valid"))
        }
        count => writeln!(out, "{name}: {}{more}", red(counted(count, "violation"))),
    }
}

/// What is said about all files.
pub(super) fn total(summary: &Summary, detail: Detail, out: &mut dyn Write) -> std::io::Result<()> {
    if detail.quiet || (summary.files + summary.unreadable < 2 && summary.gone == 0) {
        return Ok(());
    }
    writeln!(out, "{}", summary.text())
}

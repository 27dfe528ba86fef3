//! `asdf validate`: whether files are what the standard and their schemas ask for.

use std::io::Write;
use std::path::{Path, PathBuf};

use asdf_core::{File, Result};
use asdf_schemas::{Report, Validator, Violation};
use serde_json::{Value as Json, json};

use crate::commands::{Outcome, is_about_content, output};
use crate::printable;

/// Check files: their layout, every tagged node against its schema, arrays against their blocks, and
/// checksums.
///
/// Prints every violation as FILE:LINE:COLUMN: /path: what was found and what is expected.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON, one line for each file: {"asdf_validate": 1, "file", "valid", "violations", "warnings",
    /// "unknown_tags"}
    #[arg(long)]
    json: bool,

    /// Print violations only
    #[arg(short, long)]
    quiet: bool,

    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let validator = Validator::standard();
    let mut outcome = Outcome::Fine;
    let mut unreadable = None;
    for path in &args.files {
        match File::open(path) {
            Ok(file) => {
                let report = validator.validate_file(&file);
                if !report.is_valid() {
                    outcome = Outcome::NotFine;
                }
                print(args, path, &report, out).map_err(output)?;
            }
            Err(error) if is_about_content(&error) => {
                outcome = Outcome::NotFine;
                if args.json {
                    let violation = json!({"message": error.to_string()});
                    print_json(path, false, &[violation], &[], &[], out)
                } else {
                    writeln!(out, "{}", printable::lines(&error.to_string()))
                }
                .map_err(output)?;
            }
            // A file that is not there does not keep the others from being checked.
            Err(error) => {
                unreadable = Some(match unreadable {
                    None => error,
                    Some(first) => asdf_core::Error::and(first, error),
                });
            }
        }
    }
    match unreadable {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

fn print(args: &Args, path: &Path, report: &Report, out: &mut dyn Write) -> std::io::Result<()> {
    if args.json {
        let list = |violations: &[Violation]| violations.iter().map(json_violation).collect::<Vec<_>>();
        let (violations, warnings) = (list(report.violations()), list(report.warnings()));
        return print_json(path, report.is_valid(), &violations, &warnings, report.unknown_tags(), out);
    }
    let file = printable::line(&path.display().to_string());
    let mut tell = |violation: &Violation, word: &str| -> std::io::Result<()> {
        let colon = if violation.position().is_some() { ":" } else { ": " };
        writeln!(out, "{file}{colon}{}", printable::line(&format!("{word}{violation}")))?;
        match violation.hint() {
            Some(hint) => writeln!(out, "  hint: {}", printable::line(hint)),
            None => Ok(()),
        }
    };
    for violation in report.violations() {
        tell(violation, "")?;
    }
    if args.quiet {
        return Ok(());
    }
    for warning in report.warnings() {
        tell(warning, if warning.position().is_some() { "" } else { "warning: " })?;
    }
    if !report.unknown_tags().is_empty() {
        let tags = report.unknown_tags();
        let count = tags.len();
        let shown: Vec<String> = tags.iter().take(3).map(|tag| printable::line(tag)).collect();
        let more = if count > shown.len() { ", …" } else { "" };
        writeln!(out, "{file}: note: no schema for {count} of its tags: {}{more}", shown.join(", "))?;
    }
    let verdict = match report.violations().len() {
        0 => format!("valid, {} tagged nodes checked", report.validated()),
        1 => "1 violation".to_owned(),
        count => format!("{count} violations"),
    };
    writeln!(out, "{file}: {verdict}")
}

fn json_violation(violation: &Violation) -> Json {
    json!({
        "path": violation.path().as_str(),
        "line": violation.position().map(|(line, _)| line),
        "column": violation.position().map(|(_, column)| column),
        "offset": violation.offset(),
        "rule": violation.rule(),
        "schema": violation.schema(),
        "message": violation.message(),
        "hint": violation.hint(),
    })
}

fn print_json(
    path: &Path,
    valid: bool,
    violations: &[Json],
    warnings: &[Json],
    unknown: &[String],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let line = json!({
        "asdf_validate": 1,
        "file": path.display().to_string(),
        "valid": valid,
        "violations": violations,
        "warnings": warnings,
        "unknown_tags": unknown,
    });
    writeln!(out, "{line}")
}

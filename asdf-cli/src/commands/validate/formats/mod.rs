//! The output formats of findings, one module each.

mod concise;
mod full;
mod github;
mod json;
mod junit;
mod sarif;

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use asdf_schemas::Registry;
use asdf_schemas::validate::Severity;

use super::judgement::Judgement;
use crate::colour::Colours;

/// The output format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// Marked lines of the file, and the location of the rule in its schema
    #[default]
    Full,
    /// One line for each finding: FILE:LINE:COLUMN: SEVERITY CODE /path: message
    Concise,
    /// One JSON document: {"asdf_validate": 1, "files": [...], "summary": {...}}
    Json,
    /// One line of JSON for each file: {"asdf_validate": 1, "file", "valid", "opened", "tree", "complete",
    /// "validated", "unchecked", "violations", "warnings", "notes", "unknown_tags"}
    Jsonl,
    /// SARIF 2.1.0 for code hosts and editors
    Sarif,
    /// JUnit's XML for build servers: one test suite for each file
    Junit,
    /// Annotations for GitHub Actions
    Github,
}

/// Prints judgements one by one.
pub(crate) trait Printer {
    fn begin(&mut self, _out: &mut dyn Write) -> std::io::Result<()> {
        Ok(())
    }

    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()>;

    fn end(&mut self, _summary: &Summary, _out: &mut dyn Write) -> std::io::Result<()> {
        Ok(())
    }
}

/// How much to print besides violations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detail {
    pub(super) quiet: bool,
    pub(super) verbose: bool,
}

impl Format {
    /// Returns whether the format shows lines of the files.
    pub(crate) fn shows_lines(self) -> bool {
        self == Self::Full
    }

    pub(crate) fn printer(
        self,
        quiet: bool,
        verbose: bool,
        registry: Arc<Registry>,
        colours: Colours,
    ) -> Box<dyn Printer> {
        let detail = Detail { quiet, verbose };
        match self {
            Self::Full => Box::new(full::Full { detail, colours, registry }),
            Self::Concise => Box::new(concise::Concise { detail, colours }),
            Self::Json => Box::new(json::Json { lines: false, first: true, registry }),
            Self::Jsonl => Box::new(json::Json { lines: true, first: true, registry }),
            Self::Sarif => Box::new(sarif::Sarif { first: true, quiet }),
            Self::Junit => Box::new(junit::Junit { quiet }),
            Self::Github => Box::new(github::Github { quiet }),
        }
    }
}

/// The result of all files.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) files: usize,
    pub(crate) invalid: usize,
    pub(crate) unreadable: usize,
    pub(crate) violations: usize,
    pub(crate) warnings: usize,
    /// Valid files with tags without a schema.
    pub(crate) partial: usize,
    /// The tags without a schema.
    pub(crate) unknown: BTreeSet<String>,
    /// Files without a tree.
    pub(crate) empty: usize,
    /// Entries of the baseline that did not occur.
    pub(crate) gone: usize,
}

impl Summary {
    pub(crate) fn count(&mut self, judgement: &Judgement) {
        if judgement.failure.is_some() {
            self.unreadable += 1;
            return;
        }
        self.files += 1;
        self.partial += usize::from(judgement.is_valid() && !judgement.unknown.is_empty());
        self.empty += usize::from(judgement.is_valid() && !judgement.has_tree);
        self.unknown.extend(judgement.unknown.iter().cloned());
        self.invalid += usize::from(!judgement.is_valid());
        self.violations += judgement.count(Severity::Error);
        self.warnings += judgement.count(Severity::Warning);
    }

    /// Returns the summary as one line.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}: {} valid", counted(self.files, "file"), self.files - self.invalid);
        if self.invalid > 0 {
            text.push_str(&format!(
                ", {} invalid, with {}",
                self.invalid,
                counted(self.violations, "violation")
            ));
        }
        if self.warnings > 0 {
            text.push_str(&format!(", {}", counted(self.warnings, "warning")));
        }
        if self.unreadable > 0 {
            text.push_str(&format!("; {} could not be read", self.unreadable));
        }
        if self.empty > 0 {
            text.push_str(&format!("; {} without a tree", self.empty));
        }
        if self.partial > 0 {
            let tags = counted(self.unknown.len(), "tag");
            text.push_str(&format!("; {} partly checked, no schema for {tags}", self.partial));
            let packages: BTreeSet<&str> =
                self.unknown.iter().filter_map(|tag| asdf_schemas::installed::package_of(tag)).collect();
            if !packages.is_empty() {
                let options: Vec<String> = packages.iter().map(|name| format!("--package {name}")).collect();
                text.push_str(&format!(" (pass {})", options.join(" ")));
            }
        }
        if self.gone > 0 {
            text.push_str(&format!("; {} of the baseline no longer found", self.gone));
        }
        text
    }
}

/// Returns a number with its noun.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

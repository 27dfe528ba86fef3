//! What the validator found.

use std::collections::HashSet;

use asdf_core::tree::Path;

use super::{Code, Severity, Violation};

/// The result of validating a tree or a file.
///
/// ```
/// use asdf_core::File;
/// use asdf_schemas::Validator;
///
/// let text = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
///             flux: !unit/quantity-1.1.0 {value: 5.0}\n...\n";
/// let report = Validator::standard().validate_file(&File::from_bytes(text)?);
/// assert!(!report.is_valid());
/// for violation in report.violations() {
///     println!("{violation}");
/// }
/// assert_eq!(report.violations().len(), 1); // the unit is missing
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Report {
    violations: Vec<Violation>,
    warnings: Vec<Violation>,
    notes: Vec<Violation>,
    pub(super) validated: usize,
    pub(super) unchecked: usize,
    pub(super) unknown: Vec<String>,
    pub(super) complete: bool,
}

impl Report {
    /// Findings in the order of the file, each once: a node can be judged by its own schema and by that of
    /// the node around it.
    pub(crate) fn new(findings: Vec<Violation>, validated: usize, unknown: Vec<String>) -> Self {
        let (violations, warnings, notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut report =
            Self { violations, warnings, notes, validated, unchecked: 0, unknown, complete: true };
        let mut seen: HashSet<(Path, Code, String)> = HashSet::new();
        for finding in findings {
            if seen.insert((finding.path.clone(), finding.code, finding.message.clone())) {
                report.push(finding);
            }
        }
        for list in [&mut report.violations, &mut report.warnings, &mut report.notes] {
            list.sort_by_key(|finding| (finding.position.is_none(), finding.position, finding.offset));
        }
        report
    }

    /// A report of a file that could not be read, or not to its end.
    #[must_use]
    pub fn from_error(error: &asdf_core::Error, code: Code) -> Self {
        let complete = false;
        Self { complete, ..Self::new(vec![Violation::from_error(error, code)], 0, Vec::new()) }
    }

    fn push(&mut self, finding: Violation) {
        match finding.severity() {
            Severity::Error => self.violations.push(finding),
            Severity::Warning => self.warnings.push(finding),
            Severity::Note => self.notes.push(finding),
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// All that is wrong, in the order of the file.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// What is odd but allowed: a block index that is not right, a checksum of the decoded bytes, a tag of
    /// another version of the standard.
    #[must_use]
    pub fn warnings(&self) -> &[Violation] {
        &self.warnings
    }

    /// What is worth knowing: each tag without a schema, where it is first met.
    #[must_use]
    pub fn notes(&self) -> &[Violation] {
        &self.notes
    }

    /// Violations, warnings and notes, each in the order of the file.
    pub fn findings(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().chain(&self.warnings).chain(&self.notes)
    }

    /// Whether everything was looked at: false when the time or the number of findings was over before.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many tagged nodes were validated.
    #[must_use]
    pub fn validated(&self) -> usize {
        self.validated
    }

    /// How many tagged nodes were not validated, because their tags have no schema in the registry.
    #[must_use]
    pub fn unchecked(&self) -> usize {
        self.unchecked
    }

    /// The tags for which the registry has no schema, sorted.
    #[must_use]
    pub fn unknown_tags(&self) -> &[String] {
        &self.unknown
    }
}

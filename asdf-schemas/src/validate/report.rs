//! What the validator found.

use super::Violation;

/// The result of validating a tree or a file.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub(super) violations: Vec<Violation>,
    pub(super) warnings: Vec<Violation>,
    pub(super) validated: usize,
    pub(super) unknown: Vec<String>,
}

impl Report {
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

    /// What is odd but allowed: a block index that is not right, a checksum of the decoded bytes.
    #[must_use]
    pub fn warnings(&self) -> &[Violation] {
        &self.warnings
    }

    /// How many tagged nodes were validated.
    #[must_use]
    pub fn validated(&self) -> usize {
        self.validated
    }

    /// The tags for which the registry has no schema, sorted.
    #[must_use]
    pub fn unknown_tags(&self) -> &[String] {
        &self.unknown
    }
}

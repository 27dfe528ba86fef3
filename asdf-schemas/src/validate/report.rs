//! The result of a validation.

use std::collections::HashSet;

use asdf_core::tree::Path;

use super::{Code, Severity, Violation};

/// The result of validating a tree or a file.
///
/// # Examples
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
    /// Sorts findings by their position and removes duplicates. The schema of a node and that of its parent can both
    /// report the same fault.
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

    /// Makes a report with one finding, for a file that could not be read to its end.
    ///
    /// The report is not [complete](Self::is_complete).
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

    /// Whether there are no violations. Warnings and notes do not count.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Returns the violations of schemas and of the standard, in the order of the file.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns the warnings, in the order of the file.
    ///
    /// A warning is about something unusual but allowed: a wrong block index, a checksum of the decoded bytes, a tag of
    /// another version of the standard.
    #[must_use]
    pub fn warnings(&self) -> &[Violation] {
        &self.warnings
    }

    /// Returns the notes: one for each tag without a schema, at its first node.
    #[must_use]
    pub fn notes(&self) -> &[Violation] {
        &self.notes
    }

    /// Returns the violations, then the warnings, then the notes, each in the order of the file.
    pub fn findings(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().chain(&self.warnings).chain(&self.notes)
    }

    /// Whether everything was checked: `false` if the limit of time or findings stopped the validation.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the number of tagged nodes that were validated.
    #[must_use]
    pub fn validated(&self) -> usize {
        self.validated
    }

    /// Returns the number of tagged nodes that were not validated, because their tags have no schema.
    #[must_use]
    pub fn unchecked(&self) -> usize {
        self.unchecked
    }

    /// Returns the tags without a schema, sorted.
    #[must_use]
    pub fn unknown_tags(&self) -> &[String] {
        &self.unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validator;
    use asdf_core::{Error, yaml};
    use std::ops::ControlFlow;

    #[test]
    fn nodes_without_a_schema_are_counted_and_named() {
        let text = "%TAG ! asdf://x.org/\n--- {a: !b 1, c: !a 2, d: !b 3, e: {f: [!c 4]}, g: 5}\n";
        let tree = yaml::parse(text).unwrap();
        let report = Validator::standard().validate_tree(&tree);
        assert_eq!((report.validated(), report.unchecked(), report.notes().len()), (0, 4, 3));
        assert_eq!(report.unknown_tags(), ["asdf://x.org/a", "asdf://x.org/b", "asdf://x.org/c"]);
        assert!(report.is_valid() && report.is_complete());

        let paths = |place: Option<&str>| {
            let place = place.map(|place| place.parse().unwrap());
            let warnings = report.unchecked_content(&tree, place.as_ref());
            warnings.iter().map(|warning| warning.path().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(paths(None), ["/a", "/c", "/d"]);
        assert_eq!((paths(Some("/e/f/0")), paths(Some("/g"))), (vec!["/e/f/0".to_owned()], Vec::new()));
    }

    #[test]
    fn findings_are_passed_on_until_there_are_enough() {
        let quantity = "!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {}";
        let tree = yaml::parse(&format!("[{quantity}, {quantity}, {quantity}]")).unwrap();
        let all = Validator::standard().validate_tree(&tree).findings().count();
        for (most, taken) in [(usize::MAX, all), (2, 2)] {
            let mut count = 0;
            Validator::standard().stream_tree(&tree, |_| {
                count += 1;
                if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert_eq!(count, taken);
        }
        assert_eq!(Validator::standard().stream_tree(&tree, |_| ControlFlow::Continue(())), 3);
    }

    #[test]
    fn a_report_of_an_error_is_not_complete() {
        let report = Report::from_error(&Error::malformed("cut"), Code::Unreadable);
        assert!(!report.is_complete() && !report.is_valid());
    }
}

//! `ChangeValidator`: finds the violations that a change of a tree adds.

use std::collections::HashSet;
use std::sync::Arc;

use asdf_core::tree::Path;
use asdf_core::{Error, Result, Tree};

use super::{Code, Severity, Validator, Violation};

/// The maximum number of errors, and of warnings, that one change reports.
const MOST: usize = 10;

/// Validates a tree after a change, without the findings from before the change.
///
/// For programs that change files which are not necessarily valid.
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::Validator;
/// use asdf_schemas::validate::ChangeValidator;
///
/// // One quantity has no unit.
/// let mut tree = yaml::parse(
///     "flux: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 5.0}\n\
///      time: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {unit: s, value: 2.0}\n",
/// )?;
/// let changes = ChangeValidator::new(Validator::standard(), &tree);
/// tree.set("/time/value", &3.0)?;
/// assert!(changes.check(&tree).is_ok());
/// tree.set("/time/value", &false)?;
/// assert_eq!(changes.check(&tree).unwrap_err().path(), Some("/time/value"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ChangeValidator {
    validator: Arc<Validator>,
    before: Vec<Violation>,
}

impl ChangeValidator {
    /// Validates a tree before a change, and keeps the findings.
    #[must_use]
    pub fn new(validator: Arc<Validator>, before: &Tree) -> Self {
        let before = validator.validate_tree(before).findings().cloned().collect();
        Self { validator, before }
    }

    /// Returns the validator.
    #[must_use]
    pub fn validator(&self) -> &Arc<Validator> {
        &self.validator
    }

    /// Returns the findings in a changed tree that are new.
    ///
    /// They differ in path, code or message from those before the change.
    #[must_use]
    pub fn new_findings(&self, after: &Tree) -> Vec<Violation> {
        fn key(one: &Violation) -> (Code, &Path, &str) {
            (one.code(), one.path(), one.message())
        }
        let before: HashSet<_> = self.before.iter().map(key).collect();
        let after = self.validator.validate_tree(after);
        after.findings().filter(|now| !before.contains(&key(now))).cloned().collect()
    }

    /// Checks that a change adds no violations, and returns up to 10 new warnings.
    ///
    /// The warnings have no line and column, because the changed tree is written again.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if there are new violations. The error holds up to 10 of them.
    pub fn check(&self, after: &Tree) -> Result<Vec<Error>> {
        let new = self.new_findings(after);
        let of = |severity: Severity| {
            new.iter().filter(move |one| one.severity() == severity).take(MOST).map(Violation::to_error)
        };
        match of(Severity::Error).reduce(Error::and) {
            Some(error) => Err(error),
            None => Ok(of(Severity::Warning).map(|warning| warning.map_position(|_, _| None)).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml;

    #[test]
    fn only_what_a_change_adds_is_reported() {
        let parsed = |more: &str| {
            let text = "a: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 5.0}";
            yaml::parse(&format!("{text}\n{more}")).unwrap()
        };
        let changes = ChangeValidator::new(Validator::standard(), &parsed(""));
        let unchanged = parsed("b: 5\n");
        assert!(changes.new_findings(&unchanged).is_empty());
        assert!(changes.check(&unchanged).unwrap().is_empty());

        let warned = parsed("b: !<tag:stsci.edu:asdf/unit/unit-1.0.0> furlong\n");
        let codes: Vec<_> = changes.new_findings(&warned).iter().map(Violation::code).collect();
        assert_eq!(codes, [Code::UnitText]);
        let warnings = changes.check(&warned).unwrap();
        assert!(warnings[0].message().contains("furlong") && warnings[0].line().is_none(), "{warnings:?}");

        let wrong: String = (0..2 * MOST)
            .map(|at| format!("b{at}: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {{}}\n"))
            .collect();
        let error = changes.check(&parsed(&wrong)).unwrap_err();
        assert_eq!((error.path(), error.others().len()), (Some("/b0"), MOST - 1));
    }
}

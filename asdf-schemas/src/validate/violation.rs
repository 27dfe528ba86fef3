//! One finding of the validator.

use std::fmt;

use asdf_core::Error;
use asdf_core::error::Hint;
use asdf_core::tree::{NodeRef, Path};

use super::{Code, Severity};

/// A finding of the validator: a violation, a warning or a note.
///
/// It displays as `LINE:COLUMN: /path: message`.
///
/// # Examples
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::Validator;
///
/// let tree = yaml::parse("time: !<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 5.0}\n")?;
/// let report = Validator::standard().validate_tree(&tree);
/// let violation = &report.violations()[0];
/// assert_eq!(violation.path().as_str(), "/time");
/// assert_eq!(violation.rule(), "required");
/// assert_eq!(violation.position(), Some((1, 49)));
/// assert_eq!(violation.to_string(), "1:49: /time: the required property 'unit' is missing");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(alias = "ValidationError")]
pub struct Violation {
    pub(crate) code: Code,
    pub(crate) path: Path,
    pub(crate) position: Option<(u32, u32)>,
    pub(crate) end: Option<(u32, u32)>,
    pub(crate) offset: Option<u64>,
    pub(crate) schema: Option<String>,
    pub(crate) place: Option<String>,
    pub(crate) message: String,
    pub(crate) found: Option<String>,
    pub(crate) expected: Option<String>,
    pub(crate) hint: Option<Hint>,
}

impl Violation {
    /// Makes a violation at a node.
    pub(crate) fn at(node: NodeRef<'_>, path: Path, code: Code, message: String) -> Self {
        Self {
            code,
            path,
            position: node.position(),
            end: node.end_position(),
            offset: None,
            schema: None,
            place: None,
            message,
            found: None,
            expected: None,
            hint: None,
        }
    }

    /// Makes a violation with the message "found NODE, expected ...".
    pub(super) fn unlike(node: NodeRef<'_>, path: Path, code: Code, expected: String) -> Self {
        let found = node.describe();
        let message = format!("found {found}, expected {expected}");
        Self { found: Some(found), expected: Some(expected), ..Self::at(node, path, code, message) }
    }

    /// Makes a finding from an error, with its message, hint and place.
    #[must_use]
    pub fn from_error(error: &Error, code: Code) -> Self {
        Self {
            code,
            path: error.path().and_then(|path| path.parse().ok()).unwrap_or_default(),
            position: error.line().zip(error.column()),
            end: None,
            offset: error.offset(),
            schema: None,
            place: None,
            message: error.message().to_owned(),
            found: None,
            expected: None,
            hint: error.hint().cloned(),
        }
    }

    /// Returns the stable, machine-readable code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the severity, which depends on the code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Returns the path in the tree. It is the root for a finding outside of the tree, such as in a block.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the line and column in the file, both from 1. Columns are counted in characters.
    #[must_use]
    pub fn position(&self) -> Option<(u32, u32)> {
        self.position
    }

    /// Returns the line and column just after the node, counted like the [position](Self::position).
    #[must_use]
    pub fn end(&self) -> Option<(u32, u32)> {
        self.end
    }

    /// Returns the byte offset in the file, for a finding outside of the tree.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Returns the name of the violated rule, which depends on the code.
    #[must_use]
    pub fn rule(&self) -> &str {
        self.code.rule()
    }

    /// Returns the id of the schema with the violated rule.
    #[must_use]
    pub fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Returns the place of the rule in that schema, as a JSON Pointer.
    ///
    /// [`Registry::line`](crate::Registry::line) returns its line.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// Returns the message, without the place and the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns X, if the message has the form "found X, expected Y".
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Returns Y, if the message has the form "found X, expected Y".
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// Returns the hint, which says what to do.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Makes an error of the kind [`Mismatch`](asdf_core::error::Kind::Mismatch), for programs that stop at a violation.
    ///
    /// The error has the message, the hint and the place. It has a code if [`error::Code`](asdf_core::error::Code) has
    /// the same one.
    #[must_use]
    pub fn to_error(&self) -> Error {
        // With an `impl From`, `?` in callers could no longer infer its error type.
        let mut error = Error::mismatch(&self.message);
        // A finding outside of the tree has an offset instead of a path.
        if self.offset.is_none() || !self.path.as_str().is_empty() {
            error = error.at_path(self.path.as_str());
        }
        if let Some((line, column)) = self.position {
            error = error.at_position(line, column);
        }
        if let Some(offset) = self.offset {
            error = error.at_offset(offset);
        }
        if let Some(hint) = &self.hint {
            error = error.with_hint(hint.clone());
        }
        match self.code.of_errors() {
            Some(code) => error.with_code(code),
            None => error,
        }
    }
}

impl fmt::Display for Violation {
    /// Writes `LINE:COLUMN: /path: message`. Callers put the file name and a colon before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.position, self.offset) {
            (Some((line, column)), _) => write!(f, "{line}:{column}: ")?,
            (None, Some(offset)) => write!(f, "at byte {offset}: ")?,
            (None, None) => {}
        }
        let path = if self.path.as_str().is_empty() { "/" } else { self.path.as_str() };
        if self.position.is_some() || self.offset.is_none() {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Validator;
    use asdf_core::{error, yaml};

    #[test]
    fn an_error_keeps_the_place_hint_and_code() {
        let text = "%TAG ! tag:stsci.edu:asdf/\n--- {a: !core/software-1.0.0 {nam: x, version: '1'}, b: 18446744073709551615}";
        let report = Validator::standard().validate_tree(&yaml::parse(text).unwrap());
        let errors: Vec<Error> = report.violations().iter().map(Violation::to_error).collect();
        let [missing, large] = errors.as_slice() else { panic!("{errors:?}") };
        assert_eq!((missing.kind(), missing.path()), (error::Kind::Mismatch, Some("/a")));
        assert_eq!((missing.line(), missing.column()), (Some(2), Some(30)));
        assert!(missing.hint().is_some(), "{missing}");
        assert_eq!((large.code(), large.path()), (Some(error::Code::Integers), Some("/b")));
    }

    #[test]
    fn what_was_found_and_expected_can_be_told_apart() {
        let mut registry = crate::Registry::new();
        registry.add_schema_as("asdf://x.org/s", "{type: string, not: {enum: [a]}}").unwrap();
        let validator = Validator::new(registry.into()).with_schema("asdf://x.org/s").unwrap();
        for (text, parts) in [("5", Some(("the integer 5", "a string"))), ("a", None)] {
            let report = validator.validate_tree(&yaml::parse(text).unwrap());
            let violation = &report.violations()[0];
            assert_eq!(violation.found().zip(violation.expected()), parts);
            let error = violation.to_error();
            assert_eq!((error.path(), error.line(), error.column()), (Some(""), Some(1), Some(1)));
        }
    }

    #[test]
    fn an_error_of_a_block_keeps_its_offset() {
        let error = Error::malformed("damaged").at_offset(77).with_hint("cut it");
        let again = Violation::from_error(&error, Code::Block).to_error();
        assert_eq!((again.offset(), again.path(), again.code()), (Some(77), None, Some(error::Code::Block)));
        assert_eq!(again.hint(), error.hint());
    }
}

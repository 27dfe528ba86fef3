//! One thing that is wrong.

use std::fmt;

use asdf_core::tree::NodeRef;
use asdf_core::{Error, Path};

/// Something in a file that the standard or a schema does not allow: data, not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub(super) path: Path,
    pub(super) position: Option<(u32, u32)>,
    pub(super) offset: Option<u64>,
    pub(super) rule: String,
    pub(super) schema: Option<String>,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Violation {
    /// A violation at a node.
    pub(super) fn at(node: NodeRef<'_>, path: Path, rule: &str, message: String) -> Self {
        Self {
            path,
            position: node.position(),
            offset: None,
            rule: rule.to_owned(),
            schema: None,
            message,
            hint: None,
        }
    }

    /// A violation made of an error in reading.
    pub(super) fn of(error: &Error, rule: &str) -> Self {
        let mut path = Path::root();
        for step in error.path().unwrap_or_default().split('/').skip(1) {
            path.push(&step.replace("~1", "/").replace("~0", "~"));
        }
        Self {
            path,
            position: error.line().zip(error.column()),
            offset: error.offset(),
            rule: rule.to_owned(),
            schema: None,
            message: error.message().to_owned(),
            hint: error.hint().map(str::to_owned),
        }
    }

    /// Where in the tree; the root for what is not in the tree.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Line and column in the file, both from 1, the column in characters.
    #[must_use]
    pub fn position(&self) -> Option<(u32, u32)> {
        self.position
    }

    /// The byte offset in the file, for what is not in the tree.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The rule that is broken: a schema's keyword (`type`, `required`, `tag`), or `block`, `array`,
    /// `keys`, `integers`, `yaml`.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The id of the schema that has the rule.
    #[must_use]
    pub fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// What was found and what is expected.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Violation {
    /// `LINE:COLUMN: /path: message`, to be put behind the file's name and a colon.
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

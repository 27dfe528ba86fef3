//! `TimeText`: times as text.

use std::fmt;
use std::str::FromStr;

use asdf_core::tree::{NodeId, NodeRef, Tree};
use asdf_core::value::check::{self, Pattern, Text};
use asdf_core::value::description::{Constraint, Description, Form};
use asdf_core::value::{FromNode, Kinds, OwnTag, ToNode};
use asdf_core::{Error, Result};

use super::Instant;

/// The patterns of the schemas of all versions. One of them has to match some part of the text.
const PATTERN: &str = "(?:[0-9]{4}-(0[1-9])|(1[0-2])-(0[1-9])|([1-2][0-9])|(3[0-1])[T ]([0-1][0-9])|(2[0-4]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?)|(?:B[0-9]+(.[0-9]+)?)|(?:J[0-9]+(.[0-9]+)?)|(?:[0-9]{4}:(00[1-9])|(0[1-9][0-9])|([1-2][0-9][0-9])|(3[0-5][0-9])|(36[0-5]):([0-1][0-9])|([0-1][0-9])|(2[0-4]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?)";

/// A time as text, such as `2026-01-02T03:04:05.6`, `B1950.0`, `J2000.0` or `2026:185:22:15:30.250`.
///
/// The text is kept unchanged. Like the schemas, the type only checks that one of their patterns matches some part of the
/// text. [`Time::instants`](crate::time::Time::instants) checks that the time exists. A YAML timestamp can be read too. It
/// is written as a string, because the schemas refuse timestamps without the tag of a time.
///
/// ```
/// use asdf_schemas::TimeText;
///
/// let text = TimeText::new("J2000.0")?;
/// assert_eq!(text.as_str(), "J2000.0");
/// assert!(TimeText::new("yesterday").is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TimeText(String);

impl TimeText {
    /// Checks the text of a time and keeps it.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if none of the patterns matches.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        static NOTATIONS: Pattern = Pattern::new(PATTERN);
        let text = text.into();
        check::all(&text, "TimeText", &[check::pattern(&text, &NOTATIONS)])?;
        Ok(Self(text))
    }

    /// Makes the text of an instant, if its year has four digits, as in the patterns.
    pub(super) fn of(instant: &Instant) -> Option<Self> {
        Self::new(instant.to_string()).ok().filter(|text| text.0.find('-') == Some(4))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromNode for TimeText {
    const TYPES: Kinds = Kinds::TIMESTAMP.or(Kinds::STRING);
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match node.text().filter(|_| node.is_of(Self::TYPES)) {
            Some(text) => check::placed(Self::new(text), node),
            None => node.fail("the text of a time"),
        }
    }

    fn describe() -> Description {
        let constraints = vec![Constraint::Pattern(PATTERN)];
        Description::new(Form::Checked { of: String::describe, constraints })
    }
}

impl ToNode for TimeText {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        self.0.to_node(tree)
    }
}

impl Text for TimeText {
    fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TimeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TimeText {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

//! Dates and times as text.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::{FromNode, Kinds, Moment, OwnTag, ToNode};
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree};

/// A date, or a date and time, stored as text: `2026-11-20 12:30:00+00:00`.
///
/// In a file it is a YAML timestamp or a string (`type: string` with `format: date-time` in a schema allows
/// both). The form is kept. New timestamps are checked. Those read from a file are not, and nothing is
/// converted: [`moment`](Self::moment) returns the parts, for use with a date library of your choice.
///
/// # Examples
/// ```
/// use asdf_core::value::Timestamp;
/// use asdf_core::yaml;
///
/// let moment = Timestamp::new("2026-11-20 12:30:00.5 +1")?.moment().unwrap();
/// assert_eq!((moment.year, moment.minute, moment.nanosecond), (2026, 30, 500_000_000));
/// assert_eq!(moment.offset, Some(60));
///
/// assert!(Timestamp::new("2001-02-30").is_err());
/// let read: Timestamp = yaml::parse("{date: yesterday}")?.get("/date")?;
/// assert_eq!((read.as_str(), read.moment()), ("yesterday", None));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "datetime")]
#[doc(alias = "date-time")]
#[doc(alias = "Time")]
#[derive(Debug, Clone)]
pub struct Timestamp {
    text: String,
    /// Whether it was a quoted string. This does not affect equality.
    string: bool,
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Timestamp {}

impl Hash for Timestamp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Timestamp {
    /// Creates a timestamp from the text of a date, or a date and time, in the format of YAML 1.1.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the text has another format, or the date or time does
    /// not exist.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        if Moment::parse(&text).is_none() {
            let found = text.escape_debug();
            return Err(Error::usage(format!(
                "found the string '{found}', expected a date and time, such as 2026-11-20 12:30:00"
            )));
        }
        Ok(Self::known(text))
    }

    /// Creates a timestamp from text that is known to be valid.
    pub(super) fn known(text: String) -> Self {
        Self { text, string: false }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns year, month, day and so on.
    ///
    /// Returns `None` if the text is not a timestamp of YAML 1.1, or the date or time does not exist.
    #[must_use]
    pub fn moment(&self) -> Option<Moment> {
        Moment::parse(&self.text)
    }
}

impl TryFrom<Moment> for Timestamp {
    type Error = Error;

    /// Converts the parts to text.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if the date or time does not exist.
    fn try_from(moment: Moment) -> Result<Self> {
        Self::new(moment.to_string())
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    /// Parses the text.
    ///
    /// # Errors
    /// Same as [`new`](Self::new).
    fn from_str(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl TryFrom<&str> for Timestamp {
    type Error = Error;

    /// Parses the text.
    ///
    /// # Errors
    /// Same as [`new`](Self::new).
    fn try_from(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl AsRef<str> for Timestamp {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromNode for Timestamp {
    const TYPES: Kinds = Kinds::TIMESTAMP.or(Kinds::STRING);
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match (node.kind(), node.text()) {
            (Kind::Timestamp, Some(text)) => Ok(Self { text: text.into(), string: false }),
            (Kind::String, Some(text)) => Ok(Self { text: text.into(), string: true }),
            _ => node.fail("a timestamp"),
        }
    }
}

impl ToNode for Timestamp {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(if self.string { tree.add_str(&self.text) } else { tree.add_timestamp(&self.text) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn new_timestamps_are_days_and_times_that_exist() {
        for good in ["2026-11-20", "2026-11-20T12:30:00Z", "2024-02-29 01:02:03.5 +1"] {
            assert_eq!(good.parse::<Timestamp>().unwrap().to_string(), good);
        }
        for wrong in ["yesterday", "", "2026-02-29", "2026-11-20 24:00:00", "20261120"] {
            let error = Timestamp::new(wrong).unwrap_err();
            let expected =
                format!("found the string '{wrong}', expected a date and time, such as 2026-11-20 12:30:00");
            assert_eq!(error.message(), expected);
        }
        let moment = Timestamp::new("2026-11-20").unwrap().moment().unwrap();
        assert_eq!(Timestamp::try_from(moment).unwrap().as_str(), "2026-11-20");
        assert!(Timestamp::try_from(Moment { month: 13, ..moment }).is_err());
    }

    #[test]
    fn any_text_that_was_read_is_written_back() {
        let tree = parse("[2026-02-29, '2026-11-20', yesterday]").unwrap();
        let read: Vec<Timestamp> = tree.get("").unwrap();
        let mut written = Tree::new();
        written.set("", &read).unwrap();
        assert_eq!(written.get::<Vec<Timestamp>>("").unwrap(), read);
    }
}

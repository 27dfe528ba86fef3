//! Dates and times as text.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::{FromNode, Moment, OwnTag, ToNode, Types};
use crate::error::Result;
use crate::tree::{Kind, NodeId, NodeRef, Tree};

/// A date, or a date and time, kept as the text it was written with: `2026-11-20 12:30:00+00:00`.
///
/// A YAML timestamp or a string (a schema's `type: string`, `format: date-time` means both); which
/// of the two it was is kept. Nothing is checked or converted on reading: [`moment`](Self::moment)
/// takes the text apart, and a date library of your choice does the rest.
///
/// ```
/// use asdf_core::Timestamp;
///
/// let moment = Timestamp::new("2026-11-20 12:30:00.5 +1").moment().unwrap();
/// assert_eq!((moment.year, moment.minute, moment.nanosecond), (2026, 30, 500_000_000));
/// assert_eq!(moment.offset, Some(60));
/// assert_eq!(Timestamp::new("2001-02-30").moment(), None);
/// ```
#[derive(Debug, Clone)]
pub struct Timestamp {
    text: String,
    /// Whether it stood in quotes; that makes it no other moment.
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
    /// A timestamp from its text. Text that YAML 1.1 does not take for a timestamp is written as a
    /// string.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), string: false }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Year, month, day and so on; `None` when the text is no timestamp of YAML 1.1, or names a day
    /// or time that there is not.
    #[must_use]
    pub fn moment(&self) -> Option<Moment> {
        Moment::parse(&self.text)
    }
}

impl FromNode for Timestamp {
    const TYPES: Types = Types::TIMESTAMP.or(Types::STRING);
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

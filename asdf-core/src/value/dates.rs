//! What the date types of other crates share: they are read from timestamps of YAML and from strings, and
//! written as timestamps.

#[cfg(any(feature = "chrono", feature = "jiff"))]
use super::ToNode;
use super::{FromNode, Moment, Timestamp};
use crate::error::{Error, Result};
#[cfg(any(feature = "chrono", feature = "jiff"))]
use crate::tree::Node;
use crate::tree::{NodeId, NodeRef, Tree};

/// What a date type can hold.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Holds {
    Date,
    /// A date and a time whose offset from UTC is not known.
    Local,
    /// A date and a time; without an offset it is in UTC, as YAML says.
    Instant,
}

impl Holds {
    fn expected(self) -> &'static str {
        match self {
            Self::Date => "a date, such as 2026-11-20",
            Self::Local => "a date and time without an offset, such as 2026-11-20 12:30:00",
            Self::Instant => "a date and time, such as 2026-11-20T12:30:00Z",
        }
    }

    fn fits(self, moment: &Moment) -> bool {
        match self {
            Self::Date => !moment.has_time,
            Self::Local => moment.has_time && moment.offset.is_none(),
            Self::Instant => moment.has_time,
        }
    }
}

/// Reads a date with a function that makes it of its parts.
pub(super) fn read<T>(node: NodeRef<'_>, holds: Holds, make: impl FnOnce(&Moment) -> Option<T>) -> Result<T> {
    let moment = Timestamp::from_node(node).ok().and_then(|timestamp| timestamp.moment());
    let fitting = moment.filter(|moment| holds.fits(moment));
    fitting.as_ref().and_then(make).ok_or_else(|| node.expected(holds.expected()))
}

/// Writes a date by its parts.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) when the year does not fit a timestamp of YAML.
pub(super) fn write(tree: &mut Tree, year: i32, parts: Moment) -> Result<NodeId> {
    let year = u16::try_from(year).ok().filter(|year| *year <= 9999).ok_or_else(|| {
        Error::usage(format!("the year {year} cannot be written, only 0 to 9999"))
            .with_hint("write it as text or as a number of seconds, with `#[asdf(with = module)]`")
    })?;
    Ok(tree.add_timestamp(&Moment { year, ..parts }.to_string()))
}

/// The timestamp that a date is written as.
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) fn to_timestamp(date: &impl ToNode) -> Result<Timestamp> {
    Timestamp::from_node(Node::new(date)?.view())
}

/// The date that is read from a timestamp.
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) fn of_timestamp<T: FromNode>(timestamp: &Timestamp) -> Result<T> {
    T::from_node(Node::new(timestamp)?.view())
}

/// Converts date types of another crate to and from [`Timestamp`].
#[cfg(any(feature = "chrono", feature = "jiff"))]
macro_rules! timestamps {
    ($($type:ty),*) => {$(
        impl TryFrom<&Timestamp> for $type {
            type Error = crate::error::Error;

            /// Reads the text, as [`FromNode`] reads the timestamp of a file. Digits beyond nanoseconds are cut off.
            fn try_from(timestamp: &Timestamp) -> Result<Self> {
                dates::of_timestamp(timestamp)
            }
        }

        impl TryFrom<$type> for Timestamp {
            type Error = crate::error::Error;

            /// Makes the timestamp that the value is written as. A year outside 0 to 9999 is an error.
            fn try_from(value: $type) -> Result<Self> {
                dates::to_timestamp(&value)
            }
        }
    )*};
}
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) use timestamps;

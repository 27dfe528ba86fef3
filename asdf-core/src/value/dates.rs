//! Shared code for date types of other crates.
//!
//! They are read from timestamps of YAML and from strings, and written as timestamps.

use super::{FromNode, Moment, Timestamp, ToNode};
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, NodeRef, Tree};

/// The content of a date type.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Holds {
    Date,
    /// A date and a time with an unknown offset from UTC.
    Local,
    /// A date and a time. Without an offset it is in UTC, as YAML specifies.
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

/// Reads a date with a function that creates it from its parts.
pub(super) fn read<T>(node: NodeRef<'_>, holds: Holds, make: impl FnOnce(&Moment) -> Option<T>) -> Result<T> {
    let moment = Timestamp::from_node(node).ok().and_then(|timestamp| timestamp.moment());
    let fitting = moment.filter(|moment| holds.fits(moment));
    fitting.as_ref().and_then(make).ok_or_else(|| node.expected(holds.expected()))
}

/// Writes a date from its parts.
///
/// # Errors
/// Returns [`Usage`](crate::error::Kind::Usage) if the year does not fit a timestamp of YAML.
pub(super) fn write(tree: &mut Tree, year: i32, parts: Moment) -> Result<NodeId> {
    let year = u16::try_from(year).ok().filter(|year| *year <= 9999).ok_or_else(|| {
        Error::usage(format!("cannot convert the date to a timestamp: its year {year} is outside 0 to 9999"))
            .with_hint("write it as text or as a number of seconds, with `#[asdf(with = module)]`")
    })?;
    Ok(tree.add_timestamp(&Moment { year, ..parts }.to_string()))
}

/// Returns the timestamp as which a date is written.
pub(super) fn to_timestamp(date: &impl ToNode) -> Result<Timestamp> {
    Timestamp::from_node(Node::new(date)?.view())
}

/// Reads a date from a timestamp.
pub(super) fn of_timestamp<T: FromNode>(timestamp: &Timestamp) -> Result<T> {
    T::from_node(Node::new(timestamp)?.view())
}

/// Implements reading and writing for date types of another crate, and their conversion to and from
/// [`Timestamp`].
///
/// `$read` and `$write` are functions of the calling module. Each type comes with its content, a function
/// that creates it from a moment, and a function that returns its parts.
macro_rules! types {
    ($read:path, $write:path; $($type:ty, $holds:ident, $make:expr, $parts:expr;)*) => {$(
        impl $crate::value::FromNode for $type {
            const TYPES: $crate::value::Kinds = $crate::value::Kinds::TIMESTAMP.or($crate::value::Kinds::STRING);
            const OWN_TAG: $crate::value::OwnTag = $crate::value::OwnTag::None;

            fn from_node(node: $crate::tree::NodeRef<'_>) -> $crate::error::Result<Self> {
                $read(node, $crate::value::dates::Holds::$holds, $make)
            }
        }

        impl $crate::value::ToNode for $type {
            fn to_node(&self, tree: &mut $crate::tree::Tree) -> $crate::error::Result<$crate::tree::NodeId> {
                #[allow(clippy::redundant_closure_call, reason = "the types differ in it")]
                let (date, time, offset) = ($parts)(*self);
                $write(tree, date, time, offset)
            }
        }

        impl TryFrom<&$crate::value::Timestamp> for $type {
            type Error = $crate::error::Error;

            /// Parses the text, as [`FromNode`](crate::FromNode) does for a timestamp in a file. Digits
            /// beyond nanoseconds are cut off.
            fn try_from(timestamp: &$crate::value::Timestamp) -> $crate::error::Result<Self> {
                $crate::value::dates::of_timestamp(timestamp)
            }
        }

        impl TryFrom<$type> for $crate::value::Timestamp {
            type Error = $crate::error::Error;

            /// Creates the timestamp as which the value is written. A year outside 0 to 9999 is an error.
            fn try_from(value: $type) -> $crate::error::Result<Self> {
                $crate::value::dates::to_timestamp(&value)
            }
        }
    )*};
}
pub(super) use types;

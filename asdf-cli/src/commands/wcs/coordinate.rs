//! Coordinates on the command line.

use asdf_gwcs::Angle;

pub(super) use asdf_gwcs::parse_coordinate as read;

/// Returns whether a word is a coordinate, rather than a path.
pub(super) fn parse(word: &str) -> Option<Angle> {
    Angle::parse(word)
}

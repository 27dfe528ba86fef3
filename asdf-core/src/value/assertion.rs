//! Assertions of derived code about types at compile time.
//!
//! Types are passed as constants, so that the compiler reports a missing one once, at the place that names
//! the type.

use super::kinds::UNTAGGED;
use super::{Kinds, OwnTag};

/// Fails compilation with a message if a constant condition does not hold. The error is at the caller.
///
/// # Panics
/// If the condition does not hold.
#[track_caller]
#[expect(clippy::panic, reason = "an error of the compiler: derived code calls this in constants only")]
pub const fn require(holds: bool, message: &str) {
    if !holds {
        panic!("{}", message);
    }
}

/// Returns whether a schema that allows these kinds of node accepts every value of a type.
///
/// Null represents a missing property, which is not written. A type that can be anything always passes.
#[must_use]
pub const fn fits(types: Kinds, optional: bool, allowed: Kinds) -> bool {
    let allowed = if optional { allowed.or(Kinds::NULL) } else { allowed };
    allowed.has(types) || types.has(Kinds::ANY)
}

/// Returns whether a schema that allows these kinds of node accepts some non-null value of a type.
#[must_use]
pub const fn overlaps(types: Kinds, optional: bool, allowed: Kinds) -> bool {
    let null = if optional { Kinds::NULL } else { Kinds::NONE };
    !allowed.and(types).without(null).is_empty()
}

/// Returns whether a schema that requires a tag accepts values of a type.
#[must_use]
pub const fn tag_fits(tag: OwnTag, pattern: &str) -> bool {
    tag.may_match(pattern)
}

/// Returns whether some value of a type can have a tag.
///
/// Numbers, booleans and null cannot: a tagged scalar is text.
#[must_use]
pub const fn can_be_tagged(types: Kinds) -> bool {
    !UNTAGGED.has(types)
}

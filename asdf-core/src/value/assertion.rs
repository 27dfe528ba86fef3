//! What derived code asserts of types while it is compiled. Types are given by their constants, so that the compiler
//! says once, where these are named, that a type has none.

use super::kinds::UNTAGGED;
use super::{Kinds, OwnTag};

/// Stops the compiler with a message if a constant condition does not hold. The error is at the caller.
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

/// Whether a schema that allows these kinds of node accepts every value of a type. Null is what a missing
/// property reads as, and is not written. A type that can be anything says nothing, and passes.
#[must_use]
pub const fn fits(types: Kinds, optional: bool, allowed: Kinds) -> bool {
    let allowed = if optional { allowed.or(Kinds::NULL) } else { allowed };
    allowed.has(types) || types.has(Kinds::ANY)
}

/// Whether a schema that allows these kinds of node accepts some value of a type, beside null.
#[must_use]
pub const fn overlaps(types: Kinds, optional: bool, allowed: Kinds) -> bool {
    let null = if optional { Kinds::NULL } else { Kinds::NONE };
    !allowed.and(types).without(null).is_empty()
}

/// Whether a schema that asks for a tag accepts values of a type.
#[must_use]
pub const fn tag_fits(tag: OwnTag, pattern: &str) -> bool {
    tag.may_match(pattern)
}

/// Whether some value of a type can have a tag: a tagged scalar is text, so numbers, booleans and null cannot.
#[must_use]
pub const fn can_be_tagged(types: Kinds) -> bool {
    !UNTAGGED.has(types)
}

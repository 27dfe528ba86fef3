//! What derived code asserts of types while it is compiled.

use super::{FromNode, Types};

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
pub const fn fits<T: FromNode>(allowed: Types) -> bool {
    let allowed = if T::OPTIONAL { allowed.or(Types::NULL) } else { allowed };
    allowed.includes(T::TYPES) || T::TYPES.includes(Types::ANY)
}

/// Whether a schema that allows these kinds of node accepts some value of a type, beside null.
#[must_use]
pub const fn overlaps<T: FromNode>(allowed: Types) -> bool {
    let null = if T::OPTIONAL { Types::NULL } else { Types::NONE };
    !allowed.and(T::TYPES).without(null).is_empty()
}

/// Whether a schema that asks for a tag accepts values of a type.
#[must_use]
pub const fn tag_fits<T: FromNode>(pattern: &str) -> bool {
    T::OWN_TAG.may_match(pattern)
}

/// Whether some value of a type can have a tag: a tagged scalar is text, so numbers, booleans and null cannot.
#[must_use]
pub const fn can_be_tagged<T: FromNode>() -> bool {
    !Types::UNTAGGED.includes(T::TYPES)
}

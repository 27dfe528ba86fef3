//! Detecting variants of an enum that are never read because an earlier one reads all their values.

use std::marker::PhantomData;

use super::{FromNode, Kinds, OwnTag};
use crate::error::ConstantText;

/// Returns whether a type that reads all nodes of some kinds reads every value of another type.
///
/// The other type writes nodes of the given kinds and tag.
#[must_use]
pub const fn covers(reads_all: Kinds, kinds: Kinds, tag: OwnTag) -> bool {
    reads_all.has(Kinds::ANY) || (matches!(tag, OwnTag::None) && !kinds.is_empty() && reads_all.has(kinds))
}

/// Returns whether a property covers another, given that its type does.
///
/// The flags say which of them can be missing.
#[must_use]
pub const fn covers_property(covered: bool, optional: bool, other_is_optional: bool) -> bool {
    covered && (optional || !other_is_optional)
}

/// A variant of an enum: its name and what is known of its content.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    name: &'static str,
    reads_all: Kinds,
    kinds: Kinds,
    tag: OwnTag,
}

impl Variant {
    /// Creates a variant that holds a value of a type.
    ///
    /// The constants of the type's [`FromNode`] are `READS_ALL`, `TYPES` and `OWN_TAG`.
    #[must_use]
    pub const fn of(name: &'static str, (reads_all, kinds, tag): (Kinds, Kinds, OwnTag)) -> Self {
        Self { name, reads_all, kinds, tag }
    }

    /// Creates a variant that is written as nodes of these kinds without a tag.
    ///
    /// Without kinds nothing is known about it.
    #[must_use]
    pub const fn written_as(name: &'static str, kinds: Kinds) -> Self {
        Self { name, reads_all: Kinds::NONE, kinds, tag: OwnTag::None }
    }
}

/// Fails compilation if an earlier variant reads every value of the variant at an index.
///
/// That variant would never be read.
///
/// The error is at the caller. `apart` says how to distinguish such variants.
///
/// # Panics
/// Panics if an earlier variant covers this one.
#[track_caller]
#[expect(clippy::panic, reason = "an error of the compiler: derived code calls this in constants only")]
#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks the index")]
pub const fn require_reached(variants: &[Variant], index: usize, apart: &str) {
    let later = variants[index];
    let mut at = 0;
    while at < index {
        let earlier = variants[at];
        if covers(earlier.reads_all, later.kinds, later.tag) {
            let both = covers(later.reads_all, earlier.kinds, earlier.tag);
            let (earlier, later) = (earlier.name, later.name);
            let wrong = [
                "the variant `",
                later,
                "` is never read: `",
                earlier,
                "`, which comes first, reads all that `",
                later,
                "` writes; ",
            ];
            let message = ConstantText::new().with_all(&wrong);
            let message = match both {
                true => message.with("remove one of them; "),
                false => message.with_all(&["write `", later, "` before `", earlier, "`, or remove it; "]),
            };
            panic!("{}", message.with(apart).as_str());
        }
        at += 1;
    }
}

/// Two types, the first of which can read every value of the second item by item.
#[derive(Debug)]
pub struct Pair<First, Second>(PhantomData<(First, Second)>);

impl<First: FromNode, Second: FromNode> Pair<Vec<First>, Vec<Second>> {
    /// Whether the items of the first list cover those of the second.
    pub const COVERED: bool = covers(First::READS_ALL, Second::TYPES, Second::OWN_TAG);
}

impl<First: FromNode, Second: FromNode, const N: usize> Pair<Vec<First>, [Second; N]> {
    /// Whether the items of the list cover those of the array.
    pub const COVERED: bool = covers(First::READS_ALL, Second::TYPES, Second::OWN_TAG);
}

/// Types about whose items nothing is known. Provides the default constant of a [`Pair`].
pub trait PairOfOthers {
    /// Assumes that the first type does not cover the second.
    const COVERED: bool = false;
}

impl<First, Second> PairOfOthers for Pair<First, Second> {}

/// Fails compilation with a message if an earlier variant covers one, which would never be read.
///
/// Each earlier variant comes with whether it covers this one, whether this one also covers it, and two
/// messages. The first message applies if reordering helps, the second if it does not. The error is at the
/// caller.
///
/// # Panics
/// Panics if an earlier variant covers this one.
#[track_caller]
#[expect(clippy::panic, reason = "an error of the compiler: derived code calls this in constants only")]
pub const fn require_told_apart(mut earlier: &[(bool, bool, &str, &str)]) {
    while let [(covered, covers, order, apart), rest @ ..] = earlier {
        match (*covered, *covers) {
            (true, true) => panic!("{}", *apart),
            (true, false) => panic!("{}", *order),
            (false, _) => earlier = rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;

    const fn of<First: FromNode, Second: FromNode>() -> bool {
        covers(First::READS_ALL, Second::TYPES, Second::OWN_TAG)
    }

    #[test]
    fn wider_types_cover_narrower_ones() {
        const { assert!(of::<f64, i32>() && of::<f64, f32>() && of::<Node, Node>() && of::<Node, Vec<u8>>()) };
        const { assert!(of::<Option<f64>, u8>() && of::<Box<str>, char>()) };
        const {
            assert!(!of::<i32, f64>() && !of::<i64, i32>() && !of::<f64, Option<f64>>() && !of::<f64, bool>())
        };
        const { assert!(!of::<Vec<f64>, Vec<f64>>() && !of::<f64, Node>()) };
    }

    #[test]
    fn lists_are_compared_by_their_items() {
        const { assert!(Pair::<Vec<f64>, Vec<i32>>::COVERED && Pair::<Vec<f64>, [f32; 2]>::COVERED) };
        const { assert!(!Pair::<Vec<i32>, Vec<f64>>::COVERED && !Pair::<[f64; 2], Vec<f64>>::COVERED) };
        const { assert!(!Pair::<String, Vec<String>>::COVERED) };
    }
}

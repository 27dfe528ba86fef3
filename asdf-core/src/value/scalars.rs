//! Booleans, numbers and text.

use num_bigint::BigInt;

use super::derived::text;
use super::description::{Constraint, Form};
use super::{Description, FromNode, Kinds, OwnTag, ToNode};
use crate::error::{Code, Error, Result};
use crate::tree::{LITERALS, NodeId, NodeRef, Tree};

impl FromNode for bool {
    const TYPES: Kinds = Kinds::BOOL;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_bool().ok_or_else(|| node.expected("a boolean"))
    }
}

impl ToNode for bool {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_bool(*self))
    }
}

/// Creates the error for an integer that the standard does not allow in a tree.
fn too_large(value: &impl std::fmt::Display) -> Error {
    Error::usage(format!("cannot write the integer {value} into the tree: the standard limits it to 64 bits"))
        .with_code(Code::Integers)
        .with_hint("use the type `Integer`, which is written as `core/integer-1.1.0` and has no limit")
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl FromNode for $type {
            const TYPES: Kinds = Kinds::INT;
            const OWN_TAG: OwnTag = OwnTag::None;

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                node.as_i128()
                    .and_then(|value| value.try_into().ok())
                    .ok_or_else(|| node.expected(format!("an integer from {} to {}", $type::MIN, $type::MAX)))
            }

            fn describe() -> Description {
                let bounds = [("minimum", i128::try_from($type::MIN)), ("maximum", i128::try_from($type::MAX))];
                // Larger bounds are not exact in every program.
                let stated = bounds.into_iter().filter_map(|(word, bound)| {
                    let bound = bound.ok().filter(|bound| bound.unsigned_abs() < 1 << 53)?;
                    Some(Constraint::Int(word, bound, false))
                });
                let of = || Description::new(Form::Kinds(Kinds::INT));
                Description::new(Form::Checked { of, constraints: stated.collect() })
            }
        }

        impl ToNode for $type {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                match i128::try_from(*self) {
                    Ok(value) if LITERALS.contains(&value) => Ok(tree.add_int(value)),
                    _ => Err(too_large(self)),
                }
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl FromNode for BigInt {
    const TYPES: Kinds = Kinds::INT;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_bigint().ok_or_else(|| node.expected("an integer"))
    }
}

impl ToNode for BigInt {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match i128::try_from(self) {
            Ok(value) if LITERALS.contains(&value) => Ok(tree.add_int(value)),
            _ => Err(too_large(self)),
        }
    }
}

impl FromNode for f64 {
    const TYPES: Kinds = Kinds::NUMBER;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    /// Converts integers to the nearest float.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_f64().ok_or_else(|| node.expected("a number"))
    }
}

impl ToNode for f64 {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_float(*self))
    }
}

impl FromNode for f32 {
    const TYPES: Kinds = Kinds::NUMBER;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    /// Converts the number to the nearest `f32`.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what is promised")]
        f64::from_node(node).map(|value| value as f32)
    }
}

impl ToNode for f32 {
    /// Writes the digits that an `f32` needs (`0.1`, not `0.10000000149011612`), which read back as the same
    /// `f32`.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let shortest = format!("{self:e}").parse().unwrap_or(f64::from(*self));
        Ok(tree.add_float(shortest))
    }
}

impl FromNode for String {
    const TYPES: Kinds = Kinds::STRING;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        text(node).map(Self::from).ok_or_else(|| node.expected("a string"))
    }
}

impl ToNode for str {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self))
    }
}

impl ToNode for String {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self))
    }
}

impl FromNode for char {
    const TYPES: Kinds = Kinds::STRING;
    const OWN_TAG: OwnTag = OwnTag::None;

    /// Reads a string of one Unicode scalar value.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let mut chars = node.as_str().unwrap_or_default().chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(node.expected("a string of one character")),
        }
    }
}

impl ToNode for char {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self.encode_utf8(&mut [0; 4])))
    }
}

macro_rules! non_zero {
    ($($type:ident)*) => {$(
        impl FromNode for std::num::$type {
            const TYPES: Kinds = Kinds::INT;
            const OWN_TAG: OwnTag = OwnTag::None;

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                node.as_i128()
                    .and_then(|value| Self::new(value.try_into().ok()?))
                    .ok_or_else(|| node.expected(format!("an integer from {} to {}, and not 0", Self::MIN, Self::MAX)))
            }
        }

        impl ToNode for std::num::$type {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                self.get().to_node(tree)
            }
        }
    )*};
}

non_zero!(NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroIsize NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroUsize);

macro_rules! halves {
    ($($type:ident)*) => {$(
        impl FromNode for half::$type {
            const TYPES: Kinds = Kinds::NUMBER;
            const READS_ALL: Kinds = Self::TYPES;
            const OWN_TAG: OwnTag = OwnTag::None;

            /// Converts the number to the nearest one of 16 bits.
            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                f64::from_node(node).map(Self::from_f64)
            }
        }

        impl ToNode for half::$type {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                self.to_f32().to_node(tree)
            }
        }
    )*};
}

halves!(f16 bf16);

impl FromNode for () {
    const TYPES: Kinds = Kinds::NULL;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if node.is_null() { Ok(()) } else { node.fail("null") }
    }
}

impl ToNode for () {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::value::Number;

    #[test]
    fn integers_that_the_standard_forbids_are_not_written() {
        // The lowest and the highest integers that Python's asdf writes.
        let (low, high) = (-0x7fff_ffff_ffff_fffe_i64, i64::MAX);
        for good in [low, high] {
            assert_eq!(Node::new(&good).unwrap().view().as_i64(), Some(good));
            assert!(Node::new(&BigInt::from(good)).is_ok() && Node::new(&i128::from(good)).is_ok());
        }
        let message = |result: Result<Node>| result.unwrap_err().message().to_owned();
        let refused = |what: &str| {
            format!("cannot write the integer {what} into the tree: the standard limits it to 64 bits")
        };
        assert_eq!(message(Node::new(&(low - 1))), refused("-9223372036854775807"));
        assert_eq!(message(Node::new(&9_223_372_036_854_775_808_u64)), refused("9223372036854775808"));
        assert_eq!(message(Node::new(&u128::MAX)), refused(&u128::MAX.to_string()));
        assert_eq!(message(Node::new(&i128::MIN)), refused(&i128::MIN.to_string()));
        let huge = BigInt::from(high) * 10;
        assert_eq!(message(Node::new(&huge)), refused("92233720368547758070"));
        assert_eq!(message(Node::new(&Number::Int(huge))), refused("92233720368547758070"));
    }
}

//! Booleans, numbers and text.

use std::sync::Arc;

use num_bigint::BigInt;

use super::{FromNode, ToNode, Types};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

impl FromNode for bool {
    const TYPES: Types = Types::BOOL;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_bool().ok_or_else(|| node.expected("a boolean"))
    }
}

impl ToNode for bool {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_bool(*self))
    }
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl FromNode for $type {
            const TYPES: Types = Types::INT;

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                node.as_i128()
                    .and_then(|value| value.try_into().ok())
                    .ok_or_else(|| node.expected(format!("an integer from {} to {}", $type::MIN, $type::MAX)))
            }
        }

        impl ToNode for $type {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                Ok(tree.add_bigint(&BigInt::from(*self)))
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl FromNode for BigInt {
    const TYPES: Types = Types::INT;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_bigint().ok_or_else(|| node.expected("an integer"))
    }
}

impl ToNode for BigInt {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_bigint(self))
    }
}

impl FromNode for f64 {
    const TYPES: Types = Types::NUMBER;

    /// Integers are taken as the nearest float.
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
    const TYPES: Types = Types::NUMBER;

    /// The nearest `f32` of what is written.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what is promised")]
        f64::from_node(node).map(|value| value as f32)
    }
}

impl ToNode for f32 {
    /// Written in the digits that an `f32` needs (`0.1`, not `0.10000000149011612`), which read
    /// back as the same `f32`.
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let shortest = format!("{self:e}").parse().unwrap_or(f64::from(*self));
        Ok(tree.add_float(shortest))
    }
}

impl FromNode for String {
    const TYPES: Types = Types::STRING;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_str().map(Self::from).ok_or_else(|| node.expected("a string"))
    }
}

impl FromNode for Arc<str> {
    const TYPES: Types = Types::STRING;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        node.as_str().map(Self::from).ok_or_else(|| node.expected("a string"))
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

impl ToNode for Arc<str> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(self))
    }
}

impl FromNode for () {
    const TYPES: Types = Types::NULL;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if node.is_null() { Ok(()) } else { node.fail("null") }
    }
}

impl ToNode for () {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_null())
    }
}

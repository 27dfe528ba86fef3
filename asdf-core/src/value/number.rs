//! A number that remains an integer or a float.

use num_bigint::BigInt;

use super::{FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{Kind, NodeId, NodeRef, Tree};

/// An integer or a float: a `number` of a schema. An integer is written back as an integer.
///
/// # Examples
/// ```
/// use asdf_core::value::Number;
/// use asdf_core::File;
///
/// let mut file = File::new();
/// file.set("/pixels", &[Number::from(1_i64), Number::from(1.5)])?;
/// let numbers: Vec<Number> = file.get("/pixels")?;
/// assert_eq!(numbers[0], Number::from(1_i64)); // still an integer
/// assert_eq!(numbers.iter().map(Number::to_f64).sum::<f64>(), 2.5);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// An integer. Any size can be read. Only integers that fit 64 bits with a sign can be written, as the
    /// standard requires. Use [`Integer`](crate::array::Integer) for larger ones.
    Int(BigInt),
    /// A float.
    Float(f64),
}

impl Number {
    /// Returns the value as the nearest float.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Int(value) => value.to_string().parse().unwrap_or(f64::NAN),
            Self::Float(value) => *value,
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Int(value.into())
    }
}

impl FromNode for Number {
    const TYPES: Kinds = Kinds::NUMBER;
    const READS_ALL: Kinds = Self::TYPES;
    const OWN_TAG: OwnTag = OwnTag::None;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match node.kind() {
            Kind::Int => node.as_bigint().map(Self::Int).ok_or_else(|| node.expected("a number")),
            _ => f64::from_node(node).map(Self::Float),
        }
    }
}

impl ToNode for Number {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Int(value) => value.to_node(tree),
            Self::Float(value) => value.to_node(tree),
        }
    }
}

//! Byte orders.

use std::fmt;

use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::{FromNode, Kinds, ToNode};

/// The order of the bytes of each number in a block: the standard's `byteorder`.
///
/// # Examples
/// ```
/// use asdf_core::array::ByteOrder;
/// use asdf_core::NdArray;
///
/// let array = NdArray::new(&[2], &[1_u16, 258])?;
/// assert_eq!(array.byteorder(), ByteOrder::NATIVE);
/// let big = array.with_byteorder(ByteOrder::Big)?;
/// assert_eq!(big.read::<u16>()?, [1, 258]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "endianness")]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl ByteOrder {
    /// The byte order of this machine.
    pub const NATIVE: Self = if cfg!(target_endian = "little") { Self::Little } else { Self::Big };
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Little => "little",
            Self::Big => "big",
        })
    }
}

impl FromNode for ByteOrder {
    const TYPES: Kinds = Kinds::STRING;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        match node.as_str() {
            Some("little") => Ok(Self::Little),
            Some("big") => Ok(Self::Big),
            _ => node.fail("`little` or `big`"),
        }
    }
}

impl ToNode for ByteOrder {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_str(&self.to_string()))
    }
}

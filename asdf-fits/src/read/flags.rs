//! Reads booleans, which FITS stores as letters.

use asdf_core::array::ByteOrder;
use asdf_core::{Datatype, NdArray, Result};

/// Converts the letters `T` and `F` to booleans. The flag says whether there were no other bytes.
pub(super) fn flags(stored: &NdArray) -> Result<(NdArray, bool)> {
    let mut bytes = stored.packed_bytes(ByteOrder::Big)?;
    let exact = bytes.iter().all(|letter| matches!(letter, b'T' | b'F'));
    bytes.iter_mut().for_each(|letter| *letter = u8::from(*letter == b'T'));
    NdArray::from_bytes(Datatype::Bool8, ByteOrder::Big, stored.shape(), bytes).map(|flags| (flags, exact))
}

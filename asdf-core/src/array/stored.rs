//! `Stored`: the bytes of an array as they are stored.

use bytes::Bytes;

use super::NdArray;
use crate::error::Result;

/// The bytes of an array as they are stored, and where its elements are in them.
///
/// For interfaces that describe memory by strides, such as numpy's. Elements have the datatype and the byte order of the array.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Stored {
    /// The bytes, without the mask.
    pub bytes: Bytes,
    /// The place of the first element, in bytes.
    pub offset: usize,
    /// The shape in C order; empty for a single value.
    pub shape: Vec<usize>,
    /// The distance in bytes from one element to the next along each axis. It can be negative or zero.
    pub strides: Vec<isize>,
}

impl NdArray {
    /// Returns the bytes of the elements as they are stored, decoded but not converted.
    ///
    /// Nothing is copied if the source can lend its bytes: memory, or a memory map. Otherwise the bytes are read here, once.
    /// If all bytes of a compressed block are needed, they are decoded and not kept, so that the caller has them alone. All
    /// elements are inside of the bytes.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Slice;
    ///
    /// let image = NdArray::new(&[2, 3], &[1_u8, 2, 3, 4, 5, 6])?;
    /// let column = image.slice(&[Slice::ALL, Slice::Index(1)])?.stored()?;
    /// assert_eq!((column.shape, column.strides), (vec![2], vec![3]));
    /// assert_eq!(column.bytes[column.offset], 2);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the array reaches outside its block. Also if the block cannot be read or
    /// decoded.
    pub fn stored(&self) -> Result<Stored> {
        let (bytes, layout) = self.load_by(|block, range| block.read_once(range))?;
        Ok(Stored { bytes, offset: layout.offset, shape: layout.shape, strides: layout.strides })
    }
}

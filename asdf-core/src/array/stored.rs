//! `Stored`: the bytes of an array as they are stored.

use std::sync::Arc;

use bytes::Bytes;

use super::NdArray;
use crate::error::{Error, Result};
use crate::tree::Block;

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
    /// Nothing is copied if the source can lend its bytes: memory, a memory map, a decoded block. Otherwise the bytes are read
    /// here, once. All elements are inside of the bytes. To read them into memory of your own, see
    /// [`stored_size`](Self::stored_size).
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
        let (bytes, layout) = self.load()?;
        Ok(Stored { bytes, offset: layout.offset, shape: layout.shape, strides: layout.strides })
    }

    /// Returns the size in bytes of all elements if [`read_stored_into`](Self::read_stored_into) can read them.
    ///
    /// `None` if the elements are not packed in C order, if only a part of a compressed block is needed, or for a remote file:
    /// then use [`stored`](Self::stored).
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Compression, File, NdArray};
    ///
    /// let mut file = File::new();
    /// let image = NdArray::new(&[2, 3], &[1_u16, 2, 3, 4, 5, 6])?;
    /// file.set("/image", &image.with_compression(Compression::ZLIB)?)?;
    /// let image: NdArray = File::from_bytes(file.to_bytes()?)?.get("/image")?;
    /// let mut bytes = vec![0; image.stored_size()?.unwrap_or_default()];
    /// image.read_stored_into(&mut bytes)?;
    /// assert_eq!(bytes.len(), 12);
    /// assert_eq!(bytes, image.stored()?.bytes);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`stored`](Self::stored).
    pub fn stored_size(&self) -> Result<Option<usize>> {
        Ok(self.place()?.map(|place| place.size))
    }

    /// Reads the bytes of all elements as they are stored, in C order, decoded but not converted.
    ///
    /// A compressed block is decoded into `out` if its codec can do that, and the data are not kept for later reads.
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if `out` does not have the size that [`stored_size`](Self::stored_size) returns.
    /// Otherwise as [`stored`](Self::stored). After an error the content of `out` is unspecified.
    pub fn read_stored_into(&self, out: &mut [u8]) -> Result<()> {
        let Some(Place { block, start, .. }) = self.place()?.filter(|place| place.size == out.len()) else {
            return Err(Error::usage(format!("the array cannot be read into {} bytes", out.len())));
        };
        if block.is_at_hand() {
            return block.decoded_into(out);
        }
        self.threads().fill(out, |at, share| block.read_into(start + at as u64, share))
    }

    /// Returns where all elements are, if [`read_stored_into`](Self::read_stored_into) can read them.
    fn place(&self) -> Result<Option<Place>> {
        let Some(block) = self.block()?.filter(|block| !block.is_remote()) else { return Ok(None) };
        let layout = self.layout(block.size())?;
        let extent = layout.extent();
        let is_whole = extent.start == 0 && extent.end as u64 == block.size();
        if !layout.is_packed() || (block.is_at_hand() && !is_whole) {
            return Ok(None);
        }
        Ok(Some(Place { block, start: extent.start as u64, size: extent.len() }))
    }
}

/// Elements without gaps, in C order.
struct Place {
    block: Arc<dyn Block>,
    /// Where they begin in the data of the block, in bytes.
    start: u64,
    /// The size of all of them in bytes.
    size: usize,
}

//! The frames of a compressed block.

use super::block::FileBlock;
use super::window::Window;
use crate::block::codec::Frame;
use crate::error::{Error, Result};

impl FileBlock {
    /// Returns the frames of the block, which decode without each other, in the order of the data.
    ///
    /// `None` if the block is not compressed, or if its codec has no frames. `lz4` has frames: see [`Frame::stored`] for
    /// their bytes. Only their sizes are read; nothing is decoded.
    ///
    /// [`Frame::stored`] is a range of bytes of the file, and [`Frame::data`] a range of bytes of the block's data. The
    /// frames are checked: their data follow each other from 0 to `data_size` without gaps, and their stored bytes are
    /// inside the stored bytes of the block and do not overlap. Damage inside a frame is found when it is decoded.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Compression, File, NdArray, WriteOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3, 4], &[7_u8; 12])?)?;
    /// let options = WriteOptions::new().compression(Compression::LZ4).frame_rows(2);
    /// let bytes = options.to_bytes(&file)?;
    ///
    /// let file = File::from_bytes(bytes.clone())?;
    /// let frames = file.blocks()?[0].frames()?.unwrap_or_default();
    /// assert_eq!(frames.iter().map(|frame| frame.data.clone()).collect::<Vec<_>>(), [0..8, 8..12]);
    /// let stored = usize::try_from(frames[1].stored.start).unwrap();
    /// assert_eq!(bytes[stored..stored + 4], 4_u32.to_le_bytes()); // the decoded size, then an LZ4 block
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the build has no codec for the block, if the sizes of the frames contradict each other or the block
    /// header, if there are more than 1,048,576 frames, or if the source cannot be read.
    pub fn frames(&self) -> Result<Option<Vec<Frame>>> {
        let stored = self.stored_range()?;
        if !self.is_encoded() || self.encoding.is_some() {
            return Ok(None);
        }
        let (start, length) = (stored.start, stored.end - stored.start);
        let size = self.header().data_size;
        let codecs = self.reading.codecs();
        let frames = codecs
            .find(self.header().compression)
            .and_then(|codec| codec.frames(&Window::new(self.source(), stored), size))
            .and_then(|frames| frames.map(|frames| checked(frames, length, size)).transpose())
            .map_err(|error| self.undecodable(error))?;
        let in_file = |frame: Frame| Frame {
            stored: start + frame.stored.start..start + frame.stored.end,
            data: frame.data,
        };
        Ok(frames.map(|frames| frames.into_iter().map(in_file).collect()))
    }
}

/// Checks frames, which can come from a codec of another crate, against `length` stored bytes and `size` bytes of data.
fn checked(frames: Vec<Frame>, length: u64, size: u64) -> Result<Vec<Frame>> {
    let (mut at, mut before) = (0, 0);
    for Frame { stored, data } in &frames {
        let fits = at <= stored.start && stored.start <= stored.end && stored.end <= length;
        if !fits || data.start != before || data.end < before {
            return Err(Error::malformed(format!(
                "found a frame of the stored bytes {stored:?} for the data {data:?}, expected stored bytes from {at} to at \
                 most {length}, and data from {before} on"
            )));
        }
        (at, before) = (stored.end, data.end);
    }
    if before != size {
        return Err(Error::malformed(format!("the frames hold {before} bytes, expected {size}")));
    }
    Ok(frames)
}

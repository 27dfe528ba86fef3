//! Checking what blocks hold.

use bytes::Bytes;

use super::File;
use super::blocks::FileBlock;
use crate::block::{Checksum, Md5, md5, md5_each};
use crate::error::Result;

/// How much is read and hashed at a time.
const PIECE: usize = 256 << 10;

impl FileBlock {
    /// Compares the checksum in the header with the data, which is read in pieces and, where the
    /// stored bytes do not match, decoded, but not kept.
    ///
    /// # Errors
    /// When the block cannot be read; a checksum that does not match is no error here.
    pub fn checksum(&self) -> Result<Checksum> {
        let range = self.stored_range()?;
        let expected = self.header().checksum;
        if expected == [0; 16] {
            return Ok(Checksum::Absent);
        }
        let mut digest = Md5::new();
        let mut piece = vec![0; usize::try_from(range.end - range.start).unwrap_or(PIECE).min(PIECE)];
        let mut at = range.start;
        while at < range.end {
            let left = usize::try_from(range.end - at).unwrap_or(PIECE);
            let piece = piece.get_mut(..left.min(PIECE)).unwrap_or_default();
            self.source().read_into(at, piece)?;
            digest.update(piece);
            at += piece.len() as u64;
        }
        Checksum::compare(expected, digest.finish(), || self.digest_of_decoded())
    }

    /// Checks everything that can be wrong with the block: header, checksum, and whether it decodes.
    /// Of what is not compressed no more than a piece is in memory; what is compressed is decoded
    /// whole, and not kept.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<Checksum> {
        let found = self.checksum()?;
        if !self.header().compression.is_none() {
            self.decode_once()?;
        }
        self.matching(found)
    }

    fn digest_of_decoded(&self) -> Result<Option<[u8; 16]>> {
        if self.header().compression.is_none() {
            return Ok(None);
        }
        Ok(Some(md5(&self.decode_once()?)))
    }

    fn decode_once(&self) -> Result<Bytes> {
        self.decode(self.stored_range()?)
    }

    /// What [`verify`](Self::verify) says, for stored bytes of this digest; `None` where there is
    /// nothing to compare.
    fn verify_digest(&self, stored: Option<[u8; 16]>) -> Result<Checksum> {
        let decoded = if self.header().compression.is_none() { None } else { Some(self.decode_once()) };
        let found = match stored {
            Some(stored) => Checksum::compare(self.header().checksum, stored, || match &decoded {
                Some(Ok(data)) => Ok(Some(md5(data))),
                _ => Ok(None),
            })?,
            None => Checksum::Absent,
        };
        decoded.transpose()?;
        self.matching(found)
    }
}

impl File {
    /// [`FileBlock::verify`] for all blocks of the opened file, in their order, and many times as fast:
    /// the checksums of many blocks are made at the same time, on all processors. Data that is not
    /// compressed is read in pieces, little more than a megabyte for each processor at a time;
    /// compressed blocks are then decoded one after the other, and not kept.
    ///
    /// ```
    /// use asdf_core::{File, NdArray};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
    /// let mut bytes = file.to_bytes()?;
    /// assert!(File::from_bytes(bytes.clone())?.verify()?[0].is_ok());
    /// let at = bytes.windows(3).position(|part| part == [1, 2, 3]).unwrap();
    /// bytes[at] = 0;
    /// let damaged = File::from_bytes(bytes)?.verify()?;
    /// assert!(damaged[0].as_ref().unwrap_err().message().contains("the checksum is wrong"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`blocks`](Self::blocks); what is wrong with a block stands in its place.
    pub fn verify(&self) -> Result<Vec<Result<Checksum>>> {
        let blocks = self.blocks()?;
        let ranges: Vec<_> = blocks.iter().map(|block| block.stored_range()).collect();
        let with_checksum = blocks.iter().zip(&ranges).filter_map(|(block, range)| {
            let range = range.as_ref().ok()?;
            (block.header().checksum != [0; 16]).then_some((block, range))
        });
        let jobs: Vec<_> = with_checksum.collect();
        let lengths: Vec<u64> = jobs.iter().map(|(_, range)| range.end - range.start).collect();
        let digests = md5_each(&lengths, |number, offset, out| match jobs.get(number) {
            Some((block, range)) => block.source().read_into(range.start + offset, out),
            None => Ok(()),
        });
        let mut digests = digests.into_iter();
        let verdicts = blocks.iter().zip(&ranges).map(|(block, range)| {
            if range.is_err() {
                // Says the same again, for the caller to keep.
                return block.checksum();
            }
            let is_wanted = block.header().checksum != [0; 16];
            let digest = if is_wanted { digests.next().transpose()? } else { None };
            block.verify_digest(digest)
        });
        Ok(verdicts.collect())
    }
}

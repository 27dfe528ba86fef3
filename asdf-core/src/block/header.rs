//! Block headers.

use std::ops::Range;

use super::{Label, MAGIC};
use crate::error::{Code, Error, Result};

/// The header of a block ("Block header" in the standard). Sizes are in bytes.
///
/// The fields are those of the file, unchecked: [`check`](Self::check) compares them with each other and with
/// the file. Unknown flags are kept and ignored. In an enlarged header, bytes beyond the known fields are not
/// kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the header after this field. At least [`MIN_SIZE`](Self::MIN_SIZE), except in the pre-release
    /// format 0.1.0. Writers enlarge it to align the data that follows.
    pub header_size: u16,
    /// Flags. The only known flag is [`STREAMED`](Self::STREAMED) ("Flags").
    pub flags: u32,
    /// How the data is encoded ("Compression").
    pub compression: Label,
    /// Bytes that belong to the block after its header; ignored in a streamed block.
    pub allocated_size: u64,
    /// The number of these bytes that are stored data; ignored in a streamed block.
    pub used_size: u64,
    /// The size of the decoded data in bytes; ignored in a streamed block.
    pub data_size: u64,
    /// MD5 of the stored bytes; zeros for none (see [`Checksum`](super::Checksum)).
    pub checksum: [u8; 16],
}

impl Header {
    /// The smallest `header_size`, which covers the fields that the standard defines.
    pub const MIN_SIZE: u16 = 48;
    /// Bytes that `header_size` does not count: the magic and `header_size` itself.
    pub const PREFIX: usize = 6;
    /// Bytes of the magic and all defined fields, which [`parse`](Self::parse) needs.
    pub const LEN: usize = 54;
    /// The flag of a block that extends to the end of the file. Its three sizes have no meaning.
    pub const STREAMED: u32 = 1;

    /// Parses a header from bytes that begin with the magic.
    ///
    /// At least [`LEN`](Self::LEN) bytes are needed; more are ignored. `offset` is the position of the bytes
    /// in the file, for errors.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if the magic is missing, there are too few bytes, or
    /// `header_size` is less than [`MIN_SIZE`](Self::MIN_SIZE). The sizes are not compared: see
    /// [`check`](Self::check).
    pub fn parse(bytes: &[u8], offset: u64) -> Result<Self> {
        let start = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if !MAGIC.starts_with(start) {
            return Err(Error::malformed(format!(
                "no block begins here: found the bytes \"{}\", expected the magic \"{}\"",
                start.escape_ascii(),
                MAGIC.escape_ascii()
            ))
            .with_code(Code::Block)
            .at_offset(offset));
        }
        let Some(header) = Self::fields(bytes) else {
            return Err(Error::malformed(format!(
                "the block header is truncated: found {} bytes, expected at least {}",
                bytes.len(),
                Self::LEN
            ))
            .with_code(Code::CutShort)
            .at_offset(offset));
        };
        if header.header_size < Self::MIN_SIZE {
            return Err(Error::malformed(format!(
                "found a block header of {} bytes, expected at least {}",
                header.header_size,
                Self::MIN_SIZE
            ))
            .with_code(Code::Block)
            .at_offset(offset));
        }
        Ok(header)
    }

    fn fields(mut bytes: &[u8]) -> Option<Self> {
        let rest = &mut bytes;
        let _magic: [u8; 4] = take(rest)?;
        Some(Self {
            header_size: u16::from_be_bytes(take(rest)?),
            flags: u32::from_be_bytes(take(rest)?),
            compression: Label::new(take(rest)?),
            allocated_size: u64::from_be_bytes(take(rest)?),
            used_size: u64::from_be_bytes(take(rest)?),
            data_size: u64::from_be_bytes(take(rest)?),
            checksum: take(rest)?,
        })
    }

    /// Returns the bytes of the header, from the magic to the first byte of the data.
    ///
    /// An enlarged header is filled with zeros. A `header_size` below [`MIN_SIZE`](Self::MIN_SIZE) is raised.
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let size = self.header_size.max(Self::MIN_SIZE);
        let len = Self::PREFIX + usize::from(size);
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&size.to_be_bytes());
        bytes.extend_from_slice(&self.flags.to_be_bytes());
        bytes.extend_from_slice(&self.compression.bytes());
        bytes.extend_from_slice(&self.allocated_size.to_be_bytes());
        bytes.extend_from_slice(&self.used_size.to_be_bytes());
        bytes.extend_from_slice(&self.data_size.to_be_bytes());
        bytes.extend_from_slice(&self.checksum);
        bytes.resize(len, 0);
        bytes
    }

    /// Returns whether the block extends to the end of the file.
    #[must_use]
    pub fn is_streamed(&self) -> bool {
        self.flags & Self::STREAMED != 0
    }

    /// Returns the offset of the data of a block at `offset`.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if it is beyond 2⁶⁴.
    pub fn data_offset(&self, offset: u64) -> Result<u64> {
        offset
            .checked_add(Self::PREFIX as u64 + u64::from(self.header_size))
            .ok_or_else(|| beyond("header", u64::from(self.header_size), offset))
    }

    /// Returns the end of the space allocated to a block at `offset`, where the next block can begin.
    ///
    /// `None` for a streamed block, which ends with the file.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if it is beyond 2⁶⁴.
    pub fn end(&self, offset: u64) -> Result<Option<u64>> {
        if self.is_streamed() {
            return Ok(None);
        }
        self.data_offset(offset)?
            .checked_add(self.allocated_size)
            .map(Some)
            .ok_or_else(|| beyond("allocated space", self.allocated_size, offset))
    }

    /// Returns the range of the stored bytes of a block at `offset` in a file of `file_len` bytes.
    ///
    /// These are the used bytes; in a streamed block, all bytes up to the end of the file.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), which is called.
    pub fn stored(&self, offset: u64, file_len: u64) -> Result<Range<u64>> {
        self.check(offset, file_len)?;
        let start = self.data_offset(offset)?;
        // Cannot overflow: the end is in the allocated space.
        let end = if self.is_streamed() { file_len } else { start.saturating_add(self.used_size) };
        Ok(start..end)
    }

    /// Checks a block at `offset` in a file of `file_len` bytes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed), with the sizes, if
    ///
    /// - the header or the stored bytes do not end within the file; unused space of the last block can be
    ///   missing, as in files that Python's `asdf` writes with `pad_blocks=True` and without an index,
    /// - `used_size` is more than `allocated_size` ("Block content"),
    /// - the block is not compressed and `data_size` is not `used_size` ("Block header"; Python's
    ///   `asdf` does not check this),
    /// - the block is streamed and compressed: nothing marks the end of its stream.
    pub fn check(&self, offset: u64, file_len: u64) -> Result<()> {
        let fail_with =
            |code: Code, message: String| Err(Error::malformed(message).with_code(code).at_offset(offset));
        let fail = |message: String| fail_with(Code::Block, message);
        let start = self.data_offset(offset)?;
        if start > file_len {
            return fail_with(
                Code::CutShort,
                format!(
                    "the block header has {} bytes, but the file ends at byte {file_len}: {} bytes are missing",
                    self.header_size,
                    start - file_len
                ),
            );
        }
        if self.is_streamed() {
            if !self.compression.is_none() {
                return fail(format!(
                    "the block is streamed and compressed ({}): a streamed block cannot be compressed",
                    self.compression
                ));
            }
            return Ok(());
        }
        if self.used_size > self.allocated_size {
            return fail(format!(
                "the block uses {} bytes, but only {} are allocated to it",
                self.used_size, self.allocated_size
            ));
        }
        if self.compression.is_none() && self.data_size != self.used_size {
            return fail(format!(
                "found `data_size` {} and `used_size` {} in a block without compression, expected equal sizes",
                self.data_size, self.used_size
            ));
        }
        // The allocated space must have an end, too, even if the file has less of it.
        self.end(offset)?;
        let missing = start.saturating_add(self.used_size).saturating_sub(file_len);
        if missing > 0 {
            return fail_with(
                Code::CutShort,
                format!(
                    "the block has {} bytes from byte {start} on, but the file ends at byte {file_len}: {missing} \
                     bytes are missing",
                    self.used_size
                ),
            );
        }
        Ok(())
    }
}

/// Splits off the next `N` bytes.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

fn beyond(what: &str, size: u64, offset: u64) -> Error {
    Error::malformed(format!("the {what} of {size} bytes ends beyond byte 2^64"))
        .with_code(Code::Block)
        .at_offset(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// The header of a zlib block, written by asdf 6.0.0 (Python).
    const PYTHON: &[u8; 54] = b"\xd3BLK\x00\x30\x00\x00\x00\x00zlib\
        \x00\x00\x00\x00\x00\x00\x00\x15\x00\x00\x00\x00\x00\x00\x00\x15\x00\x00\x00\x00\x00\x00\x00\x3c\
        \x43\x2e\x47\x30\x90\x85\x1e\x06\x82\x45\x09\x4f\xd1\x35\xaa\x5e";

    fn plain(size: u64) -> Header {
        Header {
            header_size: 48,
            flags: 0,
            compression: Label::NONE,
            allocated_size: size,
            used_size: size,
            data_size: size,
            checksum: [0; 16],
        }
    }

    #[test]
    fn parse_and_emit_what_python_wrote() {
        let header = Header::parse(PYTHON, 605).unwrap();
        assert_eq!(header.header_size, 48);
        assert_eq!(header.compression, Label::ZLIB);
        assert_eq!((header.allocated_size, header.used_size, header.data_size), (21, 21, 60));
        assert_eq!(header.checksum[..2], [0x43, 0x2e]);
        assert_eq!(header.emit(), PYTHON);
        assert_eq!(header.end(605).unwrap(), Some(605 + 54 + 21));
        assert_eq!(header.stored(605, 680).unwrap(), 659..680);
    }

    #[test]
    fn every_truncation_is_an_error() {
        for len in 0..PYTHON.len() {
            let error = Header::parse(&PYTHON[..len], 9).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (Kind::Malformed, Some(9)));
            assert!(error.message().contains("truncated"), "{error}");
        }
        assert!(Header::parse(&[PYTHON.as_slice(), b"more"].concat(), 0).is_ok());
    }

    #[test]
    fn wrong_magic_and_small_header_size() {
        for at in 0..4 {
            let mut bytes = *PYTHON;
            bytes[at] ^= 1;
            assert!(Header::parse(&bytes, 0).unwrap_err().message().contains("no block begins here"));
            assert!(Header::parse(&bytes[..=at], 0).unwrap_err().message().contains("no block begins here"));
        }
        let mut bytes = *PYTHON;
        bytes[5] = 47;
        assert!(Header::parse(&bytes, 0).unwrap_err().message().contains("header of 47 bytes"));
    }

    #[test]
    fn enlarged_headers_are_filled_with_zeros() {
        let header = Header { header_size: 4090, ..plain(8) };
        let bytes = header.emit();
        assert_eq!(bytes.len(), 4096);
        assert!(bytes[22 + 16 + 16..].iter().all(|&b| b == 0));
        assert_eq!(Header::parse(&bytes, 0).unwrap(), header);
        assert_eq!(header.data_offset(0).unwrap(), 4096);
        assert_eq!(Header { header_size: 0, ..plain(8) }.emit(), plain(8).emit());
    }

    #[test]
    fn sizes_must_agree() {
        let good = |h: Header| h.check(10, 10 + 54 + 8).unwrap();
        let bad = |h: Header, word: &str| {
            let error = h.check(10, 10 + 54 + 8).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (Kind::Malformed, Some(10)));
            assert!(error.message().contains(word), "{error}");
            assert!(h.stored(10, 10 + 54 + 8).is_err());
        };
        good(plain(8));
        good(plain(0));
        good(Header { used_size: 3, data_size: 3, ..plain(8) });
        good(Header { compression: Label::LZ4, data_size: 1 << 60, ..plain(8) });
        good(Header { flags: 0xffff_fffe, ..plain(8) });
        bad(plain(9), "1 bytes are missing");
        bad(Header { used_size: 9, data_size: 9, ..plain(8) }, "only 8 are allocated");
        bad(Header { data_size: 7, ..plain(8) }, "expected equal sizes");
        bad(Header { header_size: 57, ..plain(0) }, "header has 57 bytes");
        bad(plain(u64::MAX), "beyond byte 2^64");
        // Unused space that is missing from the file.
        good(Header { used_size: 8, data_size: 8, ..plain(1 << 62) });
        good(Header { used_size: 0, data_size: 0, ..plain(1 << 62) });
    }

    #[test]
    fn streamed_blocks_end_with_the_file_with_any_sizes() {
        let streamed = Header { flags: 1, used_size: 5, data_size: 7, ..plain(u64::MAX) };
        streamed.check(10, 1000).unwrap();
        assert_eq!(streamed.end(10).unwrap(), None);
        assert_eq!(streamed.stored(10, 1000).unwrap(), 64..1000);
        assert_eq!(streamed.stored(10, 64).unwrap(), 64..64);
        assert!(streamed.stored(10, 63).is_err());
        let compressed = Header { compression: Label::ZLIB, ..streamed };
        assert!(compressed.check(10, 1000).unwrap_err().message().contains("zlib"));
    }

    #[test]
    fn offsets_near_the_largest_number() {
        assert!(plain(0).data_offset(u64::MAX - 53).is_err());
        assert_eq!(plain(0).data_offset(u64::MAX - 54).unwrap(), u64::MAX);
        assert!(plain(1).end(u64::MAX - 54).is_err());
    }
}

//! Block headers of the pre-release formats.

use super::Encoding;
use crate::block::{self, Header, Label};
use crate::error::{Error, Result};

/// The magic bytes of a block in the first pre-release format.
const MAGIC: [u8; 4] = [0x89, b'B', b'L', b'K'];

/// Returns whether a block of a pre-release format begins here.
pub(crate) fn begins_block(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&block::MAGIC)
}

/// The flag of a block whose data begins with a chain of encodings.
const ENCODED: u32 = 2;

/// The label used for the compression of an encoded block.
const LABEL: Label = Label::new(*b"enc\0");

/// The fields of a header; see the table of [`super`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fields {
    /// With an encoding of 16 bytes.
    Encoding,
    /// With the size in memory.
    Memory,
    /// With a compression, and a checksum of 8 bytes.
    Compression,
    /// The fields of the current format.
    Current,
}

type Block = (Header, Option<Encoding>);

/// Parses a header from bytes that begin with its magic bytes.
pub(super) fn parse(bytes: &[u8], offset: u64, len: u64) -> Result<Block> {
    let size = bytes.get(4..6).and_then(|size| Some(u16::from_be_bytes(size.try_into().ok()?)));
    let Some(size) = size else { return Err(cut(bytes, 6, offset)) };
    let (candidates, natural, least): (&[Fields], _, _) = if bytes.starts_with(&MAGIC) {
        (&[], Fields::Encoding, 40)
    } else if flags(bytes) & ENCODED != 0 {
        (&[], Fields::Memory, 36)
    } else {
        match size {
            0..40 => (&[], Fields::Memory, 36),
            40 => (&[Fields::Memory, Fields::Compression], Fields::Compression, 36),
            41..44 => (&[Fields::Memory, Fields::Compression], Fields::Memory, 36),
            44..48 => (&[Fields::Memory, Fields::Compression, Fields::Encoding], Fields::Encoding, 36),
            48 => (&[Fields::Memory, Fields::Current], Fields::Current, 36),
            49.. => (&[Fields::Memory, Fields::Current], Fields::Memory, 36),
        }
    };
    if size < least {
        return Err(Error::malformed(format!(
            "found a block header of {size} bytes, expected at least {least} in the pre-release format 0.1.0"
        ))
        .at_offset(offset));
    }
    for &fields in candidates {
        let block = read(fields, bytes, size, offset)?;
        if block.0.check(offset, len).is_ok() {
            return Ok(block);
        }
    }
    read(natural, bytes, size, offset)
}

fn flags(bytes: &[u8]) -> u32 {
    bytes.get(6..10).and_then(|flags| flags.try_into().ok()).map_or(0, u32::from_be_bytes)
}

/// Reads the fields of a header and converts them to the current format.
fn read(fields: Fields, bytes: &[u8], header_size: u16, offset: u64) -> Result<Block> {
    if fields == Fields::Current {
        return Header::parse(bytes, offset).map(|header| (header, None));
    }
    // The text of the first pre-release format requires fewer bytes than its fields take.
    let len = 6 + match fields {
        Fields::Memory => 36,
        Fields::Encoding => usize::from(header_size).min(44),
        Fields::Compression | Fields::Current => 40,
    };
    let Some(mut rest) = bytes.get(6..len) else { return Err(cut(bytes, len, offset)) };
    let rest = &mut rest;
    let flags = u32::from_be_bytes(take(rest));
    let label = if fields == Fields::Compression { Label::new(take(rest)) } else { Label::NONE };
    let mut number = || u64::from_be_bytes(take(rest));
    let (allocated_size, used_size) = (number(), number());
    let data_size = if fields == Fields::Encoding { used_size } else { number() };
    let _checksum = number();
    let encoding = match fields {
        Fields::Encoding => Encoding::named(rest),
        Fields::Memory if flags & ENCODED != 0 => Some(Encoding::chain()),
        _ => None,
    };
    let header = Header {
        header_size,
        flags: flags & Header::STREAMED,
        compression: if encoding.is_some() { LABEL } else { label },
        allocated_size,
        used_size,
        data_size,
        checksum: [0; 16],
    };
    Ok((header, encoding))
}

/// Takes the next bytes, which must exist.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let Some((taken, after)) = rest.split_first_chunk() else { return [0; N] };
    *rest = after;
    *taken
}

fn cut(bytes: &[u8], expected: usize, offset: u64) -> Error {
    Error::malformed(format!(
        "the block header is truncated: found {} bytes, expected at least {expected}",
        bytes.len()
    ))
    .at_offset(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a block from its magic bytes, size and fields, padded with zeros to its size, and data.
    fn bytes(magic: [u8; 4], size: u16, fields: &[&[u8]], data: &[u8]) -> Vec<u8> {
        let mut bytes = [magic.as_slice(), &size.to_be_bytes(), &fields.concat()].concat();
        bytes.resize(6 + usize::from(size), 0);
        bytes.extend(data);
        bytes
    }

    fn parsed(bytes: &[u8]) -> Block {
        let block = parse(bytes.get(..54).unwrap_or(bytes), 0, bytes.len() as u64).unwrap();
        block.0.check(0, bytes.len() as u64).unwrap();
        block
    }

    const NONE: [u8; 4] = [0; 4];
    const THREE: [u8; 8] = 3_u64.to_be_bytes();
    const FIVE: [u8; 8] = 5_u64.to_be_bytes();

    #[test]
    fn each_layout_is_recognized_by_its_sizes() {
        for (magic, size, fields) in [
            (MAGIC, 40, [NONE.as_slice(), &FIVE, &THREE].as_slice()),
            (MAGIC, 44, &[&NONE, &FIVE, &THREE]),
            (MAGIC, 64, &[&NONE, &FIVE, &THREE, &[7; 8]]),
            (block::MAGIC, 44, &[&NONE, &FIVE, &THREE]),
            (block::MAGIC, 36, &[&NONE, &FIVE, &THREE, &THREE]),
            (block::MAGIC, 40, &[&NONE, &FIVE, &THREE, &THREE]),
            (block::MAGIC, 44, &[&NONE, &FIVE, &THREE, &THREE, &[7; 8]]),
            (block::MAGIC, 100, &[&NONE, &FIVE, &THREE, &THREE]),
            (block::MAGIC, 40, &[&NONE, &NONE, &FIVE, &THREE, &THREE]),
            (block::MAGIC, 48, &[&NONE, &NONE, &FIVE, &THREE, &THREE]),
            (block::MAGIC, 60, &[&NONE, &NONE, &FIVE, &THREE, &THREE]),
        ] {
            let bytes = bytes(magic, size, fields, b"abcde");
            let (header, encoding) = parsed(&bytes);
            assert!(encoding.is_none());
            assert_eq!((header.allocated_size, header.used_size, header.data_size), (5, 3, 3), "{size}");
            let data = header.stored(0, bytes.len() as u64).unwrap();
            assert_eq!(data, u64::from(size) + 6..u64::from(size) + 9, "{size}");
        }
        let zlib = bytes(block::MAGIC, 40, &[&NONE, b"zlib", &FIVE, &THREE, &FIVE], b"abcde");
        assert_eq!((parsed(&zlib).0.compression, parsed(&zlib).0.data_size), (Label::ZLIB, 5));
    }

    #[test]
    fn flags_keep_their_meaning() {
        let encoded = bytes(block::MAGIC, 100, &[&[0, 0, 0, 2], &FIVE, &THREE, &[0; 8]], b"abcde");
        assert!(matches!(parsed(&encoded), (header, Some(_)) if header.compression == LABEL));
        for (magic, size) in [(MAGIC, 44), (block::MAGIC, 36), (block::MAGIC, 44), (block::MAGIC, 48)] {
            let bytes = bytes(magic, size, &[&[0, 0, 0, 1]], b"abcde");
            let (header, _) = parsed(&bytes);
            assert_eq!(header.end(0).unwrap(), None);
            assert_eq!(header.stored(0, bytes.len() as u64).unwrap().count(), 5);
        }
        let both = bytes(block::MAGIC, 100, &[&[0, 0, 0, 3], &FIVE, &THREE], b"abcde");
        let (header, _) = parse(&both, 0, both.len() as u64).unwrap();
        assert!(header.check(0, both.len() as u64).unwrap_err().message().contains("streamed"));
        let named = bytes(MAGIC, 44, &[&NONE, &FIVE, &THREE, &[0; 8], b"zipzap"], b"abcde");
        assert!(parsed(&named).1.is_some());
    }

    #[test]
    fn wrong_headers_are_reported() {
        for (magic, size, least) in [(MAGIC, 0, 40), (MAGIC, 39, 40), (block::MAGIC, 35, 36)] {
            let error = parse(&bytes(magic, size, &[], &[0; 64]), 7, 100).unwrap_err();
            assert!(error.message().contains(&format!("at least {least}")), "{error}");
            assert_eq!(error.offset(), Some(7));
        }
        for magic in [MAGIC, block::MAGIC] {
            let whole = bytes(magic, 44, &[&NONE, &FIVE, &THREE, &THREE], &[]);
            for cut in 4..42 {
                let error = parse(&whole[..cut], 0, 100).unwrap_err();
                assert!(error.message().contains("truncated"), "{cut}: {error}");
            }
        }
        for fields in [
            [NONE.as_slice(), &THREE, &FIVE, &FIVE].as_slice(),
            &[&NONE, &[255; 8], &[255; 8], &[255; 8]],
            &[&NONE, &FIVE, &THREE, &FIVE],
        ] {
            for size in [36, 100] {
                let bytes = bytes(block::MAGIC, size, fields, b"abcde");
                let (header, _) = parse(&bytes, 0, bytes.len() as u64).unwrap();
                assert!(header.check(0, bytes.len() as u64).is_err(), "{size} {fields:?}");
            }
        }
    }
}

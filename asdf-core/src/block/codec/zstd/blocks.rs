//! Frame headers and block headers of Zstandard (RFC 8878, sections 3.1.1.1 and 3.1.1.2).

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// The most bytes of data in a block.
pub(super) const LARGEST: usize = 128 << 10;

/// Bytes of a block header.
pub(super) const HEAD: usize = 3;

/// The kind of a block: its bytes are the data, one byte that repeats, or compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Raw,
    Repeated,
    Compressed,
}

/// A block of a frame.
#[derive(Debug)]
pub(super) struct Block<'b> {
    pub(super) kind: Kind,
    pub(super) is_last: bool,
    /// The stored bytes after the header.
    pub(super) content: &'b [u8],
    /// All stored bytes of the block.
    pub(super) whole: &'b [u8],
    /// The bytes after the block.
    pub(super) rest: &'b [u8],
}

impl<'b> Block<'b> {
    /// Reads the block at the start of `bytes`. `None` if it is truncated or has a reserved type.
    pub(super) fn first(bytes: &'b [u8]) -> Option<Self> {
        let (&[a, b, c], after) = bytes.split_first_chunk::<HEAD>()?;
        let head = u32::from_le_bytes([a, b, c, 0]);
        let size = usize::try_from(head >> 3).ok()?;
        let (kind, stored) = match head >> 1 & 3 {
            0 => (Kind::Raw, size),
            1 => (Kind::Repeated, 1),
            2 => (Kind::Compressed, size),
            _ => return None,
        };
        let (content, rest) = after.split_at_checked(stored)?;
        let whole = bytes.get(..HEAD + stored)?;
        Some(Self { kind, is_last: head & 1 == 1, content, whole, rest })
    }
}

/// Returns the header of a block that is not the last one. `None` if the size does not fit.
pub(super) fn head(kind: Kind, size: usize) -> Option<[u8; HEAD]> {
    let size = u32::try_from(size).ok().filter(|&size| size < 1 << 21)?;
    let kind = match kind {
        Kind::Raw => 0,
        Kind::Repeated => 1,
        Kind::Compressed => 2,
    };
    let [a, b, c, _] = (size << 3 | kind << 1).to_le_bytes();
    Some([a, b, c])
}

/// Marks the last of some blocks as the last one of its frame, or not, and returns whether it was marked before. `None` if
/// `blocks` are not whole blocks, or if another block is marked as the last one.
pub(super) fn mark_last(blocks: &mut [u8], is_last: bool) -> Option<bool> {
    let (mut at, mut rest) = (0, &*blocks);
    let was_last = loop {
        let block = Block::first(rest)?;
        if block.rest.is_empty() {
            break block.is_last;
        }
        if block.is_last {
            return None;
        }
        at += block.whole.len();
        rest = block.rest;
    };
    let first = blocks.get_mut(at)?;
    *first = *first & !1 | u8::from(is_last);
    Some(was_last)
}

/// The header of a frame.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// The size of the window in bytes: offsets of matches are not larger.
    pub(super) window: u64,
    /// The length of the header in bytes.
    pub(super) length: usize,
}

impl FrameHeader {
    /// Reads the header of a frame without dictionary or checksum. `None` for other frames.
    pub(super) fn parse(frame: &[u8]) -> Option<Self> {
        let after = frame.strip_prefix(&MAGIC)?;
        let (&descriptor, after) = after.split_first()?;
        let is_single = descriptor >> 5 & 1 == 1;
        // A checksum, a dictionary, or a reserved bit.
        if descriptor & 0b1111 != 0 {
            return None;
        }
        let content = match (descriptor >> 6, is_single) {
            (0, false) => 0,
            (0, true) => 1,
            (1, _) => 2,
            (2, _) => 4,
            _ => 8,
        };
        let window = usize::from(!is_single);
        let size = after.get(window..window + content)?;
        let number = size.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        let window_size = if is_single {
            if content == 2 { number + 256 } else { number }
        } else {
            let byte = *after.first()?;
            let base = 1_u64 << (10 + (byte >> 3));
            base + base / 8 * u64::from(byte & 7)
        };
        Some(Self { window: window_size, length: MAGIC.len() + 1 + window + content })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_frames() {
        let header = |level, len: usize| {
            let frame = zstd::bulk::compress(&vec![1; len], level).unwrap();
            FrameHeader::parse(&frame).unwrap()
        };
        assert_eq!(header(3, 100), FrameHeader { window: 100, length: 6 });
        assert_eq!(header(3, 1000), FrameHeader { window: 1000, length: 7 });
        assert_eq!(header(3, 100_000), FrameHeader { window: 100_000, length: 9 });
        assert_eq!(header(1, 8 << 20), FrameHeader { window: 1 << 19, length: 10 });
        for bytes in [&b""[..], b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd\x24\x05", b"\x28\xb5\x2f\xfe\x20\x05"]
        {
            assert_eq!(FrameHeader::parse(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn the_last_block_is_marked() {
        let block = |kind, content: &[u8]| [&head(kind, content.len()).unwrap(), content].concat();
        let mut blocks =
            [block(Kind::Raw, b"abc"), block(Kind::Repeated, b"d"), block(Kind::Compressed, b"")].concat();
        assert_eq!(mark_last(&mut blocks, true), Some(false));
        let last = |blocks: &[u8]| {
            Block::first(Block::first(Block::first(blocks).unwrap().rest).unwrap().rest).unwrap().is_last
        };
        assert!(last(&blocks));
        assert_eq!(mark_last(&mut [&blocks[..], &block(Kind::Raw, b"e")].concat(), false), None);
        assert_eq!(mark_last(&mut blocks, false), Some(true));
        assert!(!last(&blocks));
        assert_eq!(mark_last(&mut [], true), None);
        for cut in [1, 2, 5, 9] {
            let len = blocks.len() - cut;
            let whole = [blocks.len() - 3, blocks.len() - 7].contains(&len);
            assert_eq!(mark_last(&mut blocks.clone()[..len], true).is_some(), whole, "{cut}");
        }
        assert_eq!(head(Kind::Raw, 1 << 21), None);
    }
}

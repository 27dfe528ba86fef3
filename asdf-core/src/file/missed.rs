//! Blocks that readers do not find, because a header is damaged.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;

use super::File;
use super::block::FileBlock;
use super::blocks::FileBlocks;
use super::indexed_blocks;
use super::layout::is_blank;
use crate::block::{Header, MAGIC};
use crate::error::{Code, Error, Hint, Result};

/// The errors of the bytes before the first block, inside of the blocks, and after the last one that was found.
#[derive(Default)]
struct Gaps {
    before: Option<Error>,
    inside: Option<Error>,
    after: Option<Error>,
}

impl File {
    /// Returns a warning for each gap in which the block index lists a block and none begins.
    ///
    /// The gaps are the bytes before the first block and those after the last block that was found. A damaged header
    /// leaves such a gap. The blocks after it have wrong numbers or are not found. Without a block index there is a
    /// warning if the first gap is a whole block, except for its first four bytes.
    ///
    /// There is also a warning if a block contains another one, because the size in its header is damaged. Then headers
    /// of blocks inside of it lead exactly to its end.
    ///
    /// All headers are read. An index with other offsets inside of the blocks, as after an edit of the tree by hand, is
    /// not reported here, but by [`index`](Self::index).
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn missed_blocks(&self) -> Result<Vec<Error>> {
        let missed = self.blocks.as_ref().map_or(Ok(Vec::new()), |blocks| blocks.missed())?;
        Ok(missed.into_iter().map(|error| self.named(error)).collect())
    }
}

impl FileBlocks {
    /// Reports missed blocks once, if requested and if the blocks so far give a reason to read the block index.
    pub(super) fn report_missed(&self) {
        let Some(report) = &self.reading().missed else { return };
        if !self.is_newly_doubtful() {
            return;
        }
        // If the source cannot be read, reading the block fails as well.
        for error in self.missed().unwrap_or_default() {
            report.report(self.reading().named(error));
        }
    }

    /// Fails if checksums are verified and a block before others was missed, because these have wrong numbers then.
    ///
    /// The first call reads the block index and all headers.
    pub(super) fn refuse_missed(&self) -> Result<()> {
        if !self.reading().checks.refuses() || self.are_numbers_right() {
            return Ok(());
        }
        self.refuse_other_numbers()?;
        self.believe_numbers();
        Ok(())
    }

    /// Fails if a block before others was missed, because these have wrong numbers then.
    pub(super) fn refuse_other_numbers(&self) -> Result<()> {
        let gaps = self.gaps()?;
        gaps.before.or(gaps.inside).map_or(Ok(()), |error| Err(self.reading().named(error)))
    }

    fn missed(&self) -> Result<Vec<Error>> {
        let gaps = self.gaps()?;
        Ok(gaps.before.into_iter().chain(gaps.inside).chain(gaps.after).collect())
    }

    fn gaps(&self) -> Result<Gaps> {
        let source = self.reading().source.as_ref();
        let Some((index, offsets)) = indexed_blocks::tail(source, self.start())? else {
            return Ok(Gaps { before: self.unmarked()?, inside: self.enclosed()?, after: None });
        };
        let (blocks, end) = self.followed();
        let first = blocks.first().map_or(index, |block| block.offset());
        let last = blocks.last().map(|block| (block.number(), block.header().end(block.offset())));
        let before = self.start()..first.min(index);
        let (after, what) = match last {
            // Nothing says where the next block begins.
            Some((number, Ok(Some(claimed)))) if claimed > source.len() => {
                let from = blocks.last().map_or(end, |block| block.offset() + 1);
                (from..index, format!("block {number} ends at byte {claimed}, after the end of the file"))
            }
            Some((number, _)) => {
                let bytes = index.saturating_sub(end);
                (
                    end.min(index)..index,
                    format!("the {bytes} bytes after block {number} do not begin with a block"),
                )
            }
            None => (index..index, String::new()),
        };
        let bytes = before.end.saturating_sub(before.start);
        let place = if blocks.is_empty() { "the block index" } else { "the first block" };
        let gap = format!("the {bytes} bytes between the tree and {place} are not a block");
        let missed = |range: Range<u64>, what: String| {
            let listed = offsets.iter().find(|at| range.contains(at))?;
            if blocks.iter().any(|block| block.offset() == *listed) {
                return None;
            }
            let error = Error::malformed(format!("{what}; the block index expects a block at byte {listed}"));
            Some(error.with_code(Code::Index).with_hint(Hint::RepairBlocks))
        };
        let is_right = blocks.iter().map(|block| block.offset()).eq(offsets.iter().copied());
        let inside = if is_right { None } else { self.enclosed()? };
        Ok(Gaps { before: missed(before, gap), inside, after: missed(after, what) })
    }

    /// Returns an error if a block contains another one, because the size in its header is damaged.
    ///
    /// The block index does not prove it: bytes that look like a header can be data.
    fn enclosed(&self) -> Result<Option<Error>> {
        if self.is_draft() {
            return Ok(None);
        }
        for block in self.followed().0 {
            if self.contains_block(&block)? {
                let message =
                    format!("block {} contains another block, so its size is wrong", block.number());
                let error = Error::malformed(message).with_code(Code::Block).at_offset(block.offset());
                return Ok(Some(error.with_hint(Hint::RepairBlocks)));
            }
        }
        Ok(None)
    }

    /// Whether other blocks are inside of a block and lead to its end.
    ///
    /// They begin where its data end, or its header is too long, so that they seem to be the last bytes of its data.
    fn contains_block(&self, block: &FileBlock) -> Result<bool> {
        const HEADER: u64 = Header::LEN as u64;
        let (source, header) = (self.reading().source.as_ref(), block.header());
        let Some(end) = header.end(block.offset()).ok().flatten().filter(|&end| end <= source.len()) else {
            return Ok(false);
        };
        let unused = header.allocated_size.saturating_sub(header.used_size);
        if unused >= HEADER && self.leads_to(end.saturating_sub(unused), end)? {
            return Ok(true);
        }
        let more = u64::from(header.header_size.saturating_sub(Header::MIN_SIZE));
        if more < HEADER || !block.has_checksum() {
            return Ok(false);
        }
        let start = end.saturating_sub(more);
        let bytes = source.read(start..end)?;
        // From the last to the first, so that each header is looked at once.
        let mut ends = HashSet::from([end]);
        for found in memmem::rfind_iter(&bytes, &MAGIC) {
            let at = start.saturating_add(found as u64);
            let header = Header::parse(bytes.get(found..).unwrap_or_default(), at);
            let next = header.and_then(|header| header.end(at)).ok().flatten();
            if next.is_some_and(|next| ends.contains(&next)) {
                ends.insert(at);
            }
        }
        Ok(ends.len() > 1 && !block.checksum().is_ok_and(|checksum| checksum.is_ok()))
    }

    /// Whether blocks from a byte on lead exactly to another byte.
    fn leads_to(&self, mut at: u64, end: u64) -> Result<bool> {
        while at < end {
            let header = at..at.saturating_add(Header::LEN as u64).min(end);
            let bytes = self.reading().source.read(header)?;
            match Header::parse(&bytes, at).and_then(|header| header.end(at)) {
                Ok(Some(next)) => at = next,
                _ => return Ok(false),
            }
        }
        Ok(at == end)
    }

    /// Returns an error if the bytes before the first block are a block whose magic is damaged.
    fn unmarked(&self) -> Result<Option<Error>> {
        const LONGEST: u64 = MAGIC.len() as u64;
        let source = self.reading().source.as_ref();
        let (blocks, _) = self.followed();
        let end = blocks.first().map_or(source.len(), |block| block.offset());
        let window = self.start()..end.min(self.start().saturating_add(64 << 10));
        let bytes = source.read(window)?;
        let Some(blank) = bytes.iter().position(|byte| !is_blank(*byte)) else { return Ok(None) };
        // The damaged bytes of the magic can be blank.
        let first = self.start().saturating_add(blank as u64);
        for at in first.saturating_sub(LONGEST - 1).max(self.start())..=first {
            let from = usize::try_from(at - self.start()).unwrap_or(usize::MAX);
            let rest = bytes.get(from..).and_then(|bytes| bytes.get(MAGIC.len()..Header::LEN));
            let Some(rest) = rest else { continue };
            let header = Header::parse(&[&MAGIC, rest].concat(), at);
            if header.and_then(|header| header.end(at)).is_ok_and(|next| next == Some(end)) {
                let error = Error::malformed("a block begins here, but its first four bytes are damaged");
                return Ok(Some(error.with_code(Code::Block).at_offset(at).with_hint(Hint::RepairBlocks)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::array::NdArray;
    use crate::file::{OpenOptions, UpdateOptions, WriteOptions};
    use crate::source::Recording;

    /// A file of three blocks, and their offsets.
    fn written() -> (Vec<u8>, Vec<usize>) {
        let mut file = File::new();
        for number in 0..3 {
            file.set(&format!("/a{number}"), &NdArray::new(&[2000], &[number; 2000]).unwrap()).unwrap();
        }
        let bytes = file.to_bytes().unwrap();
        let blocks = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap();
        let offsets = blocks.iter().map(|block| usize::try_from(block.offset()).unwrap()).collect();
        (bytes, offsets)
    }

    /// The reports, and the number of reads of the file, when all elements of some arrays are read.
    fn read(bytes: &[u8], paths: &[&str], reports: bool) -> (Vec<String>, usize) {
        let sink = Arc::new(Mutex::new(Vec::new()));
        let options = match reports {
            true => {
                let reports = sink.clone();
                OpenOptions::new().report_missed_blocks(move |error| {
                    reports.lock().unwrap().push(error.message().to_owned());
                })
            }
            false => OpenOptions::new(),
        };
        let source = Arc::new(Recording::new(bytes.to_vec()));
        let file = options.open_source(source.clone()).unwrap();
        for path in paths {
            let _ = file.array(path).and_then(|array| array.read::<i32>());
        }
        let found = sink.lock().unwrap().clone();
        (found, source.take().len())
    }

    const ALL: [&str; 3] = ["/a0", "/a1", "/a2"];

    #[test]
    fn sound_files_are_not_read_more_often() {
        let (whole, offsets) = written();
        // Padding before the first block is allowed.
        let padded = [&whole[..offsets[0]], &[0; 100], b"\n  ", &whole[offsets[0]..]].concat();
        for bytes in [&whole, &padded] {
            for paths in [&ALL[..1], &ALL[..2], &ALL, &["/none"]] {
                let (reports, reads) = read(bytes, paths, true);
                assert!(reports.is_empty(), "{reports:?}");
                assert_eq!(reads, read(bytes, paths, false).1, "{paths:?}");
            }
        }
    }

    #[test]
    fn missed_blocks_are_reported_once_when_an_array_is_used() {
        let (whole, offsets) = written();
        for (block, at) in offsets.iter().enumerate() {
            let mut bytes = whole.clone();
            bytes[*at] = 0;
            assert!(read(&bytes, &[], true).0.is_empty());
            assert!(read(&bytes, &ALL, false).0.is_empty());
            let reports = read(&bytes, &ALL, true).0;
            assert_eq!(reports.len(), 1, "{block}: {reports:?}");
            assert!(
                reports[0].contains(&format!("the block index expects a block at byte {at}")),
                "{reports:?}"
            );
        }
    }

    #[test]
    fn a_block_without_its_magic_is_missed_without_an_index() {
        let mut file = File::new();
        for number in 0..3_u8 {
            file.set(&format!("/a{number}"), &NdArray::new(&[200], &[number; 200]).unwrap()).unwrap();
        }
        let whole = WriteOptions::new().index(false).to_bytes(&file).unwrap();
        let blocks = File::from_bytes(whole.clone()).unwrap().blocks().unwrap();
        let at = usize::try_from(blocks[0].offset()).unwrap();
        for (byte, value) in [(0, 0), (0, 0xd2), (1, b' '), (3, b'J')] {
            let mut bytes = whole.clone();
            bytes[at + byte] = value;
            let missed = File::from_bytes(bytes.clone()).unwrap().missed_blocks().unwrap();
            assert_eq!(missed.len(), 1, "{byte} {value}: {missed:?}");
            assert_eq!(missed[0].offset(), Some(at as u64), "{missed:?}");
            let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
            for path in [ALL, ALL].concat() {
                let error = file.array(path).and_then(|array| array.read::<u8>()).unwrap_err();
                assert!(error.to_string().contains("its first four bytes are damaged"), "{error}");
            }
        }
        // Any other bytes before the first block are padding.
        for padding in [&[1, 2, 3][..], &[b'x'; 500], b"\xd3BLJ", &whole[at + 4..at + 200]] {
            let bytes = [&whole[..at], padding, &whole[at..]].concat();
            let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
            assert_eq!(file.missed_blocks().unwrap().len(), 0, "{padding:?}");
            assert_eq!(file.array("/a1").unwrap().read::<u8>().unwrap(), [1; 200]);
        }
    }

    #[test]
    fn arrays_are_not_read_from_other_blocks_if_checksums_are_verified() {
        let (whole, offsets) = written();
        let mut bytes = whole.clone();
        bytes[offsets[0]] = 0;
        let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
        for path in [ALL, ALL].concat() {
            let error = file.array(path).and_then(|array| array.read::<i32>()).unwrap_err();
            assert_eq!(error.code(), Some(Code::Index), "{path}: {error}");
        }
        // The blocks before a damaged one have the right numbers.
        let mut bytes = whole;
        bytes[offsets[2]] = 0;
        let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
        for path in ["/a1", "/a2", "/a0", "/a1"] {
            let elements = file.array(path).and_then(|array| array.read::<i32>());
            assert_eq!(elements.is_ok(), path != "/a2", "{path}: {elements:?}");
        }
    }

    #[test]
    fn a_size_that_leads_to_a_later_block_is_noticed() {
        let (whole, offsets) = written();
        let mut bytes = whole;
        // By its allocated size, block 0 ends where block 2 begins.
        let field = offsets[0] + 14..offsets[0] + 22;
        let allocated = u64::from_be_bytes(bytes[field.clone()].try_into().unwrap());
        let more = u64::try_from(offsets[2] - offsets[1]).unwrap();
        bytes[field].copy_from_slice(&(allocated + more).to_be_bytes());
        let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes.clone()).unwrap();
        let expected = "block 0 contains another block, so its size is wrong";
        for path in [ALL, ALL].concat() {
            let error = file.array(path).and_then(|array| array.read::<i32>()).unwrap_err();
            assert!(error.message().ends_with(expected), "{path}: {error}");
        }
        // The arrays would get the data of other blocks, with new checksums.
        let file = File::from_bytes(bytes).unwrap();
        assert!(file.missed_blocks().unwrap()[0].message().ends_with(expected));
        assert!(file.to_bytes().unwrap_err().message().ends_with(expected));
    }

    #[test]
    fn a_block_inside_of_another_is_noticed_without_an_index() {
        let mut file = File::new();
        for number in 0..3_u8 {
            file.set(&format!("/a{number}"), &NdArray::new(&[74], &[number + 1; 74]).unwrap()).unwrap();
        }
        let whole = WriteOptions::new().index(false).alignment(1).to_bytes(&file).unwrap();
        let blocks = File::from_bytes(whole.clone()).unwrap().blocks().unwrap();
        let offsets: Vec<usize> =
            blocks.iter().map(|block| usize::try_from(block.offset()).unwrap()).collect();
        assert_eq!(offsets[1] - offsets[0], 128);
        // The low bytes of `header_size` and `allocated_size`. By both, block 0 ends where block 2 begins.
        for field in [5, 21] {
            let mut bytes = whole.clone();
            bytes[offsets[0] + field] ^= 0x80;
            let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes.clone()).unwrap();
            for path in [ALL, ALL].concat() {
                let error = file.array(path).and_then(|array| array.read::<u8>()).unwrap_err();
                assert!(error.message().contains("block 0 contains another block"), "{path}: {error}");
            }
            let file = File::from_bytes(bytes).unwrap();
            let error = file.to_bytes().unwrap_err();
            assert!(error.message().contains("block 0 contains another block"), "{error}");
        }
    }

    #[test]
    fn a_file_whose_blocks_have_other_numbers_is_not_written_again() {
        let (mut bytes, offsets) = written();
        bytes[offsets[0]] = 0;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        std::fs::write(&path, &bytes).unwrap();
        let mut file = File::open(&path).unwrap();
        assert_eq!(file.to_bytes().unwrap_err().code(), Some(Code::Index));
        assert!(WriteOptions::new().accept_damage(true).to_bytes(&file).is_ok());
        file.set("/title", "x").unwrap();
        for in_place in [false, true] {
            let error = UpdateOptions::new().in_place(in_place).update(&mut file).unwrap_err();
            assert_eq!(error.code(), Some(Code::Index));
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_long_header_with_a_wrong_checksum_hides_no_block() {
        let mut file = File::new();
        for number in 0..2_u8 {
            file.set(&format!("/a{number}"), &NdArray::new(&[74], &[number; 74]).unwrap()).unwrap();
        }
        let mut bytes = WriteOptions::new().index(false).alignment(512).to_bytes(&file).unwrap();
        let blocks = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap();
        assert!(blocks[0].header().header_size > 200);
        let at = usize::try_from(blocks[0].offset()).unwrap() + Header::LEN;
        bytes[at..at + 10].fill(b'x');
        let last = usize::try_from(blocks[1].offset()).unwrap() - 1;
        bytes[last] ^= 1;
        let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
        let error = file.array("/a0").unwrap().read::<u8>().unwrap_err();
        assert_eq!(error.code(), Some(Code::Checksum));
        assert_eq!(file.array("/a1").unwrap().read::<u8>().unwrap(), [1; 74]);
    }

    /// Its header is as long as what a wrong `header_size` adds.
    #[test]
    fn an_empty_block_inside_of_another_is_noticed() {
        let mut file = File::new();
        for (name, size) in [("/a0", 10), ("/a1", 0), ("/a2", 10)] {
            file.set(name, &NdArray::from_vec(&[size], vec![7_u8; usize::try_from(size).unwrap()]).unwrap())
                .unwrap();
        }
        let mut bytes = WriteOptions::new().index(false).alignment(1).to_bytes(&file).unwrap();
        let blocks = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap();
        assert_eq!((blocks.len(), blocks[1].header().allocated_size), (3, 0));
        bytes[usize::try_from(blocks[0].offset()).unwrap() + 5] += u8::try_from(Header::LEN).unwrap();
        let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
        let error = file.array("/a2").and_then(|array| array.read::<u8>()).unwrap_err();
        assert!(error.message().contains("block 0 contains another block"), "{error}");
    }
}

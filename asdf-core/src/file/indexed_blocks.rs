//! Blocks that are found through the block index.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::block::FileBlock;
use crate::block::{Header, index};
use crate::error::Result;
use crate::source::Source;

/// The offsets of all blocks by the block index, and the blocks that were found there.
///
/// The index is trusted as the standard says ("Block index"). Its first entry has to be the first block, and the last
/// one a block that ends where the index begins. In addition, a block has to begin where the one before it ends, and to
/// end where the next begins. If the index leaves out a block, wrong numbers after it can be detected only by following
/// all blocks before.
#[derive(Debug)]
pub(super) struct IndexedBlocks {
    offsets: Vec<u64>,
    /// The byte at which the index begins.
    end: u64,
    found: HashMap<usize, Arc<FileBlock>>,
}

impl IndexedBlocks {
    /// Reads the index of a file whose first block is at a byte; `None` without a trusted index.
    pub(super) fn read(source: &dyn Source, first: u64) -> Result<Option<Self>> {
        let Some((end, offsets)) = tail(source, first)? else { return Ok(None) };
        let listed = Self { offsets, end, found: HashMap::new() };
        let last = listed.offsets.len().saturating_sub(1);
        if listed.offsets.first() != Some(&first) {
            return Ok(None);
        }
        let Some((range, end)) = listed.place(last).filter(|(range, _)| range.end <= source.len()) else {
            return Ok(None);
        };
        let is_right = header(&source.read(range.clone())?, range.start, end).is_some();
        Ok(is_right.then_some(listed))
    }

    /// The block with a number, if it was found before.
    pub(super) fn found(&self, number: usize) -> Option<&Arc<FileBlock>> {
        self.found.get(&number)
    }

    pub(super) fn keep(&mut self, number: usize, block: Arc<FileBlock>) {
        self.found.insert(number, block);
    }

    /// The number of blocks in the index.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether the index lists the block with a number at a byte.
    pub(super) fn agrees(&self, number: usize, offset: u64) -> bool {
        self.offsets.get(number) == Some(&offset)
    }

    /// The ranges that [`block`](Self::block) reads to find blocks.
    pub(super) fn headers(&self, source: &dyn Source, numbers: &[usize]) -> Vec<Range<u64>> {
        let is_new = |number: &usize| !self.found.contains_key(number);
        let wanted = numbers.iter().copied().filter(is_new);
        let with_before =
            wanted.flat_map(|number| number.checked_sub(1).filter(is_new).into_iter().chain([number]));
        let mut ranges: Vec<_> =
            with_before.filter_map(|number| self.place(number)).map(|(range, _)| range).collect();
        ranges.retain(|range| range.end <= source.len());
        ranges.sort_by_key(|range| range.start);
        ranges.dedup();
        ranges
    }

    /// The offset and header of a block, if it and the block before are where the index lists them.
    pub(super) fn block(&self, source: &dyn Source, number: usize) -> Result<Option<(u64, Header)>> {
        let Some(&offset) = self.offsets.get(number) else { return Ok(None) };
        let before = number.checked_sub(1).filter(|before| !self.found.contains_key(before));
        let places: Vec<_> =
            before.into_iter().chain([number]).filter_map(|number| self.place(number)).collect();
        if places.iter().any(|(header, _)| header.end > source.len()) {
            return Ok(None);
        }
        let ranges: Vec<_> = places.iter().map(|(header, _)| header.clone()).collect();
        let mut last = None;
        for ((range, next), bytes) in places.into_iter().zip(source.read_many(&ranges)?) {
            last = header(&bytes, range.start, next);
            if last.is_none() {
                break;
            }
        }
        Ok(last.map(|header| (offset, header)))
    }

    /// The range of the header of a block, and the byte at which the block has to end.
    fn place(&self, number: usize) -> Option<(Range<u64>, u64)> {
        let &offset = self.offsets.get(number)?;
        let next = self.offsets.get(number + 1).copied().unwrap_or(self.end);
        Some((offset..offset.saturating_add(Header::LEN as u64), next))
    }
}

/// The header of a block at an offset, if the block ends at a byte.
fn header(bytes: &[u8], offset: u64, next: u64) -> Option<Header> {
    let header = Header::parse(bytes, offset).ok()?;
    header.end(offset).is_ok_and(|end| end == Some(next)).then_some(header)
}

/// The byte at which an index at the end of a file begins, and its offsets.
pub(super) fn tail(source: &dyn Source, first: u64) -> Result<Option<(u64, Vec<u64>)>> {
    /// The bytes that are read first. If they are all text, more are read.
    const FIRST: u64 = 16 << 10;
    const MOST: u64 = 16 << 20;
    let len = source.len();
    // If a read takes long, an index of some ten thousand blocks comes with the first.
    let mut size = FIRST.max((source.cost().gap / 4).min(MOST));
    loop {
        let from = len.saturating_sub(size).max(first);
        let bytes = source.read(from..len)?;
        if let Some(at) = index::find(&bytes) {
            let offsets = index::parse(bytes.get(at..).unwrap_or_default());
            return Ok(offsets.map(|offsets| (from + at as u64, offsets)));
        }
        let is_text = bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0));
        if from == first || size >= MOST || !is_text {
            return Ok(None);
        }
        size *= 8;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::array::NdArray;
    use crate::file::{File, OpenOptions};
    use crate::source::Recording;

    const COUNT: u64 = 400;

    /// A file of blocks so large that their headers are not read together.
    fn written() -> Vec<u8> {
        static WRITTEN: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let mut file = File::new();
            for number in 0..COUNT {
                file.set(&format!("/a{number}"), &NdArray::new(&[1200], &[number; 1200]).unwrap()).unwrap();
            }
            file.to_bytes().unwrap()
        });
        WRITTEN.clone()
    }

    fn opened(bytes: Vec<u8>) -> (File, Arc<Recording>) {
        let source = Arc::new(Recording::new(bytes));
        (OpenOptions::new().open_source(source.clone()).unwrap(), source)
    }

    /// The file with an index that a function changed.
    fn with_index(bytes: &[u8], change: impl FnOnce(&mut Vec<u64>)) -> Vec<u8> {
        let at = index::find(bytes).unwrap();
        let mut offsets = index::parse(&bytes[at..]).unwrap();
        change(&mut offsets);
        let list: String = offsets.iter().map(|offset| format!("- {offset}\n")).collect();
        let text = format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{list}...\n");
        [&bytes[..at], text.as_bytes()].concat()
    }

    fn element(file: &File, number: u64) -> u64 {
        file.array(&format!("/a{number}")).unwrap().read::<u64>().unwrap()[2]
    }

    #[test]
    fn the_last_array_is_read_without_following_all_blocks() {
        let bytes = written();
        let (file, source) = opened(bytes.clone());
        source.take();
        assert_eq!(element(&file, COUNT - 1), COUNT - 1);
        assert_eq!(element(&file, 200), 200);
        let some = source.take().len();
        assert!(some < 20, "{some} reads");
        // Following all blocks finds the same blocks.
        let last = file.blocks.as_ref().unwrap().file_block(COUNT - 1).unwrap();
        assert!(Arc::ptr_eq(&last, file.blocks().unwrap().last().unwrap()));
        let at = index::find(&bytes).unwrap();
        let (file, source) = opened(bytes[..at].to_vec());
        source.take();
        assert_eq!(element(&file, COUNT - 1), COUNT - 1);
        assert!(source.take().len() as u64 > COUNT - 20, "without an index all blocks are followed");
    }

    /// An index that is longer than what is read at first is read as a whole.
    #[test]
    fn a_long_index_is_used() {
        let bytes = written();
        let (at, comments) = (index::find(&bytes).unwrap(), "# a comment of some length\n".repeat(3000));
        let text = String::from_utf8(bytes[at..].to_vec()).unwrap().replacen(
            "---\n",
            &format!("---\n{comments}"),
            1,
        );
        let (file, source) = opened([&bytes[..at], text.as_bytes()].concat());
        source.take();
        assert_eq!(element(&file, COUNT - 1), COUNT - 1);
        let some = source.take().len();
        assert!(some < 20, "{some} reads");
        assert_eq!(file.index().unwrap(), crate::file::IndexState::Right);
    }

    /// With any index the blocks are those of the chain.
    #[test]
    fn a_wrong_index_is_not_used() {
        let bytes = written();
        type Changed = fn(&mut Vec<u64>);
        let changes: [(&str, Changed); 9] = [
            ("all moved, as by an editor", |offsets| offsets.iter_mut().for_each(|at| *at += 5)),
            ("the first wrong", |offsets| offsets[0] += 1),
            ("the last wrong", |offsets| *offsets.last_mut().unwrap() -= 1),
            ("the last left out", |offsets| {
                offsets.pop();
            }),
            ("the first left out", |offsets| {
                offsets.remove(0);
            }),
            ("one too many", |offsets| offsets.push(offsets.last().unwrap() + 100)),
            ("one beyond the file", |offsets| offsets.push(u64::MAX)),
            ("the requested one moved", |offsets| offsets[300] += 1),
            ("the one before it moved", |offsets| offsets[299] -= 1),
        ];
        for (what, change) in changes {
            let (file, _) = opened(with_index(&bytes, change));
            for number in [300, 17, COUNT - 1, 0] {
                assert_eq!(element(&file, number), number, "{what}");
            }
            assert_eq!(file.index().unwrap(), crate::file::IndexState::Wrong, "{what}");
        }
        let (file, _) = opened(with_index(&bytes, |offsets| {
            offsets.remove(300);
        }));
        assert_eq!(element(&file, 300), 300, "a missing entry is detected next to it");
        assert_eq!(element(&file, 350), 350, "the index is not used any more");
    }

    #[test]
    fn blocks_are_followed_if_the_end_only_looks_like_an_index() {
        for end in ["#ASDF BLOCK INDEX\n", "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n", "\0\0\0\0", "- 1\n...\n"] {
            let mut bytes = written();
            bytes.truncate(index::find(&bytes).unwrap());
            bytes.extend_from_slice(end.as_bytes());
            let (file, _) = opened(bytes);
            assert_eq!(element(&file, 399), 399, "{end:?}");
        }
    }

    #[test]
    fn an_entry_that_does_not_fit_makes_the_whole_index_unusable() {
        let (file, _) = opened(with_index(&written(), |offsets| {
            offsets.remove(300);
        }));
        assert_eq!(element(&file, 299), 299, "its block does not end where the next entry is");
        assert_eq!(element(&file, 350), 350, "later entries are not used");
    }

    #[test]
    fn a_block_that_was_found_by_the_index_is_described() {
        for is_checked in [false, true] {
            let options = OpenOptions::new().verify_checksums(is_checked);
            let file = options.open_bytes(written()).unwrap();
            let array = file.array("/a350").unwrap();
            let text = || format!("{:?}", file.tree().blocks().known(350).map(|block| block.size()));
            assert_eq!(text(), "None");
            array.read::<u64>().unwrap();
            assert_eq!(text(), "Some(9600)", "{is_checked}");
            // With checks, all headers are read.
            assert_eq!(file.tree().blocks().known(349).is_some(), is_checked);
        }
    }
}

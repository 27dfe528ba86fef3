//! The places of header, tree and blocks in a file, found without doing any I/O.
//!
//! Both scanners say which range of bytes they need next, and the caller passes the bytes. So files, memory maps and
//! remote sources share them.

use std::ops::Range;

use memchr::memmem;

use super::header::{self, Header, Lines, Next};
use crate::block::{self, MAGIC, index};
use crate::dialect::{self, Draft, Encoding};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::source::Cost;

/// The number of bytes that are needed at once.
const WINDOW: u64 = 64 << 10;

/// The largest number of bytes that are needed at once.
const MOST: u64 = 256 * WINDOW;

/// The beginning of a file: its header and the range of its tree.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) header: Header,
    /// Whether the file has the pre-release format, so that its tree and blocks have to be converted.
    pub(super) draft: bool,
    /// The tree from `%YAML` to the end of the line `...`.
    pub(super) tree: Option<Range<u64>>,
    /// The byte from which blocks can be found.
    pub(super) blocks: u64,
    /// The line of the file in which the tree begins, from 1.
    pub(super) tree_line: u32,
}

/// Finds the header and the end of the tree.
#[derive(Debug)]
pub(super) struct FrontScanner {
    len: u64,
    limit: u64,
    /// The smallest number of bytes that are needed next, after the first window.
    least: u64,
    found: Option<Found>,
    need: Range<u64>,
}

/// The header, and the byte and line at which the tree begins.
#[derive(Debug)]
struct Found {
    header: Header,
    draft: bool,
    tree: u64,
    tree_line: u32,
}

impl FrontScanner {
    /// Makes a scanner of a file of `len` bytes, whose tree may have up to `limit` bytes.
    pub(super) fn new(len: u64, limit: u64) -> Self {
        Self { len, limit, least: WINDOW, found: None, need: 0..len.min(WINDOW) }
    }

    /// Sets what reads cost: if one takes long, a long tree is read in fewer windows.
    pub(super) fn at_cost(mut self, cost: Cost) -> Self {
        self.least = cost.gap.clamp(WINDOW, MOST);
        self
    }

    /// The range of bytes that [`take`](Self::take) needs.
    pub(super) fn need(&self) -> Range<u64> {
        self.need.clone()
    }

    /// Takes the needed bytes. Returns the result, or `None` if more bytes are needed.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Option<Front>> {
        let at_end = self.need.end == self.len;
        let Some(found) = &self.found else {
            return match header::parse(bytes, at_end)? {
                None if self.need.end >= 64 * WINDOW => Err(Error::limit(format!(
                    "the header is larger than the limit of {} bytes",
                    self.need.end
                ))),
                None => {
                    self.need = 0..(self.need.end * 4).min(self.len);
                    Ok(None)
                }
                Some(Lines { header, draft, next: Next::Blocks(at) }) => {
                    Ok(Some(Front { header, draft, tree: None, blocks: at as u64, tree_line: 1 }))
                }
                Some(Lines { header, draft, next: Next::Tree(at) }) => {
                    let lines = bytes.get(..at).unwrap_or_default().iter().filter(|&&b| b == b'\n').count();
                    let tree_line = u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1);
                    self.found = Some(Found { header, draft, tree: at as u64, tree_line });
                    let rest = bytes.get(at..).unwrap_or_default();
                    let window_start = at as u64;
                    self.tree_end(rest, window_start, at_end)
                }
            };
        };
        debug_assert!(self.need.start >= found.tree);
        self.tree_end(bytes, self.need.start, at_end)
    }

    /// Looks for the line `...` in bytes that begin at an offset of the file.
    fn tree_end(&mut self, bytes: &[u8], offset: u64, at_end: bool) -> Result<Option<Front>> {
        /// The bytes of the longest end mark, `\r\n...\r\n`, that can be in the window before.
        const OVERLAP: u64 = 8;
        let end = memmem::find_iter(bytes, b"\n...").find_map(|at| {
            let length = match bytes.get(at + 4..).unwrap_or_default() {
                [] if at_end => 4,
                [b'\n', ..] => 5,
                [b'\r', b'\n', ..] => 6,
                [b'\r'] if at_end => 5,
                _ => return None,
            };
            Some((at, offset + at as u64 + length))
        });
        let draft = self.found.as_ref().is_some_and(|found| found.draft);
        let before = end.and_then(|(at, _)| bytes.get(..at)).unwrap_or(bytes);
        let end = match find_block(before, draft) {
            Some(at) => Some(Err(offset + at as u64)),
            None => end.map(|(_, end)| Ok(end)),
        };
        let start = self.found.as_ref().map_or(0, |found| found.tree);
        let end = match end {
            Some(Ok(end)) => end,
            Some(Err(block)) => {
                return Err(no_end(format!("a block begins at byte {block}")).at_offset(start));
            }
            None if at_end => {
                return Err(no_end(format!("the file ends at byte {}", self.len)).at_offset(start));
            }
            None => {
                let next = offset + bytes.len() as u64;
                if next - start > self.limit {
                    return Err(self.too_large().at_offset(start));
                }
                // The window grows, so that a long tree is not read in small pieces, and a short one not far too long.
                let from = next.saturating_sub(OVERLAP).max(start);
                let window = ((next - start) / 2).clamp(self.least, MOST);
                self.need = from..(next + window).min(self.len);
                return Ok(None);
            }
        };
        if end - start > self.limit {
            return Err(self.too_large().at_offset(start));
        }
        Ok(self.found.take().map(|Found { header, draft, tree_line, .. }| Front {
            header,
            draft,
            tree: Some(start..end),
            blocks: end,
            tree_line,
        }))
    }

    fn too_large(&self) -> Error {
        Error::limit(format!("the tree is larger than the limit of {} bytes", self.limit))
            .with_code(Code::TreeSize)
            .with_hint(Hint::Raise { limit: LimitName::TreeSize, from: self.limit, to: None })
    }
}

/// The offset of the first block in some bytes, by its magic.
fn find_block(bytes: &[u8], draft: bool) -> Option<usize> {
    if draft {
        return bytes.windows(4).position(dialect::begins_block);
    }
    memmem::find(bytes, &MAGIC)
}

fn no_end(found: String) -> Error {
    Error::malformed(format!("expected a line `...` after the tree, but {found}"))
        .with_code(Code::CutShort)
        .with_hint("check whether the file is truncated")
}

/// Follows the blocks of a file from one to the next ("Blocks" in the standard).
#[derive(Debug)]
pub(super) struct Chain {
    len: u64,
    state: State,
    draft: Option<Draft>,
    /// The number of blocks that were found.
    count: u64,
    /// Whether bytes at the place of a block are neither a block nor padding.
    is_doubtful: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The first block is searched from this byte on, because padding of any content may come first.
    Search(u64),
    /// A block, the block index or the end of the file is expected at this byte.
    At(u64),
    /// A block begins at this byte, but its header is damaged.
    Broken(u64),
    /// No block follows; the bytes after the last block begin at this byte.
    Done(u64),
}

/// A step along the chain.
#[derive(Debug)]
pub(super) enum Step {
    /// A block header at this byte, and the encoding of the data in a pre-release file.
    Block(u64, block::Header, Option<Encoding>),
    /// No block yet.
    Nothing,
}

impl Chain {
    /// Makes the chain of blocks of a file of `len` bytes, from the byte `start` on.
    pub(super) fn new(len: u64, start: u64, draft: Option<Draft>) -> Self {
        Self { len, state: State::Search(start), draft, count: 0, is_doubtful: false }
    }

    /// Whether a block may have been missed so far.
    ///
    /// That is so if the bytes before the first block are not blank, or if neither the block index nor the end of the file
    /// follows the last block.
    pub(super) fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    fn begins_block(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC) || (self.draft.is_some() && dialect::begins_block(bytes))
    }

    fn header(&self, bytes: &[u8], at: u64) -> Result<(block::Header, Option<Encoding>)> {
        match &self.draft {
            Some(draft) => draft.block(self.count, bytes, at, self.len),
            None => block::Header::parse(bytes, at).map(|header| (header, None)),
        }
    }

    /// The range of bytes that [`take`](Self::take) needs. `None` at the end of the chain.
    pub(super) fn need(&self) -> Option<Range<u64>> {
        match self.state {
            State::Search(at) => Some(at..at.saturating_add(WINDOW).min(self.len)),
            State::At(at) | State::Broken(at) => {
                Some(at..at.saturating_add(block::Header::LEN as u64).min(self.len))
            }
            State::Done(_) => None,
        }
    }

    /// Whether [`take`](Self::take) also accepts the first of the needed bytes, without the rest.
    pub(super) fn takes_fewer(&self) -> bool {
        matches!(self.state, State::Search(_))
    }

    /// The byte after the last block, once the chain has ended or cannot be followed.
    pub(super) fn end(&self) -> Option<u64> {
        match self.state {
            State::Done(at) | State::Broken(at) => Some(at),
            _ => None,
        }
    }

    /// Takes the needed bytes. The error of a damaged header comes again each time.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Step> {
        match self.state {
            State::Search(at) => {
                let found = find_block(bytes, self.draft.is_some());
                let at_end = at + bytes.len() as u64 >= self.len;
                let searched = match found {
                    Some(found) => found,
                    None if at_end => bytes.len(),
                    // A magic can begin in the last three bytes.
                    None => bytes.len().saturating_sub(3).max(1),
                };
                let before = bytes.get(..searched).unwrap_or_default();
                self.is_doubtful |= !before.iter().all(|byte| is_blank(*byte));
                self.state = match found {
                    Some(found) => State::At(at + found as u64),
                    None if at_end => State::Done(at),
                    None => State::Search(at + searched as u64),
                };
                Ok(Step::Nothing)
            }
            State::At(at) | State::Broken(at) if self.begins_block(bytes) => {
                let (header, encoding) = self.header(bytes, at).inspect_err(|_| {
                    self.state = State::Broken(at);
                    self.is_doubtful = true;
                })?;
                self.count += 1;
                self.state = match header.end(at) {
                    Ok(Some(end)) if end <= self.len => State::At(end),
                    // A streamed block extends to the end of the file.
                    Ok(None) => State::Done(self.len),
                    // After a block that claims to end after the file no other can be found.
                    Ok(Some(_)) | Err(_) => {
                        self.is_doubtful = true;
                        State::Done(self.len)
                    }
                };
                Ok(Step::Block(at, header, encoding))
            }
            State::At(at) | State::Broken(at) | State::Done(at) => {
                self.is_doubtful |= !bytes.is_empty() && !bytes.starts_with(index::HEADER);
                self.state = State::Done(at);
                Ok(Step::Nothing)
            }
        }
    }
}

/// Whether a byte before the first block does not need a reason.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "a window fits any memory")]
mod tests {
    use super::*;

    fn scan(bytes: &[u8], limit: u64) -> Result<Front> {
        let mut scanner = FrontScanner::new(bytes.len() as u64, limit);
        for _ in 0..100 {
            let need = scanner.need();
            let window = &bytes[usize::try_from(need.start).unwrap()..usize::try_from(need.end).unwrap()];
            if let Some(front) = scanner.take(window)? {
                return Ok(front);
            }
        }
        panic!("the scanner does not end");
    }

    #[test]
    fn the_end_of_the_tree_is_found_across_windows() {
        for padding in [0, 10, WINDOW as usize - 40, WINDOW as usize - 25, WINDOW as usize, 300_000] {
            for (mark, more) in [("\n...\n", 5), ("\r\n...\r\n", 7), ("\n...", 4)] {
                let text = format!("#ASDF 1.0.0\n%YAML 1.1\n---\na: {}{mark}", "x".repeat(padding));
                let front = scan(text.as_bytes(), 1 << 30).unwrap();
                assert_eq!(front.tree, Some(12..text.len() as u64), "{padding} {more}");
                assert_eq!(front.tree_line, 2);
            }
        }
    }

    #[test]
    fn a_tree_without_end_is_an_error() {
        let error = scan(b"#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\n... x\n", 1 << 30).unwrap_err();
        assert!(
            error.to_string().contains("expected a line `...` after the tree, but the file ends"),
            "{error}"
        );
        let error = scan(b"#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\n\xd3BLK\n...\n", 1 << 30).unwrap_err();
        assert!(error.to_string().contains("a block begins at byte 31"), "{error}");
        let long = format!("#ASDF 1.0.0\n%YAML 1.1\n---\n{}\n...\n", "a".repeat(1 << 20));
        assert_eq!(scan(long.as_bytes(), 1 << 16).unwrap_err().kind(), crate::error::Kind::Limit);
    }

    #[test]
    fn blocks_are_followed_over_padding() {
        let block = |used: u64, allocated: u64| {
            let mut bytes = block::Header {
                header_size: 48,
                flags: 0,
                compression: block::Label::NONE,
                allocated_size: allocated,
                used_size: used,
                data_size: used,
                checksum: [0; 16],
            }
            .emit();
            bytes.extend(std::iter::repeat_n(7, usize::try_from(allocated).unwrap()));
            bytes
        };
        for padding in [0, 1, 3, WINDOW as usize - 2, WINDOW as usize] {
            let mut bytes = vec![b' '; padding];
            bytes.extend(block(3, 10));
            bytes.extend(block(5, 5));
            bytes.extend(b"#ASDF BLOCK INDEX\n");
            let mut chain = Chain::new(bytes.len() as u64, 0, None);
            let mut offsets = Vec::new();
            while let Some(need) = chain.need() {
                let window = &bytes[usize::try_from(need.start).unwrap()..usize::try_from(need.end).unwrap()];
                if let Step::Block(at, _, _) = chain.take(window).unwrap() {
                    offsets.push(at);
                }
            }
            let padding = padding as u64;
            assert_eq!(offsets, [padding, padding + 64]);
            assert_eq!(chain.end(), Some(padding + 64 + 59));
        }
    }

    #[test]
    fn a_damaged_header_is_an_error_each_time() {
        let short = [MAGIC.as_slice(), &4_u16.to_be_bytes(), &[0; 60]].concat();
        let mut chain = Chain::new(short.len() as u64, 0, None);
        assert!(matches!(chain.take(&short), Ok(Step::Nothing)));
        let errors: Vec<String> = (0..3)
            .map(|_| {
                let need = chain.need().unwrap();
                let need = usize::try_from(need.start).unwrap()..usize::try_from(need.end).unwrap();
                chain.take(&short[need]).unwrap_err().to_string()
            })
            .collect();
        assert!(errors[0].contains("block header"), "{errors:?}");
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
        assert_eq!((chain.end(), chain.is_doubtful()), (Some(0), true));
    }

    const START: &str = "#ASDF 1.0.0\n";

    /// Takes the needed bytes.
    fn take(scanner: &mut FrontScanner, bytes: &[u8]) -> Result<Option<Front>> {
        let need = scanner.need();
        scanner.take(&bytes[usize::try_from(need.start).unwrap()..usize::try_from(need.end).unwrap()])
    }

    #[test]
    fn a_long_header_is_read_up_to_a_limit() {
        let header = |comment: usize| format!("{START}#{}\n%YAML 1.1\n--- 1\n...\n", "-".repeat(comment));
        let front = scan(header(3 << 20).as_bytes(), 1000).unwrap();
        assert_eq!((front.tree_line, front.tree.unwrap().end), (3, (3 << 20) + 34));
        let error = scan(header(5 << 20).as_bytes(), 1000).unwrap_err();
        assert_eq!(error.message(), "the header is larger than the limit of 4194304 bytes");
    }

    /// A window grows to half of what was read before.
    #[test]
    fn a_long_tree_is_read_in_growing_windows() {
        let text = format!("{START}%YAML 1.1\n--- {}\n...\n", "x".repeat(400_000));
        let mut scanner = FrontScanner::new(text.len() as u64, 1 << 30);
        let mut needs = Vec::new();
        loop {
            needs.push(scanner.need());
            if take(&mut scanner, text.as_bytes()).unwrap().is_some() {
                break;
            }
        }
        let overlapping = |from: u64, to: u64| from - 8..to;
        let (third, fourth) = (196_608 + (196_608 - 12) / 2, 294_906 + (294_906 - 12) / 2);
        let expected = [
            0..65_536,
            overlapping(65_536, 131_072),
            overlapping(131_072, 196_608),
            overlapping(196_608, third),
            overlapping(third, (text.len() as u64).min(fourth)),
        ];
        assert_eq!(needs, expected);
    }

    #[test]
    fn no_more_of_a_tree_is_read_than_its_limit() {
        let text = format!("{START}%YAML 1.1\n--- {}\n...\n", "x".repeat(400_000));
        let start = START.len() as u64;
        for (limit, windows) in [(WINDOW - start - 1, 1), (WINDOW - start, 2), (2 * WINDOW - start, 3)] {
            let mut scanner = FrontScanner::new(text.len() as u64, limit);
            for _ in 1..windows {
                assert!(take(&mut scanner, text.as_bytes()).unwrap().is_none(), "{limit}");
            }
            let error = take(&mut scanner, text.as_bytes()).unwrap_err();
            assert_eq!(error.code(), Some(Code::TreeSize), "{limit}");
        }
    }

    #[test]
    fn a_mark_at_the_end_of_a_window_is_not_the_end_of_the_tree() {
        let begin = format!("{START}%YAML 1.1\n---\n");
        for shift in 0..8 {
            let filling = "x".repeat(usize::try_from(WINDOW).unwrap() - begin.len() - shift);
            let text = format!("{begin}{filling}\n...x\n...\n");
            let front = scan(text.as_bytes(), 1 << 30).unwrap();
            assert_eq!(front.tree.unwrap().end, text.len() as u64, "{shift}");
        }
    }
}

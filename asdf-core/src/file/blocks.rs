//! The blocks of a file, located and read on first use.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::block::FileBlock;
use super::contained::Contained;
use super::external;
use super::indexed_blocks::{self, IndexedBlocks};
use super::layout::{Chain, Step};
use super::readahead::ReadAhead;
use super::reading::Reading;
use crate::block::{Header, index};
use crate::dialect::Draft;
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::threads::Threads;
use crate::tree::{Block, Blocks};

/// The state of the block index at the end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    /// The file has no block index.
    Absent,
    /// The index gives the offset of every block.
    Right,
    /// The block index is damaged or lists other offsets. It is ignored.
    Wrong,
}

/// All blocks of a file.
pub(super) struct FileBlocks {
    reading: Arc<Reading>,
    is_draft: bool,
    /// The byte from which blocks can be found.
    start: u64,
    chain: Mutex<Walked>,
    externals: Mutex<HashMap<String, Arc<FileBlock>>>,
    contained: Option<Contained>,
}

/// The chain of blocks, as far as it was followed.
struct Walked {
    chain: Chain,
    ahead: ReadAhead,
    blocks: Vec<Arc<FileBlock>>,
    index: Index,
    /// The offset of the first block beyond the limit.
    beyond: Option<u64>,
    /// Whether blocks that are not where the index expects them were reported.
    is_reported: bool,
    /// Whether it was checked that no block before another one was missed.
    are_numbers_right: bool,
    /// Whether the headers of all blocks in the block index were read together.
    are_headers_read: bool,
}

/// What the chain is followed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum With {
    /// Only the bytes that were read before.
    KnownBytes,
    /// Reads of the source.
    Reads,
}

/// What is known about the block index.
enum Index {
    Unread,
    Believed(IndexedBlocks),
    Unusable,
}

impl FileBlocks {
    pub(super) fn new(reading: Reading, start: u64, draft: Option<Draft>) -> Self {
        let is_draft = draft.is_some();
        let chain = Chain::new(reading.source.len(), start, draft);
        Self {
            reading: Arc::new(reading),
            is_draft,
            start,
            chain: Mutex::new(Walked {
                chain,
                ahead: ReadAhead::default(),
                blocks: Vec::new(),
                index: Index::Unread,
                beyond: None,
                is_reported: false,
                are_numbers_right: false,
                are_headers_read: false,
            }),
            externals: Mutex::default(),
            contained: None,
        }
    }

    /// Sets the container of the file.
    pub(super) fn within(mut self, contained: Option<Contained>) -> Self {
        self.contained = contained;
        self
    }

    /// The container of the file, and the arrays in it.
    pub(super) fn contained(&self) -> Option<&Contained> {
        self.contained.as_ref()
    }

    /// How the blocks are read.
    pub(super) fn reading(&self) -> &Arc<Reading> {
        &self.reading
    }

    /// Whether the file has the pre-release format.
    pub(super) fn is_draft(&self) -> bool {
        self.is_draft
    }

    /// The byte from which blocks can be found: the end of the tree.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Takes bytes from an offset on, which are then not read again to find blocks.
    pub(super) fn begin(&self, start: u64, bytes: Bytes) {
        self.lock().ahead.begin(start, bytes);
    }

    fn lock(&self) -> MutexGuard<'_, Walked> {
        self.chain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the chain to its end.
    fn walk(&self) -> Result<MutexGuard<'_, Walked>> {
        let mut walked = self.lock();
        self.follow_all(&mut walked)?;
        Ok(walked)
    }

    fn follow_all(&self, walked: &mut Walked) -> Result<()> {
        if self.reading.source.cost().is_high() {
            self.read_headers(walked)?;
        }
        self.follow(walked, usize::MAX, With::Reads)
    }

    /// Reads the headers of all blocks in the block index together, to follow the chain without more reads.
    ///
    /// Where the index is wrong, the chain reads the headers.
    fn read_headers(&self, walked: &mut Walked) -> Result<()> {
        if self.is_draft || walked.are_headers_read {
            return Ok(());
        }
        self.follow(walked, 0, With::Reads)?;
        let Some(last) = walked.blocks.last() else { return Ok(()) };
        let source = self.reading.source.as_ref();
        let Some((_, offsets)) = indexed_blocks::tail(source, last.offset())? else { return Ok(()) };
        let most = usize::try_from(self.reading.limits.blocks).unwrap_or(usize::MAX);
        let header = |at: u64| at..at.saturating_add(Header::LEN as u64);
        let ranges = offsets.into_iter().take(most).map(header);
        let ranges = ranges.filter(|range| range.end <= source.len() && walked.ahead.held(range).is_none());
        let ranges: Vec<_> = ranges.collect();
        for (range, bytes) in ranges.iter().zip(source.read_many(&ranges)?) {
            walked.ahead.keep(range.start, bytes);
        }
        walked.are_headers_read = true;
        Ok(())
    }

    fn follow(&self, walked: &mut Walked, wanted: usize, with: With) -> Result<()> {
        while walked.blocks.len() <= wanted {
            if let Some(at) = walked.beyond {
                return Err(self.too_many(at));
            }
            let Some(need) = walked.chain.need() else { break };
            let known = if walked.chain.takes_fewer() { walked.ahead.first(&need) } else { None };
            let bytes = match known {
                Some(bytes) => bytes,
                None if with == With::KnownBytes && walked.ahead.held(&need).is_none() => break,
                None => walked.ahead.read(self.reading.source.as_ref(), need)?,
            };
            let found = walked.chain.take(&bytes).map_err(|error| self.reading.named(error))?;
            if let Step::Block(offset, header, encoding) = found {
                let number = walked.blocks.len();
                if number as u64 >= self.reading.limits.blocks {
                    walked.beyond = Some(offset);
                    return Err(self.too_many(offset));
                }
                if let Index::Believed(listed) = &walked.index {
                    if !listed.agrees(number, offset) {
                        walked.index = Index::Unusable;
                    }
                }
                let block = match &walked.index {
                    Index::Believed(listed) => listed.found(number).cloned(),
                    _ => None,
                };
                let block = block.unwrap_or_else(|| {
                    Arc::new(FileBlock::new(self.reading.clone(), number as u64, offset, header, encoding))
                });
                walked.blocks.push(block);
            }
        }
        Ok(())
    }

    /// Reads the block index, unless that is done.
    fn read_index(&self, walked: &mut Walked) -> Result<()> {
        if matches!(walked.index, Index::Unread) {
            // In a pre-release file the encoding of a block depends on the blocks before it, so the index does not help.
            self.follow(walked, 0, With::Reads)?;
            let first = walked.blocks.first().filter(|_| !self.is_draft).map(|block| block.offset());
            let listed =
                first.map(|first| IndexedBlocks::read(self.reading.source.as_ref(), first)).transpose()?;
            walked.index = listed.flatten().map_or(Index::Unusable, Index::Believed);
        }
        Ok(())
    }

    /// Looks up a block in the block index, if the index can be trusted.
    fn listed(&self, walked: &mut Walked, wanted: usize) -> Result<Option<Arc<FileBlock>>> {
        if wanted as u64 >= self.reading.limits.blocks {
            return Ok(None);
        }
        self.read_index(walked)?;
        let Index::Believed(listed) = &mut walked.index else { return Ok(None) };
        if let Some(block) = listed.found(wanted) {
            return Ok(Some(block.clone()));
        }
        match listed.block(self.reading.source.as_ref(), wanted)? {
            Some((offset, header)) => {
                let reading = self.reading.clone();
                let block = Arc::new(FileBlock::new(reading, wanted as u64, offset, header, None));
                listed.keep(wanted, block.clone());
                Ok(Some(block))
            }
            None => {
                // A block may exist without being listed, but a wrong entry makes the whole index doubtful.
                if wanted < listed.len() {
                    walked.index = Index::Unusable;
                }
                Ok(None)
            }
        }
    }

    fn too_many(&self, at: u64) -> Error {
        let error = Error::limit(format!("the file has more than {} blocks", self.reading.limits.blocks))
            .with_code(Code::Blocks)
            .at_offset(at)
            .with_hint(Hint::Raise { limit: LimitName::Blocks, from: self.reading.limits.blocks, to: None });
        self.reading.named(error)
    }

    /// Returns all blocks, in the order of the file.
    pub(super) fn all(&self) -> Result<Vec<Arc<FileBlock>>> {
        Ok(self.walk()?.blocks.clone())
    }

    /// Returns the blocks as far as they can be followed, and the byte where they end.
    pub(super) fn followed(&self) -> (Vec<Arc<FileBlock>>, u64) {
        let mut walked = self.lock();
        // A damaged header ends the chain.
        let _ = self.follow_all(&mut walked);
        let end = walked.chain.end().unwrap_or(self.reading.source.len());
        (walked.blocks.clone(), end)
    }

    pub(super) fn file_block(&self, number: u64) -> Result<Arc<FileBlock>> {
        /// If no more blocks than these are in between, they are followed and not looked up in the index.
        const NEAR: usize = 8;
        let wanted = usize::try_from(number).unwrap_or(usize::MAX);
        let mut walked = self.lock();
        // If a read takes long, only headers that were already read are followed.
        let is_high = self.reading.source.cost().is_high();
        if is_high {
            self.follow(&mut walked, wanted, With::KnownBytes)?;
        }
        let between = wanted.saturating_sub(walked.blocks.len());
        let is_far = match is_high {
            // An index that was read says where even the next block is.
            true => {
                between > 0 || (wanted >= walked.blocks.len() && matches!(walked.index, Index::Believed(_)))
            }
            false => between > NEAR,
        };
        if is_far {
            if let Some(block) = self.listed(&mut walked, wanted)? {
                return Ok(block);
            }
        }
        self.follow(&mut walked, wanted, With::Reads)?;
        walked.blocks.get(wanted).cloned().ok_or_else(|| {
            let count = walked.blocks.len();
            let error = Error::malformed(format!("block {number} does not exist: the file has {count}"))
                .with_code(Code::NoBlock)
                .with_hint("check whether the file is truncated");
            self.reading.named(error)
        })
    }

    /// Whether a block may have been missed so far. Returns true only once.
    pub(super) fn is_newly_doubtful(&self) -> bool {
        let mut walked = self.lock();
        walked.chain.is_doubtful() && !std::mem::replace(&mut walked.is_reported, true)
    }

    /// Whether the blocks are known to have the right numbers.
    pub(super) fn are_numbers_right(&self) -> bool {
        self.lock().are_numbers_right
    }

    /// Notes that the blocks have the right numbers.
    pub(super) fn believe_numbers(&self) {
        self.lock().are_numbers_right = true;
    }

    /// The state of the block index, which is searched in the first 16 MiB after the last block.
    pub(super) fn index(&self) -> Result<IndexState> {
        const MOST: u64 = 16 << 20;
        let walked = self.walk()?;
        let end = walked.chain.end().unwrap_or(self.reading.source.len());
        let tail = self.reading.source.read(end..self.reading.source.len().min(end.saturating_add(MOST)))?;
        let Some(at) = index::find(&tail) else { return Ok(IndexState::Absent) };
        let offsets: Vec<u64> = walked.blocks.iter().map(|block| block.offset()).collect();
        let listed = index::parse(tail.get(at..).unwrap_or_default());
        Ok(if listed.as_deref() == Some(&offsets) { IndexState::Right } else { IndexState::Wrong })
    }
}

impl fmt::Debug for FileBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reading.place.name() {
            Some(path) => write!(f, "FileBlocks({})", path.display()),
            None => f.write_str("FileBlocks(memory)"),
        }
    }
}

impl Blocks for FileBlocks {
    fn threads(&self) -> Threads {
        self.reading.threads()
    }

    fn most_repeated(&self) -> u64 {
        self.reading.limits.repeated_elements
    }

    fn count(&self) -> Result<u64> {
        Ok(self.walk()?.blocks.len() as u64)
    }

    fn block(&self, number: u64) -> Result<Arc<dyn Block>> {
        let found = self.file_block(number);
        self.report_missed();
        self.refuse_missed()?;
        Ok(found?)
    }

    fn prefetch(&self, numbers: &[u64]) -> Result<()> {
        let source = self.reading.source.as_ref();
        let Some(last) = numbers.iter().max().filter(|_| source.cost().is_high()) else { return Ok(()) };
        let mut walked = self.lock();
        self.follow(&mut walked, usize::try_from(*last).unwrap_or(usize::MAX), With::KnownBytes)?;
        let unknown = numbers.iter().filter_map(|&number| usize::try_from(number).ok());
        let unknown: Vec<usize> = unknown.filter(|&number| number >= walked.blocks.len()).collect();
        // Together with the index, two headers take as many reads as following the chain.
        if unknown.len() < 2 {
            return Ok(());
        }
        self.read_index(&mut walked)?;
        let Index::Believed(listed) = &walked.index else { return Ok(()) };
        source.prefetch(&listed.headers(source, &unknown))
    }

    fn known(&self, number: u64) -> Option<Arc<dyn Block>> {
        let wanted = usize::try_from(number).ok()?;
        let walked = self.chain.try_lock().ok()?;
        if self.reading.checks.refuses() && !walked.are_numbers_right {
            return None;
        }
        let block = walked.blocks.get(wanted).or_else(|| match &walked.index {
            Index::Believed(listed) => listed.found(wanted),
            _ => None,
        });
        Some(block?.clone())
    }

    fn external(&self, uri: &str) -> Result<Arc<dyn Block>> {
        if let Some(contained) = &self.contained {
            if let Some(block) = contained.block(uri, &self.reading)? {
                return Ok(block);
            }
        }
        Ok(self.external_block(uri)?)
    }

    fn is_contained(&self, uri: &str) -> bool {
        // An array that is missing in the container is not elsewhere either.
        self.contained.as_ref().is_some_and(|own| !matches!(own.container.array(uri), Ok(None)))
    }
}

impl FileBlocks {
    /// The first block of the other file with this URI.
    pub(super) fn external_block(&self, uri: &str) -> Result<Arc<FileBlock>> {
        if let Some(contained) = &self.contained {
            if contained.container.array(uri).map_err(|error| self.reading.named(error))?.is_some() {
                let (uri, format) = (uri.escape_debug(), contained.container.format());
                let message = format!("the data is in '{uri}' of the {format} file, not in a block");
                return Err(self.reading.named(Error::unsupported(message)));
            }
        }
        let mut externals = self.externals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = externals.get(uri) {
            return Ok(block.clone());
        }
        let block = external::first_block(uri, &self.reading)?;
        externals.insert(uri.to_owned(), block.clone());
        Ok(block)
    }
}

//! The blocks of a file, found and read when they are asked for.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;

use super::layout::{Chain, Step};
use super::listed::Listed;
use super::{Limits, OpenOptions, external};
use crate::block::codec::Codecs;
use crate::block::{self, Checksum, Label, index};
use crate::dialect::{Draft, Encoding};
use crate::error::{Error, Kind, Result};
use crate::source::Source;
use crate::tree::{Block, Blocks, Stored};

/// One block of a file.
#[derive(Debug)]
pub struct FileBlock {
    source: Arc<dyn Source>,
    file: Option<PathBuf>,
    number: u64,
    offset: u64,
    header: block::Header,
    /// How a draft encodes the data, where it does.
    encoding: Option<Encoding>,
    limits: Limits,
    check: bool,
    codecs: Codecs,
    /// The data of a compressed block, kept once all of it was decoded.
    decoded: OnceLock<Bytes>,
    /// The part that was decoded last, where parts can be: who reads row by row comes back to it.
    piece: Mutex<Option<(u64, Bytes)>>,
    checked: OnceLock<()>,
}

impl FileBlock {
    /// The number of the block, from 0.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where its header begins in the file, in bytes.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Its header as it stands in the file.
    #[must_use]
    pub fn header(&self) -> &block::Header {
        &self.header
    }

    pub(super) fn source(&self) -> &dyn Source {
        self.source.as_ref()
    }

    fn place(&self, error: Error) -> Error {
        let error = error.at_offset(self.offset);
        match &self.file {
            Some(file) => error.at_file(file),
            None => error,
        }
    }

    /// The range of the stored bytes in the file, after all checks of the header.
    pub(super) fn stored_range(&self) -> Result<Range<u64>> {
        self.header
            .stored(self.offset, self.source.len())
            .map_err(|error| self.told(&error).with_hint("the file may be cut short or damaged"))
    }

    /// The stored bytes, encoded as they are.
    ///
    /// # Errors
    /// When the header contradicts itself or the file, or the source cannot be read.
    pub fn stored_bytes(&self) -> Result<Bytes> {
        self.source.read(self.stored_range()?)
    }

    /// Refuses to decode what is larger than allowed.
    fn check_size(&self) -> Result<()> {
        let size = self.header.data_size;
        if size <= self.limits.decoded_size {
            return Ok(());
        }
        Err(self.place(
            Error::limit(format!(
                "block {} says that it decodes to {size} bytes; at most {} are decoded",
                self.number, self.limits.decoded_size
            ))
            .with_hint("raise `Limits::decoded_size` for files that you trust"),
        ))
    }

    /// All of the data. `stored` is where the stored bytes are in the file.
    pub(super) fn decode(&self, stored: Range<u64>) -> Result<Bytes> {
        self.check_size()?;
        let size = self.header.data_size;
        if let Some(encoding) = &self.encoding {
            let bytes = encoding.decode(&self.source.read(stored)?, size, self.limits.decoded_size);
            return bytes.map(Bytes::from).map_err(|error| self.told(&error));
        }
        let window = Window { source: self.source.as_ref(), range: stored };
        let codec = self.codecs.find(self.header.compression);
        let bytes = codec.and_then(|codec| codec.decode_from(&window, size, self.codecs.threads));
        match bytes {
            Ok(bytes) if bytes.len() as u64 == size => Ok(bytes),
            Ok(bytes) => Err(self.told(&Error::malformed(format!(
                "the codec for {} decoded it to {} bytes, expected {size}",
                self.header.compression,
                bytes.len()
            )))),
            Err(error) => Err(self.told(&error)),
        }
    }

    /// The decoded bytes at a range, without decoding all; `None` if that cannot be, or is not worth
    /// it. `stored` is where the stored bytes are in the file.
    fn decode_range(&self, stored: &Range<u64>, range: &Range<u64>) -> Result<Option<Bytes>> {
        let size = self.header.data_size;
        const KEPT: usize = 16 << 20;
        // Who wants half of it is likely to want the rest.
        if range.end - range.start > size / 2 || self.encoding.is_some() {
            return Ok(None);
        }
        let inside = |start: u64, bytes: &Bytes| {
            let from = usize::try_from(range.start.checked_sub(start)?).ok()?;
            let to = usize::try_from(range.end.checked_sub(start)?).ok()?;
            (to <= bytes.len()).then(|| bytes.slice(from..to))
        };
        let last = || self.piece.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = last().as_ref().and_then(|(start, bytes)| inside(*start, bytes)) {
            return Ok(Some(found));
        }
        self.check_size()?;
        let window = Window { source: self.source.as_ref(), range: stored.clone() };
        let codec = self.codecs.find(self.header.compression);
        let piece = codec.and_then(|codec| codec.decode_range(&window, size, range.clone()));
        let Some(piece) = piece.map_err(|error| self.told(&error))? else { return Ok(None) };
        let bytes = Bytes::from(piece.data);
        let found = inside(piece.start, &bytes).ok_or_else(|| {
            self.told(&Error::malformed(format!(
                "the codec for {} did not decode the bytes {} to {}",
                self.header.compression, range.start, range.end
            )))
        })?;
        if bytes.len() <= KEPT {
            *last() = Some((piece.start, bytes));
        }
        Ok(Some(found))
    }

    /// An error about this block: which one, and where it is.
    fn told(&self, error: &Error) -> Error {
        let told = Error::new(error.kind(), format!("block {}: {}", self.number, error.message()));
        self.place(match error.hint() {
            Some(hint) => told.with_hint(hint),
            None => told,
        })
    }

    pub(super) fn matching(&self, found: Checksum) -> Result<Checksum> {
        if found.is_ok() {
            return Ok(found);
        }
        Err(self.place(Error::malformed(format!("block {}: {found}", self.number)).with_hint(
            "the data was damaged, or written by a program that computes checksums in another way",
        )))
    }

    /// Where the stored bytes are, if a range lies in the data, which is checked where that is asked for.
    fn inside(&self, range: &Range<u64>) -> Result<Range<u64>> {
        let stored = self.stored_range()?;
        self.checked()?;
        if range.start > range.end || range.end > self.size() {
            return Err(self.beyond(range));
        }
        Ok(stored)
    }

    fn beyond(&self, range: &Range<u64>) -> Error {
        self.place(Error::malformed(format!(
            "the bytes {} to {} of block {} were asked for, which has {}",
            range.start,
            range.end,
            self.number,
            self.size()
        )))
    }

    fn checked(&self) -> Result<()> {
        if self.check && self.checked.get().is_none() {
            self.matching(self.checksum()?)?;
            let _ = self.checked.set(());
        }
        Ok(())
    }
}

impl Block for FileBlock {
    fn size(&self) -> u64 {
        if self.header.streamed() {
            let start = self.header.data_offset(self.offset).unwrap_or(u64::MAX);
            return self.source.len().saturating_sub(start);
        }
        self.header.data_size
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let stored = self.inside(&range)?;
        if self.header.compression.is_none() {
            return self.source.read(stored.start + range.start..stored.start + range.end);
        }
        let data = match self.decoded.get() {
            Some(data) => data,
            None => {
                if let Some(found) = self.decode_range(&stored, &range)? {
                    return Ok(found);
                }
                let data = self.decode(stored)?;
                self.decoded.get_or_init(|| data)
            }
        };
        match (usize::try_from(range.start), usize::try_from(range.end)) {
            (Ok(start), Ok(end)) if end <= data.len() => Ok(data.slice(start..end)),
            _ => Err(self.beyond(&range)),
        }
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = offset..offset.saturating_add(out.len() as u64);
        if self.header.compression.is_none() {
            let stored = self.inside(&range)?;
            return self.source.read_into(stored.start + offset, out);
        }
        out.copy_from_slice(&self.read(range)?);
        Ok(())
    }

    fn is_at_hand(&self) -> bool {
        // What is compressed is decoded whole, and kept.
        !self.header.compression.is_none() || self.source.lends()
    }

    fn stored(&self) -> Result<Stored> {
        if let Some(encoding) = &self.encoding {
            let label = encoding.label(&self.stored_bytes()?).bytes();
            return Ok(Stored::Plain { bytes: self.read(0..self.size())?, label, level: None, chunk: None });
        }
        let range = self.stored_range()?;
        Ok(Stored::InPlace {
            size: range.end - range.start,
            label: self.header.compression.bytes(),
            data_size: self.size(),
            checksum: if self.header.streamed() { [0; 16] } else { self.header.checksum },
        })
    }

    fn decoded(&self) -> Result<Bytes> {
        if self.header.compression.is_none() || self.decoded.get().is_some() {
            return self.read(0..self.size());
        }
        self.checked()?;
        self.decode(self.stored_range()?)
    }

    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        let stored = self.stored_range()?;
        let at = |offset: u64| stored.start.checked_add(offset).filter(|&at| at <= stored.end);
        match (at(range.start), at(range.end)) {
            (Some(start), Some(end)) => self.source.read(start..end),
            _ => Err(self.place(Error::usage(format!(
                "the stored bytes {} to {} of block {} were asked for, which has {}",
                range.start,
                range.end,
                self.number,
                stored.end - stored.start
            )))),
        }
    }
}

/// The stored bytes of a block as a source of their own.
#[derive(Debug)]
struct Window<'s> {
    source: &'s dyn Source,
    range: Range<u64>,
}

impl Source for Window<'_> {
    fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    fn lends(&self) -> bool {
        self.source.lends()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        self.source.append(self.place(&range)?, bytes)
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.source.read(self.place(&range)?)
    }
}

impl Window<'_> {
    /// Where a range of the stored bytes is in the file.
    fn place(&self, range: &Range<u64>) -> Result<Range<u64>> {
        let place = |at: u64| self.range.start.checked_add(at).filter(|&at| at <= self.range.end);
        match (place(range.start), place(range.end)) {
            (Some(start), Some(end)) => Ok(start..end),
            _ => Err(Error::malformed(format!(
                "the stored bytes end at byte {}, but the bytes {} to {} are needed",
                self.len(),
                range.start,
                range.end
            ))),
        }
    }
}

/// What the end of a file says about where its blocks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    /// There is no block index.
    Absent,
    /// The index gives the offset of every block.
    Right,
    /// There is an index, but it is damaged or says something else. It is not used.
    Wrong,
}

/// All blocks of a file.
#[derive(Debug)]
pub(super) struct FileBlocks {
    source: Arc<dyn Source>,
    file: Option<PathBuf>,
    limits: Limits,
    check: bool,
    codecs: Codecs,
    is_draft: bool,
    chain: Mutex<Walked>,
    externals: Mutex<HashMap<String, Arc<FileBlock>>>,
}

/// As far as the chain of blocks was followed.
#[derive(Debug)]
struct Walked {
    chain: Chain,
    blocks: Vec<Arc<FileBlock>>,
    index: Index,
    /// The first block that is one too many.
    beyond: Option<u64>,
}

/// What is known of the index.
#[derive(Debug)]
enum Index {
    Unread,
    Believed(Listed),
    Unusable,
}

impl FileBlocks {
    pub(super) fn new(
        source: Arc<dyn Source>,
        file: Option<PathBuf>,
        start: u64,
        draft: Option<Draft>,
        limits: Limits,
        check: bool,
        codecs: Codecs,
    ) -> Self {
        let is_draft = draft.is_some();
        let chain = Chain::new(source.len(), start, draft);
        Self {
            source,
            file,
            limits,
            check,
            codecs,
            is_draft,
            chain: Mutex::new(Walked { chain, blocks: Vec::new(), index: Index::Unread, beyond: None }),
            externals: Mutex::default(),
        }
    }

    /// How to open another file as this one was opened.
    pub(super) fn options(&self) -> OpenOptions {
        OpenOptions::new().limits(self.limits).verify_checksums(self.check).codecs(self.codecs.clone())
    }

    pub(super) fn codecs(&self) -> &Codecs {
        &self.codecs
    }

    fn lock(&self) -> MutexGuard<'_, Walked> {
        self.chain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the chain until a block is known, or to its end.
    fn walk(&self, wanted: usize) -> Result<MutexGuard<'_, Walked>> {
        let mut walked = self.lock();
        self.follow(&mut walked, wanted)?;
        Ok(walked)
    }

    fn follow(&self, walked: &mut Walked, wanted: usize) -> Result<()> {
        while walked.blocks.len() <= wanted {
            if let Some(at) = walked.beyond {
                return Err(self.too_many(at));
            }
            let Some(need) = walked.chain.need() else { break };
            let bytes = self.source.read(need)?;
            let found = walked.chain.take(&bytes).map_err(|error| match &self.file {
                Some(file) => error.at_file(file),
                None => error,
            })?;
            if let Step::Block(offset, header, encoding) = found {
                let number = walked.blocks.len();
                if number as u64 >= self.limits.blocks {
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
                let block = block.unwrap_or_else(|| self.block_at(number, offset, header, encoding));
                walked.blocks.push(block);
            }
        }
        Ok(())
    }

    fn block_at(
        &self,
        number: usize,
        offset: u64,
        header: block::Header,
        encoding: Option<Encoding>,
    ) -> Arc<FileBlock> {
        Arc::new(FileBlock {
            source: self.source.clone(),
            file: self.file.clone(),
            number: number as u64,
            offset,
            header,
            encoding,
            limits: self.limits,
            check: self.check,
            codecs: self.codecs.clone(),
            decoded: OnceLock::new(),
            piece: Mutex::default(),
            checked: OnceLock::new(),
        })
    }

    /// A block far beyond those that were met, by the index, if there is one to be believed.
    fn listed(&self, walked: &mut Walked, wanted: usize) -> Result<Option<Arc<FileBlock>>> {
        if wanted as u64 >= self.limits.blocks {
            return Ok(None);
        }
        if matches!(walked.index, Index::Unread) {
            // What a draft says of its blocks depends on those before.
            self.follow(walked, 0)?;
            let first = walked.blocks.first().filter(|_| !self.is_draft).map(|block| block.offset);
            let listed = first.map(|first| Listed::read(self.source.as_ref(), first)).transpose()?;
            walked.index = listed.flatten().map_or(Index::Unusable, Index::Believed);
        }
        let Index::Believed(listed) = &mut walked.index else { return Ok(None) };
        if let Some(block) = listed.found(wanted) {
            return Ok(Some(block.clone()));
        }
        match listed.block(self.source.as_ref(), wanted)? {
            Some((offset, header)) => {
                let block = self.block_at(wanted, offset, header, None);
                listed.keep(wanted, block.clone());
                Ok(Some(block))
            }
            None => {
                // What it does not list may be there; what it lists wrongly makes all of it doubtful.
                if wanted < listed.len() {
                    walked.index = Index::Unusable;
                }
                Ok(None)
            }
        }
    }

    fn too_many(&self, at: u64) -> Error {
        let error = Error::limit(format!("the file has more than {} blocks", self.limits.blocks))
            .at_offset(at)
            .with_hint("raise `Limits::blocks` for files that you trust");
        match &self.file {
            Some(file) => error.at_file(file),
            None => error,
        }
    }

    /// All blocks, in the order of the file.
    pub(super) fn all(&self) -> Result<Vec<Arc<FileBlock>>> {
        Ok(self.walk(usize::MAX)?.blocks.clone())
    }

    pub(super) fn file_block(&self, number: u64) -> Result<Arc<FileBlock>> {
        /// So many blocks are rather followed than looked up.
        const NEAR: usize = 8;
        let wanted = usize::try_from(number).unwrap_or(usize::MAX);
        let mut walked = self.lock();
        if wanted.saturating_sub(walked.blocks.len()) > NEAR {
            if let Some(block) = self.listed(&mut walked, wanted)? {
                return Ok(block);
            }
        }
        self.follow(&mut walked, wanted)?;
        walked.blocks.get(wanted).cloned().ok_or_else(|| {
            let count = walked.blocks.len();
            let error = Error::malformed(format!("there is no block {number}: the file has {count}"))
                .with_hint("the file may be cut short");
            match &self.file {
                Some(file) => error.at_file(file),
                None => error,
            }
        })
    }

    /// What comes after the last block: up to 16 MiB of it are looked at.
    pub(super) fn index(&self) -> Result<IndexState> {
        const MOST: u64 = 16 << 20;
        let walked = self.walk(usize::MAX)?;
        let end = walked.chain.end().unwrap_or(self.source.len());
        let tail = self.source.read(end..self.source.len().min(end.saturating_add(MOST)))?;
        let Some(at) = index::find(&tail) else { return Ok(IndexState::Absent) };
        let offsets: Vec<u64> = walked.blocks.iter().map(|block| block.offset).collect();
        let listed = index::parse(tail.get(at..).unwrap_or_default());
        Ok(if listed.as_deref() == Some(&offsets) { IndexState::Right } else { IndexState::Wrong })
    }
}

impl Blocks for FileBlocks {
    fn count(&self) -> Result<u64> {
        Ok(self.walk(usize::MAX)?.blocks.len() as u64)
    }

    fn block(&self, number: u64) -> Result<Arc<dyn Block>> {
        Ok(self.file_block(number)?)
    }

    fn external(&self, uri: &str) -> Result<Arc<dyn Block>> {
        let mut externals = self.externals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = externals.get(uri) {
            return Ok(block.clone());
        }
        let Some(file) = &self.file else {
            return Err(Error::new(
                Kind::Unsupported,
                format!("the data is in '{}', but this file has no folder", uri.escape_debug()),
            )
            .with_hint("open the file by its path to read arrays of other files"));
        };
        let block = external::first_block(file, uri, &self.options())?;
        externals.insert(uri.to_owned(), block.clone());
        Ok(block)
    }
}

/// The label of a codec from what [`Stored`] says.
pub(super) fn label(bytes: [u8; 4]) -> Label {
    Label::new(bytes)
}

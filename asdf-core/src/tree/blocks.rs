//! The blocks that a tree refers to by number.

use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::NodeRef;
use crate::block::{Compression, Label};
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// The default limit on the bytes of repeated elements.
pub(crate) const REPEATED_ELEMENTS: u64 = 1 << 30;

/// The bytes of one block, in a file or in memory.
pub trait Block: Debug + Send + Sync {
    /// Returns the number of decoded bytes.
    fn size(&self) -> u64;

    /// Returns a range of the decoded bytes.
    ///
    /// Decodes no more than needed if the block allows that. The bytes are borrowed (reference counted) if
    /// they are in memory or mapped, and copied otherwise.
    ///
    /// # Errors
    /// Returns an error if the range is beyond [`size`](Self::size), the source cannot be read, or the stored
    /// bytes do not decode.
    fn read(&self, range: Range<u64>) -> Result<Bytes>;

    /// Returns several ranges of the decoded bytes, in the order of the ranges.
    ///
    /// A block of a remote file reads them with few requests. The default reads one after the other.
    ///
    /// # Errors
    /// Same as [`read`](Self::read), for the first range that fails.
    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        ranges.iter().map(|range| self.read(range.clone())).collect()
    }

    /// Fills `out` with the decoded bytes that start at an offset.
    ///
    /// Use it to read into a buffer that you already have. If the block is read by position and not
    /// compressed, no other memory is needed.
    ///
    /// # Errors
    /// Same as [`read`](Self::read). After an error the content of `out` is unspecified.
    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(&self.read(offset..offset.saturating_add(out.len() as u64))?);
        Ok(())
    }

    /// Returns whether reading more decoded bytes than needed costs nothing.
    ///
    /// That is so if they are in memory or mapped, or will be after the first read.
    fn is_at_hand(&self) -> bool {
        false
    }

    /// Returns whether a read takes much longer than its bytes, as for a remote file.
    ///
    /// One large read is then better than several small ones.
    fn is_remote(&self) -> bool {
        false
    }

    /// Returns the source of the block and the range of its bytes that a read of these decoded bytes needs, if reads of
    /// the source take long.
    ///
    /// Pass the ranges of several blocks to [`Source::prefetch`](crate::source::Source::prefetch) before their reads. The
    /// default, `None`, is for blocks whose reads are fast, and for those whose bytes are only known once a part is read.
    fn remote_part(&self, range: Range<u64>) -> Option<(Arc<dyn Source>, Range<u64>)> {
        let _ = range;
        None
    }

    /// Returns the maximum number of threads that reads of the block can use.
    ///
    /// The default is all. A block of a file uses the number given to
    /// [`OpenOptions::threads`](crate::OpenOptions::threads).
    fn threads(&self) -> Threads {
        Threads::ALL
    }

    /// Returns a few words for `Debug` and messages that say where the bytes are and how they are encoded,
    /// such as `block 3, zlib`.
    fn describe(&self) -> String {
        "memory".to_owned()
    }

    /// Returns what a writer stores for this block.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read.
    fn stored(&self) -> Result<Stored>;

    /// Returns all decoded bytes for a caller that needs them once.
    ///
    /// A block that caches what it decodes does not cache these.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    fn decoded(&self) -> Result<Bytes> {
        self.read(0..self.size())
    }

    /// Fills `out`, which has the size of the data, with all decoded bytes, for a caller that needs them once.
    ///
    /// As for [`decoded`](Self::decoded), they are not cached. If the codec allows that, no other memory is needed.
    ///
    /// # Errors
    /// Same as [`read`](Self::read). After an error the content of `out` is unspecified.
    fn decoded_into(&self, out: &mut [u8]) -> Result<()> {
        self.read_into(0, out)
    }

    /// Frees the decoded bytes that the block keeps for later reads, if its file keeps too many of them.
    ///
    /// Those are more than [`Limits::decoded_size`](crate::Limits::decoded_size). Call it after the last read. The default
    /// does nothing.
    fn release(&self) {}

    /// Compares the block with its checksum, and returns the error of a mismatch.
    ///
    /// Writers call it before they write the data with a new checksum, or without one. A block without a checksum has
    /// no mismatch. A block of a file that was opened with
    /// [`report_checksums`](crate::OpenOptions::report_checksums) also reports its mismatch, unless that is done.
    ///
    /// # Errors
    /// Returns an error if the stored bytes cannot be read. Fails with the mismatch if the file was opened with
    /// [`verify_checksums`](crate::OpenOptions::verify_checksums).
    fn damage(&self) -> Result<Option<Error>> {
        Ok(None)
    }

    /// Returns a range of the stored bytes of a block that is [`Stored::InPlace`].
    ///
    /// # Errors
    /// Same as [`read`](Self::read). Also returns an error if the block is stored in another way.
    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        let _ = range;
        Err(Error::usage("this block does not support reading its stored bytes in pieces"))
    }
}

/// The content that a writer stores after a block's header.
#[derive(Clone)]
#[non_exhaustive]
pub enum Stored {
    /// Bytes that are not encoded yet.
    Plain {
        /// The decoded bytes.
        bytes: Bytes,
        /// How to encode them.
        compression: Compression,
    },
    /// Encoded bytes that are copied unchanged.
    Encoded {
        /// The stored bytes.
        bytes: Bytes,
        /// The compression label.
        label: Label,
        /// The number of bytes after decoding.
        data_size: u64,
    },
    /// Encoded bytes that are copied unchanged from the source in pieces with [`Block::read_stored`], so that
    /// a large block is never completely in memory.
    InPlace {
        /// The number of stored bytes.
        size: u64,
        /// The compression label.
        label: Label,
        /// The number of bytes after decoding.
        data_size: u64,
        /// The checksum from the block's header; zeros if it has none.
        checksum: [u8; 16],
        /// The offset of the block's header in its file.
        offset: u64,
        /// The header's length after its first six bytes.
        header_size: u16,
    },
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain { bytes, .. } => write!(f, "Plain({} bytes)", bytes.len()),
            Self::Encoded { bytes, .. } => write!(f, "Encoded({} bytes)", bytes.len()),
            Self::InPlace { size, .. } => write!(f, "InPlace({size} bytes)"),
        }
    }
}

/// The blocks of one file.
pub trait Blocks: Debug + Send + Sync {
    /// Returns the number of blocks.
    ///
    /// # Errors
    /// Returns an error if the blocks have to be counted and the source cannot be read.
    fn count(&self) -> Result<u64>;

    /// Returns a block by its number, from 0. The same number always gives the same `Arc`.
    ///
    /// # Errors
    /// Returns an error if the block does not exist or its header cannot be read.
    fn block(&self, number: u64) -> Result<Arc<dyn Block>>;

    /// Announces blocks that are used next, so that their headers are read together if reads of the source take long.
    ///
    /// The default does nothing.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read.
    fn prefetch(&self, numbers: &[u64]) -> Result<()> {
        let _ = numbers;
        Ok(())
    }

    /// Returns a block by its number if its header was already read. Reads nothing and does not wait.
    fn known(&self, number: u64) -> Option<Arc<dyn Block>> {
        let _ = number;
        None
    }

    /// Returns the maximum number of threads that reads of the blocks can use. The default is all.
    fn threads(&self) -> Threads {
        Threads::ALL
    }

    /// Returns the limit on the bytes of elements that arrays read from the same bytes again and again.
    ///
    /// See [`ReadBudget`](crate::array::ReadBudget). The default is that of
    /// [`Limits::repeated_elements`](crate::Limits::repeated_elements).
    fn most_repeated(&self) -> u64 {
        REPEATED_ELEMENTS
    }

    /// Returns the first block of another file, given its URI relative to this one.
    ///
    /// # Errors
    /// Returns an error if the URI leads outside the folders that the file can refer to, or the other file
    /// cannot be read.
    fn external(&self, uri: &str) -> Result<Arc<dyn Block>>;

    /// Returns whether a URI names data of a file of another format that this one is in.
    ///
    /// The default is `false`.
    fn is_contained(&self, uri: &str) -> bool {
        let _ = uri;
        false
    }
}

/// The blocks of a tree: first those of the file it was read from, then those attached since.
#[derive(Clone, Default)]
pub struct BlockTable {
    file: Option<Arc<dyn Blocks>>,
    attached: Vec<Arc<dyn Block>>,
    /// The index of each attached block, by the address of its allocation.
    places: HashMap<usize, usize>,
}

impl BlockTable {
    /// Creates a table of a file's blocks.
    #[must_use]
    pub fn new(file: Arc<dyn Blocks>) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// Returns the blocks of the file that the tree was read from.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<dyn Blocks>> {
        self.file.as_ref()
    }

    /// Returns the number of blocks: those of the file and those attached.
    ///
    /// # Errors
    /// See [`Blocks::count`].
    pub fn count(&self) -> Result<u64> {
        Ok(self.file_count()? + self.attached.len() as u64)
    }

    /// Returns the maximum number of threads for the file's blocks.
    pub(crate) fn threads(&self) -> Threads {
        self.file.as_ref().map_or(Threads::ALL, |file| file.threads())
    }

    /// Returns the limit on repeated elements of the file's arrays.
    pub(crate) fn most_repeated(&self) -> u64 {
        self.file.as_ref().map_or(REPEATED_ELEMENTS, |file| file.most_repeated())
    }

    fn file_count(&self) -> Result<u64> {
        self.file.as_ref().map_or(Ok(0), |file| file.count())
    }

    /// Returns a block by the number in a node's `source`.
    ///
    /// Numbers count from 0. Negative numbers count from the end: -1 is the last block.
    ///
    /// # Errors
    /// Returns an error if the block does not exist or its header cannot be read.
    pub fn block(&self, source: i64) -> Result<Arc<dyn Block>> {
        let number = if source < 0 {
            let count = self.count()?;
            count.checked_sub(source.unsigned_abs()).ok_or_else(|| no_block(source, count))?
        } else {
            source.unsigned_abs()
        };
        // Counting can mean reading further, so ask the file first.
        let files = match &self.file {
            Some(file) if self.attached.is_empty() => return file.block(number),
            Some(file) => file.count()?,
            None => 0,
        };
        match (number.checked_sub(files), &self.file) {
            (None, Some(file)) => file.block(number),
            (index, _) => index
                .and_then(|index| self.attached.get(usize::try_from(index).ok()?))
                .cloned()
                .ok_or_else(|| no_block(source, files + self.attached.len() as u64)),
        }
    }

    /// Returns a block by the number in a node's `source` if its header was already read. Reads nothing.
    pub(crate) fn known(&self, source: i64) -> Option<Arc<dyn Block>> {
        match (&self.file, u64::try_from(source)) {
            (Some(file), Ok(number)) => file.known(number),
            (None, _) => self.block(source).ok(),
            _ => None,
        }
    }

    /// Attaches a block and returns its number.
    ///
    /// A block that is already attached (the same `Arc`) keeps its number.
    ///
    /// # Errors
    /// See [`Blocks::count`].
    pub fn attach(&mut self, block: Arc<dyn Block>) -> Result<u64> {
        let files = self.file_count()?;
        let address = Arc::as_ptr(&block).cast::<()>().addr();
        let next = self.attached.len();
        // Empty blocks can share an address, so compare the pointers too.
        let known = self.places.get(&address).copied();
        let known = known.filter(|&at| self.attached.get(at).is_some_and(|old| Arc::ptr_eq(old, &block)));
        let index = known.unwrap_or(next);
        if index == next {
            self.places.insert(address, next);
            self.attached.push(block);
        }
        Ok(files + index as u64)
    }

    /// Returns the number in this table of a block of another table, and attaches the block if needed.
    ///
    /// The number stays the same if both tables belong to the same file. A number without a block is returned
    /// unchanged.
    ///
    /// # Errors
    /// See [`Blocks::count`].
    pub fn adopt(&mut self, other: &Self, source: i64) -> Result<i64> {
        if self.is_empty() {
            self.clone_from(other);
            return Ok(source);
        }
        if self.agrees(other, source) {
            return Ok(source);
        }
        let Ok(block) = other.block(source) else { return Ok(source) };
        i64::try_from(self.attach(block)?).map_err(|_| Error::limit("too many blocks"))
    }

    /// Returns whether a number refers to the same block in both tables.
    fn agrees(&self, other: &Self, source: i64) -> bool {
        let same_file = match (&self.file, &other.file) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same_file
            && match (self.block(source), other.block(source)) {
                (Ok(a), Ok(b)) => Arc::ptr_eq(&a, &b),
                _ => false,
            }
    }

    fn is_empty(&self) -> bool {
        self.file.is_none() && self.attached.is_empty()
    }
}

impl Debug for BlockTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.is_some() { "a file's blocks and " } else { "" };
        write!(f, "BlockTable({file}{} in memory)", self.attached.len())
    }
}

fn no_block(source: i64, count: u64) -> Error {
    Error::malformed(format!("block {source} does not exist: the file has {count}"))
}

impl<'a> NodeRef<'a> {
    /// Returns the scalar of an ndarray node that refers to its block by number.
    #[must_use]
    pub fn block_reference(self) -> Option<NodeRef<'a>> {
        let name = self.tag()?.strip_prefix(super::ASDF_TAG)?;
        if !name.starts_with("core/ndarray-") {
            return None;
        }
        self.get("source").filter(|source| source.as_i64().is_some())
    }
}

//! The blocks that a tree refers to by number, without knowing where their bytes are.

use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::NodeRef;
use crate::block::{Compression, Label};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The bytes of one block, in a file or in memory.
pub trait Block: Debug + Send + Sync {
    /// The number of bytes after decoding.
    fn size(&self) -> u64;

    /// The decoded bytes at a range of them, and no more than needed where the block allows it.
    /// Borrowed (reference counted) where the bytes are in memory or mapped, else a copy.
    ///
    /// # Errors
    /// When the range is beyond [`size`](Self::size), the source cannot be read, or the stored bytes
    /// do not decode.
    fn read(&self, range: Range<u64>) -> Result<Bytes>;

    /// Copies the decoded bytes from an offset on over all of `out`: for who has a buffer to use
    /// again. Where the block is read by position and not compressed, it takes no memory of its own.
    ///
    /// # Errors
    /// As [`read`](Self::read); then what is in `out` is not said.
    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        out.copy_from_slice(&self.read(offset..offset.saturating_add(out.len() as u64))?);
        Ok(())
    }

    /// Whether the decoded bytes are in memory, mapped, or will be after the first read, so that
    /// reading more of them than is needed costs nothing.
    fn is_at_hand(&self) -> bool {
        false
    }

    /// Returns the maximum number of threads that reads of the block may work on: all by default, for a file's block
    /// those that [`OpenOptions::threads`](crate::OpenOptions::threads) was given.
    fn threads(&self) -> Threads {
        Threads::ALL
    }

    /// Where the bytes are and how they are encoded, in a few words such as `block 3, zlib`: for `Debug`
    /// and messages.
    fn describe(&self) -> String {
        "memory".to_owned()
    }

    /// The block as it is to be stored.
    ///
    /// # Errors
    /// When the source cannot be read.
    fn stored(&self) -> Result<Stored>;

    /// All of the decoded bytes, for one who needs them once: a block that keeps what it decodes
    /// does not keep it for this.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn decoded(&self) -> Result<Bytes> {
        self.read(0..self.size())
    }

    /// The stored bytes at a range of them, for blocks that are [`Stored::InPlace`].
    ///
    /// # Errors
    /// As [`read`](Self::read); also when the block is stored in another way.
    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        let _ = range;
        Err(Error::usage("the stored bytes of this block are not read in pieces"))
    }
}

/// What a writer puts after a block's header.
#[derive(Clone)]
#[non_exhaustive]
pub enum Stored {
    /// Bytes still to be encoded.
    Plain {
        /// The decoded bytes.
        bytes: Bytes,
        /// How to encode them.
        compression: Compression,
    },
    /// Bytes that were encoded before and are copied as they are.
    Encoded {
        /// The stored bytes.
        bytes: Bytes,
        /// The compression label.
        label: Label,
        /// The number of bytes after decoding.
        data_size: u64,
    },
    /// Bytes that are copied as they are, from where they are: [`Block::read_stored`] gives them
    /// piece by piece, so that a large block is never whole in memory.
    InPlace {
        /// The number of stored bytes.
        size: u64,
        /// The compression label.
        label: Label,
        /// The number of bytes after decoding.
        data_size: u64,
        /// The checksum that stands beside them; zeros for none.
        checksum: [u8; 16],
        /// Where the block's header begins in its file.
        offset: u64,
        /// The length of that header after its first six bytes.
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
    /// How many there are.
    ///
    /// # Errors
    /// When they have to be counted and the source cannot be read.
    fn count(&self) -> Result<u64>;

    /// A block by its number, from 0. The same number gives the same `Arc`.
    ///
    /// # Errors
    /// When there is no such block or its header cannot be read.
    fn block(&self, number: u64) -> Result<Arc<dyn Block>>;

    /// A block by its number, if its header was read already. Reads nothing and does not wait.
    fn known(&self, number: u64) -> Option<Arc<dyn Block>> {
        let _ = number;
        None
    }

    /// Returns the maximum number of threads that reads of the blocks may work on: all by default.
    fn threads(&self) -> Threads {
        Threads::ALL
    }

    /// The first block of another file, by its URI relative to this one.
    ///
    /// # Errors
    /// When the URI leads outside the folders that the file may name, or the other file cannot be read.
    fn external(&self, uri: &str) -> Result<Arc<dyn Block>>;
}

/// The blocks of a tree: those of the file that it was read from, then those attached since.
#[derive(Clone, Default)]
pub struct BlockTable {
    file: Option<Arc<dyn Blocks>>,
    attached: Vec<Arc<dyn Block>>,
    /// The place of each attached block, by the address that keeps it.
    places: HashMap<usize, usize>,
}

impl BlockTable {
    /// A table over a file's blocks.
    #[must_use]
    pub fn new(file: Arc<dyn Blocks>) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    /// The blocks of the file that the tree was read from.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<dyn Blocks>> {
        self.file.as_ref()
    }

    /// How many blocks there are, those of the file and those attached.
    ///
    /// # Errors
    /// See [`Blocks::count`].
    pub fn count(&self) -> Result<u64> {
        Ok(self.file_count()? + self.attached.len() as u64)
    }

    /// The threads of the file's blocks.
    pub(crate) fn threads(&self) -> Threads {
        self.file.as_ref().map_or(Threads::ALL, |file| file.threads())
    }

    fn file_count(&self) -> Result<u64> {
        self.file.as_ref().map_or(Ok(0), |file| file.count())
    }

    /// A block by the number that a node's `source` gives: from 0, or from the end when negative
    /// (-1 is the last).
    ///
    /// # Errors
    /// When there is no such block, or its header cannot be read.
    pub fn block(&self, source: i64) -> Result<Arc<dyn Block>> {
        let number = if source < 0 {
            let count = self.count()?;
            count.checked_sub(source.unsigned_abs()).ok_or_else(|| no_block(source, count))?
        } else {
            source.unsigned_abs()
        };
        // Without counting when the file knows the block: counting may mean reading on.
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

    /// A block by the number that a node's `source` gives, if its header was read already. Reads nothing.
    pub(crate) fn known(&self, source: i64) -> Option<Arc<dyn Block>> {
        match (&self.file, u64::try_from(source)) {
            (Some(file), Ok(number)) => file.known(number),
            (None, _) => self.block(source).ok(),
            _ => None,
        }
    }

    /// Adds a block and gives its number. A block that is attached already, the very same, keeps
    /// its number.
    ///
    /// # Errors
    /// See [`Blocks::count`].
    pub fn attach(&mut self, block: Arc<dyn Block>) -> Result<u64> {
        let files = self.file_count()?;
        let address = Arc::as_ptr(&block).cast::<()>().addr();
        let next = self.attached.len();
        // Blocks of no bytes may share an address: the place says which was meant.
        let known = self.places.get(&address).copied();
        let known = known.filter(|&at| self.attached.get(at).is_some_and(|old| Arc::ptr_eq(old, &block)));
        let index = known.unwrap_or(next);
        if index == next {
            self.places.insert(address, next);
            self.attached.push(block);
        }
        Ok(files + index as u64)
    }

    /// The number here of a block of another table: the same where both are of one file, else a
    /// new one. A number that leads to no block there is kept as it is.
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
        i64::try_from(self.attach(block)?).map_err(|_| Error::limit("there are too many blocks"))
    }

    /// Whether a number means the same block in both tables.
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
    Error::malformed(format!("there is no block {source}: the file has {count}"))
}

impl<'a> NodeRef<'a> {
    /// For an ndarray node, the scalar that names its block by number.
    #[must_use]
    pub fn block_reference(self) -> Option<NodeRef<'a>> {
        let name = self.tag()?.strip_prefix(super::ASDF_TAG)?;
        if !name.starts_with("core/ndarray-") {
            return None;
        }
        self.get("source").filter(|source| source.as_i64().is_some())
    }
}

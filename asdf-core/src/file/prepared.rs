//! A block on its way into a file.

use std::collections::VecDeque;
use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use bytes::Bytes;

use super::atomic::Output;
use super::blocks;
use super::encoder::Encoder;
use crate::block::codec::Encoding;
use crate::block::{self, Label, Md5, md5};
use crate::error::{Error, Result};
use crate::tree::{Block, Stored};

/// How much is written and hashed at a time. Blocks of no more are hashed before they are written.
/// Little in tests, so that they see what large blocks do.
const PIECE: u64 = if cfg!(test) { 1 << 11 } else { 1 << 20 };

/// How many pieces may wait to be hashed.
const WAITING: usize = 8;

/// Where the checksum stands in a block's header.
const CHECKSUM: u64 = 38;

/// A block whose stored size is known. Its bytes are in memory if they had to be encoded; else they
/// are read piece by piece while they are written.
#[derive(Debug)]
pub(super) struct Prepared {
    label: Label,
    data_size: u64,
    used: u64,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Memory(Bytes),
    InPlace(Arc<dyn Block>, [u8; 16]),
    /// Rows that are still to come: the block goes to the end of the file.
    Streamed,
}

/// Where a block goes, and how much space it gets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// Where its header begins in the file.
    pub(super) offset: u64,
    pub(super) header_size: u16,
    pub(super) allocated: u64,
    pub(super) checksum: bool,
}

impl Slot {
    /// Where the block ends.
    pub(super) fn end(&self) -> u64 {
        let header = block::Header::PREFIX as u64 + u64::from(self.header_size);
        self.offset.saturating_add(header).saturating_add(self.allocated)
    }
}

impl Prepared {
    /// Encodes a block, unless its bytes are encoded already and no other codec is asked for.
    pub(super) fn new(number: u64, block: &Arc<dyn Block>, encoder: &Encoder<'_>) -> Result<Self> {
        let stored = block.stored()?;
        let stored_label = match &stored {
            Stored::Plain { .. } => None,
            Stored::Encoded { label, .. } | Stored::InPlace { label, .. } => Some(*label),
        };
        let asked = encoder.wanted.filter(|wanted| stored_label != Some(wanted.label().bytes()));
        if let Some(wanted) = asked {
            let bytes = if let Stored::Plain { bytes, .. } = stored { bytes } else { block.decoded()? };
            let how = Encoding { level: wanted.level(), chunk: wanted.chunk(), ..Encoding::new() };
            return Self::encode(number, bytes, wanted.label(), &how, encoder);
        }
        Ok(match stored {
            Stored::Plain { bytes, label, level, chunk } => {
                let how = Encoding { level, chunk, ..Encoding::new() };
                return Self::encode(number, bytes, blocks::label(label), &how, encoder);
            }
            Stored::Encoded { bytes, label, data_size } => Self {
                label: blocks::label(label),
                data_size,
                used: bytes.len() as u64,
                body: Body::Memory(bytes),
            },
            Stored::InPlace { size, label, data_size, checksum } => Self {
                label: blocks::label(label),
                data_size,
                used: size,
                body: Body::InPlace(block.clone(), checksum),
            },
        })
    }

    fn encode(
        number: u64,
        bytes: Bytes,
        label: Label,
        how: &Encoding,
        encoder: &Encoder<'_>,
    ) -> Result<Self> {
        let data_size = bytes.len() as u64;
        let bytes = encoder.encode(number, bytes, label, how)?;
        Ok(Self { label, data_size, used: bytes.len() as u64, body: Body::Memory(bytes) })
    }

    /// The last block of a file, whose bytes come later.
    pub(super) fn streamed() -> Self {
        Self { label: Label::NONE, data_size: 0, used: 0, body: Body::Streamed }
    }

    /// The number of bytes to store.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// Whether its bytes are in memory.
    pub(super) fn is_here(&self) -> bool {
        !matches!(self.body, Body::InPlace(..))
    }

    /// Writes header, bytes and unused space; the writer stands at the slot's offset, and then at
    /// its end. The checksum of a large block in memory may come later.
    pub(super) fn write(&self, slot: Slot, out: &mut dyn Output) -> Result<Option<Later>> {
        let io = |error| Error::io("writing", error);
        let mut header = block::Header {
            header_size: slot.header_size,
            flags: if matches!(self.body, Body::Streamed) { block::Header::STREAMED } else { 0 },
            compression: self.label,
            allocated_size: slot.allocated,
            used_size: self.used,
            data_size: self.data_size,
            checksum: [0; 16],
        };
        let mut later = None;
        if self.used <= PIECE {
            let bytes = self.piece(0, self.used)?;
            if slot.checksum && !matches!(self.body, Body::Streamed) {
                header.checksum = self.told(md5(&bytes));
            }
            out.write_all(&header.emit()).map_err(io)?;
            out.write_all(&bytes).map_err(io)?;
        } else {
            out.write_all(&header.emit()).map_err(io)?;
            // Pieces of memory cost nothing while they wait; those of a file do.
            let waiting = if self.is_here() { usize::MAX } else { WAITING };
            let mut hasher = slot.checksum.then(|| Hasher::new(waiting));
            let mut at = 0;
            while at < self.used {
                let next = self.used.min(at + PIECE);
                let piece = self.piece(at, next)?;
                if let Some(hasher) = &mut hasher {
                    hasher.update(&piece);
                }
                out.write_all(&piece).map_err(io)?;
                at = next;
            }
            later = hasher.map(|hasher| Later { at: slot.offset + CHECKSUM, hasher: hasher.end() });
        }
        zeros(slot.allocated.saturating_sub(self.used), out)?;
        match later {
            Some(later) if !self.is_here() => {
                later.put(|found| self.told(found), out)?;
                Ok(None)
            }
            later => Ok(later),
        }
    }

    fn piece(&self, start: u64, end: u64) -> Result<Bytes> {
        match &self.body {
            Body::InPlace(block, _) => block.read_stored(start..end),
            Body::Memory(bytes) => {
                let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
                let range = range.filter(|&(start, end)| start <= end && end <= bytes.len());
                let (start, end) = range.ok_or_else(|| Error::usage("the block ends too early"))?;
                Ok(bytes.slice(start..end))
            }
            Body::Streamed => Ok(Bytes::new()),
        }
    }

    /// The checksum to write. That of a damaged block stays: with a new one the damage would look
    /// like data.
    fn told(&self, found: [u8; 16]) -> [u8; 16] {
        match &self.body {
            Body::InPlace(_, kept) if self.is_damaged(found) => *kept,
            _ => found,
        }
    }

    /// Whether the stored bytes are not those that the checksum beside them was made of, which may
    /// also be the decoded ones (Python's asdf before 5.3).
    fn is_damaged(&self, found: [u8; 16]) -> bool {
        let Body::InPlace(block, kept) = &self.body else { return false };
        *kept != [0; 16]
            && *kept != found
            && (self.label.is_none() || !block.decoded().is_ok_and(|data| md5(&data) == *kept))
    }
}

/// Writes so many zeros.
pub(super) fn zeros(count: u64, out: &mut dyn Output) -> Result<()> {
    const ZEROS: &[u8] = &[0; 1 << 16];
    let mut left = count;
    while left > 0 {
        let piece = usize::try_from(left).unwrap_or(usize::MAX).min(ZEROS.len());
        out.write_all(ZEROS.get(..piece).unwrap_or_default()).map_err(|error| Error::io("writing", error))?;
        left -= piece as u64;
    }
    Ok(())
}

/// A checksum that is to be written into a header when another thread has made it.
pub(super) struct Later {
    at: u64,
    hasher: Ended,
}

impl Later {
    /// Waits for the checksum and writes it; the writer stands where it stood.
    pub(super) fn finish(self, out: &mut dyn Output) -> Result<()> {
        self.put(|found| found, out)
    }

    fn put(self, told: impl FnOnce([u8; 16]) -> [u8; 16], out: &mut dyn Output) -> Result<()> {
        let io = |error| Error::io("writing", error);
        let found = match self.hasher {
            Ended::Done(digest) => digest,
            Ended::Running(handle) => {
                let failed = |_| Error::io("hashing a block", std::io::Error::other("the thread failed"));
                handle.join().map_err(failed)?
            }
        };
        let end = out.stream_position().map_err(io)?;
        out.seek(SeekFrom::Start(self.at)).map_err(io)?;
        out.write_all(&told(found)).map_err(io)?;
        out.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(())
    }
}

/// Checksums that other threads make while more blocks are written: as many as there are processors.
#[derive(Default)]
pub(super) struct Checksums {
    waiting: VecDeque<Later>,
}

impl Checksums {
    /// Adds one; waits for the oldest when there are too many.
    pub(super) fn add(&mut self, later: Option<Later>, out: &mut dyn Output) -> Result<()> {
        self.waiting.extend(later);
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        while self.waiting.len() > most {
            self.oldest(out)?;
        }
        Ok(())
    }

    /// Waits for all of them.
    pub(super) fn finish(mut self, out: &mut dyn Output) -> Result<()> {
        while !self.waiting.is_empty() {
            self.oldest(out)?;
        }
        Ok(())
    }

    fn oldest(&mut self, out: &mut dyn Output) -> Result<()> {
        self.waiting.pop_front().map_or(Ok(()), |later| later.finish(out))
    }
}

/// A digest that another thread makes while this one writes.
enum Hasher {
    Thread(Pieces, JoinHandle<[u8; 16]>),
    /// There are no threads to be had.
    Here(Md5),
}

/// The way to the other thread.
enum Pieces {
    Any(Sender<Bytes>),
    Few(SyncSender<Bytes>),
}

enum Ended {
    Running(JoinHandle<[u8; 16]>),
    Done([u8; 16]),
}

impl Hasher {
    /// A digest for which so many pieces may wait.
    fn new(waiting: usize) -> Self {
        let (pieces, receiver) = if waiting == usize::MAX {
            let (sender, receiver) = channel::<Bytes>();
            (Pieces::Any(sender), receiver)
        } else {
            let (sender, receiver) = sync_channel::<Bytes>(waiting);
            (Pieces::Few(sender), receiver)
        };
        let work = move || {
            let mut digest = Md5::new();
            for piece in receiver {
                digest.update(&piece);
            }
            digest.finish()
        };
        match std::thread::Builder::new().name("asdf checksum".to_owned()).spawn(work) {
            Ok(handle) => Self::Thread(pieces, handle),
            Err(_) => Self::Here(Md5::new()),
        }
    }

    fn update(&mut self, piece: &Bytes) {
        match self {
            // When the thread is gone, joining it tells.
            Self::Thread(Pieces::Any(sender), _) => drop(sender.send(piece.clone())),
            Self::Thread(Pieces::Few(sender), _) => drop(sender.send(piece.clone())),
            Self::Here(digest) => digest.update(piece),
        }
    }

    /// No more pieces come.
    fn end(self) -> Ended {
        match self {
            Self::Thread(_, handle) => Ended::Running(handle),
            Self::Here(digest) => Ended::Done(digest.finish()),
        }
    }
}

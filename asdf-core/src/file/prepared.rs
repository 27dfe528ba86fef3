//! A block on its way into a file.

use std::collections::VecDeque;
use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};

use bytes::Bytes;

use super::atomic::Output;
use super::encoder::Encoder;
use super::watch::Watch;
use crate::block::{self, Compression, Label, Md5, md5, md5_of};
use crate::error::{Error, Result};
use crate::threads::{JoinHandle, Threads};
use crate::tree::{Block, Stored};

/// How much is written and hashed at a time. Blocks of no more are hashed before they are written.
/// Little in tests, so that they see what large blocks do.
const PIECE: u64 = if cfg!(test) { 1 << 11 } else { 1 << 20 };

/// Blocks of so many bytes go to the disk while their checksums are made: that takes as long.
const MUCH: u64 = if cfg!(test) { 1 << 12 } else { 64 << 20 };

/// How many bytes of encoded blocks are held before the first of them is written.
const TOGETHER: u64 = 16 << 20;

/// How many blocks are hashed before the first of them is written: enough for the lanes of some processors.
const MANY: usize = 64;

/// How many pieces may wait to be hashed.
const WAITING: usize = 8;

/// How many pieces of a block that is being encoded may wait to be hashed: as many as are hashed while the block is
/// written.
const AHEAD: usize = 5;

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
    /// The checksum, where it was made before.
    digest: Option<[u8; 16]>,
    /// The checksum, where another thread began with it while the block was encoded.
    begun: Option<Ended>,
    /// Learns of bytes when they are written, unless it knows of them already.
    watch: Watch,
    /// On how many threads its checksum may be made.
    threads: Threads,
}

#[derive(Debug)]
enum Body {
    /// One after the other; one if they are no more than [`PIECE`].
    Memory(Vec<Bytes>),
    /// With the checksum, the offset and the `header_size` that it has in its file.
    InPlace(Arc<dyn Block>, [u8; 16], (u64, u16)),
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
    /// The next blocks to write, at least one if there is one: some dozens of small ones, whose checksums are made
    /// together, or some megabytes of those that have to be encoded. A stream needs the checksums of large blocks too
    /// before they are written.
    pub(super) fn some<'b>(
        blocks: &mut impl Iterator<Item = (u64, &'b Arc<dyn Block>)>,
        encoder: &Encoder<'_>,
        checksums: bool,
        stream: bool,
    ) -> Result<Vec<Self>> {
        let (mut some, mut size) = (Vec::new(), 0);
        while size < TOGETHER && some.len() < MANY {
            let Some((number, block)) = blocks.next() else { break };
            let prepared = Self::new(number, block, encoder, checksums)?;
            // What is not encoded takes no memory of its own.
            if !prepared.label.is_none() && prepared.is_here() {
                size += prepared.used.min(TOGETHER);
            }
            some.push(prepared);
        }
        if !checksums {
            return Ok(some);
        }
        let now = |block: &Self| if stream || block.used <= PIECE { block.memory() } else { None };
        let bodies: Vec<Bytes> = some.iter().filter_map(now).collect();
        let digests = md5_of(&bodies, encoder.threads());
        for (block, digest) in some.iter_mut().filter(|block| now(block).is_some()).zip(digests) {
            block.digest = Some(digest?);
        }
        Ok(some)
    }

    /// Its bytes, if they are in memory in one piece.
    fn memory(&self) -> Option<Bytes> {
        match &self.body {
            Body::Memory(pieces) if pieces.len() <= 1 => Some(pieces.first().cloned().unwrap_or_default()),
            _ => None,
        }
    }

    /// Encodes a block, unless its bytes are encoded already and no other codec is asked for; begins
    /// with the checksum meanwhile, if there is to be one soon.
    pub(super) fn new(
        number: u64,
        block: &Arc<dyn Block>,
        encoder: &Encoder<'_>,
        checksum: bool,
    ) -> Result<Self> {
        let stored = block.stored()?;
        let stored_label = match &stored {
            Stored::Plain { .. } => None,
            Stored::Encoded { label, .. } | Stored::InPlace { label, .. } => Some(*label),
        };
        let asked = encoder.wanted.filter(|wanted| stored_label != Some(wanted.label()));
        if let Some(wanted) = asked {
            let bytes = if let Stored::Plain { bytes, .. } = stored { bytes } else { block.decoded()? };
            return Self::encode(number, bytes, wanted, encoder, checksum);
        }
        Ok(match stored {
            Stored::Plain { bytes, compression } => {
                return Self::encode(number, bytes, compression, encoder, checksum);
            }
            Stored::Encoded { bytes, label, data_size } => Self {
                label,
                data_size,
                used: bytes.len() as u64,
                body: Body::Memory(vec![bytes]),
                digest: None,
                begun: None,
                watch: encoder.watch.clone(),
                threads: encoder.threads(),
            },
            Stored::InPlace { size, label, data_size, checksum, offset, header_size } => Self {
                label,
                data_size,
                used: size,
                body: Body::InPlace(block.clone(), checksum, (offset, header_size)),
                digest: None,
                begun: None,
                watch: encoder.watch.clone(),
                threads: encoder.threads(),
            },
        })
    }

    fn encode(
        number: u64,
        bytes: Bytes,
        compression: Compression,
        encoder: &Encoder<'_>,
        checksum: bool,
    ) -> Result<Self> {
        let label = compression.label();
        let data_size = bytes.len() as u64;
        // What is not encoded is hashed while it is written.
        let checksum = checksum && !label.is_none();
        let (mut pieces, mut used, mut hasher) = (Vec::new(), 0, None);
        // What is not encoded counts when it is written, the rest now: that is what takes time.
        let (now, later) = match label.is_none() {
            true => (Watch::default(), encoder.watch.clone()),
            false => (encoder.watch.clone(), Watch::default()),
        };
        encoder.encode(number, bytes, compression, &mut |piece: Bytes| {
            used += piece.len() as u64;
            now.add(piece.len() as u64);
            pieces.push(piece);
            if checksum && used > PIECE {
                let hashed = if hasher.is_some() { pieces.len() - 1 } else { 0 };
                // Who encodes faster than is hashed waits: the processors are better used for hashing then.
                let hasher = hasher.get_or_insert_with(|| Hasher::new(AHEAD, encoder.threads()));
                pieces.iter().skip(hashed).for_each(|piece| hasher.update(piece));
            }
        })?;
        if used <= PIECE && pieces.len() > 1 {
            pieces = vec![pieces.concat().into()];
        }
        let begun = hasher.map(Hasher::end);
        let threads = encoder.threads();
        Ok(Self {
            label,
            data_size,
            used,
            body: Body::Memory(pieces),
            digest: None,
            begun,
            watch: later,
            threads,
        })
    }

    /// The last block of a file, whose bytes come later.
    pub(super) fn streamed() -> Self {
        Self {
            label: Label::NONE,
            data_size: 0,
            used: 0,
            body: Body::Streamed,
            digest: None,
            begun: None,
            watch: Watch::default(),
            threads: Threads::ONE,
        }
    }

    /// The number of bytes to store.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The `header_size` that it has in its file, if it stands at this offset there.
    pub(super) fn header_size_at(&self, at: u64) -> Option<u16> {
        match self.body {
            Body::InPlace(_, _, (offset, header_size)) if offset == at => Some(header_size),
            _ => None,
        }
    }

    /// Whether its bytes are in memory.
    pub(super) fn is_here(&self) -> bool {
        !matches!(self.body, Body::InPlace(..))
    }

    /// Writes header, bytes and unused space; the writer stands at the slot's offset, and then at
    /// its end. The checksum of a large block in memory may come later.
    pub(super) fn write(&self, slot: Slot, out: &mut dyn Output) -> Result<Option<Later>> {
        self.write_with(slot, None, out)
    }

    /// The same for who writes it only once: with the checksum that was begun.
    pub(super) fn write_once(mut self, slot: Slot, out: &mut dyn Output) -> Result<Option<Later>> {
        let begun = self.begun.take();
        self.write_with(slot, begun, out)
    }

    fn write_with(&self, slot: Slot, begun: Option<Ended>, out: &mut dyn Output) -> Result<Option<Later>> {
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
            let bytes = self.piece(0)?;
            if slot.checksum && !matches!(self.body, Body::Streamed) {
                header.checksum = self.told(self.digest.unwrap_or_else(|| md5(&bytes)));
            }
            out.write_all(&header.emit()).map_err(io)?;
            out.write_all(&bytes).map_err(io)?;
            self.watch.add(self.used);
        } else {
            let ahead = slot.checksum && out.is_stream();
            let mut begun = begun.filter(|_| slot.checksum);
            if ahead {
                header.checksum = self.told(match (self.digest, begun.take()) {
                    (Some(digest), _) => digest,
                    (None, Some(begun)) => begun.digest()?,
                    (None, None) => self.digest_ahead()?,
                });
            }
            out.write_all(&header.emit()).map_err(io)?;
            // Pieces of memory cost nothing while they wait; those of a file do.
            let waiting = if self.is_here() { usize::MAX } else { WAITING };
            let mut hasher =
                (slot.checksum && !ahead && begun.is_none()).then(|| Hasher::new(waiting, self.threads));
            let mut at = 0;
            while at < self.used {
                let piece = self.next_piece(at)?;
                if let Some(hasher) = &mut hasher {
                    hasher.update(&piece);
                }
                out.write_all(&piece).map_err(io)?;
                at += piece.len() as u64;
                self.watch.add(piece.len() as u64);
            }
            let hasher = begun.or_else(|| hasher.map(Hasher::end));
            later = hasher.map(|hasher| Later { at: slot.offset + CHECKSUM, size: self.used, hasher });
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

    /// The checksum of a block that is read once more when it is written.
    fn digest_ahead(&self) -> Result<[u8; 16]> {
        let (mut digest, mut at) = (Md5::new(), 0);
        while at < self.used {
            let piece = self.next_piece(at)?;
            digest.update(&piece);
            at += piece.len() as u64;
        }
        Ok(digest.finish())
    }

    fn next_piece(&self, at: u64) -> Result<Bytes> {
        match self.piece(at)? {
            piece if piece.is_empty() => Err(Error::usage("the block is truncated")),
            piece => Ok(piece),
        }
    }

    /// The next bytes to write: at most [`PIECE`], and at least one if there are more.
    fn piece(&self, at: u64) -> Result<Bytes> {
        match &self.body {
            Body::InPlace(block, ..) => block.read_stored(at..self.used.min(at.saturating_add(PIECE))),
            Body::Memory(pieces) => {
                let mut before = at;
                for piece in pieces {
                    let len = piece.len() as u64;
                    if before < len {
                        let place = |at: u64| usize::try_from(at).unwrap_or(piece.len());
                        return Ok(piece.slice(place(before)..place(len.min(before + PIECE))));
                    }
                    before -= len;
                }
                if at == self.used { Ok(Bytes::new()) } else { Err(Error::usage("the block is truncated")) }
            }
            Body::Streamed => Ok(Bytes::new()),
        }
    }

    /// The checksum to write. That of a damaged block stays: with a new one the damage would look
    /// like data.
    fn told(&self, found: [u8; 16]) -> [u8; 16] {
        match &self.body {
            Body::InPlace(_, kept, _) if self.is_damaged(found) => *kept,
            _ => found,
        }
    }

    /// Whether the stored bytes are not those that the checksum beside them was made of, which may
    /// also be the decoded ones (Python's asdf before 5.3).
    fn is_damaged(&self, found: [u8; 16]) -> bool {
        let Body::InPlace(block, kept, _) = &self.body else { return false };
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
    /// Of how many bytes.
    size: u64,
    hasher: Ended,
}

impl Later {
    /// Waits for the checksum and writes it; the writer stands where it stood.
    pub(super) fn finish(self, out: &mut dyn Output) -> Result<()> {
        if self.size >= MUCH {
            // The disk has something to do meanwhile.
            out.settle().map_err(|error| Error::io("syncing a block to disk", error))?;
        }
        self.put(|found| found, out)
    }

    fn put(self, told: impl FnOnce([u8; 16]) -> [u8; 16], out: &mut dyn Output) -> Result<()> {
        let io = |error| Error::io("writing", error);
        let found = self.hasher.digest()?;
        let end = out.stream_position().map_err(io)?;
        out.seek(SeekFrom::Start(self.at)).map_err(io)?;
        out.write_all(&told(found)).map_err(io)?;
        out.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(())
    }
}

/// Checksums that other threads make while more blocks are written.
pub(super) struct Checksums {
    threads: Threads,
    waiting: VecDeque<Later>,
}

impl Checksums {
    pub(super) fn new(threads: Threads) -> Self {
        Self { threads, waiting: VecDeque::new() }
    }

    /// Adds one; waits for the oldest when there are too many.
    pub(super) fn add(&mut self, later: Option<Later>, out: &mut dyn Output) -> Result<()> {
        let Some(later) = later else { return Ok(()) };
        self.waiting.push_back(later);
        while self.waiting.len() > self.threads.count() {
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
    /// The system gave no thread.
    Here(Md5),
}

/// The way to the other thread.
enum Pieces {
    Any(Sender<Bytes>),
    Few(SyncSender<Bytes>),
}

#[derive(Debug)]
enum Ended {
    Running(JoinHandle<[u8; 16]>),
    Done([u8; 16]),
}

impl Ended {
    /// Waits for it.
    fn digest(self) -> Result<[u8; 16]> {
        let failed = |_| Error::io("hashing a block", std::io::Error::other("the thread failed"));
        match self {
            Self::Done(digest) => Ok(digest),
            Self::Running(handle) => handle.join().map_err(failed),
        }
    }
}

impl Hasher {
    /// A digest for which so many pieces may wait.
    fn new(waiting: usize, threads: Threads) -> Self {
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
        match threads.background(work) {
            Some(handle) => Self::Thread(pieces, handle),
            None => Self::Here(Md5::new()),
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

#[cfg(test)]
#[cfg(feature = "lz4")]
mod tests {
    use super::*;
    use crate::array::NdArray;
    use crate::block::codec::Codecs;
    use crate::file::survey::Survey;
    use crate::file::{File, WriteOptions};

    fn noise(seed: u32, len: usize) -> Vec<u8> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        std::iter::repeat_with(next).take(len).collect()
    }

    #[test]
    fn a_block_is_hashed_while_it_is_encoded_in_pieces() {
        let (options, file) = (WriteOptions::new(), File::new());
        let encoder = Encoder::new(&options, Codecs::new(), file.tree(), &Survey::default());
        for (len, several) in [(1000, false), (50_000, true), (300_000, true)] {
            let compression = Compression::LZ4.with_chunk(1000);
            let bytes = Bytes::from(noise(5, len));
            let prepared = Prepared::encode(0, bytes, compression, &encoder, true).unwrap();
            let Body::Memory(pieces) = &prepared.body else { panic!("it is in memory") };
            assert_eq!(pieces.len() > 1, several, "{len}");
            let digest = prepared.begun.map(|begun| begun.digest().unwrap());
            assert_eq!(digest, several.then(|| md5(&pieces.concat())), "{len}");
        }
    }

    #[test]
    fn many_blocks_are_hashed_while_others_are_written() {
        let mut file = File::new();
        for number in 0..60 {
            let data = noise(number, 10_000);
            let array = NdArray::new(&[10_000], &data).unwrap();
            let array = array.with_compression(crate::Compression::LZ4).unwrap();
            file.set(&format!("/data_{number}"), &array).unwrap();
        }
        let found = File::from_bytes(file.to_bytes().unwrap()).unwrap().verify().unwrap();
        assert_eq!(found.len(), 60);
        assert!(found.iter().all(|found| matches!(found, Ok(block::Checksum::Stored))));

        // Without a thread the calling one hashes.
        let mut hasher = Hasher::new(usize::MAX, Threads::ONE);
        hasher.update(&Bytes::from_static(b"abc"));
        assert_eq!(hasher.end().digest().unwrap(), md5(b"abc"));
    }
}

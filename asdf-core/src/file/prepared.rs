//! Blocks that are ready to be written.

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

/// The bytes that are written and hashed at a time. Blocks up to this size are hashed before they are written.
/// Small in tests, so that they cover large blocks.
const PIECE: u64 = if cfg!(test) { 1 << 11 } else { 1 << 20 };

/// Blocks of at least this size are synced while their checksums are computed, which takes about as long.
const MUCH: u64 = if cfg!(test) { 1 << 12 } else { 64 << 20 };

/// The bytes of encoded blocks that are held before the first of them is written.
const TOGETHER: u64 = if cfg!(test) { 1 << 16 } else { 16 << 20 };

/// The number of blocks that are hashed before the first of them is written: enough for the SIMD lanes of some cores.
const MANY: usize = 64;

/// The number of pieces that can wait to be hashed.
const WAITING: usize = 8;

/// The number of pieces that can wait to be hashed while a block is encoded: those that are hashed while it is written.
const AHEAD: usize = 5;

/// The offset of the checksum in a block header.
const CHECKSUM: u64 = 38;

/// A block whose stored size is known.
///
/// Its bytes are in memory if they had to be encoded. Otherwise they are read in pieces while they are written.
#[derive(Debug)]
pub(super) struct Prepared {
    label: Label,
    data_size: u64,
    used: u64,
    body: Body,
    /// The checksum, if it is known.
    digest: Option<[u8; 16]>,
    /// The checksum, if another thread began to compute it while the block was encoded.
    begun: Option<Ended>,
    /// Counts bytes when they are written, unless they were counted before.
    watch: Watch,
    /// The threads for computing its checksum.
    threads: Threads,
    /// Whether it gets a new checksum if the old one does not match.
    accept_damage: bool,
}

#[derive(Debug)]
enum Body {
    /// Pieces in memory; only one if they have up to [`PIECE`] bytes.
    Memory(Vec<Bytes>),
    /// A block of a file, with its checksum, offset and `header_size` there.
    InPlace(Arc<dyn Block>, [u8; 16], (u64, u16)),
    /// Rows that follow later: the block extends to the end of the file.
    Streamed,
}

/// The place of a block in the new file, and its space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// The offset of its header in the file.
    pub(super) offset: u64,
    pub(super) header_size: u16,
    pub(super) allocated: u64,
    pub(super) checksum: bool,
}

impl Slot {
    /// The byte at which the block ends.
    pub(super) fn end(&self) -> u64 {
        let header = block::Header::PREFIX as u64 + u64::from(self.header_size);
        self.offset.saturating_add(header).saturating_add(self.allocated)
    }
}

impl Prepared {
    /// Prepares the next blocks to write, at least one if any is left.
    ///
    /// It takes some dozens of small blocks, whose checksums are computed together, or some megabytes of blocks that have
    /// to be encoded. A stream needs the checksums of large blocks too before they are written.
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
            // Blocks that are not encoded take no memory of their own.
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

    /// The bytes of the block, if they are in memory in one piece.
    fn memory(&self) -> Option<Bytes> {
        match &self.body {
            Body::Memory(pieces) if pieces.len() <= 1 => Some(pieces.first().cloned().unwrap_or_default()),
            _ => None,
        }
    }

    /// Encodes a block, unless its bytes are encoded already and nothing else is requested.
    ///
    /// If the block gets a checksum, another thread begins to compute it meanwhile.
    pub(super) fn new(
        number: u64,
        block: &Arc<dyn Block>,
        encoder: &Encoder<'_>,
        checksum: bool,
    ) -> Result<Self> {
        let stored = block.stored()?;
        let asked = encoder.requested(number, &stored)?;
        if asked.is_some() || matches!(stored, Stored::Plain { .. }) {
            encoder.refuse_damage(number, block.as_ref())?;
        }
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
                accept_damage: encoder.accept_damage,
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
                accept_damage: encoder.accept_damage,
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
        // A block that is not encoded is hashed while it is written.
        let checksum = checksum && !label.is_none();
        let (mut pieces, mut used, mut hasher) = (Vec::new(), 0, None);
        // Encoding takes the time, so encoded bytes count now and others when they are written.
        let (now, later) = match label.is_none() {
            true => (Watch::default(), encoder.watch.clone()),
            false => (encoder.watch.clone(), Watch::default()),
        };
        encoder.encode(number, bytes, compression, &mut |piece: Bytes| {
            used += piece.len() as u64;
            now.wrote(piece.len() as u64)?;
            if piece.is_empty() {
                return Ok(());
            }
            pieces.push(piece);
            if checksum && used > PIECE {
                let hashed = if hasher.is_some() { pieces.len() - 1 } else { 0 };
                // If encoding is faster than hashing, it waits, so that the processors hash.
                let hasher = hasher.get_or_insert_with(|| Hasher::new(AHEAD, encoder.threads()));
                pieces.iter().skip(hashed).for_each(|piece| hasher.update(piece));
            }
            Ok(())
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
            accept_damage: encoder.accept_damage,
        })
    }

    /// Makes the last block of a file, whose rows are written later.
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
            accept_damage: false,
        }
    }

    /// The number of bytes to store.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The `header_size` of the block in its file, if it is at this offset there.
    pub(super) fn header_size_at(&self, at: u64) -> Option<u16> {
        match self.body {
            Body::InPlace(_, _, (offset, header_size)) if offset == at => Some(header_size),
            _ => None,
        }
    }

    /// Whether the bytes of the block are in memory.
    pub(super) fn is_here(&self) -> bool {
        !matches!(self.body, Body::InPlace(..))
    }

    /// Writes header, bytes and unused space, from the offset of the slot to its end.
    ///
    /// The checksum of a large block in memory may be written later.
    pub(super) fn write(&self, slot: Slot, out: &mut dyn Output) -> Result<Option<Later>> {
        self.write_with(slot, None, out)
    }

    /// Writes a block that is written only once, with the checksum that another thread began to compute.
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
        let hashed = slot.checksum || self.has_checksum();
        if self.used <= PIECE {
            let bytes = self.piece(0)?;
            if hashed && !matches!(self.body, Body::Streamed) {
                header.checksum = self.checksum_to_write(self.digest.unwrap_or_else(|| md5(&bytes)), slot)?;
            }
            out.write_all(&header.emit()).map_err(io)?;
            out.write_all(&bytes).map_err(io)?;
            self.watch.wrote(self.used)?;
        } else {
            let ahead = hashed && out.is_stream();
            let mut begun = begun.filter(|_| hashed);
            if ahead {
                let digest = match (self.digest, begun.take()) {
                    (Some(digest), _) => digest,
                    (None, Some(begun)) => begun.digest()?,
                    (None, None) => self.digest_ahead()?,
                };
                header.checksum = self.checksum_to_write(digest, slot)?;
            }
            out.write_all(&header.emit()).map_err(io)?;
            // Pieces in memory cost nothing while they wait, but pieces of a file take memory.
            let waiting = if self.is_here() { usize::MAX } else { WAITING };
            let mut hasher =
                (hashed && !ahead && begun.is_none()).then(|| Hasher::new(waiting, self.threads));
            let mut at = 0;
            while at < self.used {
                let piece = self.next_piece(at)?;
                if let Some(hasher) = &mut hasher {
                    hasher.update(&piece);
                }
                out.write_all(&piece).map_err(io)?;
                at += piece.len() as u64;
                self.watch.wrote(piece.len() as u64)?;
            }
            let hasher = begun.or_else(|| hasher.map(Hasher::end));
            later = hasher.map(|hasher| Later { at: slot.offset + CHECKSUM, size: self.used, hasher });
        }
        zeros(slot.allocated.saturating_sub(self.used), out)?;
        match later {
            Some(later) if !self.is_here() => {
                later.put(|found| self.checksum_to_write(found, slot), out)?;
                Ok(None)
            }
            later => Ok(later),
        }
    }

    /// Computes the checksum by reading the block once more.
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

    /// The next bytes to write: up to [`PIECE`], and at least one if any is left.
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

    /// Whether it is a block of a file with a checksum there. Damage is looked for even if no checksums are written.
    fn has_checksum(&self) -> bool {
        matches!(&self.body, Body::InPlace(_, kept, _) if *kept != [0; 16])
    }

    /// The checksum to write. A damaged block keeps its old one, which shows the damage, unless that is accepted.
    fn checksum_to_write(&self, found: [u8; 16], slot: Slot) -> Result<[u8; 16]> {
        let new = if slot.checksum { found } else { [0; 16] };
        Ok(match &self.body {
            // The block may also match: Python's asdf before 5.3 computed the checksum from the decoded bytes.
            Body::InPlace(block, kept, _)
                if self.has_checksum()
                    && *kept != found
                    && block.damage()?.is_some()
                    && !self.accept_damage =>
            {
                *kept
            }
            _ => new,
        })
    }
}

/// Writes a number of zeros.
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

/// A checksum that is written into a header once another thread has computed it.
pub(super) struct Later {
    at: u64,
    /// The number of hashed bytes.
    size: u64,
    hasher: Ended,
}

impl Later {
    /// Waits for the checksum and writes it. The position of the writer does not change.
    pub(super) fn finish(self, out: &mut dyn Output) -> Result<()> {
        if self.size >= MUCH {
            // The disk can work meanwhile.
            out.settle().map_err(|error| Error::io("syncing a block to disk", error))?;
        }
        self.put(Ok, out)
    }

    fn put(self, choose: impl FnOnce([u8; 16]) -> Result<[u8; 16]>, out: &mut dyn Output) -> Result<()> {
        let io = |error| Error::io("writing", error);
        let digest = choose(self.hasher.digest()?)?;
        let end = out.stream_position().map_err(io)?;
        out.seek(SeekFrom::Start(self.at)).map_err(io)?;
        out.write_all(&digest).map_err(io)?;
        out.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(())
    }
}

/// Checksums that other threads compute while more blocks are written.
pub(super) struct Checksums {
    threads: Threads,
    waiting: VecDeque<Later>,
}

impl Checksums {
    pub(super) fn new(threads: Threads) -> Self {
        Self { threads, waiting: VecDeque::new() }
    }

    /// Adds a checksum, and waits for the oldest if there are too many.
    pub(super) fn add(&mut self, later: Option<Later>, out: &mut dyn Output) -> Result<()> {
        let Some(later) = later else { return Ok(()) };
        self.waiting.push_back(later);
        while self.waiting.len() > self.threads.count() {
            self.oldest(out)?;
        }
        Ok(())
    }

    /// Waits for all checksums.
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

/// A digest that another thread computes while this one writes.
enum Hasher {
    Thread(Pieces, JoinHandle<[u8; 16]>),
    /// The digest of this thread, because the system could not start another.
    Here(Md5),
}

/// The channel to the other thread.
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
    /// Waits for the digest.
    fn digest(self) -> Result<[u8; 16]> {
        let failed = |_| Error::io("hashing a block", std::io::Error::other("the thread failed"));
        match self {
            Self::Done(digest) => Ok(digest),
            Self::Running(handle) => handle.join().map_err(failed),
        }
    }
}

impl Hasher {
    /// Begins a digest for which up to `waiting` pieces can wait.
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
            // If the thread has ended, joining it returns the error.
            Self::Thread(Pieces::Any(sender), _) => drop(sender.send(piece.clone())),
            Self::Thread(Pieces::Few(sender), _) => drop(sender.send(piece.clone())),
            Self::Here(digest) => digest.update(piece),
        }
    }

    /// Ends the digest after the last piece.
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
    use std::sync::Mutex;

    use super::*;
    use crate::array::NdArray;
    use crate::block::codec::Codecs;
    use crate::error::{Code, Hint};
    use crate::file::survey::Survey;
    use crate::file::{File, OpenOptions, Storage, WriteOptions};

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

            // A stream gets the checksum before the pieces.
            let mut file = File::new();
            let array = NdArray::new(&[len as u64], &noise(5, len)).unwrap();
            file.set("/a", &array.with_compression(compression).unwrap()).unwrap();
            let mut stream = Vec::new();
            WriteOptions::new().write_to(&file, &mut stream).unwrap();
            for bytes in [file.to_bytes().unwrap(), stream] {
                let file = OpenOptions::new().verify_checksums(true).open_bytes(bytes).unwrap();
                assert_eq!(file.array("/a").unwrap().read::<u8>().unwrap(), noise(5, len), "{len}");
            }
        }
    }

    /// The header with the checksum comes first in a stream.
    #[test]
    fn a_block_of_a_file_is_hashed_before_it_is_streamed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let mut file = File::new();
        for len in [3 * PIECE + 5, PIECE + 1, PIECE, 1, 0] {
            let array = NdArray::new(&[len], &noise(5, usize::try_from(len).unwrap())).unwrap();
            file.set(&format!("/bytes_{len}"), &array).unwrap();
        }
        file.write(&path).unwrap();
        let mut stream = Vec::new();
        File::open(&path).unwrap().write_to(&mut stream).unwrap();
        let found = File::from_bytes(stream).unwrap().verify().unwrap();
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|found| matches!(found, Ok(block::Checksum::Stored))), "{found:?}");
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

        // If no other thread may start, the calling one hashes.
        let mut hasher = Hasher::new(usize::MAX, Threads::ONE);
        hasher.update(&Bytes::from_static(b"abc"));
        assert_eq!(hasher.end().digest().unwrap(), md5(b"abc"));
    }

    /// A file with a block whose checksum does not match, opened with these options.
    fn damaged(options: &OpenOptions, compression: Option<Compression>) -> File {
        let mut file = File::new();
        let array = NdArray::new(&[5000], &noise(1, 5000)).unwrap();
        file.set("/a", &array.with_compression(compression.unwrap_or(Compression::NONE)).unwrap()).unwrap();
        let mut bytes = file.to_bytes().unwrap();
        let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
        bytes[usize::try_from(block.offset()).unwrap() + 38] ^= 1;
        options.open_bytes(bytes).unwrap()
    }

    fn is_wrong(bytes: Vec<u8>) -> bool {
        let found = File::from_bytes(bytes).unwrap().verify().unwrap().remove(0);
        found.is_err_and(|error| error.code() == Some(Code::Checksum))
    }

    #[test]
    fn damage_gets_no_new_checksum_unless_it_is_accepted() {
        for compression in [None, Some(Compression::LZ4)] {
            let other = if compression.is_some() { Compression::NONE } else { Compression::LZ4 };
            let options = |accept| {
                [
                    WriteOptions::new(),
                    WriteOptions::new().checksums(false),
                    WriteOptions::new().compression(other),
                    WriteOptions::new().storage(Storage::Inline),
                ]
                .map(|options| options.accept_damage(accept))
            };
            let file = damaged(&OpenOptions::new(), compression);
            let [copied, without, encoded, inline] = options(false);
            for copied in [copied, without] {
                assert!(is_wrong(copied.to_bytes(&file).unwrap()));
                let mut out = Vec::new();
                copied.write_to(&file, &mut out).unwrap();
                assert!(is_wrong(out));
            }
            for refused in [encoded, inline] {
                let error = refused.to_bytes(&file).unwrap_err();
                assert_eq!((error.code(), error.path()), (Some(Code::Checksum), Some("/a")), "{error}");
                assert_eq!(error.hint(), Some(&Hint::AcceptDamage));
            }
            for accepted in options(true) {
                let found = File::from_bytes(accepted.to_bytes(&file).unwrap()).unwrap();
                assert!(found.verify().unwrap().iter().all(Result::is_ok));
                assert_eq!(found.array("/a").unwrap().read::<u8>().unwrap(), noise(1, 5000));
            }
            let file = damaged(&OpenOptions::new().verify_checksums(true), compression);
            for refused in options(false) {
                let error = refused.to_bytes(&file).unwrap_err();
                assert_eq!((error.code(), error.path()), (Some(Code::Checksum), Some("/a")), "{error}");
            }
        }
    }

    #[test]
    fn copied_damage_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let reports = Arc::new(Mutex::new(Vec::new()));
        let sink = reports.clone();
        let options = OpenOptions::new()
            .report_checksums(move |error| sink.lock().unwrap().push(error.path().map(str::to_owned)));
        let file = damaged(&options, None);
        file.to_bytes().unwrap();
        file.array("/a").unwrap().read::<u8>().unwrap();
        file.write(&path).unwrap();
        assert_eq!(std::mem::take(&mut *reports.lock().unwrap()), [Some("/a".to_owned())]);
        let mut file = options.open(&path).unwrap();
        file.set("/k", &1).unwrap();
        file.update().unwrap();
        assert_eq!(*reports.lock().unwrap(), [Some("/a".to_owned())]);
        assert!(is_wrong(std::fs::read(&path).unwrap()));
    }

    /// Up to 64, and fewer if they take memory.
    #[test]
    fn a_limited_number_of_blocks_is_prepared_together() {
        let groups = |count: u64, len: u64, compression: Compression| {
            let mut file = File::new();
            for number in 0..count {
                let array = NdArray::new(&[len], &noise(5, usize::try_from(len).unwrap())).unwrap();
                let array = array.with_compression(compression).unwrap();
                file.set(&format!("/a{number}"), &array).unwrap();
            }
            let table = file.tree().blocks();
            let blocks: Vec<Arc<dyn Block>> =
                (0..count).map(|number| table.block(i64::try_from(number).unwrap()).unwrap()).collect();
            let options = WriteOptions::new();
            let encoder = Encoder::new(&options, Codecs::new(), file.tree(), &Survey::default());
            let mut left = (0..).zip(&blocks);
            let next = || Some(Prepared::some(&mut left, &encoder, true, false).unwrap().len());
            std::iter::from_fn(next).take_while(|&size| size > 0).collect::<Vec<usize>>()
        };
        assert_eq!(groups(150, 10, Compression::NONE), [64, 64, 22]);
        assert_eq!(groups(10, 20_000, Compression::NONE), [10]);
        assert_eq!(groups(10, 20_000, Compression::LZ4), [4, 4, 2]);
    }
}

//! A block of a file, read and decoded on first use.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::checks::Checks;
use super::decoded_data::Decoded;
use super::reading::Reading;
use super::window::Window;
use crate::block::{self, Checksum, Compression, md5};
use crate::dialect::Encoding;
use crate::error::{Code, Error, Hint, Kind, LimitName, Result};
use crate::source::{MemorySource, Source};
use crate::threads::Threads;
use crate::tree::{Block, Stored};

/// A block of an opened file: its number, offset, header and bytes.
///
/// [`File::blocks`](super::File::blocks) returns them.
///
/// # Examples
/// ```
/// use asdf_core::{File, NdArray};
///
/// let mut file = File::new();
/// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
/// let file = File::from_bytes(file.to_bytes()?)?;
/// let block = &file.blocks()?[0];
/// assert_eq!((block.number(), block.header().data_size), (0, 3));
/// assert_eq!(block.stored_bytes()?.as_ref(), [1, 2, 3]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub struct FileBlock {
    pub(super) reading: Arc<Reading>,
    number: u64,
    offset: u64,
    header: block::Header,
    /// The encoding of the data in a pre-release file.
    pub(super) encoding: Option<Encoding>,
    /// What was decoded last of a compressed block.
    decoded: Mutex<Decoded>,
    /// The number of bytes that were decoded in parts.
    in_parts: AtomicU64,
    /// The result of comparing the block with its checksum, once that is done. Locked meanwhile, so that it is done once.
    pub(super) verdict: Mutex<Option<Checksum>>,
    /// The number of bytes that were read in parts.
    pub(super) parts: AtomicU64,
    /// Whether the data are counted as decoded.
    counted: AtomicBool,
}

impl FileBlock {
    pub(super) fn new(
        reading: Arc<Reading>,
        number: u64,
        offset: u64,
        header: block::Header,
        encoding: Option<Encoding>,
    ) -> Self {
        Self {
            reading,
            number,
            offset,
            header,
            encoding,
            decoded: Mutex::default(),
            in_parts: AtomicU64::new(0),
            verdict: Mutex::default(),
            parts: AtomicU64::new(0),
            counted: AtomicBool::new(false),
        }
    }

    /// Returns the number of the block, from 0.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the path or URL of the file that the block is in; `None` if that was opened from memory or a source.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.reading.place.name()
    }

    /// Returns the byte offset of its header in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns its header as stored in the file.
    #[must_use]
    pub fn header(&self) -> &block::Header {
        &self.header
    }

    pub(super) fn source(&self) -> &dyn Source {
        self.reading.source.as_ref()
    }

    /// Whether the stored bytes have to be decoded.
    pub(super) fn is_encoded(&self) -> bool {
        !self.header.compression.is_none()
    }

    pub(super) fn place(&self, error: Error) -> Error {
        self.reading.named(error.at_offset(self.offset))
    }

    /// Checks the header and returns the range of the stored bytes in the file.
    pub(super) fn stored_range(&self) -> Result<Range<u64>> {
        self.header
            .stored(self.offset, self.source().len())
            .map_err(|error| self.numbered(error).with_hint("check whether the file is truncated or damaged"))
    }

    /// Returns the stored bytes without decoding them.
    ///
    /// # Errors
    /// Fails if the header contradicts itself or the file, or if the source cannot be read.
    pub fn stored_bytes(&self) -> Result<Bytes> {
        self.source().read(self.stored_range()?)
    }

    /// Refuses to decode a whole block beyond the limit on one block or on all decoded blocks.
    fn check_size(&self) -> Result<()> {
        let size = self.header.data_size;
        let limits = &self.reading.limits;
        if size > limits.decoded_size {
            return Err(self.place(
                Error::limit(format!(
                    "block {} decodes to {size} bytes, which is larger than the limit of {} bytes",
                    self.number, limits.decoded_size
                ))
                .with_code(Code::DecodedSize)
                .with_hint(Hint::Raise {
                    limit: LimitName::DecodedSize,
                    from: limits.decoded_size,
                    to: Some(size),
                }),
            ));
        }
        self.count()
    }

    /// Counts the block as decoded, once. Refuses to decode it beyond the limit on all decoded blocks.
    fn count(&self) -> Result<()> {
        if self.counted.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let size = self.header.data_size;
        self.reading.count_decoded(size).map_err(|(total, most)| {
            self.counted.store(false, Ordering::Relaxed);
            self.place(
                Error::limit(format!(
                    "block {} decodes to {size} bytes: the total of {total} decoded bytes is larger than the limit of \
                     {most} bytes",
                    self.number
                ))
                .with_code(Code::DecodedSize)
                .with_hint(Hint::Raise {
                    limit: LimitName::DecodedTotal,
                    from: most,
                    to: Some(total),
                }),
            )
        })
    }

    /// Decodes all of the data from the stored bytes.
    pub(super) fn decode(&self, stored: &dyn Source) -> Result<Bytes> {
        self.check_size()?;
        let size = self.header.data_size;
        if let Some(encoding) = &self.encoding {
            let stored = stored.read(0..stored.len())?;
            let bytes = encoding.decode(&stored, size, self.reading.limits.decoded_size);
            return bytes.map(Bytes::from).map_err(|error| self.undecodable(error));
        }
        let codecs = self.reading.codecs();
        let codec = codecs.find(self.header.compression);
        let bytes = codec.and_then(|codec| codec.decode_from(stored, size, codecs.threads));
        match bytes {
            Ok(bytes) if bytes.len() as u64 == size => Ok(bytes),
            Ok(bytes) => Err(self.undecodable(Error::malformed(format!(
                "the codec for {} decoded {} bytes, expected {size}",
                self.header.compression,
                bytes.len()
            )))),
            Err(error) => Err(self.undecodable(error)),
        }
    }

    /// Decodes all of the data into memory of their size, without a check of the checksum.
    fn decode_into(&self, out: &mut [u8]) -> Result<()> {
        self.check_size()?;
        let codecs = self.reading.codecs();
        let stored = self.window(self.stored_range()?);
        let codec = codecs.find(self.header.compression);
        let done = codec.and_then(|codec| codec.decode_into(&stored, out, codecs.threads));
        done.map_err(|error| self.with_cause(self.undecodable(error)))
    }

    /// Reads the stored bytes once, to check the checksum if requested and to decode all of the data.
    fn decode_checked(&self, stored: Range<u64>) -> Result<Bytes> {
        let Some(mut verdict) = self.unchecked() else {
            return self.decode(&self.window(stored)).map_err(|error| self.with_cause(error));
        };
        let stored = self.source().read(stored)?;
        let digest = self.digest(&stored);
        let (found, data) = self.compare(&MemorySource::new(stored), digest)?;
        let data = data.map_err(|error| self.with_mismatch(error, found))?;
        *verdict = Some(self.judged(found)?);
        Ok(data)
    }

    /// Adds a checksum mismatch to an error of decoding, since damage of the stored bytes is its likely cause.
    pub(super) fn with_mismatch(&self, error: Error, found: Checksum) -> Error {
        if found.is_ok() || !matches!(error.kind(), Kind::Malformed | Kind::Unsupported) {
            return error;
        }
        let message = format!("{}; {found}", error.message());
        // A missing codec is not what is wrong with the block, and a reader that refuses damage asked about checksums.
        if error.kind() == Kind::Malformed && !matches!(self.reading.checks, Checks::Refuse) {
            return error.with_message(message);
        }
        self.place(Error::malformed(message))
            .with_code(Code::Checksum)
            .with_hint(error.hint().cloned().unwrap_or(Hint::AcceptChecksums))
    }

    /// The same for an error of decoding without a check: computes the digest of the stored bytes.
    fn with_cause(&self, error: Error) -> Error {
        if !matches!(error.kind(), Kind::Malformed | Kind::Unsupported) {
            return error;
        }
        match self.stored_checksum(None) {
            Ok(Some(found)) => self.with_mismatch(error, found),
            _ => error,
        }
    }

    /// Decodes stored bytes, and compares the checksum with their digest or with that of the data.
    pub(super) fn compare(&self, stored: &dyn Source, digest: [u8; 16]) -> Result<(Checksum, Result<Bytes>)> {
        let data = self.decode(stored);
        let of_data = || Ok(data.as_ref().ok().map(|data| md5(data)));
        Ok((Checksum::compare(self.header.checksum, digest, of_data)?, data))
    }

    /// Whether the header has a checksum.
    pub(super) fn has_checksum(&self) -> bool {
        self.header.checksum != [0; 16]
    }

    /// The digest of the stored bytes, or zeros if there is no checksum to compare it with.
    pub(super) fn digest(&self, stored: &[u8]) -> [u8; 16] {
        if self.has_checksum() { md5(stored) } else { [0; 16] }
    }

    fn window(&self, range: Range<u64>) -> Window<'_> {
        Window::new(self.source(), range)
    }

    /// Decodes only a range of the data; `None` if that is impossible or not worth it.
    ///
    /// `stored` is the range of the stored bytes in the file.
    fn decode_range(&self, stored: &Range<u64>, range: &Range<u64>) -> Result<Option<Bytes>> {
        /// Once parts of this many times the size of the block were decoded, all of it is decoded and kept.
        const ENOUGH: u64 = 4;
        let size = self.header.data_size;
        let most = self.reading.limits.decoded_size;
        let length = range.end - range.start;
        let again = self.in_parts.load(Ordering::Relaxed) / ENOUGH > size && size <= most;
        // A caller that reads half of the data will probably read the rest.
        if length > size / 2 || length > most || again || self.encoding.is_some() {
            return Ok(None);
        }
        self.count()?;
        let codecs = self.reading.codecs();
        let codec = codecs.find(self.header.compression);
        let window = self.window(stored.clone());
        let piece = codec.and_then(|codec| codec.decode_range(&window, size, range.clone()));
        let piece = piece.map_err(|error| self.with_cause(self.undecodable(error)))?;
        let Some(piece) = piece else { return Ok(None) };
        self.in_parts.fetch_add(piece.data.len() as u64, Ordering::Relaxed);
        let part = Decoded::Part(piece.start, Bytes::from(piece.data));
        let found = part.find(range).ok_or_else(|| {
            self.undecodable(Error::malformed(format!(
                "the codec for {} did not decode the bytes {} to {}",
                self.header.compression, range.start, range.end
            )))
        })?;
        self.keep(part);
        Ok(Some(found))
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Decoded> {
        self.decoded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps decoded data for later reads. All of the data are never replaced by a part.
    fn keep(&self, decoded: Decoded) {
        let mut kept = self.kept();
        if matches!(*kept, Decoded::Whole(_)) {
            return;
        }
        if let Decoded::Whole(bytes) = &decoded {
            self.reading.decoded.keep(bytes.len() as u64);
        }
        *kept = decoded;
    }

    /// Adds the number and the place of this block to an error.
    fn numbered(&self, error: Error) -> Error {
        let message = format!("block {}: {}", self.number, error.message());
        self.place(error.with_message(message))
    }

    /// Adds the code, the number and the place of this block to an error of decoding.
    pub(super) fn undecodable(&self, error: Error) -> Error {
        self.numbered(match error.kind() {
            Kind::Malformed => error.with_code(Code::Undecodable),
            _ => error,
        })
    }

    /// Checks that a range lies in the data, and returns the range of the stored bytes in the file.
    pub(super) fn inside(&self, range: &Range<u64>) -> Result<Range<u64>> {
        let stored = self.stored_range()?;
        if range.start > range.end || range.end > self.size() {
            return Err(self.beyond(range));
        }
        Ok(stored)
    }

    fn beyond(&self, range: &Range<u64>) -> Error {
        self.place(Error::malformed(format!(
            "the bytes {} to {} are outside block {}, which has {} bytes",
            range.start,
            range.end,
            self.number,
            self.size()
        )))
    }

    /// Reads a range of an uncompressed block.
    fn read_plain(&self, stored: Range<u64>, range: &Range<u64>) -> Result<Bytes> {
        let source = self.source();
        let is_whole = range.start == 0 && range.end == stored.end - stored.start;
        let refuses = matches!(self.reading.checks, Checks::Refuse);
        if is_whole || (refuses && source.lends() && self.unchecked().is_some()) {
            let bytes = source.read(stored)?;
            self.check_bytes(&bytes)?;
            return match (usize::try_from(range.start), usize::try_from(range.end)) {
                (Ok(start), Ok(end)) if end <= bytes.len() => Ok(bytes.slice(start..end)),
                _ => Err(self.beyond(range)),
            };
        }
        self.check_part(range.end - range.start)?;
        source.read(stored.start + range.start..stored.start + range.end)
    }
}

impl fmt::Debug for FileBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileBlock({} at byte {}, {} bytes)", self.describe(), self.offset, self.header.data_size)
    }
}

impl Block for FileBlock {
    fn describe(&self) -> String {
        let number = self.number;
        if self.is_encoded() {
            format!("block {number}, {}", self.header.compression)
        } else {
            format!("block {number}")
        }
    }

    fn size(&self) -> u64 {
        if self.header.is_streamed() {
            let start = self.header.data_offset(self.offset).unwrap_or(u64::MAX);
            return self.source().len().saturating_sub(start);
        }
        self.header.data_size
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let stored = self.inside(&range)?;
        if !self.is_encoded() {
            return self.read_plain(stored, &range);
        }
        if let Some(found) = self.kept().find(&range) {
            return Ok(found);
        }
        // A codec that has no ranges says so at once, and then all is read for both.
        if let Some(found) = self.decode_range(&stored, &range).transpose() {
            self.check_part(range.end - range.start)?;
            return found;
        }
        let data = Decoded::Whole(self.decode_checked(stored)?);
        let found = data.find(&range).ok_or_else(|| self.beyond(&range))?;
        self.keep(data);
        Ok(found)
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        if self.is_encoded() {
            return ranges.iter().map(|range| self.read(range.clone())).collect();
        }
        let stored = self.stored_range()?;
        let mut places = Vec::with_capacity(ranges.len());
        let mut size = 0;
        for range in ranges {
            self.inside(range)?;
            size += range.end - range.start;
            places.push(stored.start + range.start..stored.start + range.end);
        }
        self.check_part(size)?;
        self.source().read_many(&places)
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = offset..offset.saturating_add(out.len() as u64);
        if !self.is_encoded() {
            let stored = self.inside(&range)?;
            if out.len() as u64 == stored.end - stored.start {
                self.source().read_into(stored.start, out)?;
                return self.check_bytes(out);
            }
            self.check_part(out.len() as u64)?;
            return self.source().read_into(stored.start + offset, out);
        }
        out.copy_from_slice(&self.read(range)?);
        Ok(())
    }

    fn is_at_hand(&self) -> bool {
        // Compressed data are decoded as a whole and kept.
        self.is_encoded() || self.source().lends()
    }

    fn is_remote(&self) -> bool {
        self.source().cost().is_high()
    }

    fn remote_part(&self, range: Range<u64>) -> Option<(Arc<dyn Source>, Range<u64>)> {
        Some((self.reading.source.clone(), self.needed(&range)?))
    }

    fn threads(&self) -> Threads {
        self.reading.threads()
    }

    fn stored(&self) -> Result<Stored> {
        if let Some(encoding) = &self.encoding {
            let compression = Compression::new(encoding.label(&self.stored_bytes()?));
            return Ok(Stored::Plain { bytes: self.read(0..self.size())?, compression });
        }
        let range = self.stored_range()?;
        Ok(Stored::InPlace {
            size: range.end - range.start,
            label: self.header.compression,
            data_size: self.size(),
            offset: self.offset,
            header_size: self.header.header_size,
            checksum: if self.header.is_streamed() { [0; 16] } else { self.header.checksum },
        })
    }

    fn decoded(&self) -> Result<Bytes> {
        if !self.is_encoded() {
            return self.read(0..self.size());
        }
        let kept = self.kept().find(&(0..self.size()));
        kept.map_or_else(|| self.decode_checked(self.stored_range()?), Ok)
    }

    fn decoded_into(&self, out: &mut [u8]) -> Result<()> {
        if !self.is_encoded() {
            return self.read_into(0, out);
        }
        let range = 0..self.size();
        let is_simple =
            self.encoding.is_none() && self.unchecked().is_none() && range.end == out.len() as u64;
        if is_simple && self.kept().find(&range).is_none() {
            return self.decode_into(out);
        }
        let decoded = self.decoded()?;
        if decoded.len() != out.len() {
            return Err(self.beyond(&(0..out.len() as u64)));
        }
        out.copy_from_slice(&decoded);
        Ok(())
    }

    fn release(&self) {
        if self.reading.decoded.kept() <= self.reading.limits.decoded_size {
            return;
        }
        let kept = std::mem::take(&mut *self.kept());
        if let Decoded::Whole(bytes) = kept {
            self.reading.decoded.free(bytes.len() as u64);
            // To decode them again counts again.
            self.counted.store(false, Ordering::Relaxed);
        }
    }

    fn damage(&self) -> Result<Option<Error>> {
        let mut verdict = self.verdict.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match *verdict {
            Some(found) => found,
            None => self.judged(self.checksum()?).map_err(|error| self.in_array(error))?,
        };
        *verdict = Some(found);
        Ok((!found.is_ok()).then(|| self.mismatch(found)))
    }

    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        let stored = self.stored_range()?;
        let at = |offset: u64| stored.start.checked_add(offset).filter(|&at| at <= stored.end);
        match (at(range.start), at(range.end)) {
            (Some(start), Some(end)) => self.source().read(start..end),
            _ => Err(self.place(Error::usage(format!(
                "the stored bytes {} to {} are outside block {}, which stores {} bytes",
                range.start,
                range.end,
                self.number,
                stored.end - stored.start
            )))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Label;
    use crate::block::codec::{Codec, Encoding, Piece};
    use crate::{File, Limits, NdArray, OpenOptions, WriteOptions};

    const LABEL: Label = Label::new(*b"unit");

    /// Zeros, of which units of some size can be decoded alone. Counts the bytes that are decoded.
    #[derive(Debug)]
    struct Units {
        unit: u64,
        decoded: Arc<AtomicU64>,
    }

    impl Units {
        fn zeros(&self, size: u64) -> Vec<u8> {
            self.decoded.fetch_add(size, Ordering::Relaxed);
            vec![0; usize::try_from(size).unwrap()]
        }
    }

    impl Codec for Units {
        fn label(&self) -> Label {
            LABEL
        }

        fn encode(&self, _data: &[u8], _how: &Encoding) -> Result<Vec<u8>> {
            Ok(vec![0])
        }

        fn decode(&self, _stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
            Ok(self.zeros(data_size))
        }

        fn decode_range(&self, _: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
            let start = range.start / self.unit * self.unit;
            let end = range.end.next_multiple_of(self.unit).min(data_size);
            Ok(Some(Piece { start, data: self.zeros(end - start) }))
        }

        fn max_expansion(&self) -> u64 {
            u64::MAX
        }
    }

    /// Opens a file with one block of units, and returns the block and the count of decoded bytes.
    fn units(size: usize, unit: u64, limits: Limits) -> (Arc<FileBlock>, Arc<AtomicU64>) {
        units_in(size, unit, OpenOptions::new().limits(limits), |_| ())
    }

    /// The same with other options and changed bytes.
    fn units_in(
        size: usize,
        unit: u64,
        options: OpenOptions,
        change: impl FnOnce(&mut Vec<u8>),
    ) -> (Arc<FileBlock>, Arc<AtomicU64>) {
        let decoded = Arc::new(AtomicU64::new(0));
        let codec = Arc::new(Units { unit, decoded: decoded.clone() });
        let mut file = File::new();
        let array = NdArray::from_vec(&[size as u64], vec![0_u8; size]).unwrap();
        file.set("/data", &array.with_compression(Compression::new(LABEL)).unwrap()).unwrap();
        let mut bytes = WriteOptions::new().codec(codec.clone()).to_bytes(&file).unwrap();
        change(&mut bytes);
        let file = options.codec(codec).open_bytes(bytes).unwrap();
        (file.blocks().unwrap()[0].clone(), decoded)
    }

    #[test]
    fn windows_of_a_large_unit_decode_it_once() {
        const SIZE: usize = 24 << 20;
        let (block, decoded) = units(SIZE, 2 * SIZE as u64, Limits::default());
        let step = 1 << 20;
        for at in (0..SIZE as u64).step_by(step) {
            assert_eq!(block.read(at..at + step as u64).unwrap().len(), step);
        }
        assert_eq!(decoded.load(Ordering::Relaxed), SIZE as u64);
    }

    #[test]
    fn reads_here_and_there_decode_the_block_a_few_times() {
        const SIZE: u64 = 1000;
        let (block, decoded) = units(1000, 100, Limits::default());
        for round in 0..1000 {
            let at = round * 300 % SIZE;
            block.read(at..at + 10).unwrap();
        }
        // Four times the block and one unit more, then the whole block.
        assert_eq!(decoded.load(Ordering::Relaxed), 4 * SIZE + 100 + SIZE);
    }

    #[test]
    fn data_of_blocks_beyond_the_limit_are_released() {
        let mut limits = Limits::default();
        (limits.decoded_size, limits.decoded_total) = (1000, Some(4500));
        let (block, decoded) = units(1000, 10_000, limits);
        let read = || block.read(0..1000).map(|_| decoded.load(Ordering::Relaxed));
        assert_eq!(read().unwrap(), 1000);
        block.release();
        assert_eq!(read().unwrap(), 1000);
        // As another block would.
        block.reading.decoded.keep(1);
        for round in 2..5 {
            block.release();
            assert_eq!(block.reading.decoded.kept(), 1);
            assert_eq!(read().unwrap(), round * 1000);
        }
        block.release();
        assert!(read().unwrap_err().message().ends_with("larger than the limit of 4500 bytes"));
    }

    #[test]
    fn the_limit_on_a_block_is_not_for_parts() {
        let mut limits = Limits { decoded_size: 200, ..Limits::default() };
        let (block, _) = units(1000, 100, limits);
        for _ in 0..100 {
            assert_eq!(block.read(100..250).unwrap(), vec![0; 150]);
            assert_eq!(block.read(700..710).unwrap(), vec![0; 10]);
        }
        let error = block.read(0..300).unwrap_err();
        assert_eq!(
            error.message(),
            "block 0 decodes to 1000 bytes, which is larger than the limit of 200 bytes"
        );
        limits.decoded_total = Some(999);
        let error = units(1000, 100, limits).0.read(0..1).unwrap_err();
        assert!(error.message().ends_with("larger than the limit of 999 bytes"), "{error}");
    }

    /// A file with two equal blocks, the second damaged.
    fn damaged() -> Vec<u8> {
        let mut file = File::new();
        for name in ["/a", "/b"] {
            file.set(name, &NdArray::from_vec(&[100], vec![7_u8; 100]).unwrap()).unwrap();
        }
        let mut bytes = file.to_bytes().unwrap();
        damage(&mut bytes, 1);
        bytes
    }

    /// Changes the first stored byte of a block.
    fn damage(bytes: &mut [u8], number: usize) {
        let block = File::from_bytes(bytes.to_vec()).unwrap().blocks().unwrap()[number].clone();
        bytes[usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap()] ^= 1;
    }

    /// Options that count reports of damage.
    fn reporting(path: &'static str) -> (OpenOptions, Arc<AtomicU64>) {
        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let options = OpenOptions::new().report_checksums(move |error| {
            assert_eq!((error.code(), error.path()), (Some(Code::Checksum), Some(path)));
            counted.fetch_add(1, Ordering::Relaxed);
        });
        (options, count)
    }

    #[test]
    fn damage_is_reported_once_as_many_bytes_were_read_as_the_block_has() {
        let (options, count) = reporting("/b");
        let file = options.open_bytes(damaged()).unwrap();
        let found = |number: usize, range: Range<u64>| {
            assert_eq!(
                file.blocks().unwrap()[number].read(range.clone()).unwrap().len() as u64,
                range.end - range.start
            );
            count.load(Ordering::Relaxed)
        };
        assert_eq!((found(0, 0..50), found(0, 50..100), found(0, 0..100)), (0, 0, 0));
        assert_eq!((found(1, 50..100), found(1, 0..49), found(1, 50..51), found(1, 0..100)), (0, 0, 1, 1));

        let (options, count) = reporting("/data");
        let (block, _) = units_in(1000, 100, options, |bytes| damage(bytes, 0));
        let found = |range: Range<u64>| {
            block.read(range).unwrap();
            count.load(Ordering::Relaxed)
        };
        assert_eq!((found(700..710), found(0..500), found(500..989), found(0..1)), (0, 0, 0, 1));
    }

    #[test]
    fn a_range_outside_of_a_block_is_refused() {
        let file = File::from_bytes(damaged()).unwrap();
        let block = &file.blocks().unwrap()[0];
        #[expect(clippy::reversed_empty_ranges, reason = "it has to be refused")]
        for range in [99..101, 101..101, 50..49] {
            let error = block.read(range.clone()).unwrap_err();
            assert!(error.message().ends_with("are outside block 0, which has 100 bytes"), "{error}");
        }
        assert_eq!(block.read(100..100).unwrap().len(), 0);
        assert_eq!(block.read(30..40).unwrap(), vec![7; 10]);
    }

    /// Parts of up to half of a block are decoded alone, and more as the whole block.
    #[test]
    fn more_than_half_of_a_block_is_decoded_as_a_whole() {
        for (range, expected) in [(0..10, 100), (0..500, 500), (200..701, 1000), (150..250, 200)] {
            let (block, decoded) = units(1000, 100, Limits::default());
            block.read(range.clone()).unwrap();
            assert_eq!(decoded.load(Ordering::Relaxed), expected, "{range:?}");
        }
        // The limit is for what is decoded at once.
        for (limit, is_read) in [(400, true), (399, false)] {
            let (block, _) = units(1000, 100, Limits { decoded_size: limit, ..Limits::default() });
            assert_eq!(block.read(100..500).is_ok(), is_read, "{limit}");
        }
    }
}

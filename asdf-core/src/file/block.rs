//! A block of a file, read and decoded on first use.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;

use super::checks::Checks;
use super::reading::Reading;
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
    reading: Arc<Reading>,
    number: u64,
    offset: u64,
    header: block::Header,
    /// The encoding of the data in a pre-release file.
    encoding: Option<Encoding>,
    /// The data of a compressed block, kept once all of it was decoded.
    decoded: OnceLock<Bytes>,
    /// The part that was decoded last, if the codec decodes parts: reading row by row needs it again.
    piece: Mutex<Option<(u64, Bytes)>>,
    /// Whether the checksum has not been checked yet. Locked during the check, so that it happens once.
    unchecked: Mutex<bool>,
    /// The number of bytes that were read in parts.
    parts: AtomicU64,
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
            decoded: OnceLock::new(),
            piece: Mutex::default(),
            unchecked: Mutex::new(true),
            parts: AtomicU64::new(0),
            counted: AtomicBool::new(false),
        }
    }

    /// Returns the number of the block, from 0.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
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

    fn place(&self, error: Error) -> Error {
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

    /// Refuses to decode a block beyond the limit on one block or on all decoded blocks.
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
        if self.counted.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
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

    /// Reads the stored bytes once, to check the checksum if requested and to decode all of the data.
    fn decode_checked(&self, stored: Range<u64>) -> Result<Bytes> {
        let Some(mut unchecked) = self.unchecked() else { return self.decode(&self.window(stored)) };
        let stored = self.source().read(stored)?;
        let digest = self.digest(&stored);
        match self.compare(&MemorySource::new(stored), digest)? {
            (found, data) if found.is_ok() => {
                *unchecked = false;
                data
            }
            (_, Err(error)) if error.kind() != Kind::Malformed => Err(error),
            (found, data) => {
                // If the data do not decode, that is the error to report.
                if data.is_ok() || matches!(self.reading.checks, Checks::Refuse) {
                    self.judge(found)?;
                }
                *unchecked = false;
                data
            }
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
        Window { source: self.source(), range }
    }

    /// Decodes only a range of the data; `None` if that is impossible or not worth it.
    ///
    /// `stored` is the range of the stored bytes in the file.
    fn decode_range(&self, stored: &Range<u64>, range: &Range<u64>) -> Result<Option<Bytes>> {
        let size = self.header.data_size;
        const KEPT: usize = 16 << 20;
        // A caller that reads half of the data will probably read the rest.
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
        let codecs = self.reading.codecs();
        let codec = codecs.find(self.header.compression);
        let window = self.window(stored.clone());
        let piece = codec.and_then(|codec| codec.decode_range(&window, size, range.clone()));
        let Some(piece) = piece.map_err(|error| self.undecodable(error))? else { return Ok(None) };
        let bytes = Bytes::from(piece.data);
        let found = inside(piece.start, &bytes).ok_or_else(|| {
            self.undecodable(Error::malformed(format!(
                "the codec for {} did not decode the bytes {} to {}",
                self.header.compression, range.start, range.end
            )))
        })?;
        if bytes.len() <= KEPT {
            *last() = Some((piece.start, bytes));
        }
        Ok(Some(found))
    }

    /// Adds the number and the place of this block to an error.
    fn numbered(&self, error: Error) -> Error {
        let message = format!("block {}: {}", self.number, error.message());
        self.place(error.with_message(message))
    }

    /// Adds the code, the number and the place of this block to an error of decoding.
    fn undecodable(&self, error: Error) -> Error {
        self.numbered(match error.kind() {
            Kind::Malformed => error.with_code(Code::Undecodable),
            _ => error,
        })
    }

    pub(super) fn matching(&self, found: Checksum) -> Result<Checksum> {
        if found.is_ok() { Ok(found) } else { Err(self.mismatch(found)) }
    }

    fn mismatch(&self, found: Checksum) -> Error {
        let error = Error::malformed(format!("block {}: {found}", self.number)).with_code(Code::Checksum);
        self.place(error.with_hint(Hint::AcceptChecksums))
    }

    /// Handles the result of a check: does nothing, reports a mismatch, or fails.
    fn judge(&self, found: Checksum) -> Result<()> {
        if found.is_ok() {
            return Ok(());
        }
        let mut error = self.mismatch(found);
        if let Some(path) = self.reading.array_in(self.number) {
            error = error.at_path(path);
        }
        match &self.reading.checks {
            Checks::None => Ok(()),
            Checks::Report(report) => {
                report.report(error);
                Ok(())
            }
            Checks::Refuse => Err(error),
        }
    }

    /// Checks that a range lies in the data, and returns the range of the stored bytes in the file.
    fn inside(&self, range: &Range<u64>) -> Result<Range<u64>> {
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

    /// Locks the flag that the checksum has not been checked yet. `None` if it has, or need not be.
    fn unchecked(&self) -> Option<MutexGuard<'_, bool>> {
        if matches!(self.reading.checks, Checks::None) {
            return None;
        }
        let unchecked = self.unchecked.lock().unwrap_or_else(PoisonError::into_inner);
        unchecked.then_some(unchecked)
    }

    /// Checks the checksum, unless that is done.
    fn check(&self) -> Result<()> {
        if let Some(mut unchecked) = self.unchecked() {
            self.judge(self.checksum()?)?;
            *unchecked = false;
        }
        Ok(())
    }

    /// Checks the checksum before a part is read.
    ///
    /// If mismatches are only reported, the check waits until the parts have as many bytes as the block.
    fn check_part(&self, bytes: u64) -> Result<()> {
        if let Checks::Report(_) = self.reading.checks {
            let before = self.parts.fetch_add(bytes, Ordering::Relaxed);
            if before.saturating_add(bytes) < self.size() {
                return Ok(());
            }
        }
        self.check()
    }

    /// Checks the checksum of an uncompressed block from its bytes, unless that is done.
    fn check_bytes(&self, bytes: &[u8]) -> Result<()> {
        if let Some(mut unchecked) = self.unchecked() {
            self.judge(Checksum::verify(self.header.checksum, bytes, || Ok(None))?)?;
            *unchecked = false;
        }
        Ok(())
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
        let data = match self.decoded.get() {
            Some(data) => data,
            None => {
                // A codec that has no ranges says so at once, and then all is read for both.
                let found = self.decode_range(&stored, &range).transpose();
                if let Some(found) = found {
                    self.check_part(range.end - range.start)?;
                    return found;
                }
                let data = self.decode_checked(stored)?;
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
        if !self.is_encoded() || self.decoded.get().is_some() {
            return self.read(0..self.size());
        }
        self.decode_checked(self.stored_range()?)
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

    fn wanted(&self) -> Result<()> {
        self.source.wanted()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        self.source.append(self.place(&range)?, bytes)
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.source.read(self.place(&range)?)
    }
}

impl Window<'_> {
    /// Converts a range of the stored bytes to a range of the file.
    fn place(&self, range: &Range<u64>) -> Result<Range<u64>> {
        let place = |at: u64| self.range.start.checked_add(at).filter(|&at| at <= self.range.end);
        match (place(range.start), place(range.end)) {
            (Some(start), Some(end)) => Ok(start..end),
            _ => Err(Error::malformed(format!(
                "the stored bytes end at byte {}, but the bytes {} to {} are needed",
                self.len(),
                range.start,
                range.end
            ))
            .with_code(Code::Undecodable)),
        }
    }
}

//! A block that is an array of a container.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::container::{ContainedArray, Elements};
use super::reading::Reading;
use crate::block::{Compression, Header, Label};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::source::Source;
use crate::threads::Threads;
use crate::tree::{Block, Stored};

/// An array of a container as a block.
pub(super) struct ContainedBlock {
    reading: Arc<Reading>,
    /// The source in the tree.
    name: String,
    size: u64,
    array: Arc<ContainedArray>,
    /// The decoded elements.
    kept: Mutex<Option<Bytes>>,
    /// Whether the elements are counted as decoded.
    is_counted: AtomicBool,
}

impl ContainedBlock {
    /// Makes the block of the array with a source in the tree.
    pub(super) fn new(name: &str, array: Arc<ContainedArray>, reading: Arc<Reading>) -> Result<Self> {
        let size = array.shape.iter().try_fold(array.datatype.size()?, |size, &axis| size.checked_mul(axis));
        let size = size.ok_or_else(|| Error::limit("the size of the array overflows"))?;
        Ok(Self {
            reading,
            name: name.to_owned(),
            size,
            array,
            kept: Mutex::default(),
            is_counted: AtomicBool::new(false),
        })
    }

    fn place(&self, error: Error) -> Error {
        let message = format!("'{}': {}", self.name.escape_debug(), error.message());
        self.reading.named(error.with_message(message))
    }

    /// Refuses to decode more than the limits on one block and on all of them.
    fn count(&self) -> Result<()> {
        let refused = |limit: LimitName, from: u64, to: u64, what: &str| {
            let message = format!("{what} {to} bytes, more than the limit of {from} bytes");
            let hint = Hint::Raise { limit, from, to: Some(to) };
            Err(self.place(Error::limit(message).with_code(Code::DecodedSize).with_hint(hint)))
        };
        let most = self.reading.limits.decoded_size;
        if self.size > most {
            return refused(LimitName::DecodedSize, most, self.size, "the array decodes to");
        }
        if self.is_counted.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.reading.count_decoded(self.size).or_else(|(total, most)| {
            self.is_counted.store(false, Ordering::Relaxed);
            refused(LimitName::DecodedTotal, most, total, "with the array, blocks decode to")
        })
    }

    fn decode(&self, decode: &dyn Fn() -> Result<Bytes>) -> Result<Bytes> {
        self.count()?;
        let bytes = decode().map_err(|error| self.place(error))?;
        self.check(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// Checks the number of bytes of all elements.
    fn check(&self, length: u64) -> Result<()> {
        if length == self.size {
            return Ok(());
        }
        let message = format!("found {length} bytes, expected {} for the shape of the array", self.size);
        Err(self.place(Error::malformed(message).with_code(Code::Undecodable)))
    }

    /// Returns the source of the elements, if they are stored as they are.
    fn source(&self) -> Result<Option<&Arc<dyn Source>>> {
        match &self.array.elements {
            Elements::Stored(source) => self.check(source.len()).map(|()| Some(source)),
            Elements::Encoded(_) => Ok(None),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Bytes>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decodes the elements and keeps them.
    fn all(&self) -> Result<Bytes> {
        let Elements::Encoded(decode) = &self.array.elements else { return self.read(0..self.size) };
        // Locked meanwhile, so that they are decoded once.
        let mut kept = self.kept();
        if let Some(bytes) = kept.as_ref() {
            return Ok(bytes.clone());
        }
        let bytes = self.decode(decode.as_ref())?;
        self.reading.decoded.keep(self.size);
        *kept = Some(bytes.clone());
        Ok(bytes)
    }
}

impl fmt::Debug for ContainedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContainedBlock({}, {} bytes)", self.describe(), self.size)
    }
}

impl Block for ContainedBlock {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        if range.start > range.end || range.end > self.size {
            let message = format!(
                "the bytes {} to {} are outside the array, which has {}",
                range.start, range.end, self.size
            );
            return Err(self.place(Error::malformed(message)));
        }
        if let Some(source) = self.source()? {
            return source.read(range).map_err(|error| self.place(error));
        }
        let bytes = self.all()?;
        let place = |at: u64| usize::try_from(at).map_err(|_| Error::beyond_memory(at));
        Ok(bytes.slice(place(range.start)?..place(range.end)?))
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        match self.source()? {
            Some(source) => source.read_many(ranges).map_err(|error| self.place(error)),
            None => ranges.iter().map(|range| self.read(range.clone())).collect(),
        }
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        match self.source()? {
            Some(source) => source.read_into(offset, out).map_err(|error| self.place(error)),
            None => {
                out.copy_from_slice(&self.read(offset..offset.saturating_add(out.len() as u64))?);
                Ok(())
            }
        }
    }

    fn is_at_hand(&self) -> bool {
        match &self.array.elements {
            Elements::Stored(source) => source.lends(),
            Elements::Encoded(_) => true,
        }
    }

    fn is_remote(&self) -> bool {
        self.reading.source.cost().is_high()
    }

    fn remote_part(&self, range: Range<u64>) -> Option<(Arc<dyn Source>, Range<u64>)> {
        let source = self.source().ok()??;
        self.is_remote().then(|| (source.clone(), range))
    }

    fn threads(&self) -> Threads {
        self.reading.threads()
    }

    fn describe(&self) -> String {
        self.name.escape_debug().to_string()
    }

    fn stored(&self) -> Result<Stored> {
        match self.source()? {
            Some(_) => Ok(Stored::InPlace {
                size: self.size,
                label: Label::NONE,
                data_size: self.size,
                checksum: [0; 16],
                // It has no header that could be kept.
                offset: u64::MAX,
                header_size: Header::MIN_SIZE,
            }),
            None => Ok(Stored::Plain { bytes: self.decoded()?, compression: Compression::NONE }),
        }
    }

    fn decoded(&self) -> Result<Bytes> {
        match &self.array.elements {
            Elements::Stored(_) => self.read(0..self.size),
            Elements::Encoded(decode) => match self.kept().as_ref() {
                Some(bytes) => Ok(bytes.clone()),
                None => self.decode(decode.as_ref()),
            },
        }
    }

    fn release(&self) {
        if self.reading.decoded.kept() <= self.reading.limits.decoded_size {
            return;
        }
        if self.kept().take().is_some() {
            self.reading.decoded.free(self.size);
            // To decode them again counts again.
            self.is_counted.store(false, Ordering::Relaxed);
        }
    }

    fn read_stored(&self, range: Range<u64>) -> Result<Bytes> {
        self.read(range)
    }
}

//! The stored bytes of a block.

use std::ops::Range;

use bytes::Bytes;

use crate::error::{Code, Error, Result};
use crate::source::{Cost, Source};

/// The stored bytes of a block as a source of their own.
#[derive(Debug)]
pub(super) struct Window<'s> {
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

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let places = ranges.iter().map(|range| self.place(range)).collect::<Result<Vec<_>>>()?;
        self.source.read_many(&places)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        let places = ranges.iter().map(|range| self.place(range)).collect::<Result<Vec<_>>>()?;
        self.source.prefetch(&places)
    }

    fn cost(&self) -> Cost {
        self.source.cost()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        self.source.append(self.place(&range)?, bytes)
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.source.read(self.place(&range)?)
    }
}

impl<'s> Window<'s> {
    /// Makes the source of a range of a file.
    pub(super) fn new(source: &'s dyn Source, range: Range<u64>) -> Self {
        Self { source, range }
    }

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

#[cfg(test)]
#[cfg(feature = "zlib")]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::source::MemorySource;
    use crate::tree::Block as _;
    use crate::{Compression, File, NdArray, OpenOptions};

    /// A source whose work was cancelled.
    #[derive(Debug)]
    struct Cancelled(MemorySource, AtomicBool);

    impl Source for Cancelled {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read(&self, range: Range<u64>) -> Result<Bytes> {
            self.0.read(range)
        }

        fn wanted(&self) -> Result<()> {
            if self.1.load(Ordering::Relaxed) { Err(Error::limit("cancelled")) } else { Ok(()) }
        }
    }

    #[test]
    fn decoding_stops_when_the_source_is_cancelled() {
        let mut file = File::new();
        let array = NdArray::from_vec(&[1000], vec![7_u8; 1000]).unwrap();
        file.set("/data", &array.with_compression(Compression::ZLIB).unwrap()).unwrap();
        let bytes = MemorySource::new(file.to_bytes().unwrap());
        let source = Arc::new(Cancelled(bytes, AtomicBool::new(false)));
        let file = OpenOptions::new().open_source(source.clone()).unwrap();
        let block = file.blocks().unwrap()[0].clone();
        source.1.store(true, Ordering::Relaxed);
        assert_eq!(block.read(0..1000).unwrap_err().message(), "block 0: cancelled");
        source.1.store(false, Ordering::Relaxed);
        assert_eq!(block.read(0..1000).unwrap(), vec![7; 1000]);
    }
}

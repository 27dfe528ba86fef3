//! A range of a source.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::source::{Bytes, Cost, Source};
use asdf_core::{Error, Result};

/// A range of another source, such as the data of a unit.
#[derive(Debug)]
pub(super) struct Part {
    source: Arc<dyn Source>,
    range: Range<u64>,
}

impl Part {
    pub(super) fn new(source: Arc<dyn Source>, range: Range<u64>) -> Self {
        Self { source, range }
    }

    /// Converts a range of the part to one of the source.
    fn place(&self, range: &Range<u64>) -> Result<Range<u64>> {
        let place = |at: u64| self.range.start.checked_add(at).filter(|&at| at <= self.range.end);
        match (place(range.start), place(range.end)) {
            (Some(start), Some(end)) => Ok(start..end),
            _ => Err(Error::malformed(format!(
                "the data of the HDU ends at byte {}, but the bytes {} to {} are needed",
                self.len(),
                range.start,
                range.end
            ))),
        }
    }

    fn places(&self, ranges: &[Range<u64>]) -> Result<Vec<Range<u64>>> {
        ranges.iter().map(|range| self.place(range)).collect()
    }
}

impl Source for Part {
    fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    fn lends(&self) -> bool {
        self.source.lends()
    }

    fn wanted(&self) -> Result<()> {
        self.source.wanted()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.source.read(self.place(&range)?)
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.source.read_many(&self.places(ranges)?)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        self.source.prefetch(&self.places(ranges)?)
    }

    fn cost(&self) -> Cost {
        self.source.cost()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        self.source.append(self.place(&range)?, bytes)
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = self.place(&(offset..offset.saturating_add(out.len() as u64)))?;
        self.source.read_into(range.start, out)
    }
}

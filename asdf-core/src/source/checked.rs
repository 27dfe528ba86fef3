//! Checks around the caller's sources.

use std::ops::Range;

use bytes::Bytes;

use super::{Cost, Source, check, range_of};
use crate::error::{Code, Error, Result};

/// A source that is only read within its length, and whose reads return the requested number of bytes. Other
/// code relies on both.
#[derive(Debug)]
pub(crate) struct CheckedSource<S> {
    source: S,
    /// The length when the file was opened.
    len: u64,
}

impl<S: Source> CheckedSource<S> {
    pub(crate) fn new(source: S) -> Self {
        let len = source.len();
        Self { source, len }
    }
}

/// Returns an error if the source returned another number of bytes than requested.
pub(super) fn has_length(range: &Range<u64>, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::malformed(format!("found {found} bytes from the source, expected {expected}"))
        .with_code(Code::CutShort)
        .at_offset(range.start))
}

impl<S: Source> Source for CheckedSource<S> {
    fn len(&self) -> u64 {
        self.len
    }

    fn lends(&self) -> bool {
        self.source.lends()
    }

    fn wanted(&self) -> Result<()> {
        self.source.wanted()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let expected = check(&range, self.len)?;
        let bytes = self.source.read(range.clone())?;
        has_length(&range, expected, bytes.len())?;
        Ok(bytes)
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let expected: Vec<usize> =
            ranges.iter().map(|range| check(range, self.len)).collect::<Result<_>>()?;
        let found = self.source.read_many(ranges)?;
        if found.len() != ranges.len() {
            let (found, expected) = (found.len(), ranges.len());
            return Err(Error::malformed(format!(
                "found the bytes of {found} ranges from the source, expected {expected}"
            )));
        }
        for ((range, expected), bytes) in ranges.iter().zip(expected).zip(&found) {
            has_length(range, expected, bytes.len())?;
        }
        Ok(found)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        for range in ranges {
            check(range, self.len)?;
        }
        self.source.prefetch(ranges)
    }

    fn cost(&self) -> Cost {
        self.source.cost()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        let expected = check(&range, self.len)?;
        let before = bytes.len();
        self.source.append(range.clone(), bytes)?;
        has_length(&range, expected, bytes.len().saturating_sub(before))
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = range_of(offset, out.len());
        check(&range, self.len)?;
        self.source.read_into(offset, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// Claims to have ten bytes, and returns up to five.
    #[derive(Debug)]
    struct Short;

    impl Source for Short {
        fn len(&self) -> u64 {
            10
        }

        fn read(&self, range: Range<u64>) -> Result<Bytes> {
            let count = usize::try_from(range.end - range.start).unwrap();
            Ok(Bytes::from(vec![b'#'; count.min(5)]))
        }
    }

    #[test]
    fn reads_of_another_length_are_errors() {
        let source = CheckedSource::new(Short);
        assert_eq!(source.read(2..7).unwrap().len(), 5);
        let error = source.read(2..8).unwrap_err();
        assert_eq!(error.to_string(), "at byte 2: found 5 bytes from the source, expected 6");
        assert_eq!((error.kind(), error.code()), (Kind::Malformed, Some(Code::CutShort)));
        assert_eq!(source.append(0..6, &mut vec![1]).unwrap_err().code(), Some(Code::CutShort));
        assert!(source.read_into(0, &mut [0; 5]).is_ok());
        assert_eq!(source.read_into(0, &mut [0; 6]).unwrap_err().code(), Some(Code::CutShort));
    }

    #[test]
    fn the_source_is_not_read_beyond_its_end() {
        let source = CheckedSource::new(Short);
        for error in [source.read(8..12).unwrap_err(), source.read_into(9, &mut [0; 2]).unwrap_err()] {
            assert_eq!(error.code(), Some(Code::CutShort));
        }
    }
}

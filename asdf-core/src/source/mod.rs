//! Byte sources: reading ranges of bytes, below all other code that reads a file.
//!
//! A [`Source`] has a length and returns ranges of bytes. It does not interpret them.
//!
//! | source | reads by | copies | if the file is truncated while open |
//! |---|---|---|---|
//! | [`FileSource`] | position (`pread`), each read on its own | each read is one owned copy | an error |
//! | [`MemorySource`] | slicing | never | cannot happen |
//! | `MapSource` (feature `mmap`) | slicing a memory map | never | **can end the process** (SIGBUS): see its contract |
//!
//! | [`PartialSource`] | slicing the parts that the caller gave it; performs no I/O | never | cannot happen |
//!
//! All of them can be shared between threads, which can read at the same time. The crate `asdf-remote` reads object
//! stores and web servers.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use bytes::Bytes;

use crate::error::{Code, Error, Result};

mod checked;
mod cost;
mod file;
#[cfg(feature = "mmap")]
mod map;
mod memory;
mod partial;
#[cfg(test)]
mod recording;
mod store;

pub(crate) use checked::CheckedSource;
pub use cost::Cost;
pub use file::FileSource;
#[cfg(feature = "mmap")]
pub use map::MapSource;
pub use memory::MemorySource;
pub use partial::{PartialSource, Progress};
#[cfg(test)]
pub(crate) use recording::Recording;
pub use store::Store;

/// A source of bytes, such as a file or memory.
///
/// Implement it to read from elsewhere: [`OpenOptions::open_from`](crate::OpenOptions::open_from) opens a
/// file from any source.
///
/// # Examples
/// ```
/// use std::ops::Range;
///
/// use asdf_core::source::{Bytes, MemorySource, Source};
/// use asdf_core::{File, OpenOptions, Result};
///
/// /// A part of another source, such as a file in an archive that does not compress it.
/// #[derive(Debug)]
/// struct Member<S> {
///     archive: S,
///     range: Range<u64>,
/// }
///
/// impl<S: Source> Source for Member<S> {
///     fn len(&self) -> u64 {
///         self.range.end - self.range.start
///     }
///
///     fn read(&self, range: Range<u64>) -> Result<Bytes> {
///         // The archive would read beyond the end of the member.
///         if range.end > self.len() {
///             return Err(asdf_core::Error::malformed("the member of the archive is truncated"));
///         }
///         self.archive.read(self.range.start + range.start..self.range.start + range.end)
///     }
/// }
///
/// let mut file = File::new();
/// file.set("/target", "M31")?;
/// let archive = [&b"head"[..], &file.to_bytes()?, b"tail"].concat();
/// let range = 4..archive.len() as u64 - 4;
/// let member = Member { archive: MemorySource::new(archive), range };
/// assert_eq!(OpenOptions::new().open_from(member)?.get::<String>("/target")?, "M31");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "file-like object")]
#[doc(alias = "GenericFile")]
pub trait Source: fmt::Debug + Send + Sync {
    /// Returns the length in bytes, as it was when the source was opened.
    fn len(&self) -> u64;

    /// Returns whether the source has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether reads borrow bytes that are in memory or mapped, instead of copying them.
    fn lends(&self) -> bool {
        false
    }

    /// Fails if the result of the current work is no longer needed.
    ///
    /// Long work on the bytes, such as decoding, calls this between its steps and stops with the error.
    /// Implement it to cancel or to set a deadline.
    ///
    /// # Errors
    /// If the work was cancelled or its deadline has passed.
    fn wanted(&self) -> Result<()> {
        Ok(())
    }

    /// Reads exactly the bytes of `range`, counted from the start of the source.
    ///
    /// The result is shared: cloning and slicing it copies nothing. Whether the read itself copies depends on
    /// the source (see the table above). The alignment is not specified. Nothing is allocated before the
    /// range is known to be inside the source.
    ///
    /// # Errors
    ///
    /// - [`Malformed`](crate::error::Kind::Malformed) if the range ends beyond the source: the file is
    ///   shorter than something in it claims.
    /// - [`Usage`](crate::error::Kind::Usage) if the range ends before it starts.
    /// - [`Limit`](crate::error::Kind::Limit) if the range does not fit into memory.
    /// - [`Io`](crate::error::Kind::Io) if the system cannot read, or the file became shorter after it was
    ///   opened.
    fn read(&self, range: Range<u64>) -> Result<Bytes>;

    /// Reads several ranges at once and returns the bytes of each, in the same order.
    ///
    /// The ranges can overlap and be in any order. Implement it if one read costs more than some bytes, or if the
    /// source can serve several reads at a time. A remote source then needs one round trip instead of many. The default
    /// reads the ranges one after the other.
    ///
    /// # Errors
    /// As [`read`](Self::read), for the first range that fails.
    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        ranges.iter().map(|range| self.read(range.clone())).collect()
    }

    /// Announces ranges that are read next, so that a source whose reads take long can request them together.
    ///
    /// Implement it if the source can keep the bytes until they are read. The default does nothing.
    ///
    /// # Errors
    /// As [`read`](Self::read), for the first range that fails.
    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        let _ = ranges;
        Ok(())
    }

    /// Returns what reads cost, so that callers know which of them to combine. The default is [`Cost::LOCAL`].
    fn cost(&self) -> Cost {
        Cost::LOCAL
    }

    /// Appends the bytes of `range` to `bytes`, for callers that accumulate several reads.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.extend_from_slice(&self.read(range)?);
        Ok(())
    }

    /// Copies bytes from an offset on, to fill `out`.
    ///
    /// No memory is allocated, so callers can reuse a buffer. A file source reads directly into `out`.
    ///
    /// # Errors
    /// As [`read`](Self::read). After an error the content of `out` is unspecified.
    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = range_of(offset, out.len());
        let bytes = self.read(range.clone())?;
        checked::has_length(&range, out.len(), bytes.len())?;
        out.copy_from_slice(&bytes);
        Ok(())
    }
}

/// A shared source, so that the caller can keep it beside the file.
impl<S: Source + ?Sized> Source for Arc<S> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn lends(&self) -> bool {
        (**self).lends()
    }

    fn wanted(&self) -> Result<()> {
        (**self).wanted()
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        (**self).read(range)
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        (**self).read_many(ranges)
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        (**self).prefetch(ranges)
    }

    fn cost(&self) -> Cost {
        (**self).cost()
    }

    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        (**self).append(range, bytes)
    }

    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        (**self).read_into(offset, out)
    }
}

/// Returns the range of `count` bytes from an offset on.
fn range_of(offset: u64, count: usize) -> Range<u64> {
    offset..offset.saturating_add(count as u64)
}

/// Returns the number of bytes in a range, if it is inside a source of `len` bytes.
fn check(range: &Range<u64>, len: u64) -> Result<usize> {
    let Range { start, end } = *range;
    let Some(count) = end.checked_sub(start) else {
        return Err(Error::usage(format!(
            "found the range from byte {start} to byte {end}, expected the end after the start"
        )));
    };
    if let Some(missing) = end.checked_sub(len).filter(|&missing| missing > 0) {
        return Err(Error::malformed(format!(
            "expected {count} bytes here, but the file ends at byte {len}: {missing} bytes are missing"
        ))
        .with_code(Code::CutShort)
        .at_offset(start));
    }
    usize::try_from(count).map_err(|_| Error::beyond_memory(count).at_offset(start))
}

/// Returns the slice of `whole` for a range, sharing its memory.
fn slice(whole: &Bytes, range: &Range<u64>) -> Result<Bytes> {
    let count = check(range, whole.len() as u64)?;
    // Cannot fail: the start is in `whole`, whose length is a `usize`.
    let start = usize::try_from(range.start).map_err(|_| Error::beyond_memory(range.start))?;
    Ok(whole.slice(start..start + count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn ranges_are_checked_before_anything_else() {
        assert_eq!(check(&(0..0), 0).unwrap(), 0);
        assert_eq!(check(&(5..5), 5).unwrap(), 0);
        assert_eq!(check(&(1..5), 5).unwrap(), 4);

        let error = check(&(3..9), 5).unwrap_err();
        assert_eq!(
            error.to_string(),
            "at byte 3: expected 6 bytes here, but the file ends at byte 5: 4 bytes are missing"
        );
        assert_eq!(error.kind(), Kind::Malformed);
        assert_eq!(check(&(6..6), 5).unwrap_err().kind(), Kind::Malformed);
        assert_eq!(check(&(0..u64::MAX), 5).unwrap_err().kind(), Kind::Malformed);
        let backwards = Range { start: 2, end: 1 };
        assert_eq!(check(&backwards, 5).unwrap_err().kind(), Kind::Usage);
    }
}

//! Bytes at a range: what every reader of a file stands on.
//!
//! A [`Source`] has a length and hands out ranges of bytes; it does not know what they mean.
//!
//! | source | reads by | copies | if the file is cut while open |
//! |---|---|---|---|
//! | [`FileSource`] | position (`pread`), each read on its own | each read is one owned copy | an error |
//! | [`MemorySource`] | slicing | never | cannot happen |
//! | `MapSource` (feature `mmap`) | slicing a memory map | never | **the process may end** (SIGBUS): see there |
//!
//! All of them can be shared between threads, and reads do not disturb each other.

use std::fmt;
use std::ops::Range;

pub use bytes::Bytes;

use crate::error::{Code, Error, Result};

mod checked;
mod file;
#[cfg(feature = "mmap")]
mod map;
mod memory;

pub(crate) use checked::CheckedSource;
pub use file::FileSource;
#[cfg(feature = "mmap")]
pub use map::MapSource;
pub use memory::MemorySource;

/// Bytes at a range. [`OpenOptions::open_from`](crate::OpenOptions::open_from) opens a file from any source.
///
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
///         // A range beyond the end is an error, which the archive does not notice.
///         if range.end > self.len() {
///             return Err(asdf_core::Error::malformed("the member of the archive is cut short"));
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
pub trait Source: fmt::Debug + Send + Sync {
    /// The length in bytes, as it was when the source was opened.
    fn len(&self) -> u64;

    /// Whether there is no byte at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether reading lends bytes that are in memory or mapped, instead of copying them.
    fn lends(&self) -> bool {
        false
    }

    /// Whether what is made of the bytes is still waited for. Long work on them, such as decoding, asks between its
    /// steps, and ends with the error.
    ///
    /// # Errors
    /// When nobody waits any more.
    fn wanted(&self) -> Result<()> {
        Ok(())
    }

    /// Exactly the bytes of `range`, counted from the start of the source.
    ///
    /// The answer is shared: cloning and slicing it copies nothing. Whether it was copied to get
    /// here is the source's own affair (see the table above); nothing is promised about its
    /// alignment. Nothing is allocated before the range is known to lie in the source.
    ///
    /// # Errors
    ///
    /// - [`Malformed`](crate::error::Kind::Malformed) if the range ends beyond the source: the file
    ///   is shorter than something in it claims.
    /// - [`Usage`](crate::error::Kind::Usage) if the range ends before it starts.
    /// - [`Limit`](crate::error::Kind::Limit) if the range does not fit into memory.
    /// - [`Io`](crate::error::Kind::Io) if the system cannot read, or the file has become shorter
    ///   since it was opened.
    fn read(&self, range: Range<u64>) -> Result<Bytes>;

    /// Appends the bytes of `range` to others: for who collects what was read in several steps.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn append(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.extend_from_slice(&self.read(range)?);
        Ok(())
    }

    /// Copies the bytes from an offset on over all of `out`, and takes no memory of its own: for who
    /// has a buffer to use again. Reading from a file goes there without a stop between.
    ///
    /// # Errors
    /// As [`read`](Self::read); then what is in `out` is not said.
    fn read_into(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = range_of(offset, out.len());
        let bytes = self.read(range.clone())?;
        checked::has_length(&range, out.len(), bytes.len())?;
        out.copy_from_slice(&bytes);
        Ok(())
    }
}

/// The range of so many bytes from an offset on.
fn range_of(offset: u64, count: usize) -> Range<u64> {
    offset..offset.saturating_add(count as u64)
}

/// The number of bytes in a range, if it lies in a source of `len` bytes.
fn check(range: &Range<u64>, len: u64) -> Result<usize> {
    let Range { start, end } = *range;
    let Some(count) = end.checked_sub(start) else {
        return Err(Error::usage(format!("the range from byte {start} to byte {end} is backwards")));
    };
    if let Some(missing) = end.checked_sub(len).filter(|&missing| missing > 0) {
        return Err(Error::malformed(format!(
            "the file ends at byte {len}, {missing} bytes earlier than the {count} bytes expected here"
        ))
        .with_code(Code::CutShort)
        .at_offset(start));
    }
    usize::try_from(count).map_err(|_| Error::beyond_memory(count).at_offset(start))
}

/// The slice of `whole` that a range means, sharing its memory.
fn slice(whole: &Bytes, range: &Range<u64>) -> Result<Bytes> {
    let count = check(range, whole.len() as u64)?;
    // Cannot fail: the start lies in `whole`, whose length is a `usize`.
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
            "at byte 3: the file ends at byte 5, 4 bytes earlier than the 6 bytes expected here"
        );
        assert_eq!(error.kind(), Kind::Malformed);
        assert_eq!(check(&(6..6), 5).unwrap_err().kind(), Kind::Malformed);
        assert_eq!(check(&(0..u64::MAX), 5).unwrap_err().kind(), Kind::Malformed);
        let backwards = Range { start: 2, end: 1 };
        assert_eq!(check(&backwards, 5).unwrap_err().kind(), Kind::Usage);
    }
}

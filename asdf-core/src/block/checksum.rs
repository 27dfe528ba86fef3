//! Comparison of a block with its checksum.

use std::fmt;

use super::md5;
use crate::error::{Kind, Result};

/// The result of comparing a block with its checksum.
///
/// The checksum is an optional MD5 of the used data, zeros for none ("Block header" in the standard).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Checksum {
    /// The checksum is all zeros: there is nothing to compare.
    Absent,
    /// The checksum is the MD5 of the stored bytes, as the standard requires.
    Stored,
    /// The checksum is the MD5 of the decoded bytes of a compressed block. Python's `asdf` wrote this before
    /// 5.3, and some reference files of the standard have it. It proves the data just as well, but violates
    /// the standard.
    Decoded,
    /// The checksum matches neither: the block or its header is damaged.
    Wrong {
        /// The digest in the header.
        expected: [u8; 16],
        /// The digest of the stored bytes.
        found: [u8; 16],
    },
}

impl Checksum {
    /// Compares the checksum of a header with the stored bytes, and with the decoded bytes only if those do
    /// not match. `decoded` returns the digest of the decoded bytes, or `None` for a block that is not
    /// compressed.
    ///
    /// # Errors
    ///
    /// The error of `decoded`, such as a limit. If the bytes are malformed, or no codec can decode them, nothing
    /// proves them right, which is [`Checksum::Wrong`].
    pub(crate) fn verify(
        expected: [u8; 16],
        stored: &[u8],
        decoded: impl FnOnce() -> Result<Option<[u8; 16]>>,
    ) -> Result<Self> {
        if expected == [0; 16] {
            return Ok(Self::Absent);
        }
        Self::compare(expected, md5(stored), decoded)
    }

    /// Compares like [`verify`](Self::verify), for callers that hash the stored bytes piece by piece.
    pub(crate) fn compare(
        expected: [u8; 16],
        stored: [u8; 16],
        decoded: impl FnOnce() -> Result<Option<[u8; 16]>>,
    ) -> Result<Self> {
        if expected == [0; 16] {
            return Ok(Self::Absent);
        }
        if expected == stored {
            return Ok(Self::Stored);
        }
        let decoded = match decoded() {
            Err(e) if matches!(e.kind(), Kind::Malformed | Kind::Unsupported) => None,
            other => other?,
        };
        Ok(if decoded == Some(expected) { Self::Decoded } else { Self::Wrong { expected, found: stored } })
    }

    /// Returns whether the checksum matches or is absent.
    #[must_use]
    pub fn is_ok(self) -> bool {
        !matches!(self, Self::Wrong { .. })
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("no checksum"),
            Self::Stored => f.write_str("the checksum matches"),
            Self::Decoded => f.write_str("the checksum matches the decoded bytes (asdf before 5.3)"),
            Self::Wrong { expected, found } => {
                f.write_str("checksum mismatch: expected ")?;
                hex(f, expected)?;
                f.write_str(", found ")?;
                hex(f, found)
            }
        }
    }
}

fn hex(f: &mut fmt::Formatter<'_>, digest: &[u8; 16]) -> fmt::Result {
    digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn the_checksum_of_stored_or_decoded_bytes_matches() {
        let never = || -> Result<Option<[u8; 16]>> { panic!("decoded without need") };
        assert_eq!(Checksum::verify([0; 16], b"stored", never).unwrap(), Checksum::Absent);
        assert_eq!(Checksum::verify(md5(b"stored"), b"stored", never).unwrap(), Checksum::Stored);
        let plain = || Ok(Some(md5(b"plain")));
        assert_eq!(Checksum::verify(md5(b"plain"), b"stored", plain).unwrap(), Checksum::Decoded);
        let wrong = Checksum::Wrong { expected: md5(b"other"), found: md5(b"stored") };
        assert_eq!(Checksum::verify(md5(b"other"), b"stored", plain).unwrap(), wrong);
        assert_eq!(Checksum::verify(md5(b"other"), b"stored", || Ok(None)).unwrap(), wrong);
        let damaged = || Err(Error::malformed("damaged"));
        assert_eq!(Checksum::verify(md5(b"other"), b"stored", damaged).unwrap(), wrong);
        assert!(!wrong.is_ok() && Checksum::Decoded.is_ok());
        let missing = || Err(Error::unsupported("no codec"));
        assert_eq!(Checksum::verify(md5(b"other"), b"stored", missing).unwrap(), wrong);
    }

    #[test]
    fn a_block_that_cannot_be_decoded_now_has_no_verdict() {
        let no_memory = || Err(Error::limit("too large"));
        assert_eq!(Checksum::verify([1; 16], b"stored", no_memory).unwrap_err().kind(), Kind::Limit);
        let no_disk = || Err(Error::io("reading", std::io::ErrorKind::TimedOut.into()));
        assert_eq!(Checksum::verify([1; 16], b"stored", no_disk).unwrap_err().kind(), Kind::Io);
    }

    #[test]
    fn digests_are_shown_in_hexadecimal() {
        let shown = Checksum::Wrong { expected: [0xab; 16], found: [1; 16] }.to_string();
        assert!(shown.contains(&"ab".repeat(16)) && shown.contains(&"01".repeat(16)), "{shown}");
    }
}

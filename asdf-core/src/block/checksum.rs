//! Whether a block's checksum matches.

use std::fmt;

use super::md5;
use crate::error::{Kind, Result};

/// What a block's checksum turned out to be ("Block header" in the standard: an optional MD5 of the
/// used data, zeros for none).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Checksum {
    /// All zeros: nothing to compare.
    Absent,
    /// The MD5 of the stored bytes, as the standard says.
    Stored,
    /// The MD5 of the decoded bytes of a compressed block: what Python's `asdf` wrote before 5.3,
    /// and what some of the standard's own reference files have. As good a proof, but against the
    /// standard.
    Decoded,
    /// Neither: the block is damaged, or its header is.
    Wrong {
        /// The digest in the header.
        expected: [u8; 16],
        /// The digest of the stored bytes.
        found: [u8; 16],
    },
}

impl Checksum {
    /// Compares a header's checksum with the stored bytes, and only if they do not match with the
    /// digest of the decoded bytes: `decoded` gives it, or `None` for a block that is not
    /// compressed.
    ///
    /// # Errors
    ///
    /// What `decoded` fails with, such as a codec that is not there; except that bytes which are
    /// malformed match nothing, which is [`Checksum::Wrong`].
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

    /// Like [`verify`](Self::verify), for callers that hash the stored bytes piece by piece.
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
            Err(e) if e.kind() == Kind::Malformed => None,
            other => other?,
        };
        Ok(if decoded == Some(expected) { Self::Decoded } else { Self::Wrong { expected, found: stored } })
    }

    /// Whether nothing speaks against the bytes.
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
                f.write_str("the checksum is wrong: expected ")?;
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
    fn which_bytes_it_is_of() {
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
        assert_eq!(
            Checksum::verify(md5(b"other"), b"stored", missing).unwrap_err().kind(),
            Kind::Unsupported
        );
    }

    #[test]
    fn digests_are_shown_in_hexadecimal() {
        let shown = Checksum::Wrong { expected: [0xab; 16], found: [1; 16] }.to_string();
        assert!(shown.contains(&"ab".repeat(16)) && shown.contains(&"01".repeat(16)), "{shown}");
    }
}

//! Compression labels: four bytes in the block header.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A compression label, as in a block header ("Compression" in the standard).
///
/// Shorter names are padded with NULs; all zeros mean no compression. Labels are compared byte by byte.
/// `Display` writes the name without the NULs, `none` for no compression, and escapes bytes that are not
/// printable ASCII. `FromStr` is its inverse for printable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Label([u8; 4]);

impl Label {
    /// No compression: four zeros.
    pub const NONE: Self = Self([0; 4]);
    /// One zlib stream (in the standard).
    pub const ZLIB: Self = Self(*b"zlib");
    /// One bzip2 stream (in the standard).
    pub const BZP2: Self = Self(*b"bzp2");
    /// LZ4 blocks in the chunks of Python's `asdf` (not in the standard, in wide use).
    pub const LZ4: Self = Self(*b"lz4\0");
    /// One LZ4 frame (not in the standard).
    pub const LZ4F: Self = Self(*b"lz4f");
    /// One Zstandard frame (not in the standard).
    pub const ZSTD: Self = Self(*b"zstd");
    /// One xz stream (not in the standard).
    pub const XZ: Self = Self(*b"xz\0\0");
    /// One chunk of c-blosc (not in the standard).
    pub const BLSC: Self = Self(*b"blsc");
    /// One contiguous frame of c-blosc2 (not in the standard).
    pub const BLS2: Self = Self(*b"bls2");

    /// Makes a label from any four bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 4]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes as in the file, with the NULs.
    #[must_use]
    pub const fn bytes(self) -> [u8; 4] {
        self.0
    }

    /// Returns whether the label means no compression.
    #[must_use]
    pub const fn is_none(self) -> bool {
        matches!(self.0, [0, 0, 0, 0])
    }

    /// Returns whether this crate or another program in use writes the label.
    #[must_use]
    pub const fn is_known(self) -> bool {
        matches!(
            &self.0,
            [0, 0, 0, 0] | b"zlib" | b"bzp2" | b"lz4\0" | b"lz4f" | b"zstd" | b"blsc" | b"bls2" | b"xz\0\0"
        )
    }

    /// Returns the levels of this crate's codec for the label.
    ///
    /// Empty if the codec has no levels; `None` for labels of other codecs. [The list](super::codec)
    /// describes the levels.
    #[must_use]
    pub const fn levels(self) -> Option<RangeInclusive<u32>> {
        let (first, last) = match &self.0 {
            b"zlib" | b"xz\0\0" | b"blsc" | b"bls2" => (0, 9),
            b"bzp2" => (1, 9),
            b"zstd" => (1, 22),
            [0, 0, 0, 0] | b"lz4\0" | b"lz4f" => (1, 0),
            _ => return None,
        };
        Some(RangeInclusive::new(first, last))
    }

    /// Returns the Python package with which Python's asdf reads such blocks.
    ///
    /// It is `asdf` for the built-in codecs, `asdf-compression` for those that this package adds, and `None`
    /// for those that no package has.
    #[must_use]
    pub const fn python_package(self) -> Option<&'static str> {
        match &self.0 {
            [0, 0, 0, 0] | b"zlib" | b"bzp2" | b"lz4\0" => Some("asdf"),
            b"lz4f" | b"zstd" | b"blsc" => Some("asdf-compression"),
            _ => None,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.pad("none");
        }
        let named = self.0.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        f.pad(&self.0.get(..named).unwrap_or_default().escape_ascii().to_string())
    }
}

impl FromStr for Label {
    type Err = Error;

    /// Parses `none`, or one to four printable ASCII characters.
    fn from_str(name: &str) -> Result<Self> {
        if name == "none" {
            return Ok(Self::NONE);
        }
        let mut label = [0; 4];
        match label.get_mut(..name.len()) {
            Some(start) if !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic()) => {
                start.copy_from_slice(name.as_bytes());
                Ok(Self(label))
            }
            _ => Err(Error::usage(format!(
                "found the compression label '{}', expected one to four ASCII characters",
                name.escape_debug()
            ))
            .with_hint("use one of none, zlib, bzp2, lz4, lz4f, zstd, xz, blsc or bls2")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (label, name) in [
            (Label::NONE, "none"),
            (Label::ZLIB, "zlib"),
            (Label::BZP2, "bzp2"),
            (Label::LZ4, "lz4"),
            (Label::XZ, "xz"),
        ] {
            assert_eq!(label.to_string(), name);
            assert_eq!(name.parse::<Label>().unwrap(), label);
        }
        assert_eq!(Label::new([0x1b, b'[', 0xff, 0]).to_string(), "\\x1b[\\xff");
        assert_eq!(Label::new([0, b'a', 0, 0]).to_string(), "\\x00a");
        assert_eq!(format!("{:>6}", Label::LZ4), "   lz4");
        assert!(Label::default().is_none() && !Label::LZ4.is_none());
    }

    #[test]
    fn other_texts_are_not_a_label() {
        for name in ["", "zlibb", "a b", "é", "a\0", "\u{1b}"] {
            assert!(name.parse::<Label>().is_err(), "{name:?}");
        }
    }
}

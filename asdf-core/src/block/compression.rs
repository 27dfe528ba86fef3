//! How to encode a block.

use std::fmt;
use std::str::FromStr;

use super::Label;
use crate::error::{Error, Result};

/// A compression to write with: a label, a level if it has any, and the size of its chunks.
///
/// As text, without the chunks: `zlib`, `zlib:9`, `bzp2`, `lz4`, `none`. [`codec::find`](super::codec::find)
/// checks whether this build has the codec. [`encode`](super::Codec::encode) checks whether the codec has the
/// level and chunks.
///
/// # Examples
/// ```
/// use asdf_core::{Compression, File, NdArray, WriteOptions};
///
/// let mut file = File::new();
/// let flat = NdArray::new(&[1000], &[1.0_f32; 1000])?;
/// file.set("/flat", &flat.with_compression(Compression::ZLIB.with_level(9))?)?; // of one array
/// let small = file.to_bytes()?;
/// let fast = WriteOptions::new().compression("lz4".parse()?).to_bytes(&file)?; // of all arrays
/// let large = WriteOptions::new().compression(Compression::NONE).to_bytes(&file)?;
/// assert!(small.len() < large.len() && fast.len() < large.len());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "all_array_compression")]
#[doc(alias = "array_compression")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Compression {
    label: Label,
    level: Option<u32>,
    chunk: Option<u64>,
}

impl Compression {
    /// No compression, the default.
    pub const NONE: Self = Self::new(Label::NONE);
    /// zlib, levels 0 (stored) to 9 (smallest), default 6.
    pub const ZLIB: Self = Self::new(Label::ZLIB);
    /// bzip2, levels 1 to 9 (smallest), default 9.
    pub const BZP2: Self = Self::new(Label::BZP2);
    /// LZ4 in the chunks of Python's `asdf`, without levels.
    ///
    /// A slice of an array decodes only the chunks that it touches.
    pub const LZ4: Self = Self::new(Label::LZ4);
    /// An LZ4 frame, without levels.
    pub const LZ4F: Self = Self::new(Label::LZ4F);
    /// Zstandard, levels 1 to 22 (smallest), default 3.
    ///
    /// It is one frame. A slice of an array decodes only a part of it if it was written
    /// [in chunks](Self::with_chunk).
    pub const ZSTD: Self = Self::new(Label::ZSTD);
    /// xz, levels 0 to 9 (smallest), default 6.
    pub const XZ: Self = Self::new(Label::XZ);
    /// c-blosc, shuffled by bytes, for less than 2 GiB of data.
    ///
    /// Levels 0 (stored), 1 (LZ4) and 2 to 9 (Zstandard), default 3.
    pub const BLSC: Self = Self::new(Label::BLSC);
    /// c-blosc2 in chunks, with the levels of [`BLSC`](Self::BLSC).
    pub const BLS2: Self = Self::new(Label::BLS2);

    /// Makes the compression of a label, at the default level of its codec.
    #[must_use]
    pub const fn new(label: Label) -> Self {
        Self { label, level: None, chunk: None }
    }

    /// Returns the same compression with a level.
    #[must_use]
    pub const fn with_level(self, level: u32) -> Self {
        Self { level: Some(level), ..self }
    }

    /// Returns the same compression with chunks of at most `bytes` bytes of data.
    ///
    /// Only for codecs whose chunks decode separately: lz4 and bls2, with a default of 4 MiB, and zstd, with a
    /// default of one chunk. Arrays are cut between rows if a row fits into a chunk. Small chunks make small
    /// reads cheap, but compress less. [`WriteOptions::frame_rows`](crate::WriteOptions::frame_rows) gives the
    /// size in rows instead.
    #[doc(alias = "compression_block_size")]
    #[must_use]
    pub const fn with_chunk(self, bytes: u64) -> Self {
        Self { chunk: Some(bytes), ..self }
    }

    /// Returns the same compression with another label, given as in a block header.
    #[must_use]
    pub const fn with_label(self, label: [u8; 4]) -> Self {
        Self { label: Label::new(label), ..self }
    }

    /// Returns the label for the block header.
    #[must_use]
    pub const fn label(self) -> Label {
        self.label
    }

    /// Returns the level, if one was set.
    #[must_use]
    pub const fn level(self) -> Option<u32> {
        self.level
    }

    /// Returns the size of the chunks in bytes of data, if one was set.
    #[must_use]
    pub const fn chunk(self) -> Option<u64> {
        self.chunk
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "{}:{level}", self.label),
            None => self.label.fmt(f),
        }
    }
}

impl FromStr for Compression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (label, level) = match text.split_once(':') {
            Some((label, level)) => (label, Some(level)),
            None => (text, None),
        };
        let compression = Self::new(label.parse()?);
        let Some(level) = level else { return Ok(compression) };
        if compression.label.is_none() {
            return Err(Error::usage("`none` has no compression level"));
        }
        match level.parse() {
            Ok(number) if level.bytes().all(|b| b.is_ascii_digit()) => Ok(compression.with_level(number)),
            _ => Err(Error::usage(format!(
                "found the compression level '{}', expected a number, such as {label}:9",
                level.escape_debug()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for (text, compression) in [
            ("none", Compression::NONE),
            ("zlib", Compression::ZLIB),
            ("zlib:9", Compression::ZLIB.with_level(9)),
            ("bzp2:1", Compression::BZP2.with_level(1)),
            ("lz4", Compression::LZ4),
            ("xz:0", Compression::XZ.with_level(0)),
            ("blsc", Compression::BLSC),
        ] {
            assert_eq!(text.parse::<Compression>().unwrap(), compression);
            assert_eq!(compression.to_string(), text);
        }
        assert_eq!(Compression::default(), Compression::NONE);
        assert_eq!(Compression::ZLIB.with_level(3).level(), Some(3));
    }

    #[test]
    fn other_texts_are_not_a_compression() {
        for text in [
            "",
            ":9",
            "zlib:",
            "zlib:-1",
            "zlib:+1",
            "zlib:x",
            "zlib:1:2",
            "none:1",
            "zlibb",
            "zlib:99999999999",
        ] {
            assert!(text.parse::<Compression>().is_err(), "{text:?}");
        }
    }
}

//! Encoding and decoding the stored bytes of a compressed block.
//!
//! | label | stored bytes | levels | feature | limits | who else |
//! |---|---|---|---|---|---|
//! | `zlib` | one zlib stream (RFC 1950) | 0 to 9, default 6 | `zlib` | | in the standard |
//! | `bzp2` | one bzip2 stream | 1 to 9, default 9 | `bzp2` | | in the standard |
//! | `lz4` | chunks of LZ4 blocks; an LZ4 frame is read | none | `lz4` | ranges decode alone | Python's `asdf`, libasdf; frames: ASDF.jl |
//! | `lz4f` | one LZ4 frame | none | `lz4f` | no dictionaries | asdf-compression, asdf-cxx |
//! | `zstd` | one Zstandard frame, with its size | 1 to 22, default 3 | `zstd` (needs a C compiler) | no dictionaries | asdf-compression, ASDF.jl |
//! | `xz` | one xz stream with a CRC-64 | 0 to 9, default 6 | `xz` | at most one filter before LZMA2 | ASDF.jl |
//! | `blsc` | one chunk of c-blosc | 0 (stored), 1 (LZ4), 2 to 9 (Zstandard), default 3 | `blsc` | data below 2 GiB | asdf-compression, asdf-cxx, ASDF.jl |
//! | `bls2` | one contiguous frame of c-blosc2 | as `blsc` | `bls2` | no dictionaries, no plug-ins; ranges decode alone | asdf-cxx |
//!
//! Only the first two are in the standard. All features are in the default set. A chunk of c-blosc
//! is read with any codec that c-blosc has inside (BloscLZ, LZ4, Snappy, zlib, Zstandard), shuffled
//! by bytes, by bits, or not.
//!
//! What does the work, and on how many [`Threads`] one block is encoded and decoded; what is written
//! never depends on them. `benches/run codecs` measures the speed.
//!
//! | label | by | threads, encoding | threads, decoding |
//! |---|---|---|---|
//! | `zlib` | zlib-rs; decoding: fdeflate | all: pieces of 2 MiB | one |
//! | `bzp2` | libbz2-rs-sys; decoding: our own, and libbz2-rs-sys for streams that libbzip2 does not write | all: blocks of 900 kB | all |
//! | `lz4` | lz4_flex | all: chunks of 4 MiB | all; frames: one |
//! | `lz4f` | lz4_flex | one | one |
//! | `zstd` | the C library | one | one |
//! | `xz` | lzma-rust2 | one | one |
//! | `blsc`, `bls2` | our own, with lz4_flex, zlib-rs, zstd inside | one | one |
//!
//! The stream of `bzp2` is bit for bit that of libbzip2. In that of `zlib`, up to level 6, matches are not looked
//! for where a sample shows that they save less than a hundredth: noise becomes as small in a fraction of the
//! time. Beyond level 6 they are left out only where they save nothing.
//!
//! A block is one stream, never several and never with bytes after it. Decoding gives exactly the
//! `data_size` bytes that the header promised, or an error. A file is a stranger: a promise that its
//! stored bytes cannot keep is refused before memory is taken, memory is taken as bytes arrive (or as it
//! is written to), and decoding stops with the first byte beyond the promise.
//!
//! Other labels are for [`Codec`]s of a program's own: see there.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;

use super::Label;
use crate::error::{Code, Error, Hint, Result};
use crate::source::Source;
use crate::threads::Threads;

#[cfg(feature = "blsc")]
mod blosc;
#[cfg(feature = "bls2")]
mod bls2;
#[cfg(feature = "blsc")]
mod blsc;
#[cfg(any(feature = "zlib", feature = "bzp2", feature = "lz4", feature = "zstd"))]
mod buffer;
#[cfg(feature = "bzp2")]
mod bzp2;
mod codecs;
#[cfg(any(
    feature = "zlib",
    feature = "bzp2",
    feature = "lz4",
    feature = "lz4f",
    feature = "zstd",
    feature = "xz",
    test
))]
mod declared_size;
#[cfg(feature = "zlib")]
mod deflate;
mod encoding;
#[cfg(any(feature = "lz4", feature = "lz4f"))]
mod frame;
#[cfg(test)]
mod laws;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lz4f")]
mod lz4f;
#[cfg(feature = "lz4")]
mod pieces;
#[cfg(any(feature = "lz4", feature = "zlib"))]
mod stored;
#[cfg(any(feature = "bzp2", feature = "zstd", feature = "xz"))]
mod stream;
#[cfg(feature = "xz")]
mod xz;
#[cfg(feature = "zlib")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub(crate) use codecs::Codecs;
pub use codecs::find_to_write;
pub use encoding::Encoding;

/// One way to compress a block.
///
/// Codecs of a program's own are given to [`OpenOptions::codec`](crate::OpenOptions::codec) and
/// [`WriteOptions::codec`](crate::WriteOptions::codec); a file that was opened with one is written
/// with it too. Nothing is global.
///
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::block::{Codec, Compression, Label, codec::Encoding};
/// use asdf_core::{Error, File, NdArray, OpenOptions, Result, WriteOptions};
///
/// /// Each byte, upside down.
/// #[derive(Debug)]
/// struct Inverted;
///
/// const LABEL: Label = Label::new(*b"inv\0");
///
/// impl Codec for Inverted {
///     fn label(&self) -> Label {
///         LABEL
///     }
///
///     fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
///         how.whole(LABEL)?; // there are no chunks,
///         how.level(LABEL, 1..=1, 1)?; // and one level
///         Ok(data.iter().map(|byte| !byte).collect())
///     }
///
///     fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
///         if stored.len() as u64 != data_size {
///             return Err(Error::malformed(format!("{} bytes, expected {data_size}", stored.len())));
///         }
///         Ok(stored.iter().map(|byte| !byte).collect())
///     }
///
///     fn max_expansion(&self) -> u64 {
///         1
///     }
/// }
///
/// let mut file = File::new();
/// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?.with_compression(Compression::new(LABEL))?)?;
/// let bytes = WriteOptions::new().codec(Arc::new(Inverted)).to_bytes(&file)?;
///
/// let file = OpenOptions::new().codec(Arc::new(Inverted)).open_bytes(bytes.clone())?;
/// assert_eq!(file.array("/data")?.read::<u8>()?, [1, 2, 3]);
///
/// // Programs without the codec can still read the rest of the file, and copy the block.
/// let other = File::from_bytes(bytes)?;
/// assert!(other.array("/data")?.read::<u8>().unwrap_err().to_string().contains("\"inv\""));
/// let again = OpenOptions::new().codec(Arc::new(Inverted)).open_bytes(other.to_bytes()?)?;
/// assert_eq!(again.array("/data")?.read::<u8>()?, [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
pub trait Codec: fmt::Debug + Send + Sync {
    /// The label that names it in a block's header.
    fn label(&self) -> Label;

    /// The bytes to store for `data`.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if the codec does not have the level or no chunks (see
    /// [`Encoding::level`], [`Encoding::whole`]); [`Limit`](crate::error::Kind::Limit) if it cannot
    /// hold so much data.
    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>>;

    /// The same bytes in pieces, in order, each as soon as it is made, so that the caller can hash them
    /// while others are encoded. Only for codecs about as fast as that; the default hands on what
    /// [`encode`](Self::encode) makes, in one piece. After an error what was handed on is worth nothing.
    ///
    /// # Errors
    ///
    /// As [`encode`](Self::encode).
    fn encode_pieces(&self, data: &[u8], how: &Encoding, out: &mut dyn FnMut(Bytes)) -> Result<()> {
        out(self.encode(data, how)?.into());
        Ok(())
    }

    /// The data that the whole `stored` bytes of a block encode: exactly `data_size` bytes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if the stored bytes are damaged or cut, decode
    /// to more or fewer bytes, are followed by others, or could not hold as many. Messages count
    /// bytes from the start of `stored`; no offset in the file is set.
    /// [`Unsupported`](crate::error::Kind::Unsupported) if they are of a kind that this codec does
    /// not know. [`Limit`](crate::error::Kind::Limit) if there is no memory for the data.
    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>>;

    /// The same from the source of the stored bytes, on as many threads as the caller allows. Only for
    /// codecs that can do with less than all stored bytes in memory, or use threads; the default
    /// reads them and calls [`decode`](Self::decode).
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); and when `stored` cannot be read.
    fn decode_from(&self, stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Bytes> {
        let _ = threads;
        Ok(self.decode(&stored.read(0..stored.len())?, data_size)?.into())
    }

    /// The data at a range of them and, around it, what had to be decoded for it; `None`, the
    /// default, if this codec, or this block, can only be decoded as a whole. `stored` are the
    /// stored bytes of the block, of which only what is needed is read; `range` lies within
    /// `data_size`. Only what is decoded is checked.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); and when `stored` cannot be read.
    fn decode_range(&self, stored: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
        let _ = (stored, data_size, range);
        Ok(None)
    }

    /// How many bytes one stored byte can decode to at the very most: what is promised beyond that
    /// is a lie, whatever the bytes are. `u64::MAX` if there is no bound.
    fn max_expansion(&self) -> u64;
}

/// Whether the data that are being decoded are still waited for: [`Source::wanted`] of the stored bytes, which are at
/// hand.
#[cfg(any(
    feature = "bzp2",
    feature = "lz4",
    feature = "lz4f",
    feature = "zstd",
    feature = "xz",
    feature = "bls2"
))]
type Wanted<'w> = &'w dyn Fn() -> Result<()>;

/// A part of a block's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins in the block's data.
    pub start: u64,
    /// The bytes.
    pub data: Vec<u8>,
}

/// Returns the codec of a label in this build, to read blocks with.
///
/// # Errors
///
/// [`Unsupported`](crate::error::Kind::Unsupported) if there is none; the hint says what to do.
/// [`Usage`](crate::error::Kind::Usage) for [`Label::NONE`]: there is nothing to decode.
pub fn find(label: Label) -> Result<&'static dyn Codec> {
    if let Some(codec) = CODECS.iter().find(|codec| codec.label() == label) {
        return Ok(*codec);
    }
    Err(if label.is_none() {
        Error::usage("the block is not compressed: there is nothing to decode")
    } else if label.is_known() {
        Error::unsupported(format!("this build has no codec for {label} blocks"))
            .with_code(Code::Codec)
            .with_hint(Hint::EnableFeature(label.to_string().into()))
    } else {
        Error::unsupported(format!("unknown compression label \"{label}\""))
            .with_code(Code::Codec)
            .with_hint(Hint::AddCodec)
    })
}

static CODECS: &[&dyn Codec] = &[
    #[cfg(feature = "zlib")]
    &zlib::Zlib,
    #[cfg(feature = "bzp2")]
    &bzp2::Bzp2,
    #[cfg(feature = "lz4")]
    &lz4::Lz4,
    #[cfg(feature = "lz4f")]
    &lz4f::Lz4f,
    #[cfg(feature = "zstd")]
    &zstd::Zstd,
    #[cfg(feature = "xz")]
    &xz::Xz,
    #[cfg(feature = "blsc")]
    &blsc::Blsc,
    #[cfg(feature = "bls2")]
    &bls2::Bls2,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn labels_without_a_codec() {
        let error = |label: &[u8; 4]| find(Label::new(*label)).unwrap_err();
        assert_eq!(error(b"\0\0\0\0").kind(), Kind::Usage);
        for (label, word) in [(b"lz4 ", "lz4 "), (b"zip\0", "\"zip\""), (b"\x1b[2J", "\\x1b[2J")] {
            assert_eq!(error(label).kind(), Kind::Unsupported);
            assert!(error(label).message().contains(word), "{}", error(label));
            assert_eq!(error(label).hint(), Some(&Hint::AddCodec));
        }
        for (label, built) in [
            (Label::ZLIB, cfg!(feature = "zlib")),
            (Label::BZP2, cfg!(feature = "bzp2")),
            (Label::LZ4, cfg!(feature = "lz4")),
            (Label::LZ4F, cfg!(feature = "lz4f")),
            (Label::ZSTD, cfg!(feature = "zstd")),
            (Label::XZ, cfg!(feature = "xz")),
            (Label::BLSC, cfg!(feature = "blsc")),
            (Label::BLS2, cfg!(feature = "bls2")),
        ] {
            assert!(label.is_known());
            match find(label) {
                Ok(codec) => assert!(built && codec.label() == label),
                Err(e) => {
                    assert!(!built);
                    assert_eq!(e.hint(), Some(&Hint::EnableFeature(label.to_string().into())));
                }
            }
        }
    }
}

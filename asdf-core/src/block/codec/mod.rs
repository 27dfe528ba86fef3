//! Codecs, which encode and decode the stored bytes of compressed blocks.
//!
//! | label | stored bytes | levels | feature | limits | other programs |
//! |---|---|---|---|---|---|
//! | `zlib` | one zlib stream (RFC 1950) | 0 to 9, default 6 | `zlib` | | in the standard |
//! | `bzp2` | one bzip2 stream | 1 to 9, default 9 | `bzp2` | | in the standard |
//! | `lz4` | chunks of LZ4 blocks; an LZ4 frame is read | none | `lz4` | ranges decode alone, of chunks up to 256 MiB | Python's `asdf`, libasdf; frames: ASDF.jl |
//! | `lz4f` | one LZ4 frame | none | `lz4f` | no dictionaries | asdf-compression, asdf-cxx |
//! | `zstd` | one Zstandard frame, with its size | 1 to 22, default 3 | `zstd` (needs a C compiler) | no dictionaries; ranges decode alone if written in chunks, of up to 256 MiB | asdf-compression, ASDF.jl |
//! | `xz` | one xz stream with a CRC-64 | 0 to 9, default 6 | `xz` | at most one filter before LZMA2 | ASDF.jl |
//! | `blsc` | one chunk of c-blosc | 0 (stored), 1 (LZ4), 2 to 9 (Zstandard), default 3 | `blsc` | data below 2 GiB | asdf-compression, asdf-cxx, ASDF.jl |
//! | `bls2` | one contiguous frame of c-blosc2 | as `blsc` | `bls2` | no dictionaries, no plug-ins; ranges decode alone, of chunks up to 256 MiB | asdf-cxx |
//!
//! Only the first two are in the standard. All of these features are enabled by default. A chunk of c-blosc can be
//! read with any inner codec (BloscLZ, LZ4, Snappy, zlib, Zstandard), shuffled by bytes, by bits, or not at
//! all.
//!
//! The table below lists the implementation of each codec, and the [`Threads`] that encode and decode one
//! block. The written bytes never depend on the number of threads. `benches/run codecs` measures the speed.
//!
//! | label | implementation | threads, encoding | threads, decoding |
//! |---|---|---|---|
//! | `zlib` | zlib-rs; decoding: fdeflate | all: pieces of 2 MiB | one |
//! | `bzp2` | libbz2-rs-sys; decoding: our own, and libbz2-rs-sys for streams that libbzip2 does not write | all: blocks of 900 kB | all |
//! | `lz4` | lz4_flex | all: chunks of 4 MiB | all; frames: one |
//! | `lz4f` | lz4_flex | one | one |
//! | `zstd` | the C library | one; in chunks: all | one; in chunks: all |
//! | `xz` | lzma-rust2 | one | one |
//! | `blsc`, `bls2` | our own, with lz4_flex, zlib-rs, zstd inside | one | one |
//!
//! The stream of `bzp2` is bit for bit that of libbzip2. For `zlib` up to level 6, matches are not searched
//! for if a sample shows that they save less than one percent. Noise then becomes as small in a fraction of
//! the time. Above level 6, the search is left out only if it saves nothing.
//!
//! A block is one stream, never several, and no bytes follow it. Decoding returns exactly the `data_size`
//! bytes of the header, or an error. Files are not trusted. A `data_size` that the stored bytes cannot reach
//! is refused before memory is allocated, memory is allocated as bytes arrive (or as it is written to), and
//! decoding stops with the first byte beyond `data_size`.
//!
//! # Frames of rows
//!
//! [`WriteOptions::frame_rows`](crate::WriteOptions::frame_rows) and
//! [`Compression::with_chunk`](crate::Compression::with_chunk) write a block so that a reader of a few rows
//! fetches and decodes only some of its bytes. Other programs, such as Python's `asdf`, read such blocks as
//! any others.
//!
//! | label | what is written | what finds the chunks of a range |
//! |---|---|---|
//! | `lz4` | a chunk is an LZ4 block of its own | the length before each chunk |
//! | `zstd` | one frame, whose chunks do not refer to each other | a table at the start, which decoders skip |
//! | `bls2` | a chunk of c-blosc2 | the table of the frame |
//!
//! Several `zstd` frames in a block are not written and not read: Python's asdf-compression 0.1.0 fails to
//! read more than one. A table of a `zstd` frame is a hint. Each chunk has to decode to exactly its size
//! without the others; otherwise the whole frame is decoded. [`Codec::frames`] lists the chunks that other
//! programs can decode alone, which only `lz4` has.
//!
//! For other labels, a program can add its own [`Codec`].

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
#[cfg(any(
    feature = "zlib",
    feature = "bzp2",
    feature = "lz4",
    feature = "lz4f",
    feature = "zstd",
    feature = "xz"
))]
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
#[cfg(any(feature = "zlib", feature = "bzp2", feature = "lz4", feature = "lz4f", feature = "xz"))]
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
pub(crate) use encoding::LARGEST_PART;

/// A codec: one way to compress a block.
///
/// Implement it to support another compression.
///
/// Pass your own codecs to [`OpenOptions::codec`](crate::OpenOptions::codec) and
/// [`WriteOptions::codec`](crate::WriteOptions::codec). A file that was opened with a codec is also written
/// with it. There is no global registry.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::block::{Codec, Compression, Label, codec::Encoding};
/// use asdf_core::{Error, File, NdArray, OpenOptions, Result, WriteOptions};
///
/// /// Inverts each byte.
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
///         how.whole(LABEL)?; // no chunks
///         how.level(LABEL, 1..=1, 1)?; // one level
///         Ok(data.iter().map(|byte| !byte).collect())
///     }
///
///     fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
///         if stored.len() as u64 != data_size {
///             return Err(Error::malformed(format!("found {} bytes, expected {data_size}", stored.len())));
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
/// // Programs without the codec can still read the rest of the file and copy the block.
/// let other = File::from_bytes(bytes)?;
/// assert!(other.array("/data")?.read::<u8>().unwrap_err().to_string().contains("'inv'"));
/// let again = OpenOptions::new().codec(Arc::new(Inverted)).open_bytes(other.to_bytes()?)?;
/// assert_eq!(again.array("/data")?.read::<u8>()?, [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "Compressor")]
pub trait Codec: fmt::Debug + Send + Sync {
    /// Returns the label of the codec in block headers.
    fn label(&self) -> Label;

    /// Encodes data and returns the bytes to store.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if the codec lacks the level or has no chunks (see
    /// [`Encoding::level`], [`Encoding::whole`]); [`Limit`](crate::error::Kind::Limit) if it cannot hold the
    /// amount of data.
    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>>;

    /// Encodes data in pieces, and passes each on as soon as it is ready.
    ///
    /// The pieces are those of [`encode`](Self::encode), in order. The caller can hash them while others are
    /// encoded. An error of `out` ends the encoding; a codec can pass on an empty piece to ask whether to go on.
    /// The default passes on one piece. After an error, discard the pieces.
    ///
    /// # Errors
    ///
    /// As [`encode`](Self::encode), and those of `out`.
    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        out(self.encode(data, how)?.into())
    }

    /// Decodes the stored bytes of a whole block to exactly `data_size` bytes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if the stored bytes are damaged or truncated, decode to
    /// more or fewer bytes, are followed by other bytes, or are too few. Messages count bytes from the start
    /// of `stored`; no offset in the file is set. [`Unsupported`](crate::error::Kind::Unsupported) if this
    /// codec does not support their format. [`Limit`](crate::error::Kind::Limit) if there is not enough
    /// memory for the data.
    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>>;

    /// Decodes a whole block from the source of its stored bytes.
    ///
    /// It can use the threads that the caller allows. Implement it for codecs that need not have all stored
    /// bytes in memory, or that use threads. The default reads the bytes and calls [`decode`](Self::decode).
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); and if `stored` cannot be read.
    fn decode_from(&self, stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Bytes> {
        let _ = threads;
        Ok(self.decode(&stored.read(0..stored.len())?, data_size)?.into())
    }

    /// Decodes a whole block into memory of the size of its data.
    ///
    /// Implement it for codecs that can decode into memory of the caller. The default calls
    /// [`decode_from`](Self::decode_from) and copies the data.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); and if `stored` cannot be read. After an error the content of `out` is unspecified.
    fn decode_into(&self, stored: &dyn Source, out: &mut [u8], threads: Threads) -> Result<()> {
        copy_whole(&self.decode_from(stored, out.len() as u64, threads)?, out)
    }

    /// Decodes the data of a range, with the data around it that must be decoded too.
    ///
    /// `None`, the default, if this codec or this block can only be decoded whole. `stored` are the stored
    /// bytes of the block, of which only the necessary ones are read; `range` is inside `data_size`. Only the
    /// decoded part is checked.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); and if `stored` cannot be read.
    fn decode_range(&self, stored: &dyn Source, data_size: u64, range: Range<u64>) -> Result<Option<Piece>> {
        let _ = (stored, data_size, range);
        Ok(None)
    }

    /// Returns whether the codec writes chunks of [`Encoding::chunk`] bytes that decode separately.
    ///
    /// [`WriteOptions::frame_rows`](crate::WriteOptions::frame_rows) applies to such codecs. The default is no.
    fn has_chunks(&self) -> bool {
        false
    }

    /// Returns the frames of a block, in the order of its data, without decoding them.
    ///
    /// `None`, the default, if this codec has no frames, or if this block has none. The data of the frames
    /// follow each other without gaps and are `data_size` bytes in total. Frames without data are left out.
    /// Offsets count from the start of `stored`.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if the sizes in the stored bytes contradict each other,
    /// their number, or `data_size`; [`Limit`](crate::error::Kind::Limit) if there are too many frames; and if
    /// `stored` cannot be read.
    fn frames(&self, stored: &dyn Source, data_size: u64) -> Result<Option<Vec<Frame>>> {
        let _ = (stored, data_size);
        Ok(None)
    }

    /// Returns the maximum number of bytes that one stored byte can decode to.
    ///
    /// A larger `data_size` is refused without decoding. `u64::MAX` if there is no limit.
    fn max_expansion(&self) -> u64;
}

/// Fails if the data being decoded is no longer needed: [`Source::wanted`] of the stored bytes.
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
    /// The offset in the data of the block.
    pub start: u64,
    /// The bytes of the piece.
    pub data: Vec<u8>,
}

/// A frame of a compressed block: a part that decodes without the rest of the block.
///
/// [`FileBlock::frames`](crate::file::FileBlock::frames) returns those of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The bytes that the inner codec decodes.
    ///
    /// For `lz4`, the only codec of this crate with frames, they begin with the decoded size (u32, little-endian), and the LZ4 block follows.
    pub stored: Range<u64>,
    /// The bytes that they decode to, in the data of the block.
    pub data: Range<u64>,
}

/// The maximum number of frames of a block that [`Codec::frames`] returns; each takes 32 bytes of memory.
#[cfg(any(feature = "lz4", feature = "zstd"))]
const MOST_FRAMES: usize = if cfg!(test) { 1 << 6 } else { 1 << 20 };

/// Copies the whole data of a block to memory of their size.
fn copy_whole(data: &[u8], out: &mut [u8]) -> Result<()> {
    if data.len() != out.len() {
        let text = format!("found {} bytes of data, expected {}", data.len(), out.len());
        return Err(Error::malformed(text));
    }
    out.copy_from_slice(data);
    Ok(())
}

/// Adds a frame to those of a block, unless it is empty or there are too many.
#[cfg(feature = "lz4")]
fn add_frame(frames: &mut Vec<Frame>, frame: Frame) -> Result<()> {
    if frame.data.is_empty() {
        return Ok(());
    }
    if frames.len() == MOST_FRAMES {
        return Err(Error::limit(format!("found more than {MOST_FRAMES} frames in the block")));
    }
    frames.push(frame);
    Ok(())
}

/// Returns the codec of a label in this build, to read blocks with.
///
/// # Errors
///
/// [`Unsupported`](crate::error::Kind::Unsupported) if this build has no codec for the label; the hint says
/// what to do. [`Usage`](crate::error::Kind::Usage) for [`Label::NONE`]: there is nothing to decode.
pub fn find(label: Label) -> Result<&'static dyn Codec> {
    if let Some(codec) = CODECS.iter().find(|codec| codec.label() == label) {
        return Ok(*codec);
    }
    Err(if label.is_none() {
        Error::usage("the block is not compressed: there is nothing to decode")
    } else if label.is_known() {
        Error::unsupported(format!("this build lacks the feature `{label}`, needed for {label} blocks"))
            .with_code(Code::Codec)
            .with_hint(Hint::EnableFeature(label.to_string().into()))
    } else {
        Error::unsupported(format!("unknown compression label '{label}'"))
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
        for (label, word) in [(b"lz4 ", "lz4 "), (b"zip\0", "'zip'"), (b"\x1b[2J", "\\x1b[2J")] {
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

//! Encoding and decoding the stored bytes of a compressed block.
//!
//! | label | stored bytes | levels | feature | standard |
//! |---|---|---|---|---|
//! | `zlib` | one zlib stream (RFC 1950) | 0 to 9, default 6 | `zlib` | yes |
//! | `bzp2` | one bzip2 stream | 1 to 9, default 9 | `bzp2` | yes |
//! | `lz4` | chunks of LZ4 blocks, as Python's `asdf` writes | none | `lz4` | no, but in wide use |
//!
//! A block is one stream, never several and never with bytes after it. Decoding gives exactly the
//! `data_size` bytes that the header promised, or an error. A file is a stranger: a promise that its
//! stored bytes cannot keep is refused before memory is taken, memory is taken as bytes arrive, and
//! decoding stops one byte beyond the promise.

use std::fmt;

use super::Label;
use crate::error::{Error, Result};

#[cfg(feature = "bzp2")]
mod bzp2;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(any(feature = "zlib", feature = "bzp2"))]
mod stream;
#[cfg(feature = "zlib")]
mod zlib;

/// One way to compress a block.
pub trait Codec: fmt::Debug + Send + Sync {
    /// The label that names it in a block's header.
    fn label(&self) -> Label;

    /// The bytes to store for `data`, at this level or the codec's own.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::error::Kind::Usage) if the codec does not have the level.
    fn encode(&self, data: &[u8], level: Option<u32>) -> Result<Vec<u8>>;

    /// The data that the whole `stored` bytes of a block encode: exactly `data_size` bytes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::error::Kind::Malformed) if the stored bytes are damaged or cut, decode
    /// to more or fewer bytes, are followed by others, or could not hold as many. Messages count
    /// bytes from the start of `stored`; no offset in the file is set.
    /// [`Limit`](crate::error::Kind::Limit) if there is no memory for the data.
    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>>;

    /// How many bytes one stored byte can decode to at the very most: what is promised beyond that
    /// is a lie, whatever the bytes are.
    fn max_expansion(&self) -> u64;
}

/// The codec of a label.
///
/// # Errors
///
/// [`Unsupported`](crate::error::Kind::Unsupported) if this build or this version does not have it;
/// the hint names the feature where there is one. [`Usage`](crate::error::Kind::Usage) for
/// [`Label::NONE`]: there is nothing to decode.
pub fn find(label: Label) -> Result<&'static dyn Codec> {
    if let Some(codec) = CODECS.iter().find(|codec| codec.label() == label) {
        return Ok(*codec);
    }
    let unsupported =
        |what: &str| Error::unsupported(format!("blocks compressed with {what} are not supported"));
    Err(match &label.bytes() {
        [0, 0, 0, 0] => Error::usage("the block is not compressed: there is nothing to decode"),
        b"zlib" | b"bzp2" | b"lz4\0" => {
            Error::unsupported(format!("this build has no codec for {label} blocks"))
                .with_hint(format!("build asdf-core with the feature `{label}`"))
        }
        b"zstd" => unsupported("Zstandard (zstd)"),
        b"blsc" => unsupported("Blosc (blsc)"),
        b"bls2" => unsupported("Blosc2 (bls2)"),
        b"lz4f" => unsupported("LZ4 frames (lz4f)"),
        b"xz\0\0" => unsupported("xz"),
        bytes => Error::unsupported(format!("unknown compression label \"{}\"", bytes.escape_ascii())),
    })
}

static CODECS: &[&dyn Codec] = &[
    #[cfg(feature = "zlib")]
    &zlib::Zlib,
    #[cfg(feature = "bzp2")]
    &bzp2::Bzp2,
    #[cfg(feature = "lz4")]
    &lz4::Lz4,
];

/// What is taken at once for decoded data; beyond it, memory doubles as bytes arrive. Little in
/// tests, so that they see it grow.
#[cfg(any(test, feature = "zlib", feature = "bzp2", feature = "lz4"))]
const AT_ONCE: usize = if cfg!(test) { 1 << 16 } else { 64 << 20 };

/// `data_size` as a length in memory, if so many bytes can come out of `stored`.
#[cfg(any(feature = "zlib", feature = "bzp2", feature = "lz4"))]
fn promise(codec: &dyn Codec, stored: &[u8], data_size: u64) -> Result<usize> {
    let most = (stored.len() as u64).saturating_mul(codec.max_expansion());
    if data_size > most {
        return Err(Error::malformed(format!(
            "{} bytes of {} data cannot hold {data_size} bytes: at most {most}",
            stored.len(),
            codec.label()
        )));
    }
    usize::try_from(data_size)
        .map_err(|_| Error::limit(format!("{data_size} bytes do not fit into this machine's memory")))
}

/// Makes room for at least `more` bytes, and never for more than `data_size` in all.
#[cfg(any(feature = "zlib", feature = "bzp2", feature = "lz4"))]
fn grow(data: &mut Vec<u8>, more: usize, data_size: usize) -> Result<()> {
    let room = more.max(data.len()).max(AT_ONCE).min(data_size.saturating_sub(data.len()));
    data.try_reserve_exact(room)
        .map_err(|e| Error::limit(format!("no memory for {data_size} bytes of decoded data")).with_source(e))
}

/// The level to use, if the codec has it.
#[cfg(any(feature = "zlib", feature = "bzp2"))]
fn level(
    label: Label,
    asked: Option<u32>,
    levels: std::ops::RangeInclusive<u32>,
    default: u32,
) -> Result<u32> {
    match asked {
        Some(level) if !levels.contains(&level) => Err(Error::usage(format!(
            "{label} has no level {level}, expected {} to {}",
            levels.start(),
            levels.end()
        ))),
        _ => Ok(asked.unwrap_or(default)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn labels_without_a_codec() {
        let error = |label: &[u8; 4]| find(Label::new(*label)).unwrap_err();
        assert_eq!(error(b"\0\0\0\0").kind(), Kind::Usage);
        for (label, word) in [
            (b"zstd", "zstd"),
            (b"blsc", "blsc"),
            (b"bls2", "bls2"),
            (b"lz4f", "lz4f"),
            (b"xz\0\0", "xz"),
            (b"lz4 ", "lz4 "),
            (b"\x1b[2J", "\\x1b[2J"),
        ] {
            assert_eq!(error(label).kind(), Kind::Unsupported);
            assert!(error(label).message().contains(word), "{}", error(label));
        }
        for (label, built) in [
            (Label::ZLIB, cfg!(feature = "zlib")),
            (Label::BZP2, cfg!(feature = "bzp2")),
            (Label::LZ4, cfg!(feature = "lz4")),
        ] {
            match find(label) {
                Ok(codec) => assert!(built && codec.label() == label),
                Err(e) => assert!(!built && e.hint().unwrap().contains(&format!("`{label}`")), "{e}"),
            }
        }
    }
}

/// What every codec must do.
#[cfg(test)]
mod laws {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Kind;

    /// The codecs of this build with all their levels.
    fn codecs() -> Vec<(&'static dyn Codec, Vec<Option<u32>>)> {
        let levels = |label| match label {
            Label::ZLIB => 0..10,
            Label::BZP2 => 1..10,
            _ => 0..0,
        };
        CODECS
            .iter()
            .map(|&c| (c, std::iter::once(None).chain(levels(c.label()).map(Some)).collect()))
            .collect()
    }

    /// Bytes that do not compress: xorshift.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        std::iter::repeat_with(&mut next).flatten().take(len).collect()
    }

    fn malformed(result: Result<Vec<u8>>, what: &str) -> String {
        let error = result.expect_err(what);
        assert_eq!(error.kind(), Kind::Malformed, "{what}: {error}");
        error.to_string()
    }

    #[test]
    fn round_trips_at_all_levels() {
        for (codec, levels) in codecs() {
            for level in levels {
                for len in [0, 1, 2, 255, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE, 300_001] {
                    for data in [
                        noise(len),
                        vec![0; len],
                        vec![251; len],
                        (0..=255).flat_map(|b| [b; 7]).cycle().take(len).collect(),
                    ] {
                        let stored = codec.encode(&data, level).unwrap();
                        let back = codec.decode(&stored, len as u64).unwrap();
                        assert!(back == data && back.capacity() == len, "{} {level:?} {len}", codec.label());
                    }
                }
            }
        }
    }

    #[test]
    fn every_cut_is_refused() {
        for (codec, _) in codecs() {
            for data in [noise(300), vec![7; 300], b"abcabcabcd".repeat(20)] {
                let stored = codec.encode(&data, None).unwrap();
                for len in 0..stored.len() {
                    malformed(codec.decode(&stored[..len], data.len() as u64), "cut");
                }
            }
        }
    }

    #[test]
    fn wrong_sizes_are_refused_and_named() {
        for (codec, _) in codecs() {
            let data = b"0123456789".repeat(10);
            let stored = codec.encode(&data, None).unwrap();
            for size in [0, 1, 99, 101, 1000] {
                let message = malformed(codec.decode(&stored, size), "size");
                assert!(message.contains(&size.to_string()), "{message}");
            }
            let most = stored.len() as u64 * codec.max_expansion();
            for size in [most + 1, u64::MAX] {
                assert!(malformed(codec.decode(&stored, size), "lie").contains("cannot hold"));
            }
        }
    }

    #[test]
    fn bytes_after_the_stream_and_second_streams_are_refused() {
        for (codec, _) in codecs() {
            let data = noise(100);
            let stored = codec.encode(&data, None).unwrap();
            for after in [b"\0".as_slice(), b"\0\0\0\0\0\0\0\0", b"garbage"] {
                malformed(codec.decode(&[&stored, after].concat(), 100), "garbage");
            }
            let twice = [stored.clone(), stored].concat();
            malformed(codec.decode(&twice, 100), "twice");
            // Chunks of lz4 follow each other by nature; streams do not.
            assert_eq!(codec.decode(&twice, 200).is_ok(), codec.label() == Label::LZ4);
        }
    }

    #[test]
    fn levels_that_do_not_exist() {
        for (codec, _) in codecs() {
            assert_eq!(codec.encode(b"x", Some(10)).unwrap_err().kind(), Kind::Usage);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_round_trip(data in proptest::collection::vec(0_u8..4, 0..5000)) {
            for (codec, _) in codecs() {
                let stored = codec.encode(&data, None).unwrap();
                prop_assert_eq!(&codec.decode(&stored, data.len() as u64).unwrap(), &data);
            }
        }

        #[test]
        fn any_bytes_are_no_panic(stored in proptest::collection::vec(any::<u8>(), 0..200), size in 0_u64..5000) {
            for (codec, _) in codecs() {
                if let Ok(data) = codec.decode(&stored, size) {
                    prop_assert_eq!(data.len() as u64, size);
                }
            }
        }

        #[test]
        fn damaged_bytes_are_no_panic(at in any::<prop::sample::Index>(), flip in 1_u8.., size in 0_u64..1000) {
            let data = [noise(100), vec![1; 300]].concat();
            for (codec, _) in codecs() {
                let mut stored = codec.encode(&data, None).unwrap();
                let at = at.index(stored.len());
                stored[at] ^= flip;
                for size in [size, data.len() as u64] {
                    if let Ok(found) = codec.decode(&stored, size) {
                        prop_assert_eq!(found.len() as u64, size);
                    }
                }
            }
        }
    }
}

//! The codecs inside a chunk.

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};
use snap::raw::Decoder as Snappy;
use zlib_rs::{Inflate, InflateFlush, Status};
use zstd::bulk::{Compressor, Decompressor};

use super::blosclz;
use crate::error::{Error, Result};

/// A codec inside a chunk, with its number in the flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    BloscLz,
    Lz4,
    Snappy,
    Zlib,
    Zstd,
}

impl Inner {
    /// Returns the codec with a number.
    pub(super) fn of(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::BloscLz,
            1 => Self::Lz4,
            2 => Self::Snappy,
            3 => Self::Zlib,
            4 => Self::Zstd,
            _ => return None,
        })
    }

    /// Returns the maximum number of bytes that one byte can decode to.
    pub(super) fn max_expansion(self) -> u64 {
        match self {
            Self::BloscLz | Self::Lz4 | Self::Snappy => 255,
            Self::Zlib => 1032,
            Self::Zstd => 32_768,
        }
    }
}

/// Decodes streams, one after the other.
#[derive(Default)]
pub(super) struct Decoder {
    zstd: Option<Decompressor<'static>>,
}

impl Decoder {
    /// Appends the `size` bytes of a stream.
    pub(super) fn decode(
        &mut self,
        inner: Inner,
        stream: &[u8],
        data: &mut Vec<u8>,
        size: usize,
    ) -> Result<(), String> {
        let start = data.len();
        data.try_reserve(size).map_err(|e| e.to_string())?;
        match inner {
            Inner::BloscLz => blosclz::decode(stream, data, size).ok_or("its BloscLZ stream is damaged")?,
            Inner::Snappy => {
                data.resize(start + size, 0);
                let found = Snappy::new()
                    .decompress(stream, data.get_mut(start..).unwrap_or_default())
                    .map_err(|e| format!("its Snappy stream is damaged: {e}"))?;
                data.truncate(start + found);
            }
            Inner::Lz4 => {
                data.resize(start + size, 0);
                let found = decompress_into(stream, data.get_mut(start..).unwrap_or_default())
                    .map_err(|e| format!("its LZ4 stream is damaged: {e}"))?;
                data.truncate(start + found);
            }
            Inner::Zlib => {
                data.resize(start + size, 0);
                let mut zlib = Inflate::new(true, 15);
                let into = data.get_mut(start..).unwrap_or_default();
                let status = zlib
                    .decompress(stream, into, InflateFlush::Finish)
                    .map_err(|e| format!("its zlib stream is damaged: {}", e.as_str()))?;
                if status != Status::StreamEnd {
                    return Err("its zlib stream does not end".to_owned());
                }
                data.truncate(start + usize::try_from(zlib.total_out()).unwrap_or(0));
            }
            Inner::Zstd => {
                let zstd = match &mut self.zstd {
                    Some(zstd) => zstd,
                    none => none.insert(Decompressor::new().map_err(|e| e.to_string())?),
                };
                let damaged = |e: std::io::Error| format!("its Zstandard stream is damaged: {e}");
                if start == 0 {
                    // Into the existing memory: nothing is filled that does not arrive.
                    zstd.decompress_to_buffer(stream, data).map_err(damaged)?;
                } else {
                    data.resize(start + size, 0);
                    let into = data.get_mut(start..).unwrap_or_default();
                    let found = zstd.decompress_to_buffer(stream, into).map_err(damaged)?;
                    data.truncate(start + found);
                }
            }
        }
        let found = data.len() - start;
        if found == size { Ok(()) } else { Err(format!("a stream holds {found} bytes, expected {size}")) }
    }
}

/// How to encode the streams of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Pace {
    /// Without compression.
    Stored,
    /// With LZ4.
    Lz4,
    /// With Zstandard at a level.
    Zstd(i32),
}

impl Pace {
    /// Returns the encoding for the levels 0 to 9.
    pub(in super::super) fn of(level: u32) -> Self {
        match level {
            0 => Self::Stored,
            1 => Self::Lz4,
            level => Self::Zstd(i32::try_from(2 * level).unwrap_or(6) - 3),
        }
    }

    /// Returns the number of the codec, for the flags of a chunk.
    pub(in super::super) fn number(self) -> u8 {
        match self {
            Self::Stored | Self::Lz4 => 1,
            Self::Zstd(_) => 4,
        }
    }
}

/// Encodes streams, one after the other.
pub(super) enum Encoder {
    Lz4(Vec<u8>),
    Zstd(Box<Compressor<'static>>, Vec<u8>),
}

impl Encoder {
    /// Makes an encoder for streams of at most `most` bytes; `None` for [`Pace::Stored`].
    pub(super) fn new(pace: Pace, most: usize) -> Result<Option<Self>> {
        Ok(match pace {
            Pace::Stored => None,
            Pace::Lz4 => Some(Self::Lz4(vec![0; get_maximum_output_size(most)])),
            Pace::Zstd(level) => {
                let zstd = Compressor::new(level).map_err(|e| Error::io("compressing with zstd", e))?;
                Some(Self::Zstd(Box::new(zstd), vec![0; zstd::zstd_safe::compress_bound(most)]))
            }
        })
    }

    /// Encodes data to a stream.
    pub(super) fn encode(&mut self, data: &[u8]) -> Result<&[u8]> {
        let (buffer, len) = match self {
            Self::Lz4(buffer) => {
                let len = compress_into(data, buffer)
                    .map_err(|e| Error::limit(format!("compressing with lz4: {e}")))?;
                (buffer, len)
            }
            Self::Zstd(zstd, buffer) => {
                let len = zstd
                    .compress_to_buffer(data, buffer.as_mut_slice())
                    .map_err(|e| Error::io("compressing with zstd", e))?;
                (buffer, len)
            }
        };
        Ok(buffer.get(..len).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snappy_as_python_wrote_it() {
        let decoded = |stream: &[u8], size| {
            let mut data = vec![9];
            Decoder::default().decode(Inner::Snappy, stream, &mut data, size).map(|()| data[1..].to_vec())
        };
        // python-snappy 0.7.3: snappy.compress(bytes(range(10)) * 6)
        let stored = b"\x3c\x24\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\xc6\x0a\x00";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(decoded(stored, 60).unwrap(), data);
        for len in 0..stored.len() {
            assert!(decoded(&stored[..len], 60).is_err(), "{len}");
        }
        assert!(decoded(stored, 59).is_err());
        assert!(decoded(stored, 61).is_err());
        assert!(decoded(b"\x02\x04ab\x01\x03", 2).is_err());
        assert!(decoded(b"\xff\xff\xff\xff\xff", 2).is_err());
    }

    #[test]
    fn zlib_must_fill_its_size_and_end() {
        // Python 3.11: zlib.compress(bytes(60))
        let stored = b"\x78\x9c\x63\x60\x20\x1f\x00\x00\x00\x3c\x00\x01";
        let decoded = |stream: &[u8], size| {
            let mut data = Vec::new();
            Decoder::default().decode(Inner::Zlib, stream, &mut data, size).map(|()| data)
        };
        assert_eq!(decoded(stored, 60).unwrap(), [0; 60]);
        for len in 0..stored.len() {
            assert!(decoded(&stored[..len], 60).is_err(), "{len}");
        }
        assert!(decoded(stored, 59).is_err());
        assert!(decoded(stored, 61).is_err());
    }
}

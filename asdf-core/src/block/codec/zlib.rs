//! `zlib`: one zlib stream.

use bytes::Bytes;
use fdeflate::{DecompressionError, Decompressor};

use super::buffer::Buffer;
use super::declared_size::declared_size;
use super::deflate;
use super::pieces::{Show, in_pieces, whole};
use super::stored::Stored;
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Result};
use crate::source::Source;
use crate::threads::Threads;

/// One zlib stream (RFC 1950), neither gzip nor raw deflate ("Compression" in the standard). It is encoded in
/// pieces on several threads, and decoded on one.
#[derive(Debug)]
pub(super) struct Zlib;

impl Codec for Zlib {
    fn label(&self) -> Label {
        Label::ZLIB
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        whole(|show| encode(data, how, show))
    }

    fn encode_pieces(
        &self,
        data: &[u8],
        how: &Encoding,
        out: &mut dyn FnMut(Bytes) -> Result<()>,
    ) -> Result<()> {
        in_pieces(data.len(), out, |show| encode(data, how, show))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        Ok(decode(Stored::Slice(stored), data_size)?.into())
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, _threads: Threads) -> Result<Bytes> {
        decode(Stored::Source(stored), data_size)
    }

    /// Returns 1032: a match of 258 bytes takes two bits.
    fn max_expansion(&self) -> u64 {
        1032
    }
}

fn encode(data: &[u8], how: &Encoding, show: Show<'_>) -> Result<()> {
    how.whole(Label::ZLIB)?;
    deflate::encode(data, how.own_level(Label::ZLIB, 6)?, how.threads, show)
}

fn decode(stored: Stored<'_>, data_size: u64) -> Result<Bytes> {
    /// Stored bytes that are read and decoded at a time; the checksum of their data is computed in the cache.
    const PIECE: u64 = 128 << 10;
    let expected = declared_size(&Zlib, stored.len(), data_size)?;
    let mut room = Buffer::new(expected)?;
    let (mut decoder, mut buffer) = (Decompressor::new(), Vec::new());
    let (mut at, mut done) = (0, 0);
    while at < stored.len() {
        // The decoder does not report how many of the last bytes it did not need. So the very last byte is
        // decoded alone: a stream that ends before it is too short.
        let last = stored.len() - 1;
        let next = if at < last { last.min(at + PIECE) } else { stored.len() };
        let found = stored.show(at..next, &mut buffer, |mut piece| {
            while !piece.is_empty() && !decoder.is_done() {
                let (read, written) = decoder.read(piece, room.bytes(), done, false)?;
                done += written;
                piece = piece.get(read..).unwrap_or_default();
                if (read, written) == (0, 0) {
                    break;
                }
            }
            Ok::<_, DecompressionError>(piece.len() as u64)
        })?;
        let left = found.map_err(|what| {
            Error::malformed(format!(
                "the zlib stream of {} bytes is damaged after {done} of the expected {expected} bytes: {what:?}",
                stored.len()
            ))
        })?;
        if decoder.is_done() && next < stored.len() {
            return Err(Error::malformed(format!(
                "the zlib stream ends before the last of {} stored bytes: expected one stream and nothing more",
                stored.len()
            )));
        }
        if left > 0 {
            return Err(Error::malformed(format!(
                "the zlib stream holds more than the expected {expected} bytes"
            )));
        }
        at = next;
    }
    if !decoder.is_done() {
        return Err(Error::malformed(format!(
            "the zlib stream of {} bytes is truncated: it holds {done} of the expected {expected} bytes",
            stored.len()
        )));
    }
    if done != expected {
        return Err(Error::malformed(format!("the zlib stream holds {done} bytes, expected {expected}")));
    }
    Ok(room.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_wrote() {
        // asdf 6.0.0 (Python 3.11, zlib 1.2.13), `all_array_compression="zlib"`
        let stored = b"\x78\x9c\x63\x60\x64\x62\x66\x61\x65\x63\xe7\xe0\x64\x20\x99\x05\x00\x1e\x78\x01\x0f";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Zlib.decode(stored, 60).unwrap(), data);
        assert!(Zlib.decode(b"\x78\x9c\x03\x00\x00\x00\x00\x01", 0).unwrap().is_empty());
    }

    #[test]
    fn gzip_raw_deflate_and_dictionaries_are_refused() {
        // Python 3.11: gzip.compress(b"abc"), zlib.compressobj(wbits=-15), zlib.compressobj(zdict=b"abc")
        for stored in [
            b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x4c\x4a\x06\x00\xc2\x41\x24\x35\x03\x00\x00\x00"
                .as_slice(),
            b"\x4b\x4c\x4a\x06\x00",
            b"\x78\xbb\x02\x4d\x01\x27\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27",
        ] {
            let error = Zlib.decode(stored, 3).unwrap_err();
            assert!(error.message().contains("damaged"), "{error}");
        }
    }

    #[test]
    fn a_wrong_adler_checksum_is_damage() {
        let mut stored = Zlib.encode(b"some bytes", &Encoding::new()).unwrap();
        *stored.last_mut().unwrap() ^= 1;
        assert!(Zlib.decode(&stored, 10).unwrap_err().message().contains("damaged"));
    }
}

//! `zlib`: one zlib stream.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use super::stream::{self, Step};
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Result};

/// One zlib stream (RFC 1950), neither gzip nor raw deflate ("Compression" in the standard).
#[derive(Debug)]
pub(super) struct Zlib;

impl Codec for Zlib {
    fn label(&self) -> Label {
        Label::ZLIB
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        how.whole(self.label())?;
        let level = how.level(self.label(), 0..=9, 6)?;
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
        encoder
            .write_all(data)
            .and_then(|()| encoder.finish())
            .map_err(|e| Error::io("compressing with zlib", e))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        let mut decoder = Decompress::new(true);
        stream::decode(self, stored, data_size, |from, into| {
            let before = decoder.total_in();
            let status =
                decoder.decompress_vec(from, into, FlushDecompress::None).map_err(|e| e.to_string())?;
            let read = usize::try_from(decoder.total_in() - before).unwrap_or(from.len());
            Ok(Step { read, ended: status == Status::StreamEnd })
        })
    }

    /// A match of 258 bytes takes two bits.
    fn max_expansion(&self) -> u64 {
        1032
    }
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
    fn a_wrong_adler_sum_is_damage() {
        let mut stored = Zlib.encode(b"some bytes", &Encoding::new()).unwrap();
        *stored.last_mut().unwrap() ^= 1;
        assert!(Zlib.decode(&stored, 10).unwrap_err().message().contains("damaged"));
    }
}

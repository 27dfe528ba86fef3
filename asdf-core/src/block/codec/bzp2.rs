//! `bzp2`: one bzip2 stream.

use std::io::Write;

use bzip2::write::BzEncoder;
use bzip2::{Compression, Decompress, Status};

use super::stream::{self, Step};
use super::{Codec, Encoding};
use crate::block::Label;
use crate::error::{Error, Result};

/// One bzip2 stream ("Compression" in the standard).
#[derive(Debug)]
pub(super) struct Bzp2;

impl Codec for Bzp2 {
    fn label(&self) -> Label {
        Label::BZP2
    }

    fn encode(&self, data: &[u8], how: &Encoding) -> Result<Vec<u8>> {
        how.whole(self.label())?;
        let level = how.level(self.label(), 1..=9, 9)?;
        let mut encoder = BzEncoder::new(Vec::new(), Compression::new(level));
        encoder
            .write_all(data)
            .and_then(|()| encoder.finish())
            .map_err(|e| Error::io("compressing with bzip2", e))
    }

    fn decode(&self, stored: &[u8], data_size: u64) -> Result<Vec<u8>> {
        let mut decoder = Decompress::new(false);
        stream::decode(self, stored, data_size, |from, into| {
            let before = decoder.total_in();
            let status = decoder.decompress_vec(from, into).map_err(|e| e.to_string())?;
            let read = usize::try_from(decoder.total_in() - before).unwrap_or(from.len());
            match status {
                Status::MemNeeded => Err("no memory to decode it".to_owned()),
                status => Ok(Step { read, ended: status == Status::StreamEnd }),
            }
        })
    }

    /// A block of at most 900,000 run-length bytes, 259 bytes for every 5 of them, takes 193 bits
    /// at the very least: a factor of 1.93 million. Constant data really come to 1.58 million.
    fn max_expansion(&self) -> u64 {
        2_000_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_wrote() {
        // asdf 6.0.0 (Python 3.11), `all_array_compression="bzp2"`
        let stored = b"BZh91AY&SY\x24\x97\x34\xf6\x00\x00\x02\xc0\x00\x7f\xe0\x20\x00\x31\x00\x30\x11\x50\
            \xc2\x66\x0f\x07\xa3\xe1\x81\x91\xa1\xb1\xf8\xe0\xe8\xbb\x92\x29\xc2\x84\x81\x24\xb9\xa7\xb0";
        let data: Vec<u8> = (0..10).cycle().take(60).collect();
        assert_eq!(Bzp2.decode(stored, 60).unwrap(), data);
        assert!(Bzp2.decode(b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0", 0).unwrap().is_empty());
    }

    #[test]
    fn constant_data_expand_more_than_a_million_times() {
        // The best case for bzip2.
        let data = vec![251; 160 << 20];
        let stored = Bzp2.encode(&data, &Encoding::new()).unwrap();
        assert!(stored.len() * 1_000_000 < data.len());
        assert!(Bzp2.decode(&stored, data.len() as u64).unwrap() == data);
    }

    #[test]
    fn a_wrong_sum_is_damage() {
        let stored = Bzp2.encode(b"some bytes", &Encoding::new()).unwrap();
        for at in [10, stored.len() - 2] {
            let mut stored = stored.clone();
            stored[at] ^= 1;
            assert!(Bzp2.decode(&stored, 10).unwrap_err().message().contains("damaged"));
        }
    }
}

//! `bzp2`: one bzip2 stream.

use bytes::Bytes;
use bzip2::{Decompress, Status};

use super::pieces::{Show, in_pieces, whole};
use super::stream::{self, Step};
use super::{Codec, Encoding, Wanted};
use crate::block::Label;
use crate::error::Result;
use crate::source::Source;
use crate::threads::Threads;

mod bits;
mod block;
mod checksum;
mod decode;
mod encode;
mod runs;
mod transform;

/// Bits before the first block: `BZh` and the level.
const HEAD: u64 = 32;
/// The mark at the beginning of a block: 48 bits.
const BLOCK: u64 = 0x3141_5926_5359;
/// The mark after the last block, followed by a checksum.
const END: u64 = 0x1772_4538_5090;

/// One bzip2 stream ("Compression" in the standard). Its blocks of up to 900,000 bytes are encoded and
/// decoded on several threads. The stream is that of libbzip2, which also decodes streams that it would not
/// write itself.
#[derive(Debug)]
pub(super) struct Bzp2;

impl Codec for Bzp2 {
    fn label(&self) -> Label {
        Label::BZP2
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
        Ok(decode(stored, data_size, Threads::ALL, &|| Ok(()))?.into())
    }

    fn decode_from(&self, stored: &dyn Source, data_size: u64, threads: Threads) -> Result<Bytes> {
        decode(&stored.read(0..stored.len())?, data_size, threads, &|| stored.wanted())
    }

    /// A block of at most 900,000 run-length bytes (259 bytes for every 5 of them) takes at least 193 bits: a
    /// factor of 1.93 million. Constant data really reaches 1.58 million.
    fn max_expansion(&self) -> u64 {
        2_000_000
    }
}

fn encode(data: &[u8], how: &Encoding, show: Show<'_>) -> Result<()> {
    how.whole(Label::BZP2)?;
    encode::encode(data, how.own_level(Label::BZP2, 9)?, how.threads, show)
}

fn decode(stored: &[u8], data_size: u64, threads: Threads, wanted: Wanted<'_>) -> Result<Bytes> {
    match decode::decode(stored, data_size, threads, wanted)? {
        Some(data) => Ok(data),
        None => Ok(serial(stored, data_size, wanted)?.into()),
    }
}

/// Decodes with libbzip2, which also describes any damage.
fn serial(stored: &[u8], data_size: u64, wanted: Wanted<'_>) -> Result<Vec<u8>> {
    let mut decoder = Decompress::new(false);
    stream::decode(&Bzp2, stored, data_size, wanted, |from, into| {
        let before = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(from, into).map_err(|e| e.to_string())?;
        let read = usize::try_from(decoder.total_in() - before.0).unwrap_or(from.len());
        let written = usize::try_from(decoder.total_out() - before.1).unwrap_or(into.len());
        match status {
            Status::MemNeeded => Err("no memory to decode it".to_owned()),
            status => Ok(Step { read, written, ended: status == Status::StreamEnd }),
        }
    })
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bytes do")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks that streams of libbzip2 decode without libbzip2: blocks of all kinds, and none unusual.
    fn ours(stored: &[u8], data: &[u8]) {
        for threads in [Threads::ONE, Threads::new(3)] {
            let found = decode::decode(stored, data.len() as u64, threads, &|| Ok(())).unwrap();
            assert!(found.is_some_and(|found| found == data));
        }
        assert!(serial(stored, data.len() as u64, &|| Ok(())).unwrap() == data);
    }

    #[test]
    fn blocks_of_all_kinds() {
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(350_000)
        .collect();
        let few: Vec<u8> = noise.iter().map(|byte| byte % 3).collect();
        let skewed: Vec<u8> = noise.iter().map(|byte| byte.leading_zeros() as u8).collect();
        let rare: Vec<u8> = noise.iter().map(|byte| u8::from(*byte == 0) * 7).collect();
        let periodic: Vec<u8> = (0..250_000).map(|i| (i % 1000 % 251) as u8).collect();
        for data in [&noise, &few, &skewed, &rare, &periodic, &vec![5; 4_500_000], &vec![7], &Vec::new()] {
            for level in [1, 9] {
                let stored = Bzp2.encode(data, &Encoding::new().with_level(level)).unwrap();
                ours(&stored, data);
            }
        }
    }

    #[test]
    fn a_mark_by_chance_is_skipped() {
        // Data that contains the marks, and a stream with a mark in its data.
        let data: Vec<u8> = BLOCK.to_be_bytes().into_iter().cycle().take(10_000).collect();
        let stored = Bzp2.encode(&data, &Encoding::new()).unwrap();
        ours(&stored, &data);
        // All marks of the blocks of a stream, at any bit.
        let data: Vec<u8> = (0..300_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let stored = Bzp2.encode(&data, &Encoding::new().with_level(1)).unwrap();
        let all: Vec<u64> =
            (0..stored.len() as u64 * 8).filter(|&bit| bits::at(&stored, bit, 48) == BLOCK).collect();
        assert!(all.len() > 2 && block::Marks::new(&stored).eq(all));
        // The digit of level 1 is the first byte of a mark, but not that of a block.
        assert_eq!(block::Marks::new(b"BZh1AY&SY").next(), None);
        assert!(Bzp2.decode(b"BZh1AY&SY", 5).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn damage_is_seen_as_libbzip2_sees_it(
            len in 0_usize..120_000,
            place in any::<prop::sample::Index>(),
            bit in 0_u32..8,
        ) {
            let data: Vec<u8> = (0..len as u64).map(|i| (i * i / 100 % 251) as u8).collect();
            let mut stored = Bzp2.encode(&data, &Encoding::new().with_level(1)).unwrap();
            let place = place.index(stored.len());
            stored[place] ^= 1 << bit;
            let (ours, theirs) = (Bzp2.decode(&stored, len as u64), serial(&stored, len as u64, &|| Ok(())));
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => prop_assert!(ours == theirs),
                (Err(ours), Err(theirs)) => prop_assert_eq!(ours.to_string(), theirs.to_string()),
                (ours, theirs) => prop_assert!(false, "{:?} {:?}", ours.is_ok(), theirs.is_ok()),
            }
        }
    }

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
    fn a_wrong_checksum_is_damage() {
        let stored = Bzp2.encode(b"some bytes", &Encoding::new()).unwrap();
        for at in [10, stored.len() - 2] {
            let mut stored = stored.clone();
            stored[at] ^= 1;
            assert!(Bzp2.decode(&stored, 10).unwrap_err().message().contains("damaged"));
        }
    }
}

//! Encoding bzip2 block by block.

use std::io::Write;

use bzip2::Compression;
use bzip2::write::BzEncoder;

use super::super::pieces::Show;
use super::bits::{self, Writer};
use super::{END, HEAD};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// Encodes data to the stream of libbzip2, bit for bit. Each block is compressed separately, as a stream of
/// its own, and joined to those before it.
pub(super) fn encode(data: &[u8], level: u32, threads: Threads, show: Show<'_>) -> Result<()> {
    let stream = |block: &[u8], buffer: Vec<u8>| {
        let mut encoder = BzEncoder::new(buffer, Compression::new(level));
        encoder.write_all(block).and_then(|()| encoder.finish())
    };
    let work = |block: &[u8], mut buffer: Vec<u8>| {
        buffer.clear();
        let stream = stream(block, buffer).map_err(|e| Error::io("compressing with bzip2", e))?;
        match end(&stream) {
            Some(end) => Ok((end, stream)),
            None => Err(Error::limit("compressing with bzip2: libbzip2 did not write exactly one block")),
        }
    };
    let mut stored = Writer::default();
    let level = u8::try_from(level).unwrap_or(9).min(9);
    stored.append(&[b'B', b'Z', b'h', b'0' + level], HEAD);
    let mut sum = 0_u32;
    let blocks = Blocks { rest: data, room: usize::from(level) * 100_000 - 19 };
    threads.for_bytes(data.len() as u64).in_order_with_buffers(blocks, work, |done: Result<_>| {
        let (end, stream) = done?;
        stored.append(stream.get(4..).unwrap_or_default(), end - HEAD);
        sum = sum.rotate_left(1) ^ checksum(&stream);
        show(&stored.take_full())?;
        Ok(stream)
    })?;
    stored.append(END.to_be_bytes().get(2..).unwrap_or_default(), 48);
    stored.append(&sum.to_be_bytes(), 32);
    show(&stored.finish())
}

/// Returns the checksum of the first block of a stream.
fn checksum(stream: &[u8]) -> u32 {
    u32::try_from(bits::at(stream, HEAD + 48, 32)).unwrap_or(0)
}

/// Returns the end of the only block of a stream, in bits: before the end mark, the checksum, and zeros.
fn end(stream: &[u8]) -> Option<u64> {
    let bits = stream.len() as u64 * 8;
    let sum = u64::from(checksum(stream));
    (0..8)
        .filter_map(|zeros| bits.checked_sub(80 + zeros))
        .find(|&end| bits::at(stream, end, 48) == END && bits::at(stream, end + 48, 32) == sum)
}

/// The parts of the data that become one block each.
///
/// First, libbzip2 shortens runs of the same byte: 4 to 255 of them become four and a count. A block is full
/// if it has at least `room` bytes of that form. It ends with the run that filled it, so no block begins in
/// the middle of a run of less than 255.
struct Blocks<'d> {
    rest: &'d [u8],
    room: usize,
}

impl<'d> Iterator for Blocks<'d> {
    type Item = &'d [u8];

    fn next(&mut self) -> Option<&'d [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut at, mut filled) = (0, 0);
        while at < self.rest.len() && filled < self.room {
            let left = self.rest.get(at..).unwrap_or_default();
            // Bytes that all differ from the byte before are counted together. The last of them can begin a
            // run.
            let single = singles(left).min(self.room - filled);
            (at, filled) = (at + single, filled + single);
            if single > 0 {
                continue;
            }
            let run = run(left);
            (at, filled) = (at + run, filled + if run < 4 { run } else { 5 });
        }
        let (block, rest) = self.rest.split_at_checked(at)?;
        self.rest = rest;
        Some(block)
    }
}

/// The number of bytes that are compared together.
const WIDE: usize = 32;

/// Returns the number of bytes at the beginning that are runs of one, in whole groups.
fn singles(bytes: &[u8]) -> usize {
    let groups = bytes.chunks_exact(WIDE).zip(bytes.get(1..).unwrap_or_default().chunks_exact(WIDE));
    // Without a branch for each byte, so a processor compares them all at once.
    let differ =
        |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).fold(0, |same, (a, b)| same | u8::from(a == b)) == 0;
    groups.take_while(differ).count() * WIDE
}

/// Returns the length of the run at the beginning, which libbzip2 ends at 255.
fn run(bytes: &[u8]) -> usize {
    let bytes = bytes.get(..255).unwrap_or(bytes);
    let Some(first) = bytes.first() else { return 0 };
    let alike = |group: &&[u8]| group.iter().fold(0, |other, byte| other | (byte ^ first)) == 0;
    let whole = bytes.chunks_exact(WIDE).take_while(alike).count() * WIDE;
    whole + bytes.iter().skip(whole).take_while(|byte| *byte == first).count()
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bytes do")]
mod tests {
    use proptest::prelude::*;

    use super::super::super::pieces::whole;
    use super::*;

    fn encoded(data: &[u8], level: u32, threads: Threads) -> Vec<u8> {
        whole(|show| encode(data, level, threads, show)).unwrap()
    }

    /// Encodes with libbzip2 alone.
    fn serial(data: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn noise(seed: u32) -> impl Iterator<Item = u8> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
    }

    #[test]
    fn runs_where_a_block_ends() {
        // Around the end of the first block of level 1: 99,981 bytes.
        for (number, before) in
            [99_970, 99_976, 99_977, 99_978, 99_979, 99_980, 99_981, 99_982].into_iter().enumerate()
        {
            for (run, after) in
                [(1, 0), (2, 1), (3, 0), (4, 0), (4, 7), (5, 1), (255, 0), (256, 0), (256, 7), (511, 1)]
            {
                // No two adjacent bytes are equal: each is a byte of the block.
                let literals = noise(number as u32).map(|byte| byte & 0xfe).zip([0, 1].into_iter().cycle());
                let data: Vec<u8> = literals
                    .map(|(byte, odd)| byte | odd)
                    .take(before)
                    .chain(std::iter::repeat_n(9, run))
                    .chain(noise(7).take(after))
                    .collect();
                assert!(encoded(&data, 1, Threads::ONE) == serial(&data, 1), "{before} {run} {after}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_stream_of_libbzip2(
            parts in proptest::collection::vec((any::<u8>(), 1_usize..3000, 0..3), 0..150),
            level in 1_u32..3,
        ) {
            let mut data = Vec::new();
            for (byte, len, kind) in parts {
                match kind {
                    0 => data.extend(std::iter::repeat_n(byte, len)),
                    1 => data.extend(noise(byte.into()).take(len)),
                    _ => data.extend(noise(byte.into()).take(len).flat_map(|b| std::iter::repeat_n(b % 5, usize::from(b) % 9))),
                }
            }
            let expected = serial(&data, level);
            prop_assert!(encoded(&data, level, Threads::new(3)) == expected);
            prop_assert!(encoded(&data, level, Threads::ONE) == expected);
        }
    }

    #[test]
    fn blocks_that_fill_by_runs() {
        for byte in [0, 9] {
            for len in [0, 1, 255, 4_099_221, 5_099_031, 5_099_032, 11_000_000] {
                let data = vec![byte; len];
                assert!(encoded(&data, 1, Threads::ALL) == serial(&data, 1), "{len}");
            }
        }
    }
}

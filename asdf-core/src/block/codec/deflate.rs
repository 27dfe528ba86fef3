//! Encoding zlib in pieces.

use zlib_rs::adler32::{adler32, adler32_combine};
use zlib_rs::{Deflate, DeflateConfig, DeflateError, DeflateFlush, Status, Strategy};

use super::pieces::Show;
use crate::error::{Error, Result};
use crate::threads::Threads;

/// Bytes of data in a piece. Pieces depend only on the data, so the stream does not depend on the number of
/// threads.
const PIECE: usize = if cfg!(test) { 100_000 } else { 2 << 20 };

/// The maximum distance of a match, and so the part of the piece before that is needed.
const WINDOW: usize = 32 << 10;

/// The size of the sample for choosing a strategy. Twice the size takes a tenth of the time for noise, and
/// makes the same choice for images.
const SAMPLE: usize = 32 << 10;

/// Encodes one zlib stream. Pieces are encoded separately, each with the end of the piece before as its
/// dictionary. They end at whole bytes (a sync flush), so they form one stream that any decoder reads.
pub(super) fn encode(data: &[u8], level: u32, threads: Threads, show: Show<'_>) -> Result<()> {
    let fail = |e: DeflateError| Error::limit(format!("compressing with zlib: {e:?}"));
    let level = i32::try_from(level).unwrap_or(6);
    // The level as in the zlib header, which is a multiple of 31.
    let named = match level {
        ..2 => 0x01,
        2..6 => 0x5e,
        6 => 0x9c,
        _ => 0xda,
    };
    show(&[0x78, named])?;
    let mut sum = 1;
    let work = |number: usize, mut buffer: Vec<u8>| {
        let start = number * PIECE;
        let (before, rest) = data.split_at_checked(start).unwrap_or_default();
        let last = rest.len() <= PIECE;
        let piece = rest.get(..PIECE).unwrap_or(rest);
        let window = before.get(before.len().saturating_sub(WINDOW)..).unwrap_or_default();
        let mut coder = coder(level, strategy(piece, level)?);
        if !window.is_empty() && level > 0 {
            coder.set_dictionary(window)?;
        }
        let flush = if last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
        deflate(&mut coder, piece, flush, &mut buffer)?;
        Ok((buffer, adler32(1, piece), piece.len()))
    };
    let count = data.len().div_ceil(PIECE).max(1);
    threads.for_bytes(data.len() as u64).in_order_with_buffers(
        0..count,
        work,
        |done: Result<_, DeflateError>| {
            let (buffer, of_piece, len) = done.map_err(fail)?;
            show(&buffer)?;
            sum = adler32_combine(sum, of_piece, len as u64);
            Ok(buffer)
        },
    )?;
    show(&sum.to_be_bytes())
}

fn coder(level: i32, strategy: Strategy) -> Deflate {
    Deflate::new_with_config(DeflateConfig { level, strategy, window_bits: -15, ..DeflateConfig::default() })
}

/// Encodes a piece into the buffer.
fn deflate(
    coder: &mut Deflate,
    piece: &[u8],
    flush: DeflateFlush,
    buffer: &mut Vec<u8>,
) -> Result<(), DeflateError> {
    // Enough for a flush and stored blocks; it can grow.
    buffer.resize(buffer.capacity().max(zlib_rs::compress_bound(piece.len()) + 64), 0);
    let (mut read, mut written) = (0, 0);
    loop {
        let from = piece.get(read..).unwrap_or_default();
        let into = buffer.get_mut(written..).unwrap_or_default();
        let (before, room) = ((coder.total_in(), coder.total_out()), into.len());
        let status = coder.compress(from, into, flush)?;
        let count = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(usize::MAX);
        let (took, made) = (count(coder.total_in(), before.0), count(coder.total_out(), before.1));
        read += took;
        written += made;
        if status == Status::StreamEnd
            || (flush != DeflateFlush::Finish && read == piece.len() && made < room)
        {
            buffer.truncate(written);
            return Ok(());
        }
        buffer.resize(buffer.len() * 2, 0);
    }
}

/// Chooses the strategy. Noise has no matches except runs, and searching for them takes most of the time. If
/// a sample becomes nearly as small without matches, they are not searched for. Above level 6 it must become
/// just as small.
fn strategy(piece: &[u8], level: i32) -> Result<Strategy, DeflateError> {
    let sample = piece.get(piece.len() / 2..).unwrap_or_default();
    let sample = sample.get(..SAMPLE).unwrap_or_default();
    if level == 0 || sample.is_empty() {
        return Ok(Strategy::Default);
    }
    let size = |strategy| {
        let mut buffer = Vec::new();
        deflate(&mut coder(level, strategy), sample, DeflateFlush::Finish, &mut buffer)?;
        Ok(buffer.len())
    };
    let (runs, matches) = (size(Strategy::Rle)?, size(Strategy::Default)?);
    let margin = if level > 6 { 0 } else { matches / 100 };
    Ok(if runs <= matches + margin { Strategy::Rle } else { Strategy::Default })
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bytes do")]
mod tests {
    use proptest::prelude::*;

    use super::super::pieces::whole;
    use super::*;

    fn encoded(data: &[u8], level: u32, threads: Threads) -> Vec<u8> {
        whole(|show| encode(data, level, threads, show)).unwrap()
    }

    /// Decodes a stream with two decoders, and checks that nothing follows it.
    fn inflated(stored: &[u8]) -> Vec<u8> {
        let mut decoder = zlib_rs::Inflate::new(true, 15);
        let data = fdeflate::decompress_to_vec(stored).unwrap();
        let mut again = vec![0; data.len() + 1];
        let end = decoder.decompress(stored, &mut again, zlib_rs::InflateFlush::Finish).unwrap();
        assert_eq!((end, decoder.total_in()), (Status::StreamEnd, stored.len() as u64));
        assert!(again.get(..data.len()).unwrap() == data);
        data
    }

    #[test]
    fn the_window_spans_pieces() {
        // Noise that repeats after slightly more than a piece: without a dictionary it would not compress.
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let noise: Vec<u8> = std::iter::repeat_with(&mut next).take(10_000).collect();
        let mut data = vec![0; PIECE - noise.len()];
        data.extend(&noise);
        data.extend(&noise);
        let stored = encoded(&data, 6, Threads::ALL);
        assert!(stored.len() < noise.len() + 1000, "{}", stored.len());
        assert!(inflated(&stored) == data);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn other_decoders_read_it_for_any_threads(
            parts in proptest::collection::vec((any::<u8>(), 1_u32..70_000, 0_u8..4), 0..40),
            level in 0_u32..10,
        ) {
            let mut data = Vec::new();
            for (byte, len, kind) in parts {
                data.extend((0..len).map(|i| match kind {
                    0 => byte,
                    1 => (i.wrapping_mul(2_654_435_761) >> 24) as u8,
                    2 => (i / 7) as u8 ^ byte,
                    _ => if i % 300 == 0 { byte } else { 0 },
                }));
            }
            let stored = encoded(&data, level, Threads::ONE);
            prop_assert!(inflated(&stored) == data);
            prop_assert!(encoded(&data, level, Threads::new(3)) == stored);
        }
    }

    #[test]
    fn pieces_around_their_size() {
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 12 * PIECE] {
            let data: Vec<u8> = (0..len).map(|i| (i / 3 % 251) as u8).collect();
            for level in [0, 1, 6, 9] {
                let stored = encoded(&data, level, Threads::ALL);
                assert!(inflated(&stored) == data, "{len} {level}");
                assert_eq!((u32::from(stored[0]) << 8 | u32::from(stored[1])) % 31, 0);
            }
        }
    }
}

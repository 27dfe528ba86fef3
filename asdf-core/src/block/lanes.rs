//! The operations of MD5, for one message or for many at once. Each operation depends on the one before. So a
//! processor that hashes many messages in the lanes of its SIMD registers takes hardly longer than for one.
#![allow(
    clippy::indexing_slicing,
    clippy::needless_range_loop,
    reason = "the compiler counts the groups of an array, and leaves no loop over them"
)]

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use multiversion::multiversion;
use wide::u32x8;

/// The maximum number of messages at a time: two groups, so that one is processed while the other waits.
pub(super) const LANES: usize = 2 * GROUP;

/// The number of messages that share registers.
pub(super) const GROUP: usize = 8;

/// The length in bytes of the pieces in which MD5 processes a message.
pub(super) const CHUNK: usize = 64;

/// The state of MD5 before the first piece.
pub(super) const START: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// A number of one message, or one number of each message of a group.
trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Returns the same number for every message.
    fn all(word: u32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn rotated(self, bits: u32) -> Self;
}

impl Word for u32 {
    #[inline(always)]
    fn all(word: u32) -> Self {
        word
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        self.rotate_left(bits)
    }
}

impl Word for u32x8 {
    #[inline(always)]
    fn all(word: u32) -> Self {
        Self::splat(word)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        self << bits | self >> (32 - bits)
    }
}

/// Hashes the whole pieces of each message, up to the length of the shortest.
pub(super) fn take_all<const GROUPS: usize>(
    states: &mut [[[u32; 4]; GROUP]; GROUPS],
    messages: &[[&[u8]; GROUP]; GROUPS],
) {
    // The numbers of all messages of a group are next to each other.
    let mut state = from_fn(|word| from_fn(|group| u32x8::new(from_fn(|lane| states[group][lane][word]))));
    in_lanes(&mut state, messages);
    let words = state.map(|groups: [u32x8; GROUPS]| groups.map(u32x8::to_array));
    *states = from_fn(|group| from_fn(|lane| from_fn(|word| words[word][group][lane])));
}

#[multiversion(targets("x86_64+avx2"))]
fn in_lanes<const GROUPS: usize>(state: &mut [[u32x8; GROUPS]; 4], messages: &[[&[u8]; GROUP]; GROUPS]) {
    let count = messages.iter().flatten().map(|message| message.len() / CHUNK).min().unwrap_or(0);
    for piece in 0..count {
        let mut words = [[u32x8::splat(0); GROUPS]; 16];
        for group in 0..GROUPS {
            let pieces: [&[u8; CHUNK]; GROUP] = from_fn(|lane| {
                let rest = messages[group][lane].get(piece * CHUNK..);
                rest.and_then(<[u8]>::first_chunk).unwrap_or(&[0; CHUNK])
            });
            for word in 0..16 {
                words[word][group] = u32x8::new(from_fn(|lane| number(pieces[lane], word)));
            }
        }
        step(state, &words, &SINES);
    }
}

/// Hashes all whole pieces of a message.
pub(super) fn take_one(state: &mut [u32; 4], message: &[u8]) {
    // If the compiler knew these constants, it would add them last, when the operation before is awaited. As
    // unknown values they are added to the words, which nothing waits for. That is a fifth faster.
    let sines = std::hint::black_box(&SINES);
    let mut words = state.map(|word| [word]);
    for piece in message.chunks_exact(CHUNK) {
        let mut numbers = [[0]; 16];
        let mut word = 0;
        while word < 16 {
            numbers[word] = [number(piece, word)];
            word += 1;
        }
        step(&mut words, &numbers, sines);
    }
    *state = words.map(|[word]| word);
}

#[inline(always)]
fn number(bytes: &[u8], word: usize) -> u32 {
    let at = 4 * word;
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The constants of the 64 operations: the fractions of sines (RFC 1321, section 3.4).
#[rustfmt::skip]
static SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee,
    0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
    0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa,
    0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
    0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05,
    0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039,
    0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
    0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// Processes a piece of each message (RFC 1321, section 3.4).
///
/// Loops count by hand: without optimisation a call of an iterator takes longer than an operation, and debug
/// builds of users write checksums too.
#[inline(always)]
fn step<W: Word, const GROUPS: usize>(
    state: &mut [[W; GROUPS]; 4],
    words: &[[W; GROUPS]; 16],
    sines: &[u32; 64],
) {
    let [mut a, mut b, mut c, mut d] = *state;
    macro_rules! round {
        ($round:literal, $mix:expr, $s0:literal $s1:literal $s2:literal $s3:literal) => {
            // After four operations, a to d have the same roles again.
            let mut first = 16 * $round;
            while first < 16 * ($round + 1) {
                operation::<$round, W, GROUPS>(&mut a, &b, &c, &d, words, sines, first, $s0, $mix);
                operation::<$round, W, GROUPS>(&mut d, &a, &b, &c, words, sines, first + 1, $s1, $mix);
                operation::<$round, W, GROUPS>(&mut c, &d, &a, &b, words, sines, first + 2, $s2, $mix);
                operation::<$round, W, GROUPS>(&mut b, &c, &d, &a, words, sines, first + 3, $s3, $mix);
                first += 4;
            }
        };
    }
    round!(0, |x: W, y: W, z: W| z ^ (x & (y ^ z)), 7 12 17 22);
    round!(1, |x: W, y: W, z: W| (x & z) | (y & !z), 5 9 14 20);
    round!(2, |x: W, y: W, z: W| x ^ y ^ z, 4 11 16 23);
    round!(3, |x: W, y: W, z: W| y ^ (x | !z), 6 10 15 21);
    for (before, after) in state.iter_mut().zip([a, b, c, d]) {
        let mut group = 0;
        while group < GROUPS {
            before[group] = before[group].plus(after[group]);
            group += 1;
        }
    }
}

/// Performs one of the 64 operations.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the names of RFC 1321")]
fn operation<const ROUND: usize, W: Word, const GROUPS: usize>(
    a: &mut [W; GROUPS],
    b: &[W; GROUPS],
    c: &[W; GROUPS],
    d: &[W; GROUPS],
    words: &[[W; GROUPS]; 16],
    sines: &[u32; 64],
    number: usize,
    bits: u32,
    mix: impl Fn(W, W, W) -> W,
) {
    let word = match ROUND {
        0 => number,
        1 => 5 * number + 1,
        2 => 3 * number + 5,
        _ => 7 * number,
    };
    let sine = W::all(sines[number]);
    let mut group = 0;
    while group < GROUPS {
        let (x, y, z) = (b[group], c[group], d[group]);
        let mixed = mix(x, y, z);
        // The mixed word is added last, since it depends on the operation before.
        let sum = a[group].plus(words[word % 16][group].plus(sine)).plus(mixed);
        a[group] = sum.rotated(bits).plus(x);
        group += 1;
    }
}

//! MD5 of many messages at once: a step of MD5 waits for the one before it, so that a processor which
//! does many messages in the lanes of its registers takes hardly longer than for one.
#![allow(
    clippy::indexing_slicing,
    clippy::needless_range_loop,
    reason = "the compiler counts the lanes of an array, and makes vectors of loops over them"
)]

use std::array::from_fn;

use multiversion::multiversion;

/// How many messages go at the same time.
pub(super) const LANES: usize = 16;

/// The length of the pieces that MD5 takes a message in, in bytes.
pub(super) const CHUNK: usize = 64;

/// The state of MD5 before the first piece.
pub(super) const START: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// One number of each lane.
type Lanes<const N: usize> = [u32; N];

/// Takes as many whole pieces of each message as the shortest has.
pub(super) fn take_all(states: &mut [[u32; 4]; LANES], messages: &[&[u8]; LANES]) {
    // Numbers of all messages beside each other. This stands outside of the loop's function, where it
    // would lead the compiler to take the lanes apart.
    let mut lanes: [Lanes<LANES>; 4] = from_fn(|word| from_fn(|lane| states[lane][word]));
    in_lanes(&mut lanes, messages);
    *states = from_fn(|lane| from_fn(|word| lanes[word][lane]));
}

/// Takes all whole pieces of a message.
pub(super) fn take_one(state: &mut [u32; 4], message: &[u8]) {
    let mut lanes = state.map(|word| [word]);
    take(&mut lanes, &[message]);
    *state = lanes.map(|[word]| word);
}

#[multiversion(targets("x86_64+avx2"))]
fn in_lanes(lanes: &mut [Lanes<LANES>; 4], messages: &[&[u8]; LANES]) {
    take(lanes, messages);
}

#[inline(always)]
fn take<const N: usize>(lanes: &mut [Lanes<N>; 4], messages: &[&[u8]; N]) {
    let count = messages.iter().map(|message| message.len() / CHUNK).min().unwrap_or(0);
    for piece in 0..count {
        let mut words = [[0; N]; 16];
        for lane in 0..N {
            let bytes = messages[lane].get(piece * CHUNK..).and_then(<[u8]>::first_chunk);
            let bytes: &[u8; CHUNK] = bytes.unwrap_or(&[0; CHUNK]);
            for word in 0..16 {
                let at = 4 * word;
                words[word][lane] =
                    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            }
        }
        step(lanes, &words);
    }
}

/// The constants of the 64 operations: the fractions of sines (RFC 1321, section 3.4).
#[rustfmt::skip]
const SINES: [u32; 64] = [
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

/// A piece of each message (RFC 1321, section 3.4).
#[inline(always)]
fn step<const N: usize>(state: &mut [Lanes<N>; 4], words: &[Lanes<N>; 16]) {
    let [mut a, mut b, mut c, mut d] = *state;
    // A loop over four operations, after which a to d have the same parts again. All 64 in a row would
    // be taken apart into single numbers by the compiler, and be half as fast.
    macro_rules! round {
        ($round:literal, $mix:expr, $word:expr, $s0:literal $s1:literal $s2:literal $s3:literal) => {
            for first in (0..16).step_by(4) {
                let word = |number: usize| &words[$word(first + number) % 16];
                let sine = |number: usize| SINES[(16 * $round + first + number) % 64];
                operation::<N, $s0>(&mut a, &b, &c, &d, word(0), sine(0), $mix);
                operation::<N, $s1>(&mut d, &a, &b, &c, word(1), sine(1), $mix);
                operation::<N, $s2>(&mut c, &d, &a, &b, word(2), sine(2), $mix);
                operation::<N, $s3>(&mut b, &c, &d, &a, word(3), sine(3), $mix);
            }
        };
    }
    round!(0, |x: u32, y: u32, z: u32| z ^ (x & (y ^ z)), |i: usize| i, 7 12 17 22);
    round!(1, |x: u32, y: u32, z: u32| y ^ (z & (x ^ y)), |i: usize| 5 * i + 1, 5 9 14 20);
    round!(2, |x: u32, y: u32, z: u32| x ^ y ^ z, |i: usize| 3 * i + 5, 4 11 16 23);
    round!(3, |x: u32, y: u32, z: u32| y ^ (x | !z), |i: usize| 7 * i, 6 10 15 21);
    for (before, after) in state.iter_mut().zip([a, b, c, d]) {
        *before = from_fn(|lane| before[lane].wrapping_add(after[lane]));
    }
}

#[inline(always)]
fn operation<const N: usize, const SHIFT: u32>(
    a: &mut Lanes<N>,
    b: &Lanes<N>,
    c: &Lanes<N>,
    d: &Lanes<N>,
    word: &Lanes<N>,
    sine: u32,
    mix: impl Fn(u32, u32, u32) -> u32,
) {
    let mixed: Lanes<N> = from_fn(|lane| mix(b[lane], c[lane], d[lane]));
    for lane in 0..N {
        let sum = a[lane].wrapping_add(mixed[lane]).wrapping_add(word[lane]).wrapping_add(sine);
        a[lane] = sum.rotate_left(SHIFT).wrapping_add(b[lane]);
    }
}

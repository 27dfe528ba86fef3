//! xxHash of 32 bits with seed 0, the checksum inside LZ4 frames.

const P1: u32 = 0x9e37_79b1;
const P2: u32 = 0x85eb_ca77;
const P3: u32 = 0xc2b2_ae3d;
const P4: u32 = 0x27d4_eb2f;
const P5: u32 = 0x1656_67b1;

/// The hash of all bytes.
pub(super) fn xxh32(bytes: &[u8]) -> u32 {
    let stripes = bytes.chunks_exact(16);
    let rest = stripes.remainder();
    let mut hash = if bytes.len() < 16 {
        P5
    } else {
        let mut lanes = [P1.wrapping_add(P2), P2, 0, 0_u32.wrapping_sub(P1)];
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.chunks_exact(4)) {
                *lane = lane.wrapping_add(load(word).wrapping_mul(P2)).rotate_left(13).wrapping_mul(P1);
            }
        }
        let turns = [1, 7, 12, 18];
        lanes.iter().zip(turns).fold(0, |sum: u32, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)))
    };
    // The length counts modulo 2³², as the algorithm says.
    let [a, b, c, d, ..] = (bytes.len() as u64).to_le_bytes();
    hash = hash.wrapping_add(u32::from_le_bytes([a, b, c, d]));
    let words = rest.chunks_exact(4);
    let last = words.remainder();
    for word in words {
        hash = hash.wrapping_add(load(word).wrapping_mul(P3)).rotate_left(17).wrapping_mul(P4);
    }
    for &byte in last {
        hash = hash.wrapping_add(u32::from(byte).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(P2);
    hash = (hash ^ (hash >> 13)).wrapping_mul(P3);
    hash ^ (hash >> 16)
}

fn load(word: &[u8]) -> u32 {
    word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes() {
        // python-xxhash: xxhash.xxh32_intdigest
        for (bytes, hash) in [
            (b"".as_slice(), 0x02cc_5d05),
            (b"a", 0x550d_7456),
            (b"abc", 0x32d1_53ff),
            (b"0123456789abcdef", 0xc2c4_5b69),
            (b"0123456789abcdef0123456789abcdefghij k", 0x6020_cfb5),
        ] {
            assert_eq!(xxh32(bytes), hash, "{}", bytes.escape_ascii());
        }
    }
}

//! Shuffling: the first bytes (or bits) of all elements together, then the second, and so on.

/// Reassembles elements of `item` bytes. Bytes beyond the last whole element are not shuffled. Both slices
/// have the same length.
pub(super) fn unshuffle(from: &[u8], into: &mut [u8], item: usize) {
    let count = from.len().checked_div(item).unwrap_or(0);
    let whole = count * item;
    if let (Some(rest), Some(last)) = (from.get(whole..), into.get_mut(whole..)) {
        last.copy_from_slice(rest);
    }
    match item {
        2 => weave::<2>(from, into, count),
        4 => weave::<4>(from, into, count),
        8 => weave::<8>(from, into, count),
        _ => {
            for (byte, plane) in from.chunks_exact(count.max(1)).take(item).enumerate() {
                for (element, &value) in into.chunks_exact_mut(item.max(1)).zip(plane) {
                    if let Some(slot) = element.get_mut(byte) {
                        *slot = value;
                    }
                }
            }
        }
    }
}

/// Interleaves `N` planes of `count` bytes into elements.
fn weave<const N: usize>(from: &[u8], into: &mut [u8], count: usize) {
    let mut planes: [&[u8]; N] = [&[]; N];
    for (slot, plane) in planes.iter_mut().zip(from.chunks_exact(count.max(1))) {
        *slot = plane;
    }
    // A few elements at a time, so the bytes of the planes come from registers.
    const TURN: usize = 16;
    let mut at = 0;
    let mut elements = into.chunks_exact_mut(N * TURN);
    while at + TURN <= count {
        let Some(turn) = elements.next() else { break };
        let mut loaded = [[0; TURN]; N];
        for (slot, plane) in loaded.iter_mut().zip(planes) {
            if let Some(bytes) = plane.get(at..).and_then(<[u8]>::first_chunk) {
                *slot = *bytes;
            }
        }
        for (i, element) in turn.chunks_exact_mut(N).enumerate() {
            for (slot, plane) in element.iter_mut().zip(&loaded) {
                *slot = plane.get(i).copied().unwrap_or_default();
            }
        }
        at += TURN;
    }
    for (i, element) in into.chunks_exact_mut(N).enumerate().take(count).skip(at) {
        for (slot, plane) in element.iter_mut().zip(planes) {
            *slot = plane.get(i).copied().unwrap_or_default();
        }
    }
}

/// The inverse of [`unshuffle`].
pub(super) fn shuffle(from: &[u8], into: &mut [u8], item: usize) {
    let count = from.len().checked_div(item).unwrap_or(0);
    let whole = count * item;
    if let (Some(rest), Some(last)) = (from.get(whole..), into.get_mut(whole..)) {
        last.copy_from_slice(rest);
    }
    for (byte, plane) in into.chunks_exact_mut(count.max(1)).take(item).enumerate() {
        for (slot, element) in plane.iter_mut().zip(from.chunks_exact(item.max(1))) {
            *slot = element.get(byte).copied().unwrap_or_default();
        }
    }
}

/// Reassembles elements from their bits. There is a row for each bit of an element, with one bit of each
/// element; the lowest bit of the first byte comes first. Elements beyond the last group of eight are not
/// shuffled. Both slices have the same length.
pub(super) fn unbitshuffle(from: &[u8], into: &mut [u8], item: usize) {
    let groups = from.len().checked_div(item).unwrap_or(0) / 8;
    let whole = groups * 8 * item;
    if let (Some(rest), Some(last)) = (from.get(whole..), into.get_mut(whole..)) {
        last.copy_from_slice(rest);
    }
    // Eight rows together make one byte of each element.
    for (byte, rows) in from.chunks_exact((groups * 8).max(1)).take(item).enumerate() {
        for (group, elements) in into.chunks_exact_mut((item * 8).max(1)).take(groups).enumerate() {
            let mut bits = [0; 8];
            for (slot, row) in bits.iter_mut().zip(rows.chunks_exact(groups)) {
                *slot = row.get(group).copied().unwrap_or_default();
            }
            for (element, value) in elements.chunks_exact_mut(item).zip(transpose(bits)) {
                if let Some(slot) = element.get_mut(byte) {
                    *slot = value;
                }
            }
        }
    }
}

/// Transposes a matrix of 8 by 8 bits.
fn transpose(rows: [u8; 8]) -> [u8; 8] {
    let mut x = u64::from_le_bytes(rows);
    for (turn, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let moved = (x ^ (x >> turn)) & mask;
        x = x ^ moved ^ (moved << turn);
    }
    x.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffled_bytes_round_trip() {
        for item in [1, 2, 3, 4, 5, 8, 16, 255] {
            for len in [0, 1, item, 7 * item + 1, 16 * item, 100 * item + item / 2] {
                let data: Vec<u8> = (0..=250).cycle().take(len).collect();
                let mut shuffled = vec![0; len];
                shuffle(&data, &mut shuffled, item);
                let mut back = vec![0; len];
                unshuffle(&shuffled, &mut back, item);
                assert_eq!(back, data, "{item} {len}");
            }
        }
        let mut shuffled = [0; 7];
        shuffle(b"aAbBcC.", &mut shuffled, 2);
        assert_eq!(&shuffled, b"abcABC.");
    }

    #[test]
    fn bits_agree_with_a_simple_loop() {
        for item in [1, 2, 3, 8] {
            for len in [0, 7 * item, 8 * item, 25 * item + 1] {
                let data: Vec<u8> = (0..=250_u8).map(|b| b.wrapping_mul(37)).cycle().take(len).collect();
                let count = len / item / 8 * 8;
                let mut shuffled = data.clone();
                shuffled[..count * item].fill(0);
                for element in 0..count {
                    for bit in 0..item * 8 {
                        let value = (data[element * item + bit / 8] >> (bit % 8)) & 1;
                        shuffled[bit * (count / 8) + element / 8] |= value << (element % 8);
                    }
                }
                let mut back = vec![0; len];
                unbitshuffle(&shuffled, &mut back, item);
                assert_eq!(back, data, "{item} {len}");
            }
        }
    }
}

//! Conversion of elements to the other byte order.

use multiversion::multiversion;

/// Reverses the bytes of each number of `width` bytes, in place.
pub(super) fn in_place(bytes: &mut [u8], width: usize) {
    match width {
        2 => in_place_2(bytes),
        4 => in_place_4(bytes),
        8 => in_place_8(bytes),
        16 => in_place_16(bytes),
        _ => bytes.chunks_exact_mut(width.max(1)).for_each(<[u8]>::reverse),
    }
}

/// Copies numbers of `width` bytes and reverses the bytes of each. Both slices have the same length.
pub(super) fn copy(from: &[u8], to: &mut [u8], width: usize) {
    match width {
        2 => copy_2(from, to),
        4 => copy_4(from, to),
        8 => copy_8(from, to),
        16 => copy_16(from, to),
        _ => {
            to.copy_from_slice(from);
            in_place(to, width);
        }
    }
}

/// Two loops for each width. Each is also compiled for processors with AVX2, which reverse 32 bytes with one
/// instruction.
macro_rules! widths {
    ($($in_place:ident $copy:ident: $number:ident;)*) => {$(
        #[multiversion(targets("x86_64+avx2"))]
        fn $in_place(bytes: &mut [u8]) {
            for slot in bytes.chunks_exact_mut(size_of::<$number>()) {
                if let Some(slot) = slot.first_chunk_mut() {
                    *slot = $number::from_ne_bytes(*slot).swap_bytes().to_ne_bytes();
                }
            }
        }

        #[multiversion(targets("x86_64+avx2"))]
        fn $copy(from: &[u8], to: &mut [u8]) {
            const N: usize = size_of::<$number>();
            for (from, to) in from.chunks_exact(N).zip(to.chunks_exact_mut(N)) {
                if let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut()) {
                    *to = $number::from_ne_bytes(*from).swap_bytes().to_ne_bytes();
                }
            }
        }
    )*};
}

widths! {
    in_place_2 copy_2: u16;
    in_place_4 copy_4: u32;
    in_place_8 copy_8: u64;
    in_place_16 copy_16: u128;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_reversed_and_nothing_else() {
        let bytes: Vec<u8> = (0..=255).cycle().take(16 * 67).collect();
        for width in [1, 2, 3, 4, 8, 16] {
            let bytes = &bytes[..bytes.len() / width * width];
            let expected: Vec<u8> =
                bytes.chunks(width).flat_map(|number| number.iter().rev().copied()).collect();
            let mut found = bytes.to_vec();
            in_place(&mut found, width);
            assert_eq!(found, expected, "{width}");
            found.fill(0);
            copy(bytes, &mut found, width);
            assert_eq!(found, expected, "{width}");
        }
    }
}

//! The checksum of a block: a CRC-32 with the highest bit first.

const POLYNOMIAL: u32 = 0x04c1_1db7;

/// For each byte, its effect on the checksum if 0 to 7 more bytes follow.
#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed while compiling: the index is a byte"
)]
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            sum = sum << 1 ^ if sum >> 31 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut following = 1;
    while following < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[following - 1][byte];
            tables[following][byte] = before << 8 ^ tables[0][(before >> 24) as usize];
            byte += 1;
        }
        following += 1;
    }
    tables
};

/// Returns the checksum of bytes.
#[allow(clippy::indexing_slicing, reason = "a table of 256 for a byte")]
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut eights = bytes.chunks_exact(8);
    let mut sum = u32::MAX;
    for eight in &mut eights {
        let &[a, b, c, d, e, f, g, h] = eight else { continue };
        let [i, j, k, l] = (sum ^ u32::from_be_bytes([a, b, c, d])).to_be_bytes();
        let all = [h, g, f, e, l, k, j, i];
        sum = all.iter().zip(&TABLES).fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]);
    }
    let [table, ..] = &TABLES;
    let step = |sum: u32, &byte: &u8| {
        let [first, ..] = sum.to_be_bytes();
        sum << 8 ^ table[usize::from(first ^ byte)]
    };
    !eights.remainder().iter().fold(sum, step)
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any bytes do")]
mod tests {
    use super::checksum;

    #[test]
    fn the_check_value_of_the_catalogue() {
        // CRC-32/BZIP2
        assert_eq!(checksum(b"123456789"), 0xfc89_1918);
        assert_eq!(checksum(b""), 0);
        for len in 0..40 {
            let bytes: Vec<u8> = (0..len).map(|i: u32| (i * 37 + 1) as u8).collect();
            let simple = bytes.iter().fold(u32::MAX, |sum, &byte| {
                (0..8).fold(sum ^ u32::from(byte) << 24, |sum, _| {
                    sum << 1 ^ if sum >> 31 == 1 { super::POLYNOMIAL } else { 0 }
                })
            });
            assert_eq!(checksum(&bytes), !simple, "{len}");
        }
    }
}

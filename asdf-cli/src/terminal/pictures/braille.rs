//! Lines drawn with braille characters of eight dots.

use asdf_picture::Bitmap;

/// Returns the lines of text for a bitmap; a character is two dots wide and four dots high.
pub(crate) fn lines(map: &Bitmap) -> Vec<String> {
    // The bits of the dots in Unicode, by rows.
    const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let character = |column: usize, row: usize| {
        let mut bits = 0;
        for (down, pair) in BITS.iter().enumerate() {
            for (along, bit) in pair.iter().enumerate() {
                if map.is_set(column * 2 + along, row * 4 + down) {
                    bits |= bit;
                }
            }
        }
        if bits == 0 { ' ' } else { char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ') }
    };
    let line = |row| (0..map.width().div_ceil(2)).map(|column| character(column, row)).collect::<String>();
    (0..map.height().div_ceil(4)).map(line).collect()
}

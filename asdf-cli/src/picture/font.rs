//! Digits in dots: what the limits of a line are written with.

use super::Picture;

/// The dots from one character to the next.
pub(super) const ADVANCE: usize = 6;
pub(super) const HEIGHT: usize = 7;
const WIDTH: usize = 5;

/// The rows of a character from the top, the leftmost dot in the highest of five bits.
fn glyph(character: char) -> [u8; HEIGHT] {
    match character {
        '0' => [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        '1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        '2' => [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        '3' => [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
        '4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        '5' => [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        '6' => [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        '7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        '8' => [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        '9' => [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        '-' => [0, 0, 0, 0b01110, 0, 0, 0],
        '.' => [0, 0, 0, 0, 0, 0b00110, 0b00110],
        'e' => [0, 0, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110],
        _ => [0; HEIGHT],
    }
}

/// Writes a text, its upper left corner at a place, every dot as a square of so many pixels.
pub(super) fn write(picture: &mut Picture, text: &str, (x, y): (usize, usize), scale: usize, level: u8) {
    for (place, character) in text.chars().enumerate() {
        for (down, row) in glyph(character).into_iter().enumerate() {
            for along in (0..WIDTH).filter(|along| row >> (WIDTH - 1 - along) & 1 == 1) {
                let left = x + (place * ADVANCE + along) * scale;
                for (dx, dy) in (0..scale).flat_map(|dx| (0..scale).map(move |dy| (dx, dy))) {
                    picture.set(left + dx, y + down * scale + dy, level);
                }
            }
        }
    }
}

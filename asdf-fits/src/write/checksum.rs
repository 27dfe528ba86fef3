//! Computes `DATASUM` and `CHECKSUM` (FITS Standard 4.0, section 4.4.2.7 and appendix J).

use std::io::{self, Write};

use asdf_core::Result;

use crate::card::{self, CARD, Card};
use crate::read::BLOCK;

/// The ones' complement sum of the 32-bit words written to it.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    words: u64,
    /// The bytes of an incomplete word.
    rest: Vec<u8>,
}

impl Sum {
    /// Returns the sum of all complete words.
    pub(super) fn value(&self) -> u32 {
        let mut words = self.words;
        while words > u64::from(u32::MAX) {
            words = (words & u64::from(u32::MAX)) + (words >> 32);
        }
        u32::try_from(words).unwrap_or(u32::MAX)
    }

    fn add(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(4) {
            let word = word.iter().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
            self.words += word;
            // Add the carries back in before the sum can overflow.
            if self.words >> 63 != 0 {
                self.words = (self.words & u64::from(u32::MAX)) + (self.words >> 32);
            }
        }
    }
}

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut bytes = bytes;
        let count = bytes.len();
        if !self.rest.is_empty() {
            let (own, more) = bytes.split_at_checked(4 - self.rest.len()).unwrap_or((bytes, &[]));
            self.rest.extend_from_slice(own);
            bytes = more;
            if self.rest.len() == 4 {
                let word = std::mem::take(&mut self.rest);
                self.add(&word);
            }
        }
        let whole = bytes.len() / 4 * 4;
        let (words, rest) = bytes.split_at_checked(whole).unwrap_or((bytes, &[]));
        self.add(words);
        self.rest.extend_from_slice(rest);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the card `DATASUM`.
pub(super) fn datasum(data: &Sum) -> Card {
    Card::new("DATASUM", data.value().to_string(), "checksum of the data")
}

/// Returns the card `CHECKSUM`.
pub(super) fn card(text: &str) -> Card {
    Card::new("CHECKSUM", text, "checksum of the header and data")
}

/// Returns the value of `CHECKSUM` for a header whose `CHECKSUM` is sixteen zeros, and its data.
pub(super) fn of(header: &[u8], data: &Sum) -> String {
    let mut sum = data.clone();
    sum.add(header);
    encoded(sum.value())
}

/// Returns the bytes of a unit with new values of `DATASUM` and `CHECKSUM`. If the header lacks these cards, they
/// are appended to it.
pub(super) fn renewed(unit: &[u8]) -> Result<Vec<u8>> {
    let is_of = |card: &&[u8], keyword: &str| card.starts_with(format!("{keyword:8}=").as_bytes());
    let count = unit.chunks_exact(CARD).take_while(|card| !card.starts_with(b"END     ")).count();
    let (cards, rest) = unit.split_at_checked(count * CARD).unwrap_or((unit, &[]));
    let data = rest.get((count * CARD + CARD).next_multiple_of(BLOCK) - count * CARD..).unwrap_or_default();
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(BLOCK), 0);
    let mut sum = Sum::default();
    sum.add(&data);
    let header = |text: &str| {
        let mut bytes = Vec::new();
        let new = [("DATASUM", datasum(&sum)), ("CHECKSUM", card(text))];
        for old in cards.chunks_exact(CARD) {
            match new.iter().find(|(keyword, _)| is_of(&old, keyword)) {
                Some((_, card)) => card::write(card, &mut bytes)?,
                None => bytes.extend(old),
            }
        }
        for (keyword, card) in &new {
            if !cards.chunks_exact(CARD).any(|old| is_of(&old, keyword)) {
                card::write(card, &mut bytes)?;
            }
        }
        bytes.extend(format!("{:CARD$}", "END").into_bytes());
        bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
        Result::Ok(bytes)
    };
    let mut bytes = header(&of(&header(&"0".repeat(16))?, &sum))?;
    bytes.append(&mut data);
    Ok(bytes)
}

/// Encodes a checksum as 16 characters. They replace sixteen zeros and make the sum of the whole unit -0.
pub(super) fn encoded(sum: u32) -> String {
    let value = !sum;
    let mut letters = [[0_u8; 4]; 4];
    for (column, byte) in letters.iter_mut().zip(value.to_be_bytes()) {
        let (quotient, remainder) = (byte / 4 + b'0', byte % 4);
        *column = [quotient + remainder, quotient, quotient, quotient];
        // The standard excludes the punctuation between digits and letters: move one byte up, its partner down.
        let is_sign = |letter: &u8| (0x3a..=0x40).contains(letter) || (0x5b..=0x60).contains(letter);
        while column.iter().any(is_sign) {
            let [a, b, c, d] = *column;
            let (a, b) = if is_sign(&a) || is_sign(&b) { (a + 1, b - 1) } else { (a, b) };
            let (c, d) = if is_sign(&c) || is_sign(&d) { (c + 1, d - 1) } else { (c, d) };
            *column = [a, b, c, d];
        }
    }
    // The value in the card does not start at a word boundary, so the characters are rotated by one.
    let mut text = String::new();
    for row in 0..4 {
        text.extend(letters.iter().filter_map(|column| column.get(row)).map(|&letter| char::from(letter)));
    }
    let (rest, last) = text.split_at_checked(15).unwrap_or((&text, ""));
    format!("{last}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard() {
        // Appendix J: the checksum 868229149 is written as hcHjjc9ghcEghc9g.
        assert_eq!(encoded(868_229_149), "hcHjjc9ghcEghc9g");
    }

    #[test]
    fn pieces_add_up() {
        let mut sum = Sum::default();
        for piece in [&[0_u8, 0, 0][..], &[1, 0xff, 0xff], &[0xff, 0xff, 0, 0, 0, 2]] {
            sum.write_all(piece).unwrap();
        }
        assert_eq!(sum.value(), 3);
    }
}

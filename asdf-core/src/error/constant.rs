//! Text that is composed in constant functions, for messages of compile errors.

use std::str;

const CAPACITY: usize = 1000;

/// The message of a panic in a constant. Text beyond 1,000 bytes is cut off.
pub(crate) struct ConstantText {
    bytes: [u8; CAPACITY],
    length: usize,
}

#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks the index")]
impl ConstantText {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; CAPACITY], length: 0 }
    }

    pub(crate) const fn with(self, text: &str) -> Self {
        self.with_bytes(text.as_bytes())
    }

    /// Adds several texts.
    pub(crate) const fn with_all(mut self, mut texts: &[&str]) -> Self {
        while let [text, rest @ ..] = texts {
            self = self.with(text);
            texts = rest;
        }
        self
    }

    /// Adds bytes of UTF-8, without NUL bytes.
    pub(crate) const fn with_bytes(mut self, mut bytes: &[u8]) -> Self {
        while let [byte, rest @ ..] = bytes {
            if *byte != 0 && self.length < CAPACITY {
                self.bytes[self.length] = *byte;
                self.length += 1;
            }
            bytes = rest;
        }
        self
    }

    /// Adds a decimal number.
    pub(crate) const fn with_number(self, number: u32) -> Self {
        let rest = if number < 10 { self } else { self.with_number(number / 10) };
        #[allow(clippy::cast_possible_truncation, reason = "a digit")]
        let digit = b'0' + (number % 10) as u8;
        rest.with_bytes(&[digit])
    }

    /// Returns the text, or an empty text if the last character was cut.
    pub(crate) const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

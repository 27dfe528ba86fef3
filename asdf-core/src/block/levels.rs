//! What derived code asserts of compressions while it is compiled.

use super::Label;

/// Text that is put together in a constant: the message of an error of the compiler.
struct Text {
    bytes: [u8; 64],
    length: usize,
}

impl Text {
    const fn new() -> Self {
        Self { bytes: [0; 64], length: 0 }
    }

    /// Adds bytes that are not NUL, as far as there is space.
    #[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks the index")]
    const fn with(mut self, mut text: &[u8]) -> Self {
        while let [byte, rest @ ..] = text {
            if *byte != 0 && self.length < self.bytes.len() {
                self.bytes[self.length] = *byte;
                self.length += 1;
            }
            text = rest;
        }
        self
    }

    const fn with_number(self, number: u32) -> Self {
        let rest = if number < 10 { self } else { self.with_number(number / 10) };
        #[allow(clippy::cast_possible_truncation, reason = "a digit")]
        let digit = b'0' + (number % 10) as u8;
        rest.with(&[digit])
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// Stops the compiler if the codec of a label is one of this crate and does not have a level. The error is at the
/// caller.
///
/// # Panics
/// If the codec does not have the level.
#[track_caller]
#[expect(clippy::panic, reason = "an error of the compiler: derived code calls this in constants only")]
pub const fn require_level(label: [u8; 4], level: u32) {
    let Some(levels) = Label::new(label).levels() else { return };
    let (first, last) = (*levels.start(), *levels.end());
    if first > last {
        let text = Text::new().with(&label).with(b" has no levels: write \"").with(&label).with(b"\"");
        panic!("{}", text.as_str());
    }
    if level < first || level > last {
        let text = Text::new().with(&label).with(b" has no level ").with_number(level);
        let text = text.with(b", expected ").with_number(first).with(b" to ").with_number(last);
        panic!("{}", text.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(label: [u8; 4], level: u32) -> String {
        let panic = std::panic::catch_unwind(|| require_level(label, level)).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    #[test]
    fn levels_that_codecs_have_pass() {
        const { require_level(*b"zlib", 0) };
        const { require_level(*b"zstd", 22) };
        const { require_level(*b"mine", 4_000_000_000) };
    }

    #[test]
    fn other_levels_do_not() {
        assert_eq!(message(*b"zlib", 99), "zlib has no level 99, expected 0 to 9");
        assert_eq!(message(*b"bzp2", 0), "bzp2 has no level 0, expected 1 to 9");
        assert_eq!(message(*b"xz\0\0", u32::MAX), "xz has no level 4294967295, expected 0 to 9");
        assert_eq!(message(*b"lz4\0", 1), "lz4 has no levels: write \"lz4\"");
    }
}

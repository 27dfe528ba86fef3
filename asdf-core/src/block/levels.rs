//! Checks of compressions in derived code, at compile time.

use super::Label;
use crate::error::ConstantText;

/// Stops the compiler if a codec of this crate lacks the level. The error points to the caller.
///
/// # Panics
/// If the codec lacks the level.
#[track_caller]
#[expect(clippy::panic, reason = "an error of the compiler: derived code calls this in constants only")]
pub const fn require_level(label: [u8; 4], level: u32) {
    let Some(levels) = Label::new(label).levels() else { return };
    let (first, last) = (*levels.start(), *levels.end());
    if first > last {
        let text = ConstantText::new().with("found the compression level ").with_number(level).with(", but ");
        let text = text.with_bytes(&label).with(" has no levels: write \"").with_bytes(&label).with("\"");
        panic!("{}", text.as_str());
    }
    if level < first || level > last {
        let text = ConstantText::new().with("found the compression level ").with_number(level);
        let text = text.with(", expected ").with_number(first).with(" to ").with_number(last);
        let text = text.with(" for ").with_bytes(&label);
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
        assert_eq!(message(*b"zlib", 99), "found the compression level 99, expected 0 to 9 for zlib");
        assert_eq!(message(*b"bzp2", 0), "found the compression level 0, expected 1 to 9 for bzp2");
        assert_eq!(
            message(*b"xz\0\0", u32::MAX),
            "found the compression level 4294967295, expected 0 to 9 for xz"
        );
        assert_eq!(
            message(*b"lz4\0", 1),
            "found the compression level 1, but lz4 has no levels: write \"lz4\""
        );
    }
}

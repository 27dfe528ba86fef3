//! Classes of bytes for the scanner, as a lookup table.

/// An indicator of flow collections: `,[]{}`.
pub(super) const FLOW: u8 = 1;
/// A line break.
pub(super) const BREAK: u8 = 2;
/// A space or a tab.
pub(super) const BLANK: u8 = 4;
/// Can be unescaped in a URI.
pub(super) const URI: u8 = 8;
/// Can be part of the suffix of a shorthand tag.
pub(super) const TAG: u8 = 16;
/// A letter, a digit or `_`, which is never an indicator.
pub(super) const WORD: u8 = 32;

static CLASSES: [u8; 256] = classes();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed while compiling: the index is a byte"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' => BLANK,
            b'\n' | b'\r' => BREAK,
            b',' | b'[' | b']' | b'{' | b'}' => FLOW,
            _ => 0,
        } | uri(byte as u8);
        byte += 1;
    }
    table
}

const fn uri(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => URI | TAG | WORD,
        b'-' | b'#' | b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b'.' | b'~' | b'*'
        | b'\'' | b'(' | b')' | b'%' => URI | TAG,
        b',' | b'[' | b']' | b'!' => URI,
        _ => 0,
    }
}

/// Returns whether a byte is in any of the classes.
#[inline]
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|bits| bits & class != 0)
}

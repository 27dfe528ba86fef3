//! What a byte can be to the scanner, looked up in a table.

/// Ends a run of plain text in a block: `:`, blanks, line breaks.
pub(super) const PLAIN: u16 = 1;
/// Ends a run of plain text in a flow collection: the same and `,[]{}`.
pub(super) const FLOW: u16 = 2;
/// Ends a run in single quotes.
pub(super) const SINGLE: u16 = 4;
/// Ends a run in double quotes.
pub(super) const DOUBLE: u16 = 8;
/// A line break.
pub(super) const BREAK: u16 = 16;
/// A space or a tab.
pub(super) const BLANK: u16 = 32;
/// May stand in a URI as it is.
pub(super) const URI: u16 = 64;
/// May stand in the suffix of a shorthand tag.
pub(super) const TAG: u16 = 128;
/// A letter, a digit or `_`: no indicator anywhere.
pub(super) const WORD: u16 = 256;

static CLASSES: [u16; 256] = classes();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed while compiling: the index is a byte"
)]
const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b':' => PLAIN | FLOW,
            b' ' | b'\t' => PLAIN | FLOW | BLANK,
            b'\n' | b'\r' => PLAIN | FLOW | SINGLE | DOUBLE | BREAK,
            b',' | b'[' | b']' | b'{' | b'}' => FLOW,
            b'\'' => SINGLE,
            b'"' | b'\\' => DOUBLE,
            _ => 0,
        } | uri(byte as u8);
        byte += 1;
    }
    table
}

const fn uri(byte: u8) -> u16 {
    match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => URI | TAG | WORD,
        b'-' | b'#' | b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b'.' | b'~' | b'*'
        | b'\'' | b'(' | b')' | b'%' => URI | TAG,
        b',' | b'[' | b']' | b'!' => URI,
        _ => 0,
    }
}

/// Whether a byte is of any of the classes.
#[inline]
pub(super) fn is(byte: u8, class: u16) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|bits| bits & class != 0)
}

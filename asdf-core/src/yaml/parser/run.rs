//! Finding the end of a run of text, eight bytes at a time.
//!
//! A text contains no control characters but tabs and line breaks. One comparison therefore finds all of
//! those, and the zeros after the end of the text.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// Finds the next `:`, `#`, tab, line break or the end of the text.
#[inline]
pub(super) fn plain(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| control(word) | equal(word, b':') | equal(word, b'#'))
}

/// Finds the next `:`, `#`, tab, line break, one of `,[]{}`, or the end of the text.
#[inline]
pub(super) fn flow(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| {
        // This bit turns brackets into braces.
        let braces = word | ONES << 5;
        control(word)
            | equal(word, b':')
            | equal(word, b'#')
            | equal(word, b',')
            | equal(braces, b'{')
            | equal(braces, b'}')
    })
}

/// Finds the next `'`, tab, line break or the end of the text.
#[inline]
pub(super) fn single_quoted(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| control(word) | equal(word, b'\''))
}

/// Finds the next `"`, backslash, tab, line break or the end of the text.
#[inline]
pub(super) fn double_quoted(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| control(word) | equal(word, b'"') | equal(word, b'\\'))
}

/// Finds the next `:`, blank, line break or the end of the text.
#[inline]
pub(super) fn word(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| below(word, b' ' + 1) | equal(word, b':'))
}

/// Finds the next blank, line break or the end of the text.
#[inline]
pub(super) fn solid(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| below(word, b' ' + 1))
}

/// Finds the next byte that is not a space, or the end of the text.
#[inline]
pub(super) fn spaces(bytes: &[u8], at: usize) -> usize {
    until(bytes, at, |word| {
        let other = word ^ (ONES * b' ' as u64);
        // The high bit of a byte that is not zero.
        ((other & !HIGHS).wrapping_add(!HIGHS) | other) & HIGHS
    })
}

/// Searches until `found` marks a byte with its high bit. The lowest mark counts.
#[inline(always)]
fn until(bytes: &[u8], mut at: usize, found: impl Fn(u64) -> u64) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(word) = rest.first_chunk() else {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(rest) {
                *to = *from;
            }
            return at + first(found(u64::from_le_bytes(word))).min(rest.len());
        };
        let marks = found(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + first(marks);
        }
        at += 8;
    }
}

#[inline]
fn first(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[inline]
fn control(word: u64) -> u64 {
    below(word, b' ')
}

/// Marks the first byte below an ASCII limit, and possibly others after it.
#[inline]
fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & HIGHS
}

/// Marks the first byte equal to this one, and possibly others after it.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    below(word ^ (ONES * byte as u64), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with a search byte by byte, from any start.
        #[test]
        fn runs_end_at_the_first_of_their_bytes(
            text in proptest::collection::vec(
                prop_oneof![Just(b' '), Just(b'a'), 0x20u8..=0xFF, proptest::sample::select(&b"\t\r\n:#,[]{}\"'\\ \x7F"[..])],
                0..40,
            ),
            at in 0usize..42,
        ) {
            let end = |ends: &dyn Fn(u8) -> bool| {
                let rest = text.get(at..).unwrap_or_default();
                at + rest.iter().position(|&byte| ends(byte)).unwrap_or(rest.len())
            };
            let control = |byte: u8| byte < b' ';
            prop_assert_eq!(plain(&text, at), end(&|b| control(b) || b":#".contains(&b)));
            prop_assert_eq!(flow(&text, at), end(&|b| control(b) || b":#,[]{}".contains(&b)));
            prop_assert_eq!(single_quoted(&text, at), end(&|b| control(b) || b == b'\''));
            prop_assert_eq!(double_quoted(&text, at), end(&|b| control(b) || b"\"\\".contains(&b)));
            prop_assert_eq!(word(&text, at), end(&|b| b <= b' ' || b == b':'));
            prop_assert_eq!(solid(&text, at), end(&|b| b <= b' '));
            prop_assert_eq!(spaces(&text, at), end(&|b| b != b' '));
        }
    }
}

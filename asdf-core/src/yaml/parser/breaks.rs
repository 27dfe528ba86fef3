//! Line breaks, including those that only YAML 1.1 has: NEL, LS and PS.
//!
//! If a text contains these, the parser reads a copy of the same length. In the copy, NEL is CR LF. LS and PS
//! are a CR and two bytes that do not occur in a text, so the scanner needs to look for two bytes only. As in
//! libyaml, NEL becomes a line feed in a scalar, and LS and PS are kept.

use super::Parser;
use super::class::{self, BREAK};

/// The byte that follows the CR twice for LS, and for PS.
const LS: u8 = 1;
const PS: u8 = 2;

/// Copies a text and marks NEL, LS and PS in it; `None` for a text without them.
pub(super) fn marked(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_break = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        matches!(rest, [0xC2, 0x85, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..])
    };
    memchr::memchr2_iter(0xC2, 0xE2, bytes).any(is_break).then(|| {
        text.replace('\u{85}', "\r\n").replace('\u{2028}', "\r\u{1}\u{1}").replace('\u{2029}', "\r\u{2}\u{2}")
    })
}

impl Parser<'_> {
    /// Returns the length of the line break at a position: LF, CR LF, CR, or a marked one.
    #[inline]
    pub(super) fn break_len(&self, at: usize) -> usize {
        match (self.byte(at), self.byte(at + 1)) {
            (b'\r', b'\n') => 2,
            (b'\r', LS | PS) => 3,
            _ => 1,
        }
    }

    /// Skips a line break.
    #[inline]
    pub(super) fn newline(&mut self) {
        self.at += self.break_len(self.at);
        self.line = self.at;
    }

    /// Writes folded line breaks to the scratch buffer: a space for one break, otherwise one break less.
    ///
    /// LS and PS are kept. `from` is the start of the first break. The last break is before `self.at`.
    pub(super) fn fold(&mut self, from: usize, breaks: usize) {
        if self.marked {
            let breaks = self.breaks_since(from);
            match breaks.split_first() {
                Some((&'\n', [])) => self.scratch.push(' '),
                Some((&'\n', more)) => self.scratch.extend(more),
                _ => self.scratch.extend(breaks),
            }
            return;
        }
        if breaks == 1 {
            self.scratch.push(' ');
        }
        self.scratch.extend(std::iter::repeat_n('\n', breaks.saturating_sub(1)));
    }

    /// Writes line breaks to the scratch buffer unchanged, except for the first `skipped`.
    ///
    /// `from` is the start of the first break. The last break is before `self.at`.
    pub(super) fn keep_breaks(&mut self, from: usize, breaks: usize, skipped: usize) {
        if self.marked {
            let breaks = self.breaks_since(from);
            self.scratch.extend(breaks.into_iter().skip(skipped));
        } else {
            self.scratch.extend(std::iter::repeat_n('\n', breaks.saturating_sub(skipped)));
        }
    }

    /// Returns the line breaks between a position and `self.at`.
    pub(super) fn breaks_since(&self, from: usize) -> Vec<char> {
        let mut found = Vec::new();
        let mut at = from;
        while at < self.at {
            let byte = self.byte(at);
            at += if class::is(byte, BREAK) {
                found.push(match (byte, self.byte(at + 1)) {
                    (b'\r', LS) => '\u{2028}',
                    (b'\r', PS) => '\u{2029}',
                    _ => '\n',
                });
                self.break_len(at)
            } else {
                1
            };
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::marked;
    use crate::yaml::parse;

    #[test]
    fn copies_have_the_length_of_their_texts() {
        assert_eq!(marked("a: Ünï — \u{2027}\u{a0}"), None);
        for text in ["a\u{85}b", "\u{2028}", "é\u{2029}\u{2028}\r\n"] {
            assert_eq!(marked(text).unwrap().len(), text.len());
        }
    }

    /// The results of PyYAML with libyaml.
    #[test]
    fn line_breaks_of_yaml_1_1() {
        for (text, expected) in [
            ("a: 1\u{85}b: 2\u{85}", vec![("a", "1"), ("b", "2")]),
            ("a: 1\u{2028}b: 2\u{2029}", vec![("a", "1"), ("b", "2")]),
            ("a: x # c\u{2028}b: y", vec![("a", "x"), ("b", "y")]),
            ("a: x\u{85}  y", vec![("a", "x y")]),
            ("a: x\u{2028}  y", vec![("a", "x\u{2028}y")]),
            ("a: x\n\u{2028}  y", vec![("a", "x\u{2028}y")]),
            ("a: x\u{85}\u{85}  y", vec![("a", "x\ny")]),
            ("a: \"x\u{85}  y\u{2028} z\\\u{2028}  !\"", vec![("a", "x y\u{2028}z!")]),
            ("a: |\u{85}  x\u{2028}  y\u{85}b: z", vec![("a", "x\u{2028}y\n"), ("b", "z")]),
            ("a: |-\n  x\u{2028}\u{2029}  y\n", vec![("a", "x\u{2028}\u{2029}y")]),
            ("a: |+\n  x\u{2028}\n\u{2029}", vec![("a", "x\u{2028}\n\u{2029}")]),
            ("a: >\n  x\u{2028}  y\u{85}  z\n", vec![("a", "x\u{2028}y z\n")]),
            ("a: >\n\u{2028}  x\n   y\n", vec![("a", "\u{2028}x\n y\n")]),
            ("a:\u{2028}  x", vec![("a", "x")]),
        ] {
            let tree = parse(text).unwrap();
            let found: Vec<_> = tree.root().unwrap().entries().collect();
            let found: Vec<_> = found.iter().map(|(k, v)| (k.text().unwrap(), v.text().unwrap())).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

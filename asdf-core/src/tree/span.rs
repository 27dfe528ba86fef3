//! Positions in the text.

/// A range of bytes in the text of a tree, which is at most 4 GiB long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// The position in a file at which the text of a tree begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The byte offset in the file.
    pub byte: u64,
    /// The line in the file, from 1.
    pub line: u32,
}

impl Default for Origin {
    fn default() -> Self {
        Self { byte: 0, line: 1 }
    }
}

/// Returns the byte at which each line begins. Lines end at LF, CR LF or CR.
pub(super) fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
            starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
    }
    starts
}

/// Returns line and column of a byte, both from 1, with the column in characters.
pub(super) fn position(text: &str, starts: &[u32], origin: Origin, byte: u32) -> (u32, u32) {
    let line = starts.partition_point(|&start| start <= byte).saturating_sub(1);
    let start = starts.get(line).copied().unwrap_or(0);
    let (start, mut end) = (start as usize, (byte as usize).min(text.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let column = text.get(start..end).unwrap_or_default().chars().count();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (origin.line.saturating_add(count(line)), count(column).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_and_begin_at_the_origin() {
        let text = "a: 1\r\nß: x\nlast";
        let starts = line_starts(text);
        let at = |pattern: &str| {
            let byte = u32::try_from(text.find(pattern).unwrap()).unwrap();
            position(text, &starts, Origin { byte: 40, line: 3 }, byte)
        };
        assert_eq!(at("a"), (3, 1));
        assert_eq!(at("x"), (4, 4));
        assert_eq!(at("last"), (5, 1));
    }
}

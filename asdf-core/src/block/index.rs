//! The block index: the offset of every block, as a YAML list after the last block.
//!
//! The index is a hint ("Block index" in the standard). A reader uses it only if it finds block headers at
//! the offsets. A file without an index, or with a wrong one, is valid. So [`parse`] returns offsets or
//! `None`, but never an error. The document is a list of integers and is parsed as one, without a YAML
//! parser.

use memchr::memmem;

use super::Header;

/// The first line of the index, without the newline.
pub const HEADER: &[u8] = b"#ASDF BLOCK INDEX";

/// Returns the index of blocks at these byte offsets from the start of the file.
///
/// The text is exactly what Python's `asdf` writes. Without blocks the index must be absent, so the text is
/// empty.
///
/// Not for files whose last block is streamed: those have no index.
#[must_use]
pub fn emit(offsets: &[u64]) -> String {
    if offsets.is_empty() {
        return String::new();
    }
    let items: String = offsets.iter().map(|offset| format!("- {offset}\n")).collect();
    format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{items}...\n")
}

/// Parses an index and returns the offsets, in bytes from the start of the file.
///
/// The index begins at the start of `text` and ends with it.
///
/// Reads block style (`- 446`, as Python writes) and flow style (`[446, 1024]`, as asdf-cxx and ASDF.jl
/// write, over any number of lines). Both kinds of newlines are allowed, as are comments, and zero bytes or
/// blanks after the end marker `...`.
///
/// `None` for anything else: if there is no end marker (the index was truncated), if there are no offsets, or
/// if the offsets are not plain decimal numbers below 2⁶⁴. They must increase by at least the length of a block
/// header.
#[must_use]
pub fn parse(text: &[u8]) -> Option<Vec<u64>> {
    let mut lines = text.strip_prefix(HEADER)?.split(|&b| b == b'\n');
    // The rest of the header's line.
    if !lines.next()?.trim_ascii().is_empty() {
        return None;
    }
    let first = loop {
        let line = without_comment(lines.next()?);
        if let Some(rest) = line.strip_prefix(b"---") {
            break rest;
        }
        if !line.starts_with(b"%") && !line.trim_ascii().is_empty() {
            return None;
        }
    };
    let mut list = List::new(first)?;
    loop {
        let line = lines.next()?;
        if let Some(rest) = line.strip_prefix(b"...") {
            let rest = std::iter::once(rest).chain(lines);
            return if rest.flatten().all(|b| b" \t\r\0".contains(b)) { list.finish() } else { None };
        }
        list.line(without_comment(line))?;
    }
}

/// Returns the position of the last index header in `tail`, the last bytes of a file.
///
/// It follows the bytes of the last block directly, so anything can be before it.
///
/// The result can also be data of a block that looks like an index: the caller compares it with the end of
/// the last block.
#[must_use]
pub fn find(tail: &[u8]) -> Option<usize> {
    let mut end = tail.len();
    loop {
        let at = memmem::rfind(tail.get(..end)?, HEADER)?;
        let after = tail.get(at + HEADER.len()..).unwrap_or_default();
        if after.starts_with(b"\n") || after.starts_with(b"\r\n") {
            return Some(at);
        }
        end = at + HEADER.len() - 1;
    }
}

/// The list as its lines arrive.
struct List {
    offsets: Vec<u64>,
    style: Style,
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Nothing was read yet.
    Unknown,
    /// `- 1`, all dashes in this column.
    Block { column: usize },
    /// Between `[` and `]`. `number` says whether a number can come next; otherwise a comma must.
    Flow { number: bool },
    /// After `]`.
    Closed,
}

impl List {
    /// `first` is the text after `---` on its line, where only a flow list can begin.
    fn new(first: &[u8]) -> Option<Self> {
        let mut list = Self { offsets: Vec::new(), style: Style::Unknown };
        match first.trim_ascii_start().first() {
            None => {}
            Some(b'[') if first.starts_with(b" ") || first.starts_with(b"\t") => list.line(first)?,
            Some(_) => return None,
        }
        Some(list)
    }

    fn line(&mut self, line: &[u8]) -> Option<()> {
        let text = line.trim_ascii();
        let column = line.len() - line.trim_ascii_start().len();
        match (text.first(), self.style) {
            (None, _) => Some(()),
            (Some(b'-'), Style::Unknown) => {
                self.style = Style::Block { column };
                self.item(text)
            }
            (Some(b'-'), Style::Block { column: expected }) if column == expected => self.item(text),
            (Some(b'['), Style::Unknown) => {
                self.style = Style::Flow { number: true };
                self.flow(text.get(1..)?)
            }
            (Some(_), Style::Flow { .. }) => self.flow(text),
            _ => None,
        }
    }

    /// `- 1`
    fn item(&mut self, text: &[u8]) -> Option<()> {
        let rest = text.strip_prefix(b"-")?;
        let number = rest.trim_ascii_start();
        if number.len() == rest.len() { None } else { self.number(number) }
    }

    /// A piece of `1, 2, 3]`, up to the end of a line.
    fn flow(&mut self, text: &[u8]) -> Option<()> {
        let mut rest = text;
        while let Some((&byte, after)) = rest.split_first() {
            let Style::Flow { number } = self.style else { return None };
            match byte {
                b' ' | b'\t' => rest = after,
                b']' => {
                    self.style = Style::Closed;
                    rest = after.trim_ascii_start();
                }
                b',' if !number => {
                    self.style = Style::Flow { number: true };
                    rest = after;
                }
                _ if number => {
                    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
                    let (digits, after) = rest.split_at_checked(digits)?;
                    self.number(digits)?;
                    self.style = Style::Flow { number: false };
                    rest = after;
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn number(&mut self, digits: &[u8]) -> Option<()> {
        // A leading zero would make it octal in YAML 1.1.
        let plain = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || !digits.starts_with(b"0"));
        let offset: u64 = std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()?;
        let least = match self.offsets.last() {
            Some(before) => before.checked_add(Header::LEN as u64)?,
            None => 0,
        };
        if offset < least {
            return None;
        }
        self.offsets.push(offset);
        Some(())
    }

    fn finish(self) -> Option<Vec<u64>> {
        let whole = matches!(self.style, Style::Block { .. } | Style::Closed);
        (whole && !self.offsets.is_empty()).then_some(self.offsets)
    }
}

/// Removes the comment from a line: from a `#` at its start or after a blank.
fn without_comment(line: &[u8]) -> &[u8] {
    let hash = line
        .iter()
        .enumerate()
        .scan(b' ', |before, (at, &byte)| Some((std::mem::replace(before, byte), at, byte)))
        .find(|&(before, _, byte)| byte == b'#' && before.is_ascii_whitespace());
    match hash {
        Some((_, at, _)) => line.get(..at).unwrap_or(line),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Option<Vec<u64>> {
        parse(format!("#ASDF BLOCK INDEX\n%YAML 1.1\n{text}").as_bytes())
    }

    #[test]
    fn emits_what_python_writes() {
        assert_eq!(emit(&[446]), "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- 446\n...\n");
        assert_eq!(emit(&[]), "");
        let offsets = [0, 54, 1000, u64::MAX];
        assert_eq!(parse(emit(&offsets).as_bytes()).unwrap(), offsets);
    }

    #[test]
    fn forms_that_are_read() {
        let expected = Some(vec![446, 1024]);
        for text in [
            "---\n- 446\n- 1024\n...\n",
            "# offsets\n\n  # of blocks\n---\n- 446\n- 1024\n...\n",
            "---\r\n- 446\r\n- 1024\r\n...\r\n",
            "---\n- 446\n- 1024\n...",
            "---\n- 446\n- 1024\n...\n\0\0\0\0",
            "---\n- 446\n- 1024\n...\0\0",
            "---\n- 446\n- 1024\n... \n \t\r\n\n",
            "---   # the blocks\n# all of them\n  -   446 # first\n\n  -\t1024\n...\n",
            "---\n[446, 1024]\n...\n",
            "--- [446, 1024]\n...\n",
            "---\n[446,1024,]\n...\n",
            "---\n[\n446\n,\n  1024 # last\n]\n...\n",
            "---\n[446,\n  1024]\n...\n",
            "---\r\n[446,\r\n  1024]\r\n...\r\n",
        ] {
            assert_eq!(body(text), expected, "{text:?}");
        }
        assert_eq!(parse(b"#ASDF BLOCK INDEX\r\n---\r\n- 7\r\n...\r\n"), Some(vec![7]));
    }

    #[test]
    fn other_texts_are_not_an_index() {
        for text in [
            "",
            "---\n",
            "---\n...\n",
            "---\n[]\n...\n",
            "--- []\n...\n",
            "---\n- 446\n",
            "---\n- 446\n- 10",
            "- 446\n...\n",
            "junk\n---\n- 446\n...\n",
            "---\n- -446\n...\n",
            "---\n- +446\n...\n",
            "---\n- '446'\n...\n",
            "---\n- \"446\"\n...\n",
            "---\n- 446.0\n...\n",
            "---\n- 0446\n...\n",
            "---\n- 0x446\n...\n",
            "---\n- 4_46\n...\n",
            "---\n- 446 1024\n...\n",
            "---\n-446\n...\n",
            "---\n-\n...\n",
            "---\n- 446\n - 1024\n...\n",
            "---\n- 446\n[1024]\n...\n",
            "---\n- [446]\n...\n",
            "---\n- 18446744073709551616\n...\n",
            "---\n- 446\n- 446\n...\n",
            "---\n- 446\n- 499\n...\n",
            "---\n- 1024\n- 446\n...\n",
            "---\n[446 1024]\n...\n",
            "---\n[446,, 1024]\n...\n",
            "---\n[, 446]\n...\n",
            "---\n[446\n...\n",
            "---\n[446] 1024\n...\n",
            "---\n[446]\n[1024]\n...\n",
            "---\n446\n...\n",
            "---\n{a: 446}\n...\n",
            "---[446]\n...\n",
            "--- - 446\n...\n",
            "--- !!seq [446]\n...\n",
            "---\n- 446\n...\nmore\n",
            "---\n- 446\n...\n---\n- 447\n...\n",
            "---\n- 446\n....\n",
            "---\n- 446\0\n...\n",
            "---\n- \u{ff14}\n...\n",
        ] {
            assert_eq!(body(text), None, "{text:?}");
        }
        assert_eq!(parse(b"#ASDF BLOCK INDEX 1\n---\n- 7\n...\n"), None);
        assert_eq!(parse(b" #ASDF BLOCK INDEX\n---\n- 7\n...\n"), None);
        assert_eq!(parse(b"#ASDF BLOCK INDEX"), None);
    }

    #[test]
    fn a_truncated_index_is_not_an_index() {
        let text = emit(&[446, 1024, 99_999]);
        for len in 0..text.len() - 1 {
            assert_eq!(parse(&text.as_bytes()[..len]).filter(|_| len < text.len() - 1), None, "{len}");
        }
    }

    #[test]
    fn the_last_header_is_found() {
        let index = b"#ASDF BLOCK INDEX\n";
        assert_eq!(find(index), Some(0));
        assert_eq!(find(&[b"\xd3BLK".as_slice(), index, b"xx", index, b"---"].concat()), Some(4 + 18 + 2));
        assert_eq!(find(b"..#ASDF BLOCK INDEX\r\n"), Some(2));
        assert_eq!(find(b"..#ASDF BLOCK INDEX\n#ASDF BLOCK INDEXED\n#ASDF BLOCK INDEX"), Some(2));
        assert_eq!(find(b"#ASDF BLOCK INDEX"), None);
        assert_eq!(find(b"#ASDF BLOCK IND"), None);
        assert_eq!(find(b""), None);
    }
}

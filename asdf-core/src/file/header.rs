//! The first lines of a file ("Header" and "Comments" in the standard).

use std::fmt;

use crate::block;
use crate::dialect::{self, Draft};
use crate::error::{Code, Error, Result};

/// A version number: major, minor and patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// The major version.
    pub major: u16,
    /// The minor version.
    pub minor: u16,
    /// The patch version.
    pub patch: u16,
}

impl Version {
    /// Makes a version from its numbers.
    #[must_use]
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }

    /// Parses a version such as `1.6.0`. Ignores a suffix after `-` or `+`, as in `1.7.0-dev`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let numbers = text.split(['-', '+']).next()?;
        let mut parts = numbers.split('.').map(|part| part.parse().ok());
        let version = Self::new(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The header of a file: the lines before the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The version of the file format, from `#ASDF 1.0.0`.
    pub format: Version,
    /// The version of the ASDF Standard, from `#ASDF_STANDARD 1.6.0`.
    ///
    /// It is 1.0.0 if that line is missing, as in Python's asdf.
    pub standard: Version,
    /// The other comment lines, without their `#`.
    pub comments: Vec<String>,
    /// The lines as they were read, which are written again without changes.
    raw: Option<String>,
}

impl Header {
    /// The newest version of the standard that this crate supports. Later ones are read with a warning.
    pub const NEWEST_STANDARD: Version = Version::new(1, 7, 0);

    /// The version of the standard that pre-release files are converted to.
    pub(super) const DRAFTS_BECOME: Version = Version::new(1, 6, 0);

    /// Makes the header of a new file.
    #[must_use]
    pub fn new(standard: Version) -> Self {
        Self { format: Version::new(1, 0, 0), standard, comments: Vec::new(), raw: None }
    }

    /// Returns the text of the header: the lines that were read, or new ones.
    #[must_use]
    pub fn emit(&self) -> String {
        if let Some(raw) = &self.raw {
            return raw.clone();
        }
        let mut text = format!("#ASDF {}\n#ASDF_STANDARD {}\n", self.format, self.standard);
        for comment in &self.comments {
            text.push('#');
            text.push_str(comment);
            text.push('\n');
        }
        text
    }
}

/// The lines before the tree, and what follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) header: Header,
    /// Whether the file has the pre-release format. The header is then that of the converted file.
    pub(super) draft: bool,
    pub(super) next: Next,
}

/// What comes after the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The tree, from this byte.
    Tree(usize),
    /// A block or the end of the file, from this byte.
    Blocks(usize),
}

/// Parses the header at the beginning of a file. Returns `None` if more bytes are needed.
pub(super) fn parse(bytes: &[u8], at_end: bool) -> Result<Option<Lines>> {
    let Some((first, mut at)) = line(bytes, 0, at_end) else {
        let start = bytes.get(..6).unwrap_or(bytes);
        if bytes.len() > 256 || !(b"#ASDF ".starts_with(start) || b"%ASDF ".starts_with(start)) {
            return Err(not_asdf(bytes));
        }
        return Ok(None);
    };
    let mut words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let word = words.next().unwrap_or_default();
    if !matches!(word, b"#ASDF" | b"%ASDF") {
        return Err(not_asdf(bytes));
    }
    let version = words.next().and_then(|word| Version::parse(std::str::from_utf8(word).ok()?));
    let (Some(format), None) = (version, words.next()) else {
        // A binary file can have a very long first line.
        let shown = String::from_utf8_lossy(first.get(..first.len().min(60)).unwrap_or(first));
        let more = if first.len() > 60 { "..." } else { "" };
        return Err(Error::malformed(format!(
            "found '{}{more}' in the first line, expected `#ASDF` and a version such as 1.0.0",
            shown.escape_debug()
        ))
        .with_code(Code::NotAsdf)
        .at_position(1, 1));
    };
    let draft = Draft::recognises(word, (format.major, format.minor, format.patch));
    if !draft && word != b"#ASDF" {
        return Err(not_asdf(bytes));
    }
    if !draft && format.major != 1 {
        return Err(Error::unsupported(format!("the version {format} of the file format is not supported"))
            .with_code(Code::Layout)
            .at_position(1, 7)
            .with_hint("write the file in the format 1.0.0; only the versions 0.1 and 1.x are supported"));
    }
    let mut header = Header { format, standard: Version::new(1, 0, 0), comments: Vec::new(), raw: None };
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let finish = |mut header: Header, next: Next| {
            let raw = bytes.get(..at).and_then(|lines| std::str::from_utf8(lines).ok());
            header.raw = raw.filter(|raw| raw.ends_with('\n')).map(str::to_owned);
            if draft {
                header = Header { comments: header.comments, ..Header::new(Header::DRAFTS_BECOME) };
            }
            Ok(Some(Lines { header, draft, next }))
        };
        match rest.first() {
            None if at_end => return finish(header, Next::Blocks(at)),
            Some(b'#') => {
                let Some((comment, next)) = line(bytes, at, at_end) else { return Ok(None) };
                comment_line(comment, at, &mut header)?;
                at = next;
            }
            Some(_) if rest.starts_with(b"%YAML") => return finish(header, Next::Tree(at)),
            Some(_) if b"%YAML".starts_with(rest) && !at_end => return Ok(None),
            Some(_) if rest.starts_with(&block::MAGIC) || (draft && dialect::begins_block(rest)) => {
                return finish(header, Next::Blocks(at));
            }
            Some(_) if rest.len() >= 4 || at_end => {
                let shown: String = String::from_utf8_lossy(rest.get(..rest.len().min(20)).unwrap_or(rest))
                    .escape_debug()
                    .collect();
                return Err(Error::malformed(format!(
                    "found '{shown}' after the header, expected a comment, a tree (`%YAML 1.1`) or a block"
                ))
                .at_offset(at as u64));
            }
            _ => return Ok(None),
        }
    }
}

/// A line without its line break, and the start of the next line. `None` if the line is incomplete.
fn line(bytes: &[u8], at: usize, at_end: bool) -> Option<(&[u8], usize)> {
    let rest = bytes.get(at..)?;
    match rest.iter().position(|&byte| byte == b'\n') {
        Some(end) => {
            let line = rest.get(..end)?;
            Some((line.strip_suffix(b"\r").unwrap_or(line), at + end + 1))
        }
        None if at_end => Some((rest, bytes.len())),
        None => None,
    }
}

fn comment_line(line: &[u8], at: usize, header: &mut Header) -> Result<()> {
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(Error::malformed("a comment in the header is not UTF-8").at_offset(at as u64));
    };
    let text = text.strip_prefix('#').unwrap_or(text);
    match text.strip_prefix("ASDF_STANDARD").filter(|rest| rest.starts_with([' ', '\t'])) {
        Some(version) => {
            // Python's asdf uses 1.0.0 if it cannot parse the version. The standard does not describe the line.
            header.standard = Version::parse(version.trim()).unwrap_or(Version::new(1, 0, 0));
        }
        None => header.comments.push(text.to_owned()),
    }
    Ok(())
}

fn not_asdf(bytes: &[u8]) -> Error {
    let hint = match bytes {
        [] => "check the file: it is empty",
        [b'S', b'I', b'M', b'P', b'L', b'E', ..] => {
            "convert this FITS file to ASDF, for example with `asdf import`"
        }
        [0x89, b'H', b'D', b'F', ..] => "convert this HDF5 file to ASDF first",
        [0x1f, 0x8b, ..] => "decompress this gzip file first",
        [0xef, 0xbb, 0xbf, ..] => {
            "remove the byte order mark at the start of the file, which ASDF does not allow"
        }
        _ if bytes.starts_with(b"version https://git-lfs") => {
            "fetch the file with `git lfs pull`: this is only a pointer of Git LFS"
        }
        _ => "check the file: an ASDF file begins with `#ASDF 1.0.0`",
    };
    let shown = bytes.get(..bytes.len().min(16)).unwrap_or(bytes).escape_ascii();
    Error::malformed(format!("not an ASDF file: it begins with '{shown}', expected `#ASDF`"))
        .with_code(Code::NotAsdf)
        .at_offset(0)
        .with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let text = b"#ASDF 1.0.0\r\n#ASDF_STANDARD 1.7.0-dev\n# hello\n#\n%YAML 1.1\n";
        let Lines { header, next, draft } = parse(text, false).unwrap().unwrap();
        assert!(!draft);
        assert_eq!((header.format, header.standard), (Version::new(1, 0, 0), Version::new(1, 7, 0)));
        assert_eq!(header.comments, [" hello", ""]);
        assert_eq!(next, Next::Tree(48));
        assert_eq!(parse(b"#ASDF 1.0.0", true).unwrap().unwrap().next, Next::Blocks(11));
        assert_eq!(parse(b"#ASDF 1.0.0\n\xd3BLK", false).unwrap().unwrap().next, Next::Blocks(12));
        // The last one has all of the tree's `%YAML` but its last letter.
        for cut in 0..text.len() - 5 {
            assert!(parse(&text[..cut], false).unwrap().is_none(), "{cut}");
        }
    }

    #[test]
    fn messages_truncate_a_binary_first_line() {
        let text = parse(&[b"%ASDF 0.1".as_slice(), &[0; 4000]].concat(), true).unwrap_err().to_string();
        assert!(text.contains("found '%ASDF 0.1\\0") && text.contains("...' in the first line"), "{text}");
        assert!(text.len() < 400, "{text}");
    }

    #[test]
    fn a_first_line_without_an_end_is_not_read_forever() {
        let long = |len: usize| [b"#ASDF ".as_slice(), &vec![b'1'; len - 6]].concat();
        assert_eq!(parse(&long(256), false).unwrap(), None);
        assert!(parse(&long(257), false).unwrap_err().to_string().contains("not an ASDF file"));
        // All of a line of 60 bytes is shown.
        let shown = parse(&long(60), true).unwrap_err().to_string();
        assert!(shown.contains("1' in the first line"), "{shown}");
        assert!(parse(&long(61), true).unwrap_err().to_string().contains("1...' in the first line"));
    }

    #[test]
    fn headers_of_the_pre_release_format_are_converted() {
        for sign in ["#", "%"] {
            for (rest, next) in [
                (b"%YAML 1.1\n".as_slice(), Next::Tree(18)),
                (b"\x89BLK", Next::Blocks(18)),
                (b"\xd3BLK", Next::Blocks(18)),
            ] {
                let text = [format!("{sign}ASDF 0.1.0\n# old\n").as_bytes(), rest].concat();
                let lines = parse(&text, false).unwrap().unwrap();
                assert_eq!((lines.draft, lines.next), (true, next));
                assert_eq!(lines.header.emit(), "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# old\n");
            }
        }
        assert!(parse(b"#ASDF 1.0.0\n\x89BLK", true).is_err());
    }

    #[test]
    fn files_of_other_formats_are_recognized() {
        for (bytes, hint) in [
            (b"SIMPLE  = T".as_slice(), "FITS"),
            (b"", "empty"),
            (b"\xef\xbb\xbf#ASDF 1.0.0\n", "byte order mark"),
            (b"\x89HDF\r\n", "HDF5"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
            (b"#ASDFX 1.0.0\n", "#ASDF 1.0.0"),
        ] {
            let error = parse(bytes, true).unwrap_err();
            assert!(error.hint().unwrap().to_string().contains(hint), "{error}");
        }
        assert!(parse(b"#ASDF foo\n", true).unwrap_err().to_string().contains("first line"));
        assert!(parse(b"#ASDF 1.0.0\njunk\n", true).unwrap_err().to_string().contains("junk"));
        assert!(
            parse(b"#ASDF 0.2.0\n", true).unwrap_err().hint().unwrap().to_string().contains("0.1 and 1.x")
        );
        assert!(parse(b"%ASDF 1.0.0\n", true).unwrap_err().to_string().contains("not an ASDF file"));
    }
}

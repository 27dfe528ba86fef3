//! The messages between the program and the process that runs a filter.

use std::io::{self, Read, Write};

/// A message: its kind and its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) parts: Vec<Vec<u8>>,
}

/// What a message says. Only the first kind goes to the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tree: the name of its file, and its JSON.
    Tree,
    /// The filter got the tree of the file with this name.
    Taken,
    /// A value as JSON.
    Json,
    /// A string without quotes.
    Raw,
    /// An error about the content of a file: its name or nothing, and the message.
    Failed,
    /// An error that ends the program: its message.
    Unusable,
    /// The end: whether the last value was neither null nor false, and the exit code of `halt` or nothing.
    End,
}

const KINDS: [Kind; 7] =
    [Kind::Tree, Kind::Taken, Kind::Json, Kind::Raw, Kind::Failed, Kind::Unusable, Kind::End];

pub(super) fn write(out: &mut impl Write, kind: Kind, parts: &[&[u8]]) -> io::Result<()> {
    let number = KINDS.iter().position(|known| *known == kind).and_then(|at| u8::try_from(at).ok());
    let count = u8::try_from(parts.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    out.write_all(&[number.unwrap_or_default(), count])?;
    for part in parts {
        out.write_all(&(part.len() as u64).to_le_bytes())?;
        out.write_all(part)?;
    }
    Ok(())
}

/// Reads the next message, or returns `None` if there are no more.
pub(super) fn read(input: &mut impl Read) -> io::Result<Option<Frame>> {
    let mut head = [0; 2];
    match input.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let [number, count] = head;
    let kind = *KINDS.get(usize::from(number)).ok_or(io::ErrorKind::InvalidData)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let mut length = [0; 8];
        input.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let mut part = Vec::new();
        // Grows as the bytes arrive.
        if input.take(length).read_to_end(&mut part)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        parts.push(part);
    }
    Ok(Some(Frame { kind, parts }))
}

impl Frame {
    /// Returns a part as text, which is empty if there is no such part.
    pub(super) fn text(&self, part: usize) -> String {
        String::from_utf8_lossy(self.parts.get(part).map_or(&[], Vec::as_slice)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, Kind::Tree, &[b"a.asdf", b"{}"]).unwrap();
        write(&mut bytes, Kind::End, &[b"1", b""]).unwrap();
        let mut input = bytes.as_slice();
        let first = read(&mut input).unwrap().unwrap();
        assert_eq!((first.kind, first.text(0), first.text(1)), (Kind::Tree, "a.asdf".into(), "{}".into()));
        let last = read(&mut input).unwrap().unwrap();
        assert_eq!((last.kind, last.parts, input.len()), (Kind::End, vec![b"1".to_vec(), Vec::new()], 0));
        assert!(read(&mut input).unwrap().is_none());
        assert!(read(&mut &bytes[..bytes.len() - 3]).unwrap().is_some());
        assert!(read(&mut &bytes[..5]).is_err() && read(&mut [9, 0].as_slice()).is_err());
    }
}

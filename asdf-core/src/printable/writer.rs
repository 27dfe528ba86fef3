use std::io::{Result, Write};

use super::controls;

/// An output for a terminal that escapes text like [`controls`]. Bytes that are not UTF-8 become U+FFFD.
///
/// Call [`flush`](Write::flush) at the end, which writes the rest of an incomplete character.
///
/// # Examples
/// ```
/// use std::io::Write as _;
///
/// use asdf_core::printable::Writer;
///
/// let mut out = Writer::new(Vec::new());
/// out.write_all("a\u{9b}\n".as_bytes())?;
/// out.flush()?;
/// assert_eq!(out.into_inner(), b"a\\u{9b}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    /// The first bytes of an incomplete character.
    rest: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Creates an output that writes to another one.
    pub fn new(out: W) -> Self {
        Self { out, rest: Vec::new() }
    }

    /// Returns the other output.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn escaped(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(controls(&String::from_utf8_lossy(bytes)).as_bytes())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        if let Err(error) = std::str::from_utf8(&all) {
            if error.error_len().is_none() {
                self.rest = all.split_off(error.valid_up_to());
            }
        }
        self.escaped(&all)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        let rest = std::mem::take(&mut self.rest);
        self.escaped(&rest)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_can_be_written_in_parts() {
        let mut out = Writer::new(Vec::new());
        for byte in "é\u{202e}\u{9b}\n".bytes() {
            out.write_all(&[byte]).unwrap();
        }
        out.write_all(&[b'x', 0xff, 0xc3]).unwrap();
        out.flush().unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), "é\\u{202e}\\u{9b}\nx\u{fffd}\u{fffd}");
    }
}

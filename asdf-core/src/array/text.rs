//! Texts of a fixed maximum length.

use std::fmt;
use std::str::FromStr;

use super::{ByteOrder, Datatype, Element, Record};
use crate::error::{Error, Result};

/// Text of at most `N` ASCII characters: an element of the datatype `[ascii, N]`.
///
/// It is padded with zeros, which do not count as text.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_core::array::Ascii;
///
/// let names = [Ascii::<4>::new("M31")?, Ascii::new("LMC")?];
/// let array = NdArray::from_records(&names)?;
/// assert_eq!(array.datatype().to_string(), "[ascii, 4]");
/// let back: Vec<String> = array.records::<Ascii<4>>()?.map(|name| name.to_string()).collect();
/// assert_eq!(back, ["M31", "LMC"]);
/// assert!(Ascii::<4>::new("NGC 224").is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    /// Makes a text of the datatype.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the text is longer than `N`, or not ASCII.
    pub fn new(text: &str) -> Result<Self> {
        let mut bytes = [0; N];
        match bytes.get_mut(..text.len()) {
            Some(slots) if text.is_ascii() => slots.copy_from_slice(text.as_bytes()),
            _ => return Err(too_long(text, N, "ASCII characters")),
        }
        Ok(Self(bytes))
    }

    /// Returns the bytes with the zeros at the end, as in the file; they can be other than ASCII.
    #[must_use]
    pub fn bytes(&self) -> &[u8; N] {
        &self.0
    }

    fn used(&self) -> &[u8] {
        let end = self.0.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.0.get(..end).unwrap_or_default()
    }

    /// Returns the text; `None` if the bytes in the file are not ASCII.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        let used = self.used();
        std::str::from_utf8(used).ok().filter(|text| text.is_ascii())
    }
}

fn too_long(text: &str, most: usize, what: &str) -> Error {
    Error::mismatch(format!("found the string '{}', expected at most {most} {what}", text.escape_debug()))
}

impl<const N: usize> Default for Ascii<N> {
    /// Returns the empty text.
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> fmt::Display for Ascii<N> {
    /// Writes bytes that are not ASCII as U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String =
            self.used().iter().map(|&byte| if byte < 128 { char::from(byte) } else { '\u{fffd}' }).collect();
        f.pad(&text)
    }
}

impl<const N: usize> fmt::Debug for Ascii<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl<const N: usize> FromStr for Ascii<N> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl<const N: usize> Record for Ascii<N> {
    const WIDTH: usize = N;

    fn datatype() -> Datatype {
        Datatype::Ascii(N as u64)
    }

    fn unpack(bytes: &[u8]) -> Self {
        let mut text = [0; N];
        text.iter_mut().zip(bytes).for_each(|(slot, &byte)| *slot = byte);
        Self(text)
    }

    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

/// Text of at most `N` characters (Unicode scalar values): an element of the datatype `[ucs4, N]`.
///
/// It is padded with zeros, which do not count as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ucs4<const N: usize>([char; N]);

impl<const N: usize> Ucs4<N> {
    /// Makes a text of the datatype.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the text is longer than `N` characters.
    pub fn new(text: &str) -> Result<Self> {
        let mut chars = ['\0'; N];
        if text.chars().count() > N {
            return Err(too_long(text, N, "characters"));
        }
        chars.iter_mut().zip(text.chars()).for_each(|(slot, c)| *slot = c);
        Ok(Self(chars))
    }

    /// Returns the characters with the zeros at the end.
    #[must_use]
    pub fn chars(&self) -> &[char; N] {
        &self.0
    }
}

impl<const N: usize> Default for Ucs4<N> {
    /// Returns the empty text.
    fn default() -> Self {
        Self(['\0'; N])
    }
}

impl<const N: usize> fmt::Display for Ucs4<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.iter().collect::<String>().trim_end_matches('\0'))
    }
}

impl<const N: usize> fmt::Debug for Ucs4<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl<const N: usize> FromStr for Ucs4<N> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl<const N: usize> Record for Ucs4<N> {
    const WIDTH: usize = N * 4;

    fn datatype() -> Datatype {
        Datatype::Ucs4(N as u64)
    }

    /// Reads values that are not characters as U+FFFD.
    fn unpack(bytes: &[u8]) -> Self {
        let mut text = ['\0'; N];
        for (slot, code) in text.iter_mut().zip(bytes.chunks_exact(4)) {
            *slot = char::from_u32(u32::load(code, ByteOrder::NATIVE)).unwrap_or('\u{fffd}');
        }
        Self(text)
    }

    fn pack(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|&c| Element::store(u32::from(c), ByteOrder::NATIVE, out));
    }
}

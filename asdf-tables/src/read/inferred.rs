//! Infers the datatype of a column from its texts.

use asdf_core::{Datatype, Error, Result};

/// The datatypes that all values of a column so far can have.
#[derive(Debug, Clone)]
pub(super) struct Inferred {
    bool: bool,
    int: bool,
    uint: bool,
    float: bool,
    any: bool,
    pub(super) gaps: bool,
    ascii: bool,
    longest: usize,
}

/// The inferred datatype of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    Uint,
    Float,
    /// Text with this number of characters, of ASCII or of Unicode.
    Ascii(usize),
    Ucs4(usize),
}

impl Inferred {
    /// Creates the state before the first value, in which every datatype is possible.
    pub(super) fn new() -> Self {
        Self {
            bool: true,
            int: true,
            uint: true,
            float: true,
            any: false,
            gaps: false,
            ascii: true,
            longest: 0,
        }
    }

    /// Excludes the datatypes that a value cannot have.
    pub(super) fn meet(&mut self, text: &str) {
        self.longest = self.longest.max(if text.is_ascii() { text.len() } else { text.chars().count() });
        // `ascii` arrays drop zero bytes at the end of a text.
        self.ascii &= text.is_ascii() && !text.contains('\0');
        let value = text.trim();
        if value.is_empty() {
            self.gaps = true;
            return;
        }
        self.any = true;
        self.bool &= truth(value).is_some();
        let digits = value.strip_prefix(['+', '-']).unwrap_or(value);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole && digits.len() > 1 && digits.starts_with('0') {
            // A leading zero means an identifier, such as a plate number, which must not change.
            (self.int, self.uint, self.float) = (false, false, false);
        } else if whole {
            let (int, uint) = (value.parse::<i64>().is_ok(), value.parse::<u64>().is_ok());
            self.int &= int;
            self.uint &= uint;
            // A float would lose digits of an integer that is too large for the integer datatypes.
            self.float &= int || uint;
        } else {
            (self.int, self.uint) = (false, false);
            self.float &= value.parse::<f64>().is_ok();
        }
    }

    /// Returns the narrowest type for all values; text if all values are empty.
    pub(super) fn decided(&self) -> Type {
        match self {
            _ if !self.any => Type::Float,
            Self { bool: true, .. } => Type::Bool,
            Self { int: true, .. } => Type::Int,
            Self { uint: true, .. } => Type::Uint,
            Self { float: true, .. } => Type::Float,
            Self { ascii: true, longest, .. } => Type::Ascii(*longest),
            Self { longest, .. } => Type::Ucs4(*longest),
        }
    }
}

impl Type {
    /// Returns the datatype of the array.
    pub(super) fn datatype(self) -> Datatype {
        match self {
            Self::Bool => Datatype::Bool8,
            Self::Int => Datatype::Int64,
            Self::Uint => Datatype::Uint64,
            Self::Float => Datatype::Float64,
            Self::Ascii(length) => Datatype::Ascii(length as u64),
            Self::Ucs4(length) => Datatype::Ucs4(length as u64),
        }
    }

    /// Appends the bytes of a value, little-endian.
    pub(super) fn store(self, text: &str, out: &mut Vec<u8>) -> Result<()> {
        let value = text.trim();
        let changed = || Error::usage("the file changed while it was read");
        match self {
            Self::Bool => out.push(u8::from(truth(value).unwrap_or(false))),
            Self::Int if value.is_empty() => out.extend([0; 8]),
            Self::Int => out.extend(value.parse::<i64>().map_err(|_| changed())?.to_le_bytes()),
            Self::Uint if value.is_empty() => out.extend([0; 8]),
            Self::Uint => out.extend(value.parse::<u64>().map_err(|_| changed())?.to_le_bytes()),
            Self::Float if value.is_empty() => out.extend(f64::NAN.to_le_bytes()),
            Self::Float => out.extend(value.parse::<f64>().map_err(|_| changed())?.to_le_bytes()),
            Self::Ascii(length) => {
                out.extend(text.bytes());
                out.extend(std::iter::repeat_n(0, length.saturating_sub(text.len())));
            }
            Self::Ucs4(length) => {
                let mut count = 0;
                for character in text.chars() {
                    out.extend(u32::from(character).to_le_bytes());
                    count += 1;
                }
                out.extend(std::iter::repeat_n(0, length.saturating_sub(count) * 4));
            }
        }
        Ok(())
    }

    /// Returns whether missing values need a mask.
    pub(super) fn needs_mask(self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Uint)
    }
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_narrow_as_their_values() {
        for (values, expected) in [
            (&["true", "False", ""][..], Type::Bool),
            (&["1", "-2", " 3 "], Type::Int),
            (&["1", "18446744073709551615"], Type::Uint),
            (&["-1", "18446744073709551615"], Type::Float),
            (&["1", "2.5", "nan", "-inf", "1e-3"], Type::Float),
            (&["1", "99999999999999999999999"], Type::Ascii(23)),
            (&["0", "00042"], Type::Ascii(5)),
            (&["1", "true"], Type::Ascii(4)),
            (&["", ""], Type::Float),
            (&["M31", "Aladin Lite"], Type::Ascii(11)),
            (&["naïve", "x"], Type::Ucs4(5)),
            (&["a\0"], Type::Ucs4(2)),
            (&["0.5", "0"], Type::Float),
            (&["+", "1"], Type::Ascii(1)),
        ] {
            let mut inferred = Inferred::new();
            values.iter().for_each(|value| inferred.meet(value));
            assert_eq!(inferred.decided(), expected, "{values:?}");
            let mut bytes = Vec::new();
            values.iter().for_each(|value| expected.store(value, &mut bytes).unwrap());
            let size = usize::try_from(expected.datatype().size().unwrap()).unwrap();
            assert_eq!(bytes.len(), size * values.len(), "{values:?}");
        }
    }
}

//! Builds columns of known datatypes value by value.

use asdf_core::array::{ByteOrder, Mask};
use asdf_core::{Datatype, Error, NdArray, Result};
use asdf_schemas::table::Column;

/// The kind of the values of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Number(Datatype),
    /// Texts, which are padded to the length of the longest.
    Text,
}

/// A column that is being built.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The shape of a cell.
    pub(crate) cell: Vec<u64>,
    pub(crate) unit: Option<String>,
    pub(crate) description: Option<String>,
    bytes: Vec<u8>,
    texts: Vec<String>,
    missing: Vec<u8>,
}

/// The size in bytes up to which the padded texts of a column are always allowed.
const ALLOWED: usize = 1 << 30;

impl Filled {
    pub(crate) fn new(name: String, kind: Kind, cell: Vec<u64>) -> Self {
        let (bytes, texts, missing) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, kind, cell, unit: None, description: None, bytes, texts, missing }
    }

    /// Returns the number of values in a cell.
    pub(crate) fn width(&self) -> Result<usize> {
        let width = self.cell.iter().try_fold(1_u64, |all, &n| all.checked_mul(n));
        width
            .and_then(|width| usize::try_from(width).ok())
            .filter(|&width| width <= 1 << 24)
            .ok_or_else(|| Error::limit(format!("cells of shape {:?} are too large", self.cell)))
    }

    /// Adds a missing value.
    pub(crate) fn skip(&mut self) -> Result<()> {
        self.missing.push(1);
        match &self.kind {
            Kind::Text => self.texts.push(String::new()),
            Kind::Number(datatype) => match datatype {
                Datatype::Float16 => self.bytes.extend(half::f16::NAN.to_le_bytes()),
                Datatype::Float32 => self.bytes.extend(f32::NAN.to_le_bytes()),
                Datatype::Float64 => self.bytes.extend(f64::NAN.to_le_bytes()),
                other => {
                    let size = usize::try_from(other.size()?).unwrap_or(0);
                    self.bytes.extend(std::iter::repeat_n(0, size));
                }
            },
        }
        Ok(())
    }

    /// Adds a value from its text.
    pub(crate) fn push(&mut self, text: &str) -> Result<()> {
        let Kind::Number(datatype) = &self.kind else {
            self.missing.push(0);
            self.texts.push(text.to_owned());
            return Ok(());
        };
        let found = text.trim();
        store(datatype, found, &mut self.bytes).ok_or_else(|| {
            let column = self.name.escape_debug();
            Error::malformed(format!(
                "found '{}' in the column '{column}', expected a value of {datatype}",
                found.chars().take(40).collect::<String>().escape_debug()
            ))
        })?;
        self.missing.push(0);
        Ok(())
    }

    /// Adds a value from its bytes, little-endian.
    pub(crate) fn push_bytes(&mut self, bytes: impl IntoIterator<Item = u8>, missing: bool) {
        self.missing.push(u8::from(missing));
        self.bytes.extend(bytes);
    }

    /// Returns the column, which has this number of rows.
    pub(crate) fn finish(self, rows: u64) -> Result<Column> {
        let shape: Vec<u64> = std::iter::once(rows).chain(self.cell.iter().copied()).collect();
        let name = self.name.clone();
        let column = self.array(&shape).and_then(|(array, own)| {
            let mut column = Column::from_array(&own.name, array)?;
            column.description = own.description;
            match own.unit.filter(|unit| !unit.is_empty()) {
                Some(unit) => column.with_unit(&unit),
                None => Ok(column),
            }
        });
        column.map_err(|error| error.under(&name))
    }

    /// Returns the values as an array.
    pub(crate) fn into_array(self, rows: u64) -> Result<NdArray> {
        let shape: Vec<u64> = std::iter::once(rows).chain(self.cell.iter().copied()).collect();
        self.array(&shape).map(|(array, _)| array)
    }

    fn array(mut self, shape: &[u64]) -> Result<(NdArray, Self)> {
        let datatype = match &self.kind {
            Kind::Number(datatype) => datatype.clone(),
            Kind::Text => self.store_texts()?,
        };
        let bytes = std::mem::take(&mut self.bytes);
        let mut array = NdArray::from_bytes(datatype, ByteOrder::Little, shape, bytes)?;
        if self.missing.contains(&1) {
            let flags = std::mem::take(&mut self.missing);
            let flags = NdArray::from_bytes(Datatype::Bool8, ByteOrder::Little, shape, flags)?;
            array = array.with_mask(Mask::Array(Box::new(flags)))?;
        }
        Ok((array, self))
    }

    fn store_texts(&mut self) -> Result<Datatype> {
        let texts = std::mem::take(&mut self.texts);
        // `ascii` arrays drop zero bytes at the end of a text.
        let ascii = texts.iter().all(|text| text.is_ascii() && !text.contains('\0'));
        let length = |text: &String| if ascii { text.len() } else { text.chars().count() };
        let longest = texts.iter().map(length).max().unwrap_or(0).max(1);
        let size = longest.saturating_mul(texts.len()).saturating_mul(if ascii { 1 } else { 4 });
        let text: usize = texts.iter().map(String::len).sum();
        if size > ALLOWED && size / 64 > text {
            return Err(Error::limit(format!(
                "the texts would take {size} bytes when padded to the length of the longest"
            ))
            .with_hint("shorten the longest texts first"));
        }
        for text in &texts {
            let rest = longest.saturating_sub(length(text));
            if ascii {
                self.bytes.extend(text.bytes().chain(std::iter::repeat_n(0, rest)));
            } else {
                self.bytes.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
                self.bytes.extend(std::iter::repeat_n(0, rest.saturating_mul(4)));
            }
        }
        let longest = longest as u64;
        Ok(if ascii { Datatype::Ascii(longest) } else { Datatype::Ucs4(longest) })
    }
}

/// Appends the bytes of a value. Returns `None` if the text is not a value of the datatype.
fn store(datatype: &Datatype, text: &str, out: &mut Vec<u8>) -> Option<()> {
    macro_rules! number {
        ($number:ty) => {
            out.extend(text.parse::<$number>().ok()?.to_le_bytes())
        };
    }
    match datatype {
        Datatype::Bool8 => out.push(u8::from(truth(text)?)),
        Datatype::Int8 => number!(i8),
        Datatype::Int16 => number!(i16),
        Datatype::Int32 => number!(i32),
        Datatype::Int64 => number!(i64),
        Datatype::Uint8 => number!(u8),
        Datatype::Uint16 => number!(u16),
        Datatype::Uint32 => number!(u32),
        Datatype::Uint64 => number!(u64),
        Datatype::Float16 => out.extend(half::f16::from_f64(text.parse().ok()?).to_le_bytes()),
        Datatype::Float32 => number!(f32),
        Datatype::Float64 => number!(f64),
        Datatype::Complex64 => {
            let (re, im) = complex::<f32>(text)?;
            out.extend([re, im].into_iter().flat_map(f32::to_le_bytes));
        }
        Datatype::Complex128 => {
            let (re, im) = complex::<f64>(text)?;
            out.extend([re, im].into_iter().flat_map(f64::to_le_bytes));
        }
        _ => return None,
    }
    Some(())
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "True" | "true" | "TRUE" | "T" | "t" | "1" => Some(true),
        "False" | "false" | "FALSE" | "F" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Parses a complex number: `1.5-2j` as in Python, or `1.5 -2` as in VOTable.
fn complex<T: std::str::FromStr>(text: &str) -> Option<(T, T)> {
    if let Some((re, im)) = text.split_once(' ') {
        return Some((re.parse().ok()?, im.trim().parse().ok()?));
    }
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let parts = inner.strip_suffix(['j', 'J'])?;
    // Split at the last sign that does not belong to an exponent.
    let mut signs = parts.char_indices().filter(|&(at, c)| {
        let before = at.checked_sub(1).and_then(|at| parts.as_bytes().get(at));
        matches!(c, '+' | '-') && !matches!(before, None | Some(b'e' | b'E'))
    });
    match signs.next_back() {
        Some((at, _)) => {
            let (re, im) = (parts.get(..at)?, parts.get(at..)?);
            Some((re.parse().ok()?, im.parse().ok()?))
        }
        None => Some(("0".parse().ok()?, parts.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_those_of_python_and_of_votable() {
        for (text, expected) in [
            ("1.5-2j", Some((1.5, -2.0))),
            ("(1e-3+2.5e+2j)", Some((1e-3, 2.5e2))),
            ("-1.5j", Some((0.0, -1.5))),
            ("1.5 -2", Some((1.5, -2.0))),
            ("inf-infj", Some((f64::INFINITY, f64::NEG_INFINITY))),
            ("1.5", None),
            ("x+1j", None),
        ] {
            assert_eq!(complex::<f64>(text), expected, "{text}");
        }
    }

    #[test]
    fn a_column_has_its_datatype_unit_and_mask() {
        let mut column = Filled::new("n".to_owned(), Kind::Number(Datatype::Int16), vec![]);
        column.unit = Some("mJy".to_owned());
        column.push(" 7 ").unwrap();
        column.skip().unwrap();
        assert!(column.push("70000").unwrap_err().message().contains("expected a value of int16"));
        let column = column.finish(2).unwrap();
        assert_eq!(column.unit.unwrap().get(), "mJy");
        assert_eq!(column.data.missing().unwrap(), Some(vec![false, true]));
        let mut column = Filled::new("t".to_owned(), Kind::Text, vec![]);
        ["naïve", ""].iter().for_each(|text| column.push(text).unwrap());
        assert_eq!(*column.finish(2).unwrap().data.datatype(), Datatype::Ucs4(5));
    }
}

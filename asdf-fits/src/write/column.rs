//! Chooses how FITS stores the elements of arrays.

use asdf_core::array::ByteOrder;
use asdf_core::{Datatype, Error, NdArray, Result};

use crate::form::{self, FormKind};
use crate::hdu::Hdu;
use crate::read::datatype_of;
use crate::scale::{Place, Scale, flip_signs};
use crate::table::Column;

/// The form in which FITS stores the elements of an array.
#[derive(Debug, Clone)]
pub(super) struct Form {
    /// `BITPIX` of an image; 0 for elements that only tables can hold.
    pub(super) bits: i64,
    /// The letter of `TFORMn`.
    pub(super) code: char,
    /// The size of an element in bytes; for text, the number of characters.
    pub(super) size: u64,
    /// The offset that readers have to add to the stored integers.
    pub(super) zero: Option<i128>,
    /// Whether the cards of the header scale the numbers.
    pub(super) scaled: bool,
}

impl Form {
    pub(super) fn of(datatype: &Datatype) -> Result<Self> {
        let (bits, code, size, zero) = match datatype {
            Datatype::Uint8 => (8, 'B', 1, None),
            Datatype::Int16 => (16, 'I', 2, None),
            Datatype::Int32 => (32, 'J', 4, None),
            Datatype::Int64 => (64, 'K', 8, None),
            Datatype::Float32 => (-32, 'E', 4, None),
            Datatype::Float64 => (-64, 'D', 8, None),
            Datatype::Int8 => (8, 'B', 1, Some(-128)),
            Datatype::Uint16 => (16, 'I', 2, Some(1 << 15)),
            Datatype::Uint32 => (32, 'J', 4, Some(1 << 31)),
            Datatype::Uint64 => (64, 'K', 8, Some(1 << 63)),
            Datatype::Bool8 => (0, 'L', 1, None),
            Datatype::Complex64 => (0, 'C', 8, None),
            Datatype::Complex128 => (0, 'M', 16, None),
            Datatype::Ascii(length) | Datatype::Ucs4(length) => (0, 'A', *length, None),
            other => return Err(Error::unsupported(format!("FITS does not support {other}"))),
        };
        Ok(Self { bits, code, size, zero, scaled: false })
    }

    /// Returns the same form, scaled by the cards of the header.
    pub(super) fn scaled(self) -> Self {
        Self { scaled: true, ..self }
    }

    /// Returns the size of a cell of a column, in bytes.
    pub(super) fn width_of(&self, column: &Column) -> u64 {
        let cell = column.data.shape().get(1..).unwrap_or_default();
        cell.iter().fold(self.size, |all, &n| all.saturating_mul(n))
    }

    /// Returns `TFORMn`: that of the header if it means the same.
    pub(super) fn letters(&self, cell: &[u64], own: Option<&str>, dim: Option<&str>) -> String {
        let repeat: u64 = cell.iter().product();
        let count = if self.code == 'A' { repeat.saturating_mul(self.size) } else { repeat };
        match own.filter(|own| self.is(own, dim, cell)) {
            Some(own) => own.to_owned(),
            None => format!("{count}{}", self.code),
        }
    }

    fn is(&self, own: &str, dim: Option<&str>, cell: &[u64]) -> bool {
        let Ok(form) = form::Form::parse(own) else { return false };
        let Ok((datatype, shape)) = form.stored(dim) else { return false };
        let same = Self::of(&datatype).is_ok_and(|other| other.code == self.code && other.size == self.size);
        matches!(form.kind, FormKind::Plain(_)) && same && shape == cell
    }

    /// Returns the elements as FITS stores them.
    pub(super) fn bytes(&self, array: &NdArray) -> Result<Vec<u8>> {
        let mut bytes = array.packed_bytes(ByteOrder::Big)?;
        match array.datatype() {
            Datatype::Ucs4(_) => {
                let ascii = |character: &[u8]| match character {
                    [0, 0, 0, letter @ 0..=0x7e] => Some(*letter),
                    _ => None,
                };
                let text: Option<Vec<u8>> = bytes.chunks_exact(4).map(ascii).collect();
                bytes = text.ok_or_else(|| Error::unsupported("FITS allows ASCII text only"))?;
            }
            Datatype::Bool8 => bytes.iter_mut().for_each(|b| *b = if *b == 0 { b'F' } else { b'T' }),
            _ if self.zero.is_some() => flip_signs(&mut bytes, self.size),
            _ => {}
        }
        Ok(bytes)
    }
}

/// Returns the stored integers of an image whose header scales them; `None` if they would not give the values.
pub(super) fn unscaled_image(hdu: &Hdu, image: &NdArray) -> Result<Option<NdArray>> {
    let bits = hdu.value("BITPIX").and_then(|value| value.as_i64()).filter(|&bits| bits > 0);
    let (Some(datatype), false) = (bits.and_then(datatype_of), has_gaps(image)?) else { return Ok(None) };
    Scale::of_image(hdu)?.stored(image, &datatype, Place::Image)
}

/// Returns the stored integers of a column that the header scales; `None` if they would not give the values.
pub(super) fn unscaled(hdu: &Hdu, number: usize, column: &NdArray) -> Result<Option<NdArray>> {
    let own = hdu.text(&format!("TFORM{number}")).and_then(|own| form::Form::parse(own).ok());
    let Some(FormKind::Plain(datatype)) = own.map(|own| own.kind) else { return Ok(None) };
    if has_gaps(column)? {
        return Ok(None);
    }
    Scale::of_column(hdu, number)?.stored(column, &datatype, Place::Column)
}

fn has_gaps(array: &NdArray) -> Result<bool> {
    Ok(array.mask().is_some() || array.missing()?.is_some())
}

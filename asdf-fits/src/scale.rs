//! Converts between stored numbers and values: `BSCALE` and `BZERO`, `TSCALn` and `TZEROn`, `BLANK` and
//! `TNULLn` (FITS Standard 4.0, sections 4.4.2.5, 5.3 and 7.3.2).

use asdf_core::array::{ByteOrder, Mask, MaskValue};
use asdf_core::value::Number;
use asdf_core::{Datatype, Error, NdArray, Result};

use crate::card::CardValue;
use crate::hdu::Hdu;

/// The factor, offset and null value that the cards define for stored numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) factor: f64,
    pub(crate) zero: f64,
    /// The stored integer that marks a missing value.
    pub(crate) null: Option<i64>,
}

/// Where the numbers are stored: in an image, or in a column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Image,
    Column,
}

impl Scale {
    /// Reads the scale of an image.
    pub(crate) fn of_image(hdu: &Hdu) -> Result<Self> {
        Self::of(hdu, "BSCALE", "BZERO", "BLANK")
    }

    /// Reads the scale of a column. Columns are counted from 1.
    pub(crate) fn of_column(hdu: &Hdu, number: usize) -> Result<Self> {
        Self::of(hdu, &format!("TSCAL{number}"), &format!("TZERO{number}"), &format!("TNULL{number}"))
    }

    fn of(hdu: &Hdu, factor: &str, zero: &str, null: &str) -> Result<Self> {
        let number = |keyword: &str, default: f64| match hdu.value(keyword) {
            None => Ok(default),
            Some(value) => value
                .as_f64()
                .filter(|number| number.is_finite())
                .ok_or_else(|| Error::malformed(format!("{keyword} is not a number")).under("header")),
        };
        // TNULLn of an ASCII table is a text and is handled by its reader.
        let null = hdu.value(null).and_then(CardValue::as_i64);
        Ok(Self { factor: number(factor, 1.0)?, zero: number(zero, 0.0)?, null })
    }

    pub(crate) fn is_identity(self) -> bool {
        self.factor == 1.0 && self.zero == 0.0
    }

    /// Returns the values of stored numbers, in the datatypes that astropy uses. With `masks`, missing integers
    /// are masked. Without it, those of an image become NaN, as in astropy.
    pub(crate) fn values(self, stored: &NdArray, place: Place, masks: bool) -> Result<NdArray> {
        let Some(class) = Class::of(stored.datatype()) else { return Ok(stored.clone()) };
        if class == Class::Complex {
            return match self.is_identity() {
                true => Ok(stored.clone()),
                false => Err(Error::unsupported("scaled complex numbers are not supported")),
            };
        }
        let null = self.null.filter(|_| class == Class::Integer);
        if let Some(other) = shifted(stored.datatype(), self).filter(|other| fits(other, place, masks)) {
            let mut bytes = stored.packed_bytes(ByteOrder::Big)?;
            flip_signs(&mut bytes, other.size()?);
            let values = NdArray::from_bytes(other, ByteOrder::Big, stored.shape(), bytes)?;
            return match null.filter(|_| masks) {
                Some(null) => masked(values, Number::Float(self.zero + exact(null))),
                None => Ok(values),
            };
        }
        let blank = null.filter(|_| masks || place == Place::Image);
        if self.is_identity() && (blank.is_none() || masks) {
            return match blank {
                Some(null) => masked(stored.clone(), Number::Int(null.into())),
                None => Ok(stored.clone()),
            };
        }
        let single = place == Place::Image
            && matches!(stored.datatype(), Datatype::Uint8 | Datatype::Int16 | Datatype::Float32);
        let raw = stored.read_lossy::<f64>()?;
        let missing = self.missing(stored, blank)?;
        let mut missing = missing.into_iter();
        if single {
            let mut value = |stored: f64| match missing.next() {
                Some(true) => f32::NAN,
                _ => self.near(stored),
            };
            return NdArray::new(stored.shape(), &raw.into_iter().map(&mut value).collect::<Vec<f32>>());
        }
        let mut value = |stored: f64| match missing.next() {
            Some(true) => f64::NAN,
            _ => stored * self.factor + self.zero,
        };
        NdArray::new(stored.shape(), &raw.into_iter().map(&mut value).collect::<Vec<f64>>())
    }

    /// Returns the datatype of the values that [`values`](Self::values) makes of stored numbers, without masks.
    pub(crate) fn datatype(self, stored: &Datatype, place: Place) -> Datatype {
        let Some(class) = Class::of(stored) else { return stored.clone() };
        if let Some(other) = shifted(stored, self).filter(|other| fits(other, place, false)) {
            return other;
        }
        let is_blank = self.null.is_some() && class == Class::Integer && place == Place::Image;
        if class == Class::Complex || (self.is_identity() && !is_blank) {
            return stored.clone();
        }
        let single =
            place == Place::Image && matches!(stored, Datatype::Uint8 | Datatype::Int16 | Datatype::Float32);
        if single { Datatype::Float32 } else { Datatype::Float64 }
    }

    /// Returns for each integer whether it marks a missing value.
    fn missing(self, stored: &NdArray, null: Option<i64>) -> Result<Vec<bool>> {
        let Some(null) = null else { return Ok(Vec::new()) };
        Ok(stored.read::<i64>()?.into_iter().map(|number| number == null).collect())
    }

    /// Scales a number and rounds to `float32` after each step, as numpy does for arrays of `float32`.
    #[allow(clippy::cast_possible_truncation, reason = "the nearest float32 is wanted")]
    fn near(self, stored: f64) -> f32 {
        stored as f32 * self.factor as f32 + self.zero as f32
    }

    /// Returns the stored integers of values; `None` unless these integers give back every value exactly.
    pub(crate) fn stored(self, values: &NdArray, to: &Datatype, place: Place) -> Result<Option<NdArray>> {
        if self.factor == 0.0 || (self.is_identity() && self.null.is_none()) {
            return Ok(None);
        }
        let single = match values.datatype() {
            Datatype::Float32 => true,
            Datatype::Float64 => false,
            _ => return Ok(None),
        };
        let (low, high) = match to {
            Datatype::Uint8 => (0, 255),
            Datatype::Int16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Datatype::Int32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            // Beyond 2^53 several integers round to the same float.
            Datatype::Int64 => (-(1 << 53), 1 << 53),
            _ => return Ok(None),
        };
        let mut numbers = Vec::new();
        for value in values.read_lossy::<f64>()? {
            let number = if value.is_nan() && place == Place::Image {
                self.null
            } else {
                whole((value - self.zero) / self.factor).filter(|&number| {
                    let back = if single {
                        f64::from(self.near(exact(number)))
                    } else {
                        exact(number) * self.factor + self.zero
                    };
                    back == value && (self.null != Some(number) || place == Place::Column)
                })
            };
            match number.filter(|number| (low..=high).contains(number)) {
                Some(number) => numbers.push(number),
                None => return Ok(None),
            }
        }
        let size = usize::try_from(to.size()?).unwrap_or(8);
        let mut bytes = Vec::with_capacity(numbers.len().saturating_mul(size));
        for number in numbers {
            bytes.extend_from_slice(number.to_be_bytes().get(8 - size..).unwrap_or_default());
        }
        NdArray::from_bytes(to.clone(), ByteOrder::Big, values.shape(), bytes).map(Some)
    }
}

#[allow(clippy::cast_precision_loss, reason = "the nearest float is wanted")]
fn exact(number: i64) -> f64 {
    number as f64
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn whole(value: f64) -> Option<i64> {
    let rounded = value.round();
    (rounded.abs() < 9.0e18).then_some(rounded as i64)
}

fn masked(array: NdArray, null: Number) -> Result<NdArray> {
    let null = match null {
        Number::Float(number) => whole(number).map_or(Number::Float(number), Number::from),
        int => int,
    };
    array.with_mask(Mask::Value(MaskValue::Number(null)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    Complex,
}

impl Class {
    fn of(datatype: &Datatype) -> Option<Self> {
        Some(match datatype {
            Datatype::Uint8 | Datatype::Int16 | Datatype::Int32 | Datatype::Int64 => Self::Integer,
            Datatype::Float32 | Datatype::Float64 => Self::Float,
            Datatype::Complex64 | Datatype::Complex128 => Self::Complex,
            _ => return None,
        })
    }
}

/// Returns the datatype of the values if half the range of the stored datatype is added. FITS stores the integers
/// that it does not have in this way: signed ones of 8 bits, and unsigned ones of 16, 32 and 64 bits.
fn shifted(stored: &Datatype, scale: Scale) -> Option<Datatype> {
    let (offset, values) = match stored {
        Datatype::Uint8 => (-128.0, Datatype::Int8),
        Datatype::Int16 => (32_768.0, Datatype::Uint16),
        Datatype::Int32 => (2_147_483_648.0, Datatype::Uint32),
        Datatype::Int64 => (9_223_372_036_854_775_808.0, Datatype::Uint64),
        _ => return None,
    };
    (scale.factor == 1.0 && scale.zero == offset).then_some(values)
}

/// Returns whether astropy can hold the datatype. It interprets a column of `int8` as booleans, so it converts
/// such a column to floats.
fn fits(values: &Datatype, place: Place, masks: bool) -> bool {
    masks || place == Place::Image || *values != Datatype::Int8
}

/// Adds half the range to big-endian integers by flipping their first bit.
pub(crate) fn flip_signs(bytes: &mut [u8], size: u64) {
    let size = usize::try_from(size).unwrap_or(1).max(1);
    for element in bytes.chunks_exact_mut(size) {
        if let Some(first) = element.first_mut() {
            *first ^= 0x80;
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
mod tests {
    use asdf_core::array::Value;

    use super::*;

    const PLAIN: Scale = Scale { factor: 1.0, zero: 0.0, null: None };

    fn integers(numbers: &[i16]) -> NdArray {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
        NdArray::from_bytes(Datatype::Int16, ByteOrder::Big, &[numbers.len() as u64], bytes).unwrap()
    }

    #[test]
    fn values_are_those_of_astropy() {
        let stored = integers(&[-2, 0, 5]);
        let same = PLAIN.values(&stored, Place::Image, false).unwrap();
        assert_eq!((same.datatype(), same.mask()), (&Datatype::Int16, None));
        let unsigned = Scale { zero: 32768.0, ..PLAIN }.values(&stored, Place::Image, false).unwrap();
        assert_eq!(unsigned.read::<u16>().unwrap(), [32766, 32768, 32773]);
        let scale = Scale { factor: 0.5, zero: 10.0, null: Some(0) };
        let scaled = scale.values(&stored, Place::Image, false).unwrap().read::<f32>().unwrap();
        assert!(scaled[0] == 9.0 && scaled[1].is_nan() && scaled[2] == 12.5, "{scaled:?}");
        let column = scale.values(&stored, Place::Column, false).unwrap();
        assert_eq!(column.read::<f64>().unwrap(), [9.0, 10.0, 12.5]);
        let blank = Scale { null: Some(5), ..PLAIN };
        assert!(blank.values(&stored, Place::Image, false).unwrap().read::<f32>().unwrap()[2].is_nan());
        assert_eq!(blank.values(&stored, Place::Column, false).unwrap().datatype(), &Datatype::Int16);
        let masked = blank.values(&stored, Place::Image, true).unwrap();
        assert_eq!(masked.elements().unwrap().last(), Some(Value::Missing));
        let bytes = NdArray::new(&[2], &[0_u8, 255]).unwrap();
        let signed = Scale { zero: -128.0, ..PLAIN };
        assert_eq!(signed.values(&bytes, Place::Image, false).unwrap().read::<i8>().unwrap(), [-128, 127]);
        let column = signed.values(&bytes, Place::Column, false).unwrap();
        assert_eq!(column.read::<f64>().unwrap(), [-128.0, 127.0]);
    }

    #[test]
    fn the_datatype_of_values_is_known_without_them() {
        let scales = [(1.0, 0.0), (1.0, -128.0), (1.0, 32_768.0), (1.0, 2_147_483_648.0), (0.5, 10.0)];
        let datatypes = [
            Datatype::Uint8,
            Datatype::Int16,
            Datatype::Int32,
            Datatype::Int64,
            Datatype::Float32,
            Datatype::Float64,
            Datatype::Complex64,
            Datatype::Bool8,
        ];
        for stored in datatypes {
            let bytes = vec![0; usize::try_from(stored.size().unwrap()).unwrap()];
            let array = NdArray::from_bytes(stored.clone(), ByteOrder::Big, &[1], bytes).unwrap();
            for (factor, zero) in scales {
                for (null, place) in [None, Some(3)].into_iter().zip([Place::Image, Place::Column].repeat(2))
                {
                    let scale = Scale { factor, zero, null };
                    let Ok(values) = scale.values(&array, place, false) else { continue };
                    assert_eq!(
                        &scale.datatype(&stored, place),
                        values.datatype(),
                        "{stored} {scale:?} {place:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn values_go_back_to_the_integers_that_were_stored() {
        let stored = integers(&[-2, 0, 5, i16::MAX]);
        let scale = Scale { factor: 0.1, zero: 1.0e4, null: Some(0) };
        for place in [Place::Image, Place::Column] {
            let values = scale.values(&stored, place, false).unwrap();
            let back = scale.stored(&values, &Datatype::Int16, place).unwrap().unwrap();
            assert_eq!(back.read::<i16>().unwrap(), [-2, 0, 5, i16::MAX]);
        }
        // Several integers have the same float here, so these floats cannot give back the integers.
        let coarse = Scale { zero: 1.0e9, ..PLAIN };
        let values = coarse.values(&stored, Place::Image, false).unwrap();
        assert!(
            coarse
                .stored(&values, &Datatype::Int16, Place::Image)
                .unwrap()
                .is_none_or(|back| { back.read::<i16>().unwrap() != [-2, 0, 5, i16::MAX] })
        );
        let other = NdArray::new(&[1], &[0.123_f64]).unwrap();
        assert!(scale.stored(&other, &Datatype::Int16, Place::Column).unwrap().is_none());
    }
}

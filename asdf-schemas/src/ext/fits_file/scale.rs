//! The values that stored numbers mean: `BSCALE` and `BZERO`, `TSCALn` and `TZEROn`, `BLANK` and `TNULLn`
//! (FITS Standard 4.0, sections 4.4.2.5, 5.3 and 7.3.2).

use asdf_core::array::{Mask, MaskValue};
use asdf_core::{ByteOrder, Datatype, Error, NdArray, Result, Tagged};

use crate::fits::{Hdu, HduData};
use crate::table::{Column, Table};

impl Hdu {
    /// The data as the values that its numbers mean, as `BSCALE` and `BZERO`, or `TSCALn` and `TZEROn`, say;
    /// `None` for a header alone.
    ///
    /// Integers that are stored with an offset because FITS has no unsigned ones become unsigned (`int8` those of
    /// 8 bits); others that are scaled become `float64`, in images up to 16 bits `float32`. What `BLANK` or
    /// `TNULLn` says is missing becomes NaN where there are floats, and else is masked. What needs no change is
    /// not copied.
    ///
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_schemas::fits::{Card, Fits, Hdu, HduData};
    ///
    /// let mut hdu = Hdu::new(Vec::new());
    /// hdu.data = Some(HduData::NdArray(NdArray::new(&[2], &[7_u16, 60_000])?).into());
    /// let fits = Fits::of_fits_bytes(Fits::new(vec![hdu]).to_fits_bytes()?)?;
    ///
    /// let stored = fits.0[0].image().unwrap();
    /// assert_eq!(stored.read::<i16>()?, [-32_761, 27_232]); // 32768 less
    /// let Some(HduData::NdArray(values)) = fits.0[0].scaled()? else { panic!("no image") };
    /// assert_eq!(values.read::<u16>()?, [7, 60_000]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::ErrorKind::Malformed) when one of these cards is no number;
    /// [`Unsupported`](asdf_core::ErrorKind::Unsupported) for scaled complex numbers; when the data cannot be
    /// read.
    pub fn scaled(&self) -> Result<Option<HduData>> {
        match self.contents() {
            None => Ok(None),
            Some(HduData::NdArray(image)) => {
                let scale = Scale {
                    factor: self.number("BSCALE")?,
                    zero: self.number("BZERO")?,
                    null: self.number("BLANK")?,
                };
                scale.apply(image, false).map(|image| Some(HduData::NdArray(image)))
            }
            Some(HduData::Table(table)) => {
                let mut columns = Vec::new();
                for (index, column) in table.known_columns().enumerate() {
                    let card = |name: &str| self.number(&format!("{name}{}", index + 1));
                    let scale = Scale { factor: card("TSCAL")?, zero: card("TZERO")?, null: card("TNULL")? };
                    let data = scale.apply(&column.data, true).map_err(|error| error.under(index))?;
                    columns.push(Tagged::Known(Column { data, ..column.clone() }));
                }
                Ok(Some(HduData::Table(Table { columns, ..table.clone() })))
            }
        }
    }

    fn number(&self, keyword: &str) -> Result<Option<f64>> {
        let Some(value) = self.value(keyword) else { return Ok(None) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| Error::malformed(format!("{keyword} is no number")).under("header"))
    }
}

/// What the cards say of stored numbers.
struct Scale {
    factor: Option<f64>,
    zero: Option<f64>,
    /// The stored integer that means no value.
    null: Option<f64>,
}

impl Scale {
    /// The values; floats are `float64` if they are to be precise.
    fn apply(&self, array: &NdArray, precise: bool) -> Result<NdArray> {
        let (factor, zero) = (self.factor.unwrap_or(1.0), self.zero.unwrap_or(0.0));
        // What `L` and `A` columns say of scaling counts for nothing.
        if matches!(array.datatype(), Datatype::Bool8 | Datatype::Ascii(_)) {
            return Ok(array.clone());
        }
        let is_float = matches!(array.datatype(), Datatype::Float32 | Datatype::Float64);
        let null = self.null.filter(|_| !is_float);
        if factor == 1.0 && zero == 0.0 {
            return Ok(masked(array.clone(), null));
        }
        if factor == 1.0 {
            if let Some(other) = shifted(array.datatype(), zero) {
                let mut bytes = array.packed_bytes(ByteOrder::Big)?;
                flip_signs(&mut bytes, other.size()?);
                let values = NdArray::from_bytes(other, ByteOrder::Big, array.shape(), bytes)?;
                return Ok(masked(values, null.map(|null| null + zero)));
            }
        }
        let value = |stored: f64| if Some(stored) == null { f64::NAN } else { zero + factor * stored };
        match array.datatype() {
            Datatype::Complex64 | Datatype::Complex128 => {
                Err(Error::unsupported("complex numbers that are scaled are not read"))
            }
            Datatype::Uint8 | Datatype::Int16 | Datatype::Float32 if !precise => {
                let values: Vec<f32> =
                    array.read::<f64>()?.into_iter().map(|stored| near(value(stored))).collect();
                NdArray::new(array.shape(), &values)
            }
            _ => {
                let values: Vec<f64> = array.read_lossy::<f64>()?.into_iter().map(value).collect();
                NdArray::new(array.shape(), &values)
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the nearest float32 is wanted")]
fn near(value: f64) -> f32 {
    value as f32
}

/// An array whose missing elements are those of one number.
fn masked(array: NdArray, null: Option<f64>) -> NdArray {
    match null {
        Some(null) => array.with_mask(Mask::Value(MaskValue::Number(whole(null)))),
        None => array,
    }
}

/// A number that stands for stored integers, as one where it is one.
fn whole(number: f64) -> asdf_core::value::Number {
    #[allow(clippy::cast_possible_truncation, reason = "compared below")]
    let integer = number as i64;
    #[allow(clippy::cast_precision_loss, reason = "compared as floats")]
    let same = integer as f64 == number;
    if same { integer.into() } else { number.into() }
}

/// The datatype of integers that are stored less half of their range.
fn shifted(datatype: &Datatype, zero: f64) -> Option<Datatype> {
    let (other, half) = match datatype {
        Datatype::Uint8 => (Datatype::Int8, -128.0),
        Datatype::Int16 => (Datatype::Uint16, 32_768.0),
        Datatype::Int32 => (Datatype::Uint32, 2_147_483_648.0),
        Datatype::Int64 => (Datatype::Uint64, 9_223_372_036_854_775_808.0),
        _ => return None,
    };
    (zero == half).then_some(other)
}

/// Adds or subtracts half of the range of big-endian integers: the sign bit is the other one.
pub(super) fn flip_signs(bytes: &mut [u8], size: u64) {
    let size = usize::try_from(size).unwrap_or(1).max(1);
    bytes.iter_mut().step_by(size).for_each(|b| *b ^= 0x80);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fits::{Card, Fits};

    fn image(array: NdArray, cards: &[(&str, f64)]) -> NdArray {
        let cards = cards.iter().map(|(keyword, value)| Card::of(keyword, *value, "").unwrap()).collect();
        let mut hdu = Hdu::new(cards);
        hdu.data = Some(HduData::NdArray(array).into());
        match hdu.scaled().unwrap() {
            Some(HduData::NdArray(image)) => image,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn stored_numbers_become_what_they_mean() {
        let stored = NdArray::new(&[3], &[-2_i16, 0, 5]).unwrap();
        let plain = image(stored.clone(), &[]);
        assert_eq!((plain.datatype(), plain.mask()), (&Datatype::Int16, None));
        let blank = image(stored.clone(), &[("BLANK", 5.0)]);
        assert_eq!(blank.elements().unwrap().last(), Some(asdf_core::array::Value::Missing));
        let unsigned = image(stored.clone(), &[("BZERO", 32768.0), ("BLANK", 0.0)]);
        assert_eq!(unsigned.read::<u16>().unwrap(), [32766, 32768, 32773]);
        assert_eq!(unsigned.elements().unwrap().nth(1), Some(asdf_core::array::Value::Missing));
        let scaled = image(stored, &[("BZERO", 1.0), ("BSCALE", 0.5), ("BLANK", 0.0)]);
        let values = scaled.read::<f32>().unwrap();
        assert!(values[0] == 0.0 && values[1].is_nan() && values[2] == 3.5, "{values:?}");
        let wide = image(NdArray::new(&[1], &[i32::MAX]).unwrap(), &[("BZERO", 0.5)]);
        assert_eq!(wide.read::<f64>().unwrap(), [f64::from(i32::MAX) + 0.5]);
        let signed = image(NdArray::new(&[2], &[0_u8, 255]).unwrap(), &[("BZERO", -128.0)]);
        assert_eq!(signed.read::<i8>().unwrap(), [-128, 127]);
    }

    #[test]
    fn columns_have_scales_of_their_own() {
        let column = |name: &str| Column::of(name, NdArray::new(&[2], &[1_i16, 2]).unwrap()).unwrap();
        let cards = vec![Card::of("TSCAL2", 10.0, "").unwrap(), Card::of("TNULL1", 2_i64, "").unwrap()];
        let mut hdu = Hdu::new(cards);
        hdu.data = Some(HduData::Table(Table::of([column("a"), column("b")]).unwrap()).into());
        let Some(HduData::Table(table)) = hdu.scaled().unwrap() else { panic!("no table") };
        assert_eq!(table.read::<f32>("b").unwrap(), [10.0, 20.0]);
        assert!(table.array("a").unwrap().mask().is_some());
        hdu.set(Card::of("TSCAL1", "x", "").unwrap());
        assert!(hdu.scaled().unwrap_err().message().contains("TSCAL1"));
        assert!(Fits::new(vec![Hdu::new(Vec::new())]).0[0].scaled().unwrap().is_none());
    }
}

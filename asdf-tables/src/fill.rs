//! Fills in missing elements, for formats without masks.

use asdf_core::array::{ByteOrder, Element, Mask, Value};
use asdf_core::{Datatype, Error, NdArray, Result};

use crate::advice::Advice;

/// Returns for each element whether it is missing, by any kind of mask; `None` if no element can be.
pub(crate) fn missing(array: &NdArray) -> Result<Option<Vec<bool>>> {
    match array.mask() {
        Some(Mask::Value(_)) => Ok(Some(array.elements()?.map(|value| value == Value::Missing).collect())),
        _ => array.missing(),
    }
}

/// The number that marks missing elements in formats without masks.
///
/// # Examples
/// ```
/// use asdf_tables::Fill;
///
/// assert_eq!("-99".parse::<Fill>()?, Fill::Int(-99));
/// assert_eq!("1e20".parse::<Fill>()?, Fill::Float(1e20));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fill {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
}

impl std::str::FromStr for Fill {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let float =
            || text.parse().map(Self::Float).map_err(|_| Error::usage("expected a number such as -1 or NaN"));
        text.parse().map(Self::Int).or_else(|_| float())
    }
}

/// Returns the array without a mask, with missing elements filled in: by `fill`, else by NaN for floats and by an
/// empty string for text. An array that cannot have missing elements is not copied.
pub(crate) fn filled(array: &NdArray, fill: Option<Fill>) -> Result<NdArray> {
    let Some(missing) = missing(array)? else { return Ok(array.clone()) };
    let count = missing.iter().filter(|missing| **missing).count();
    if matches!(array.datatype(), Datatype::Struct(_)) {
        return if count == 0 { Ok(array.clone()) } else { Err(refusal(array.datatype(), count)) };
    }
    let order = ByteOrder::Little;
    let mut bytes = array.packed_bytes(order)?;
    if count > 0 {
        let stored = stored(array.datatype(), fill, count)?;
        let elements = bytes.chunks_exact_mut(stored.len().max(1));
        for (element, _) in elements.zip(missing).filter(|(_, missing)| *missing) {
            element.copy_from_slice(&stored);
        }
    }
    NdArray::from_bytes(array.datatype().clone(), order, array.shape(), bytes)
}

/// Returns the bytes of the element that marks missing ones.
fn stored(datatype: &Datatype, fill: Option<Fill>, count: usize) -> Result<Vec<u8>> {
    use Datatype::{Complex32, Complex64, Complex128, Float16, Float32, Float64};
    let fill = match (datatype, fill) {
        (Datatype::Ascii(_) | Datatype::Ucs4(_), _) => {
            return Ok(vec![0; usize::try_from(datatype.size()?).unwrap_or(0)]);
        }
        (_, Some(fill)) => fill,
        (Float16 | Float32 | Float64 | Complex32 | Complex64 | Complex128, None) => Fill::Float(f64::NAN),
        (_, None) => return Err(refusal(datatype, count)),
    };
    let one = match fill {
        Fill::Int(number) => NdArray::new(&[], &[number])?,
        Fill::Float(number) => NdArray::new(&[], &[number])?,
    };
    macro_rules! stored {
        ($($name:ident $type:ty),*) => {
            match datatype {
                $(Datatype::$name => bytes::<$type>(&one),)*
                _ => return Err(refusal(datatype, count)),
            }
        };
    }
    let found = stored!(
        Int8 i8, Int16 i16, Int32 i32, Int64 i64, Int128 i128, Uint8 u8, Uint16 u16, Uint32 u32, Uint64 u64,
        Uint128 u128, Float16 half::f16, Float32 f32, Float64 f64, Bool8 bool,
        Complex32 num_complex::Complex<half::f16>, Complex64 num_complex::Complex32,
        Complex128 num_complex::Complex64
    );
    found.map_err(|_| {
        let fill = match fill {
            Fill::Int(number) => number.to_string(),
            Fill::Float(number) => number.to_string(),
        };
        Error::usage(format!("the fill value {fill} cannot be stored as {datatype}"))
            .with_hint(Advice::OtherFill)
    })
}

fn bytes<T: Element>(one: &NdArray) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(T::SIZE);
    for element in one.read::<T>()? {
        element.store(ByteOrder::Little, &mut out);
    }
    Ok(out)
}

fn refusal(datatype: &Datatype, count: usize) -> Error {
    let values = if count == 1 { "masked value" } else { "masked values" };
    let error = Error::unsupported(format!(
        "{count} {values} of {datatype}, for which the format needs a fill value"
    ));
    match datatype {
        Datatype::Struct(_) => error.with_hint("write csv, parquet or arrow, which keep masked values"),
        _ => error.with_hint(Advice::Fill),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_elements_are_filled_with_values_of_the_datatype() {
        let mask = || Mask::Array(Box::new(NdArray::new(&[2], &[false, true]).unwrap()));
        let floats = NdArray::new(&[2], &[1.0_f32, 2.0]).unwrap().with_mask(mask()).unwrap();
        let values = filled(&floats, None).unwrap().read::<f32>().unwrap();
        assert!(values[0] == 1.0 && values[1].is_nan());
        let small = NdArray::new(&[2], &[1_u8, 2]).unwrap().with_mask(mask()).unwrap();
        assert_eq!(filled(&small, None).unwrap_err().hint(), Some(&Advice::Fill.into()));
        assert_eq!(filled(&small, Some(Fill::Int(255))).unwrap().read::<u8>().unwrap(), [1, 255]);
        for wrong in [Fill::Int(-1), Fill::Int(256), Fill::Float(1.5), Fill::Float(f64::NAN)] {
            assert!(filled(&small, Some(wrong)).is_err(), "{wrong:?}");
        }
        let value = Mask::Value(asdf_core::array::MaskValue::Number(1.0.into()));
        let masked = NdArray::new(&[2], &[1_i16, 2]).unwrap().with_mask(value).unwrap();
        let filled = filled(&masked, Some("-9".parse().unwrap())).unwrap();
        assert_eq!((filled.read::<i16>().unwrap(), filled.mask()), (vec![-9, 2], None));
    }
}

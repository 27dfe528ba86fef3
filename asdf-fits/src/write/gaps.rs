//! Fills in missing elements, which FITS marks by one number in each image and column.

use asdf_core::array::{ByteOrder, Mask, MaskValue, Value};
use asdf_core::error::Hint;
use asdf_core::value::Number;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::column::Form;
use crate::card::CardValue;

/// Replaces missing elements by a number. Returns the array, and the number as FITS stores it. An array without
/// missing elements is returned unchanged.
pub(super) fn filled(
    array: &NdArray,
    own: Option<&CardValue>,
    fill: Option<&Number>,
    form: &Form,
) -> Result<(NdArray, Option<i128>)> {
    let missing: Vec<bool> = match array.mask() {
        Some(Mask::Value(_)) => array.elements()?.map(|value| value == Value::Missing).collect(),
        _ => match array.missing()? {
            Some(missing) => missing,
            None => return Ok((array.clone(), None)),
        },
    };
    let count = missing.iter().filter(|missing| **missing).count();
    let integer = form.bits > 0;
    let null = if integer { null(array, own, fill, form)? } else { None };
    let mut bytes = array.packed_bytes(ByteOrder::Big)?;
    if count > 0 {
        let size = usize::try_from(array.datatype().size()?).unwrap_or(1).max(1);
        let element = element(array.datatype(), null, fill, count, size)?;
        for (own, missing) in bytes.chunks_exact_mut(size).zip(&missing) {
            match missing {
                true => own.copy_from_slice(&element),
                false if integer && *own == *element => {
                    let null = null.unwrap_or_default();
                    return Err(Error::mismatch(format!("the fill value {null} also occurs in the data"))
                        .with_hint("choose a number that does not occur in the data"));
                }
                false => {}
            }
        }
    }
    let array = NdArray::from_bytes(array.datatype().clone(), ByteOrder::Big, array.shape(), bytes)?;
    Ok((array, null.map(|null| null - form.zero.unwrap_or(0))))
}

/// Returns the integer that marks missing ones: `fill`, else that of the header, else that of the mask.
fn null(
    array: &NdArray,
    own: Option<&CardValue>,
    fill: Option<&Number>,
    form: &Form,
) -> Result<Option<i128>> {
    let integer = |number: &Number| match number {
        Number::Int(number) => i128::try_from(number).ok(),
        Number::Float(_) => None,
    };
    if let Some(fill) = fill {
        return integer(fill).map(Some).ok_or_else(|| {
            Error::usage(format!("found the fill value {}, expected an integer", fill.to_f64()))
        });
    }
    let own = own.and_then(CardValue::as_i64).map(|own| i128::from(own) + form.zero.unwrap_or(0));
    let masked = match array.mask() {
        Some(Mask::Value(MaskValue::Number(number))) => integer(number),
        _ => None,
    };
    Ok(own.or(masked))
}

/// Returns the bytes of the element that marks missing ones.
fn element(
    datatype: &Datatype,
    null: Option<i128>,
    fill: Option<&Number>,
    count: usize,
    size: usize,
) -> Result<Vec<u8>> {
    let float = fill.map_or(f64::NAN, Number::to_f64);
    #[allow(clippy::cast_possible_truncation, reason = "the nearest float32 is wanted")]
    let single = float as f32;
    let bytes = match datatype {
        Datatype::Float32 => single.to_be_bytes().to_vec(),
        Datatype::Float64 => float.to_be_bytes().to_vec(),
        Datatype::Complex64 => [single.to_be_bytes(), single.to_be_bytes()].concat(),
        Datatype::Complex128 => [float.to_be_bytes(), float.to_be_bytes()].concat(),
        Datatype::Ascii(_) | Datatype::Ucs4(_) => vec![0; size],
        _ => {
            let Some(null) = null else {
                let are = if count == 1 { "value" } else { "values" };
                return Err(Error::unsupported(format!(
                    "{count} masked {are} of {datatype}, for which FITS needs a fill value"
                ))
                .with_hint(Hint::ChooseFill));
            };
            let fits = match datatype {
                Datatype::Uint8 => u8::try_from(null).is_ok(),
                Datatype::Int8 => i8::try_from(null).is_ok(),
                Datatype::Int16 => i16::try_from(null).is_ok(),
                Datatype::Uint16 => u16::try_from(null).is_ok(),
                Datatype::Int32 => i32::try_from(null).is_ok(),
                Datatype::Uint32 => u32::try_from(null).is_ok(),
                Datatype::Int64 => i64::try_from(null).is_ok(),
                Datatype::Uint64 => u64::try_from(null).is_ok(),
                _ => {
                    return Err(Error::unsupported(format!(
                        "FITS cannot mark values of {datatype} as missing"
                    )));
                }
            };
            if !fits {
                return Err(Error::usage(format!("the fill value {null} cannot be stored as {datatype}"))
                    .with_hint("choose a number in the range of the datatype"));
            }
            null.to_be_bytes().get(16 - size..).unwrap_or_default().to_vec()
        }
    };
    Ok(bytes)
}

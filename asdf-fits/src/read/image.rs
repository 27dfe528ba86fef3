//! Reads images.

use asdf_core::array::ByteOrder;
use asdf_core::source::Bytes;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::Decoded;
use crate::hdu::{Data, Hdu};
use crate::scale::{Place, Scale};

/// Returns the value of `BITPIX`.
pub(crate) fn bits(hdu: &Hdu) -> Result<i64> {
    let value = hdu.value("BITPIX").and_then(|value| value.as_i64());
    value.filter(|&bits| datatype_of(bits).is_some()).ok_or_else(|| unknown_bits("BITPIX", value))
}

/// Returns the error for an invalid value of `BITPIX` or `ZBITPIX`.
pub(crate) fn unknown_bits(keyword: &str, found: Option<i64>) -> Error {
    const EXPECTED: &str = "expected one of 8, 16, 32, 64, -32 or -64";
    Error::malformed(match found {
        Some(bits) => format!("{keyword} is {bits}, {EXPECTED}"),
        None => format!("{keyword} is missing or not an integer, {EXPECTED}"),
    })
}

/// Returns the datatype for a value of `BITPIX`.
pub(crate) fn datatype_of(bits: i64) -> Option<Datatype> {
    Some(match bits {
        8 => Datatype::Uint8,
        16 => Datatype::Int16,
        32 => Datatype::Int32,
        64 => Datatype::Int64,
        -32 => Datatype::Float32,
        -64 => Datatype::Float64,
        _ => return None,
    })
}

pub(super) fn image(hdu: &Hdu, axes: &[usize], bytes: &Bytes, masks: bool) -> Result<Decoded> {
    if axes.is_empty() {
        return Ok(Decoded::new(None, true));
    }
    let datatype = datatype_of(bits(hdu)?).unwrap_or(Datatype::Uint8);
    let shape: Vec<u64> = axes.iter().rev().map(|&axis| axis as u64).collect();
    let length = match shape.contains(&0) {
        true => 0,
        false => shape.iter().fold(datatype.size()?, |size, &axis| size.saturating_mul(axis)),
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len());
    // The bytes that PCOUNT counts follow the elements.
    let plain = length == bytes.len();
    let stored = NdArray::from_bytes(datatype, ByteOrder::Big, &shape, bytes.slice(..length))?;
    let scale = Scale::of_image(hdu)?;
    let values = scale.values(&stored, Place::Image, masks)?;
    let exact = plain && (masks || returns(scale, &stored, &values, Place::Image)?);
    Ok(Decoded::new(Some(Data::Image(values)), exact))
}

/// Returns whether the stored numbers can be computed from the values again.
pub(super) fn returns(scale: Scale, stored: &NdArray, values: &NdArray, place: Place) -> Result<bool> {
    let float = matches!(values.datatype(), Datatype::Float32 | Datatype::Float64);
    let same = scale.factor == 1.0 && scale.zero == 0.0 && stored.datatype() == values.datatype();
    if !float || same {
        return Ok(true);
    }
    match scale.stored(values, stored.datatype(), place)? {
        Some(back) => Ok(back.packed_bytes(ByteOrder::Big)? == stored.packed_bytes(ByteOrder::Big)?),
        None => Ok(false),
    }
}

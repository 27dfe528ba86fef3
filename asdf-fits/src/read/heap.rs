//! Reads columns of arrays of variable length, which are in the heap after the rows.

use asdf_core::array::{ByteOrder, Mask};
use asdf_core::source::Bytes;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::check_growth;
use super::flags::flags;
use crate::form;
use crate::scale::{Place, Scale};

/// Joins the arrays of a column to one array by extending all to the length of the longest. The added elements
/// are masked; text is filled with zeros.
pub(super) fn values(
    pointers: &NdArray,
    element: &Datatype,
    scale: Scale,
    heap: &Bytes,
    dim: Option<&str>,
    masks: bool,
) -> Result<NdArray> {
    let rows = pointers.shape().first().copied().unwrap_or(0);
    let size = usize::try_from(element.size()?).unwrap_or(1);
    let arrays = arrays(pointers, size, heap)?;
    let longest = arrays.iter().map(|array| array.len()).max().unwrap_or(0);
    let total = check_growth(longest.checked_mul(arrays.len()), heap.len() + pointers_size(pointers))?;
    let mut bytes = Vec::with_capacity(total);
    let mut missing = Vec::new();
    for array in &arrays {
        bytes.extend_from_slice(array);
        bytes.resize(bytes.len() + longest - array.len(), 0);
        let (own, all) = (array.len() / size.max(1), longest / size.max(1));
        missing.extend((0..all).map(|index| index >= own));
    }
    let count = (longest / size.max(1)) as u64;
    if let Datatype::Ascii(_) = element {
        // ASDF has no datatype for texts without characters.
        let bytes = if count == 0 { vec![0; arrays.len()] } else { bytes };
        return NdArray::from_bytes(Datatype::Ascii(count.max(1)), ByteOrder::Big, &[rows], bytes);
    }
    let stored = if *element == Datatype::Bool8 { Datatype::Uint8 } else { element.clone() };
    if *element == Datatype::Bool8 {
        // Old versions of astropy stored the number 1 for true.
        bytes.iter_mut().filter(|byte| **byte == 1).for_each(|byte| *byte = b'T');
    }
    let stored = NdArray::from_bytes(stored, ByteOrder::Big, &[rows, count], bytes)?;
    let stored = match element {
        Datatype::Bool8 => flags(&stored)?.0,
        _ => stored,
    };
    let mut values = scale.values(&stored, Place::Column, masks)?;
    if missing.contains(&true) {
        if let Some(Mask::Value(_)) = values.mask() {
            let null = values.elements()?.map(|value| value == asdf_core::array::Value::Missing);
            missing.iter_mut().zip(null).for_each(|(missing, null)| *missing |= null);
        }
        values = values.with_mask(Mask::Array(Box::new(NdArray::from_vec(&[rows, count], missing)?)))?;
    }
    Ok(match dim.and_then(form::dimension).filter(|axes| axes.iter().product::<u64>() == count) {
        Some(axes) if axes.len() > 1 => shaped(&values, rows, &axes)?,
        _ => values,
    })
}

/// Returns the same elements with other axes.
fn shaped(values: &NdArray, rows: u64, axes: &[u64]) -> Result<NdArray> {
    let shape: Vec<u64> = std::iter::once(rows).chain(axes.iter().copied()).collect();
    let array = |array: &NdArray| {
        NdArray::from_bytes(
            array.datatype().clone(),
            ByteOrder::Big,
            &shape,
            array.packed_bytes(ByteOrder::Big)?,
        )
    };
    let shaped = array(values)?;
    match values.mask() {
        Some(Mask::Array(mask)) => shaped.with_mask(Mask::Array(Box::new(array(mask)?))),
        Some(mask) => shaped.with_mask(mask.clone()),
        None => Ok(shaped),
    }
}

fn pointers_size(pointers: &NdArray) -> usize {
    usize::try_from(pointers.len()).unwrap_or(usize::MAX).saturating_mul(4)
}

/// Returns the bytes of the array of each row.
pub(super) fn arrays<'a>(pointers: &NdArray, size: usize, heap: &'a Bytes) -> Result<Vec<&'a [u8]>> {
    if pointers.shape().last() != Some(&2) {
        // Without pointers, every array of the column is empty.
        let rows = pointers.shape().first().copied().unwrap_or(0);
        return Ok(vec![&[]; usize::try_from(rows).unwrap_or(0)]);
    }
    let numbers = pointers.read::<i64>()?;
    let mut arrays = Vec::with_capacity(numbers.len() / 2);
    for (row, pointer) in numbers.chunks_exact(2).enumerate() {
        let [count, offset] = *pointer else { continue };
        let range = || {
            let count = usize::try_from(count).ok()?.checked_mul(size)?;
            let offset = usize::try_from(offset).ok()?;
            if count == 0 { Some(&[][..]) } else { heap.get(offset..offset.checked_add(count)?) }
        };
        arrays.push(range().ok_or_else(|| {
            Error::malformed(format!("the array of row {row} is outside the heap of {} bytes", heap.len()))
        })?);
    }
    Ok(arrays)
}

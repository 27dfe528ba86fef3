//! Reads the elements of an array as the numbers that a picture shows.

use asdf_core::array::{Mask, MaskValue, Value};
use asdf_core::{Datatype, Error, NdArray, Result};
use num_complex::Complex64;

/// Reads the elements in C order as floats: the magnitude of complex numbers, NaN for missing elements. The
/// contents of `out` are replaced, and its memory is reused.
pub(crate) fn read(array: &NdArray, out: &mut Vec<f64>) -> Result<()> {
    let count = usize::try_from(array.len()).map_err(|_| Error::limit("the array does not fit in memory"))?;
    if matches!(array.mask(), Some(Mask::Value(MaskValue::Complex(_)))) {
        out.clear();
        out.extend(array.elements()?.map(|value| match value {
            Value::Complex(number) => number.norm(),
            _ => f64::NAN,
        }));
        return Ok(());
    }
    if is_complex(array.datatype()) {
        let values = array.read_lossy::<Complex64>()?;
        out.clear();
        out.extend(values.iter().map(|number| number.norm()));
    } else {
        out.resize(count, 0.0);
        array.read_lossy_into(out)?;
    }
    if let Some(Mask::Value(MaskValue::Number(number))) = array.mask() {
        let missing = number.to_f64();
        out.iter_mut().filter(|value| **value == missing).for_each(|value| *value = f64::NAN);
    }
    if let Some(missing) = array.missing()? {
        for (value, _) in out.iter_mut().zip(missing).filter(|(_, missing)| *missing) {
            *value = f64::NAN;
        }
    }
    Ok(())
}

/// Returns an error for arrays that cannot be drawn.
pub(crate) fn check(array: &NdArray) -> Result<()> {
    match array.datatype() {
        Datatype::Ascii(_) | Datatype::Ucs4(_) => {
            Err(Error::mismatch("cannot draw an array of text").with_hint("use `asdf head` to print it"))
        }
        Datatype::Struct(_) => {
            Err(Error::mismatch("cannot draw an array of records").with_hint("use `asdf head` to print it"))
        }
        _ => Ok(()),
    }
}

fn is_complex(datatype: &Datatype) -> bool {
    matches!(datatype, Datatype::Complex32 | Datatype::Complex64 | Datatype::Complex128)
}

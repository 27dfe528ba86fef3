//! Arrays of one datatype read as another.

use super::cast::{Cast, Wide};
use super::{Datatype, Element, NdArray, View, layout};
use crate::error::{Error, Result};

/// Runs code with `S` as the Rust type of a numeric datatype.
macro_rules! with_element {
    ($datatype:expr, $S:ident => $body:expr, else $other:expr) => {
        with_element!(@ $datatype, $S, $body, $other,
            Int8 i8, Int16 i16, Int32 i32, Int64 i64, Int128 i128, Uint8 u8, Uint16 u16, Uint32 u32,
            Uint64 u64, Uint128 u128, Float16 half::f16, Float32 f32, Float64 f64,
            Complex32 num_complex::Complex<half::f16>, Complex64 num_complex::Complex<f32>,
            Complex128 num_complex::Complex<f64>, Bool8 bool)
    };
    (@ $datatype:expr, $S:ident, $body:expr, $other:expr, $($name:ident $type:ty),*) => {
        match $datatype {
            $(Datatype::$name => { type $S = $type; $body })*
            _ => $other,
        }
    };
}

/// All elements, each exactly the same number.
pub(super) fn exact<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    if *array.datatype() == T::DATATYPE {
        return same(array);
    }
    with_element!(array.datatype(), S => {
        let view = checked_view::<S>(array)?;
        let mut is_exact = true;
        // Without a way out of the loop, it goes over many elements at once.
        let values = convert(&view, |value: S| match T::exact(value.widen()) {
            Some(value) => value,
            None => {
                is_exact = false;
                T::lossy(Wide::Small(0))
            }
        })?;
        if is_exact { Ok(values) } else { Err(first_fault::<S, T>(&view)) }
    }, else Err(no_number::<T>(array)))
}

/// All elements, each the number that `as` makes of it.
pub(super) fn lossy<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    if *array.datatype() == T::DATATYPE {
        return same(array);
    }
    with_element!(array.datatype(), S => {
        convert(&checked_view::<S>(array)?, |value: S| T::lossy(value.widen()))
    }, else Err(no_number::<T>(array)))
}

fn same<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    let view = checked_view::<T>(array)?;
    let mut values = room(view.len())?;
    view.append_to(&mut values);
    Ok(values)
}

fn checked_view<S: Element>(array: &NdArray) -> Result<View<S>> {
    let view = array.view::<S>()?;
    array.check_expansion(view.layout())?;
    Ok(view)
}

fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(count)
        .map_err(|_| Error::limit(format!("there is no memory for {count} elements")))?;
    Ok(values)
}

fn convert<S: Element, T: Element>(view: &View<S>, cast: impl FnMut(S) -> T) -> Result<Vec<T>> {
    let mut values = room(view.len())?;
    view.append_mapped(&mut values, cast);
    Ok(values)
}

fn first_fault<S: Element, T: Element>(view: &View<S>) -> Error {
    let faulty = view.iter().enumerate().find(|(_, value)| T::exact(value.widen()).is_none());
    let (place, value) = match faulty {
        Some((place, value)) => (place, shown(value.widen())),
        None => (0, String::new()),
    };
    let index = layout::index_of(view.shape().iter().map(|&n| n as u64), place as u64);
    Error::mismatch(format!(
        "the element at {index:?} is {value}, which {} (`{}`) does not have",
        T::DATATYPE,
        short_name::<T>()
    ))
    .with_hint("`read_lossy` takes the nearest that there is; a wider type holds it exactly")
}

fn shown(value: Wide) -> String {
    match value {
        Wide::Small(value) => value.to_string(),
        Wide::Int(value) => value.to_string(),
        Wide::Uint(value) => value.to_string(),
        Wide::Float(value) => format!("{value:?}"),
        Wide::Complex(re, im) => num_complex::Complex64::new(re, im).to_string(),
    }
}

/// `Complex<f16>` without the paths.
fn short_name<T>() -> String {
    let name = std::any::type_name::<T>();
    let parts: Vec<&str> = name.split('<').map(|part| part.rsplit("::").next().unwrap_or(part)).collect();
    parts.join("<")
}

fn no_number<T: Element>(array: &NdArray) -> Error {
    let hint = match array.datatype() {
        Datatype::Struct(_) => {
            "take a field with `field`, records with `records`, or any value with `elements`"
        }
        _ => "`elements` gives text",
    };
    Error::mismatch(format!(
        "the array holds {}, which is no number for `{}`",
        array.datatype(),
        short_name::<T>()
    ))
    .with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ByteOrder;
    use crate::error::Kind;
    use half::f16;
    use num_complex::Complex;

    /// Every datatype to every type: 1 is 1 everywhere.
    #[test]
    fn one_is_one_in_every_type() {
        fn all<T: Element>() {
            let one = [T::lossy(Wide::Int(1)); 3];
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let mut bytes = Vec::new();
                one.iter().for_each(|value| value.store(order, &mut bytes));
                let array = NdArray::from_bytes(T::DATATYPE, order, &[3], bytes).unwrap();
                with_each(&array);
            }
        }
        fn with_each(array: &NdArray) {
            fn check<T: Element>(array: &NdArray) {
                let one = [T::lossy(Wide::Int(1)); 3];
                assert_eq!(array.read::<T>().unwrap(), one, "{}", array.datatype());
                assert_eq!(array.read_lossy::<T>().unwrap(), one, "{}", array.datatype());
            }
            each!(check(array));
        }
        macro_rules! each {
            ($function:ident($($argument:expr)?)) => {
                each!(@ $function, ($($argument)?), i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f16 f32 f64
                    (Complex<f16>) (Complex<f32>) (Complex<f64>) bool)
            };
            (@ $function:ident, $arguments:tt, $($type:tt)*) => { $( each!(! $function, $arguments, $type); )* };
            (! $function:ident, ($($argument:expr)?), ($type:ty)) => { $function::<$type>($($argument)?) };
            (! $function:ident, ($($argument:expr)?), $type:ty) => { $function::<$type>($($argument)?) };
        }
        use each;
        each!(all());
    }

    #[test]
    fn what_is_not_exact_is_told() {
        let array = NdArray::new(&[2, 2], &[1_i32, 2, -3, 4]).unwrap();
        let error = array.read::<u8>().unwrap_err();
        assert_eq!(error.message(), "the element at [1, 0] is -3, which uint8 (`u8`) does not have");
        assert!(error.hint().unwrap().contains("read_lossy"));
        assert_eq!(array.read_lossy::<u8>().unwrap(), [1, 2, 253, 4]);
        assert_eq!(array.read::<Complex<f32>>().unwrap().len(), 4);
        let error = NdArray::new(&[1], &[f64::NAN]).unwrap().read::<i64>().unwrap_err();
        assert_eq!(error.message(), "the element at [0] is NaN, which int64 (`i64`) does not have");
        let text = NdArray::from_bytes(Datatype::Ascii(2), ByteOrder::Little, &[1], &b"ab"[..]).unwrap();
        assert_eq!(text.read::<f64>().unwrap_err().kind(), Kind::Mismatch);
        assert_eq!(short_name::<Complex<f16>>(), "Complex<f16>");
    }
}

//! Reading arrays of one datatype as another.

use super::cast::{Cast, Wide};
use super::datatype::to_usize;
use super::direct::Direct;
use super::{Datatype, Element, NdArray, View, layout};
use crate::error::{Code, Error, Result};

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

impl NdArray {
    /// Reads the elements in C order as Rust numbers, converted if that loses nothing.
    ///
    /// The elements are copied. A number of any datatype becomes a number of any other type if both are
    /// exactly equal. The mask is not applied.
    ///
    /// Only the kind of a NaN and the sign of a zero can be lost. A complex number with imaginary part 0
    /// becomes its real part. `bool` is 0 and 1.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[3], &[1.0_f64, 2.0, 300.5])?;
    /// assert_eq!(array.read::<f32>()?, [1.0, 2.0, 300.5]);
    /// assert_eq!(
    ///     array.read::<u8>().unwrap_err().message(),
    ///     "the element at [2] is 300.5, which does not fit uint8 (`u8`)"
    /// );
    /// assert_eq!(array.read_lossy::<u8>()?, [1, 2, 255]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if an element has no exact equal in `T` (the error gives
    /// its index and value), if the elements are not numbers, or if the array reaches outside its block.
    /// [`Limit`](crate::error::Kind::Limit) if there is not enough memory for the elements, as with strides
    /// of zero over a small block. Also if the block cannot be read or decoded.
    #[doc(alias = "astype")]
    #[doc(alias = "asarray")]
    pub fn read<T: Element>(&self) -> Result<Vec<T>> {
        exact(self)
    }

    /// Reads the elements in C order as Rust numbers, converted as Rust's `as` does.
    ///
    /// The elements are copied. A number that becomes a float is rounded to the nearest. An integer that does not
    /// fit another integer type wraps. A float that becomes an integer is truncated and clamped, and NaN becomes 0.
    /// A complex number becomes its real part. Any number except 0 is true. The mask is not applied.
    ///
    /// # Errors
    /// As [`read`](Self::read), except for elements without an exact equal.
    #[doc(alias = "astype")]
    pub fn read_lossy<T: Element>(&self) -> Result<Vec<T>> {
        lossy(self)
    }

    /// Reads the elements into existing memory, converted as [`read`](Self::read) does.
    ///
    /// `out` must have the length of the array. Its elements are in C order and this machine's byte order. Reusing
    /// memory is much faster than allocating it.
    ///
    /// If the block is read by position and is not compressed, the system writes the bytes directly into
    /// `out` when the datatype is that of `T`, and otherwise through a small buffer. No memory is allocated
    /// for the whole array. Only elements that are not packed are read separately first. From 8 MiB on, all
    /// processors are used if nothing but the byte order changes.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 2], &[1_u16, 2, 3, 4])?;
    /// let mut pixels = [0.0_f32; 4];
    /// array.read_into(&mut pixels)?;
    /// assert_eq!(pixels, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Mismatch`](crate::error::Kind::Mismatch) if `out` has another length.
    /// After an error the content of `out` is unspecified.
    pub fn read_into<T: Element>(&self, out: &mut [T]) -> Result<()> {
        exact_into(self, out)
    }

    /// Reads the elements into existing memory, converted as [`read_lossy`](Self::read_lossy) does.
    ///
    /// Otherwise as [`read_into`](Self::read_into).
    ///
    /// # Errors
    /// As [`read_into`](Self::read_into), except for elements without an exact equal.
    pub fn read_lossy_into<T: Element>(&self, out: &mut [T]) -> Result<()> {
        lossy_into(self, out)
    }
}

/// Reads all elements, each as exactly the same number.
fn exact<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    if let Some(direct) = Direct::of(array)? {
        return collected(array, |out| exact_direct(array, &direct, out));
    }
    if *array.datatype() == T::DATATYPE {
        return same(array);
    }
    with_element!(array.datatype(), S => {
        let view = checked_view::<S>(array)?;
        let mut is_exact = true;
        let values = convert(&view, exactly::<S, T>(&mut is_exact))?;
        if is_exact { Ok(values) } else { Err(first_fault::<S, T>(&view)) }
    }, else Err(no_number::<T>(array)))
}

/// Reads all elements, each converted as `as` does.
fn lossy<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    if let Some(direct) = Direct::of(array)? {
        return collected(array, |out| lossy_direct(array, &direct, out));
    }
    if *array.datatype() == T::DATATYPE {
        return same(array);
    }
    with_element!(array.datatype(), S => {
        convert(&checked_view::<S>(array)?, |value: S| T::lossy(value.to_wide()))
    }, else Err(no_number::<T>(array)))
}

/// Does the same as [`exact`], into a slice.
fn exact_into<T: Element>(array: &NdArray, out: &mut [T]) -> Result<()> {
    check_length(array, out.len())?;
    if let Some(direct) = Direct::of(array)? {
        return exact_direct(array, &direct, out);
    }
    if *array.datatype() == T::DATATYPE {
        return array.view::<T>()?.copy_to(out);
    }
    with_element!(array.datatype(), S => {
        let view = array.view::<S>()?;
        let mut is_exact = true;
        view.map_to(out, exactly::<S, T>(&mut is_exact));
        if is_exact { Ok(()) } else { Err(first_fault::<S, T>(&view)) }
    }, else Err(no_number::<T>(array)))
}

/// Does the same as [`lossy`], into a slice.
fn lossy_into<T: Element>(array: &NdArray, out: &mut [T]) -> Result<()> {
    check_length(array, out.len())?;
    if let Some(direct) = Direct::of(array)? {
        return lossy_direct(array, &direct, out);
    }
    if *array.datatype() == T::DATATYPE {
        return array.view::<T>()?.copy_to(out);
    }
    with_element!(array.datatype(), S => {
        array.view::<S>()?.map_to(out, |value: S| T::lossy(value.to_wide()));
        Ok(())
    }, else Err(no_number::<T>(array)))
}

fn exact_direct<T: Element>(array: &NdArray, direct: &Direct, out: &mut [T]) -> Result<()> {
    if *array.datatype() == T::DATATYPE {
        return direct.fill(out);
    }
    with_element!(array.datatype(), S => {
        let mut is_exact = true;
        direct.convert(out, exactly::<S, T>(&mut is_exact))?;
        if is_exact { Ok(()) } else { Err(first_fault::<S, T>(&array.view()?)) }
    }, else Err(no_number::<T>(array)))
}

fn lossy_direct<T: Element>(array: &NdArray, direct: &Direct, out: &mut [T]) -> Result<()> {
    if *array.datatype() == T::DATATYPE {
        return direct.fill(out);
    }
    with_element!(array.datatype(), S => direct.convert(out, |value: S| T::lossy(value.to_wide())),
        else Err(no_number::<T>(array)))
}

/// Converts one element exactly; one without an exact equal is recorded and becomes 0. Without an early exit,
/// the loop handles many elements at once.
#[inline]
fn exactly<S: Element, T: Element>(is_exact: &mut bool) -> impl FnMut(S) -> T {
    move |value: S| match T::exact(value.to_wide()) {
        Some(value) => value,
        None => {
            *is_exact = false;
            T::lossy(Wide::Small(0))
        }
    }
}

/// Allocates memory for all elements, which a function fills.
fn collected<T: Element>(array: &NdArray, fill: impl FnOnce(&mut [T]) -> Result<()>) -> Result<Vec<T>> {
    let count = to_usize(array.len())?;
    let mut values = T::zeros(count).ok_or_else(|| no_memory(count))?;
    fill(&mut values)?;
    Ok(values)
}

fn check_length(array: &NdArray, length: usize) -> Result<()> {
    if array.len() == length as u64 {
        return Ok(());
    }
    let message = format!("found a slice of {length} elements, expected {}", array.len());
    Err(Error::mismatch(message).with_code(Code::Shape))
}

fn same<T: Element>(array: &NdArray) -> Result<Vec<T>> {
    let view = checked_view::<T>(array)?;
    let mut values = reserved(view.len())?;
    view.append_to(&mut values);
    Ok(values)
}

fn checked_view<S: Element>(array: &NdArray) -> Result<View<S>> {
    let view = array.view::<S>()?;
    array.check_expansion(view.layout())?;
    Ok(view)
}

fn reserved<T>(count: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| no_memory(count))?;
    Ok(values)
}

fn no_memory(count: usize) -> Error {
    Error::no_memory(format_args!("{count} elements"))
}

fn convert<S: Element, T: Element>(view: &View<S>, cast: impl FnMut(S) -> T) -> Result<Vec<T>> {
    let mut values = reserved(view.len())?;
    view.append_mapped(&mut values, cast);
    Ok(values)
}

fn first_fault<S: Element, T: Element>(view: &View<S>) -> Error {
    let faulty = view.iter().enumerate().find(|(_, value)| T::exact(value.to_wide()).is_none());
    let (place, value) = match faulty {
        Some((place, value)) => (place, shown(value.to_wide())),
        None => (0, String::new()),
    };
    let index = layout::index_of(view.shape().iter().map(|&n| n as u64), place as u64);
    Error::mismatch(format!(
        "the element at {index:?} is {value}, which does not fit {} (`{}`)",
        T::DATATYPE,
        short_name::<T>()
    ))
    .with_hint("use a wider type, or `read_lossy` for the nearest number")
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
            "read a field with `field`, records with `records`, or any value with `elements`"
        }
        _ => "read text with `elements`",
    };
    Error::mismatch(format!(
        "found an array of {}, expected numbers for `{}`",
        array.datatype(),
        short_name::<T>()
    ))
    .with_code(Code::Datatype)
    .with_hint(hint)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::array::ndarray::Data;
    use crate::array::{ByteOrder, MemoryBlock, Slice};
    use crate::block::Compression;
    use crate::error::Kind;
    use crate::tree::{Block, Stored};
    use half::f16;
    use num_complex::Complex;

    /// Converts every datatype to every type: 1 is 1 everywhere.
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

    /// A block that is read by position.
    #[derive(Debug)]
    struct Positions(MemoryBlock);

    impl Block for Positions {
        fn size(&self) -> u64 {
            self.0.size()
        }

        fn read(&self, range: std::ops::Range<u64>) -> Result<bytes::Bytes> {
            self.0.read(range)
        }

        fn stored(&self) -> Result<Stored> {
            self.0.stored()
        }
    }

    /// However the elements are read, they are the same: by position or from memory, packed or not, into new
    /// or existing memory, and across the borders of pieces.
    #[test]
    fn all_ways_give_the_same_elements() {
        fn check<S: Element, T: Element>(make: impl Fn(u32) -> S) {
            // More than one piece of 16-byte elements, and not a whole number of pieces.
            let elements: Vec<S> = (0..20_011).map(make).collect();
            let expected: Vec<T> = elements.iter().map(|value| T::lossy(value.to_wide())).collect();
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let mut bytes = vec![1; 3];
                elements.iter().for_each(|value| value.store(order, &mut bytes));
                let memory = Arc::new(MemoryBlock::new(bytes.clone(), Compression::NONE));
                let whole = NdArray::from_bytes(S::DATATYPE, order, &[20_011], bytes.split_off(3)).unwrap();
                let whole = NdArray { offset: 3, data: Data::Own(memory.clone()), ..whole };
                let places = Data::Own(Arc::new(Positions(MemoryBlock::clone(&memory))));
                let by_position = NdArray { data: places, ..whole.clone() };
                for array in [&whole, &by_position] {
                    assert_eq!(array.read::<T>().unwrap(), expected, "{order:?}");
                    assert_eq!(array.read_lossy::<T>().unwrap(), expected, "{order:?}");
                    let mut out = vec![T::lossy(Wide::Small(1)); expected.len()];
                    array.read_into(&mut out).unwrap();
                    assert_eq!(out, expected, "{order:?}");
                    out.fill(T::lossy(Wide::Small(1)));
                    array.read_lossy_into(&mut out).unwrap();
                    assert_eq!(out, expected, "{order:?}");
                    let part = array.slice(&Slice::parse("5::-1").unwrap()).unwrap();
                    part.read_into(&mut out[..6]).unwrap();
                    assert!(out[..6].iter().eq(expected[..6].iter().rev()), "{order:?}");
                    let error = array.read_into(&mut out[1..]).unwrap_err();
                    assert_eq!(error.kind(), Kind::Mismatch);
                }
            }
        }
        check::<f64, f64>(f64::from);
        check::<u16, u16>(|i| u16::try_from(i).unwrap());
        check::<i128, i128>(i128::from);
        check::<f32, f64>(|i| i as f32);
        check::<u16, f32>(|i| u16::try_from(i).unwrap());
        check::<bool, bool>(|i| i % 3 == 0);
        check::<bool, u8>(|i| i % 3 == 0);
        check::<Complex<f32>, Complex<f32>>(|i| Complex::new(i as f32, 0.5));
        check::<Complex<f64>, Complex<f64>>(|i| Complex::new(i.into(), -1.0));
    }

    #[test]
    fn faults_are_found_by_position_too() {
        let bytes: Vec<u8> =
            (0..100_000_i32).map(|i| if i == 77_777 { -1 } else { i }).flat_map(i32::to_be_bytes).collect();
        let array =
            NdArray::from_bytes(Datatype::Int32, ByteOrder::Big, &[1000, 100], bytes.clone()).unwrap();
        let block = Positions(MemoryBlock::new(bytes, Compression::NONE));
        let array = NdArray { data: Data::Own(Arc::new(block)), ..array };
        let error = array.read::<u32>().unwrap_err();
        assert_eq!(error.message(), "the element at [777, 77] is -1, which does not fit uint32 (`u32`)");
        assert_eq!(array.read_into(&mut vec![0_u32; 100_000]).unwrap_err().message(), error.message());
    }

    #[test]
    fn errors_name_the_inexact_element() {
        let array = NdArray::new(&[2, 2], &[1_i32, 2, -3, 4]).unwrap();
        let error = array.read::<u8>().unwrap_err();
        assert_eq!(error.message(), "the element at [1, 0] is -3, which does not fit uint8 (`u8`)");
        assert!(error.hint().unwrap().to_string().contains("read_lossy"));
        assert_eq!(array.read_lossy::<u8>().unwrap(), [1, 2, 253, 4]);
        assert_eq!(array.read::<Complex<f32>>().unwrap().len(), 4);
        let error = NdArray::new(&[1], &[f64::NAN]).unwrap().read::<i64>().unwrap_err();
        assert_eq!(error.message(), "the element at [0] is NaN, which does not fit int64 (`i64`)");
        let text = NdArray::from_bytes(Datatype::Ascii(2), ByteOrder::Little, &[1], &b"ab"[..]).unwrap();
        assert_eq!(text.read::<f64>().unwrap_err().kind(), Kind::Mismatch);
        assert_eq!(short_name::<Complex<f16>>(), "Complex<f16>");
    }
}

//! The Rust types of elements.

use half::f16;
use num_complex::Complex;

use super::cast::Cast;
use super::{ByteOrder, Datatype};

/// A Rust type of the elements of an array.
///
/// The elements of structured arrays are [`Record`](super::Record)s.
///
/// | datatype | Rust |
/// |---|---|
/// | `int8` ... `int64`, `uint8` ... `uint64` | `i8` ... `i64`, `u8` ... `u64` |
/// | `int128`, `uint128` ([not standard](Datatype#beyond-the-standard)) | `i128`, `u128` |
/// | `float16` | [`half::f16`] |
/// | `float32`, `float64` | `f32`, `f64` |
/// | `complex64`, `complex128` | [`num_complex::Complex32`], [`num_complex::Complex64`] |
/// | `complex32` ([not standard](Datatype#beyond-the-standard)) | [`num_complex::Complex`]`<`[`half::f16`]`>` |
/// | `bool8` | `bool` |
///
/// ```
/// use asdf_core::array::Element;
/// use asdf_core::{NdArray, Result};
///
/// fn row<T: Element>(elements: &[T]) -> Result<NdArray> {
///     NdArray::new(&[elements.len() as u64], elements)
/// }
///
/// assert_eq!(row(&[1.5_f32, 2.5])?.datatype(), &f32::DATATYPE);
/// assert_eq!(row(&[true])?.read::<bool>()?, [true]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// The trait is sealed: other crates cannot implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array",
    label = "not a number, `bool` or `Complex`",
    note = "structs that derive `Record` are elements too: `NdArray::from_records`, or `#[asdf(records)]` on a field"
)]
pub trait Element: Cast + Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The datatype in a file.
    const DATATYPE: Datatype;

    /// The number of bytes of one element.
    const SIZE: usize;

    /// The number of bytes of each number in an element, the unit of the byte order.
    #[doc(hidden)]
    const WIDTH: usize;

    /// Reads one element from its bytes, which need no alignment. Missing bytes count as zero.
    #[must_use]
    fn load(bytes: &[u8], order: ByteOrder) -> Self;

    /// Appends the bytes of one element.
    fn store(self, order: ByteOrder, out: &mut Vec<u8>);

    /// Borrows bytes in this machine's order as elements, if they are aligned and a whole number of elements.
    #[doc(hidden)]
    #[must_use]
    fn cast(bytes: &[u8]) -> Option<&[Self]>;

    /// Returns the bytes of elements, in this machine's order.
    #[doc(hidden)]
    #[must_use]
    fn bytes(elements: &[Self]) -> &[u8];

    /// Returns the bytes of elements, in this machine's order, to be read into; `None` if some byte values
    /// are not valid elements.
    #[doc(hidden)]
    #[must_use]
    fn bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]>;

    /// Allocates `count` elements of zero, with zeroed memory of the system if possible. `None` if there is
    /// not enough memory.
    #[doc(hidden)]
    #[must_use]
    fn zeros(count: usize) -> Option<Vec<Self>>;
}

/// Other crates cannot implement [`Element`].
///
/// ```compile_fail,E0277
/// use asdf_core::Datatype;
/// use asdf_core::array::{ByteOrder, Element};
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// struct Flag(u8);
///
/// impl Element for Flag {
///     const DATATYPE: Datatype = Datatype::Uint8;
///     const SIZE: usize = 1;
///     const WIDTH: usize = 1;
///
///     fn load(bytes: &[u8], _: ByteOrder) -> Self {
///         Self(bytes[0])
///     }
///
///     fn store(self, _: ByteOrder, out: &mut Vec<u8>) {
///         out.push(self.0);
///     }
///
///     fn cast(_: &[u8]) -> Option<&[Self]> {
///         None
///     }
///
///     fn bytes(_: &[Self]) -> &[u8] {
///         &[]
///     }
///
///     fn bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
///         None
///     }
///
///     fn zeros(_: usize) -> Option<Vec<Self>> {
///         None
///     }
/// }
/// ```
#[cfg(doctest)]
struct Sealed;

macro_rules! numbers {
    ($($type:ty: $datatype:ident)*) => {$(
        impl Element for $type {
            const DATATYPE: Datatype = Datatype::$datatype;
            const SIZE: usize = size_of::<$type>();
            const WIDTH: usize = Self::SIZE;

            #[inline]
            fn load(bytes: &[u8], order: ByteOrder) -> Self {
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                match order {
                    ByteOrder::Little => Self::from_le_bytes(bytes),
                    ByteOrder::Big => Self::from_be_bytes(bytes),
                }
            }

            #[inline]
            fn store(self, order: ByteOrder, out: &mut Vec<u8>) {
                match order {
                    ByteOrder::Little => out.extend_from_slice(&self.to_le_bytes()),
                    ByteOrder::Big => out.extend_from_slice(&self.to_be_bytes()),
                }
            }

            #[inline]
            fn cast(bytes: &[u8]) -> Option<&[Self]> {
                bytemuck::try_cast_slice(bytes).ok()
            }

            #[inline]
            fn bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }

            #[inline]
            fn bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]> {
                Some(bytemuck::cast_slice_mut(elements))
            }

            fn zeros(count: usize) -> Option<Vec<Self>> {
                bytemuck::try_zeroed_vec(count).ok()
            }
        }
    )*};
}

numbers! {
    i8: Int8
    i16: Int16
    i32: Int32
    i64: Int64
    u8: Uint8
    u16: Uint16
    u32: Uint32
    u64: Uint64
    i128: Int128
    u128: Uint128
    f16: Float16
    f32: Float32
    f64: Float64
}

macro_rules! complex {
    ($($type:ty: $part:ty, $datatype:ident)*) => {$(
        impl Element for $type {
            const DATATYPE: Datatype = Datatype::$datatype;
            const SIZE: usize = size_of::<$type>();
            const WIDTH: usize = size_of::<$part>();

            #[inline]
            fn load(bytes: &[u8], order: ByteOrder) -> Self {
                let imaginary = bytes.get(size_of::<$part>()..).unwrap_or_default();
                Self::new(<$part>::load(bytes, order), <$part>::load(imaginary, order))
            }

            #[inline]
            fn store(self, order: ByteOrder, out: &mut Vec<u8>) {
                self.re.store(order, out);
                self.im.store(order, out);
            }

            #[inline]
            fn cast(bytes: &[u8]) -> Option<&[Self]> {
                bytemuck::try_cast_slice(bytes).ok()
            }

            #[inline]
            fn bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }

            #[inline]
            fn bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]> {
                Some(bytemuck::cast_slice_mut(elements))
            }

            fn zeros(count: usize) -> Option<Vec<Self>> {
                bytemuck::try_zeroed_vec(count).ok()
            }
        }
    )*};
}

complex! {
    Complex<f16>: f16, Complex32
    Complex<f32>: f32, Complex64
    Complex<f64>: f64, Complex128
}

impl Element for bool {
    const DATATYPE: Datatype = Datatype::Bool8;
    const SIZE: usize = 1;
    const WIDTH: usize = 1;

    #[inline]
    fn load(bytes: &[u8], _: ByteOrder) -> Self {
        bytes.first().is_some_and(|&byte| byte != 0)
    }

    #[inline]
    fn store(self, _: ByteOrder, out: &mut Vec<u8>) {
        out.push(u8::from(self));
    }

    #[inline]
    fn cast(bytes: &[u8]) -> Option<&[Self]> {
        bytemuck::checked::try_cast_slice(bytes).ok()
    }

    #[inline]
    fn bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }

    fn bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }

    fn zeros(count: usize) -> Option<Vec<Self>> {
        bytemuck::try_zeroed_vec(count).ok()
    }
}

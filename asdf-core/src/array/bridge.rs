//! Arrays of the crate `ndarray` (feature `ndarray`).

use ::ndarray::{
    Array as Owned, ArrayBase, ArrayD, ArrayView, Axis, Data, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6,
    IxDyn, ShapeBuilder,
};

use super::datatype::to_usize;
use super::{ANY_AXES, Array, Element, Holds, NdArray, Safely, View};
use crate::error::{Error, Result};

/// A number of axes.
#[derive(Debug)]
pub struct Axes<const N: usize>;

/// The `ndarray` type for a number of axes.
#[diagnostic::on_unimplemented(
    message = "the crate `ndarray` has no type for this number of axes",
    label = "expected 0 to 6 axes, or any number",
    note = "`into_inner()` gives the array without a number of axes, which becomes an `ArrayD`"
)]
pub trait Dimensional {
    /// `Ix0` to `Ix6`, or `IxDyn`.
    type Dim: Dimension;
}

macro_rules! dimensions {
    ($($axes:expr => $dim:ty),* $(,)?) => {$(
        impl Dimensional for Axes<{ $axes }> {
            type Dim = $dim;
        }
    )*};
}

dimensions! { 0 => Ix0, 1 => Ix1, 2 => Ix2, 3 => Ix3, 4 => Ix4, 5 => Ix5, 6 => Ix6, ANY_AXES => IxDyn }

/// The Rust type that the elements of an [`Array`] are read as.
pub trait ReadAs {
    /// The Rust type.
    type Element: Element;
}

impl<T: Element> ReadAs for T {
    type Element = T;
}

impl<T: Element> ReadAs for Safely<T> {
    type Element = T;
}

impl<T: Element, const N: usize> View<T, N>
where
    Axes<N>: Dimensional,
{
    /// Borrows the elements as an array of the crate `ndarray`, with their strides.
    ///
    /// `None` unless they are in this machine's byte order and aligned in memory. The number of axes is fixed
    /// (`ArrayView2`) if it is part of the array's type, as for [`Array`]`<f32, 2>`. Needs the feature
    /// `ndarray`.
    ///
    /// ```
    /// use asdf_core::array::{Array, Slice};
    /// use asdf_core::NdArray;
    /// use ndarray::{ArrayView2, array};
    ///
    /// let image = NdArray::new(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let flipped = image.slice(&[Slice::from(..).step(-1)])?;
    /// let flipped = Array::<f32, 2>::new(flipped)?.values()?;
    /// let pixels: ArrayView2<f32> = flipped.as_ndarray().expect("written on this machine");
    /// assert_eq!(pixels, array![[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn as_ndarray(&self) -> Option<ArrayView<'_, T, <Axes<N> as Dimensional>::Dim>> {
        let view = match self.as_slice() {
            Some(slice) => ArrayView::from_shape(IxDyn(self.shape()), slice).ok()?,
            None => {
                // `ndarray` counts strides from the lowest element; negative axes are inverted afterwards.
                let strides: Vec<usize> = self.strides().iter().map(|n| n.unsigned_abs() / T::SIZE).collect();
                let shape = IxDyn(self.shape()).strides(IxDyn(&strides));
                let mut view = ArrayView::from_shape(shape, self.lent()?).ok()?;
                for (axis, _) in self.strides().iter().enumerate().filter(|(_, stride)| **stride < 0) {
                    view.invert_axis(Axis(axis));
                }
                view
            }
        };
        view.into_dimensionality().ok()
    }

    /// Copies the elements in C order into an array of the crate `ndarray`.
    ///
    /// Needs the feature `ndarray`.
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) if the shape is too large for `ndarray`.
    pub fn to_ndarray(&self) -> Result<Owned<T, <Axes<N> as Dimensional>::Dim>> {
        of_vec(self.shape(), self.to_vec())
    }
}

impl NdArray {
    /// Reads the elements into an array of the crate `ndarray`, converted as [`read`](Self::read) does.
    ///
    /// Needs the feature `ndarray`.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 2], &[1_u8, 2, 3, 4])?;
    /// let matrix = array.to_ndarray::<f64>()?;
    /// assert_eq!(matrix.sum(), 10.0);
    /// let transposed = NdArray::try_from(matrix.t())?;
    /// assert_eq!(transposed.read::<u8>()?, [1, 3, 2, 4]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read); [`Limit`](crate::error::Kind::Limit) if the shape is too large for `ndarray`.
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>> {
        of_vec(&shape_of(self)?, self.read()?)
    }

    /// Reads the elements into an array of the crate `ndarray`, converted to the nearest number.
    ///
    /// Converts as [`read_lossy`](Self::read_lossy) does. Needs the feature `ndarray`.
    ///
    /// # Errors
    /// As [`read_lossy`](Self::read_lossy); [`Limit`](crate::error::Kind::Limit) if the shape is too large
    /// for `ndarray`.
    pub fn to_ndarray_lossy<T: Element>(&self) -> Result<ArrayD<T>> {
        of_vec(&shape_of(self)?, self.read_lossy()?)
    }
}

impl<T: Holds + ReadAs, const N: usize, const MOST: usize> Array<T, N, MOST>
where
    Axes<N>: Dimensional,
{
    /// Copies the elements into an array of the crate `ndarray` with `N` axes.
    ///
    /// An `Array<f32, 2>` becomes an `Array2<f32>`, and so does an `Array<Safely<f32>, 2>`. Needs the feature
    /// `ndarray`.
    ///
    /// ```
    /// use asdf_core::array::Array;
    /// use ndarray::{Array2, array};
    ///
    /// let dark = array![[1.0_f32, 2.0], [3.0, 4.0]];
    /// let image = Array::<f32, 2>::try_from(dark.clone())?; // the elements are moved
    /// let pixels: Array2<f32> = image.to_ndarray()? - dark;
    /// assert_eq!(pixels.sum(), 0.0);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`NdArray::to_ndarray`].
    pub fn to_ndarray(&self) -> Result<Owned<T::Element, <Axes<N> as Dimensional>::Dim>> {
        of_vec(&shape_of(self)?, self.read()?)
    }
}

fn shape_of(array: &NdArray) -> Result<Vec<usize>> {
    array.shape().iter().map(|&n| to_usize(n)).collect()
}

fn of_vec<T, D: Dimension>(shape: &[usize], values: Vec<T>) -> Result<Owned<T, D>> {
    let array = ArrayD::from_shape_vec(IxDyn(shape), values).and_then(ArrayD::into_dimensionality);
    array.map_err(|error| {
        Error::limit(format!("an array of shape {shape:?} is too large for `ndarray`")).with_source(error)
    })
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> TryFrom<ArrayBase<S, D>> for NdArray {
    type Error = Error;

    /// Makes an array to be written as a block.
    ///
    /// An owned array in C order is moved; the elements of other arrays are copied in C order. Needs the
    /// feature `ndarray`.
    fn try_from(array: ArrayBase<S, D>) -> Result<Self> {
        let shape: Vec<u64> = array.shape().iter().map(|&n| n as u64).collect();
        if !array.is_standard_layout() {
            return Self::from_vec(&shape, array.iter().copied().collect());
        }
        let count = array.len();
        let (elements, start) = array.into_owned().into_raw_vec_and_offset();
        if elements.len() == count {
            return Self::from_vec(&shape, elements);
        }
        // An array that was sliced in place is a part of its vector.
        let start = start.unwrap_or(0);
        Self::new(&shape, elements.get(start..start.saturating_add(count)).unwrap_or_default())
    }
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> TryFrom<&ArrayBase<S, D>> for NdArray {
    type Error = Error;

    /// Copies the elements of an array of any layout in C order, to be written as a block.
    ///
    /// Needs the feature `ndarray`.
    fn try_from(array: &ArrayBase<S, D>) -> Result<Self> {
        Self::try_from(array.view())
    }
}

impl<T, S, D, H, const N: usize, const MOST: usize> TryFrom<ArrayBase<S, D>> for Array<H, N, MOST>
where
    T: Element,
    S: Data<Elem = T>,
    D: Dimension,
    H: Holds,
{
    type Error = Error;

    /// Converts as for [`NdArray`]; fails if the array has another number of axes.
    ///
    /// Needs the feature `ndarray`.
    fn try_from(array: ArrayBase<S, D>) -> Result<Self> {
        Self::new(array.try_into()?)
    }
}

impl<T, S, D, H, const N: usize, const MOST: usize> TryFrom<&ArrayBase<S, D>> for Array<H, N, MOST>
where
    T: Element,
    S: Data<Elem = T>,
    D: Dimension,
    H: Holds,
{
    type Error = Error;

    /// Converts as for [`NdArray`]; fails if the array has another number of axes.
    ///
    /// Needs the feature `ndarray`.
    fn try_from(array: &ArrayBase<S, D>) -> Result<Self> {
        Self::new(array.try_into()?)
    }
}

#[cfg(test)]
mod tests {
    use ::ndarray::{Array as Owned, Array2, ArrayView2, arr0, array, s};

    use crate::array::{Array, ByteOrder, Datatype, NdArray, Safely, Slice, f16};

    fn numbers() -> Array2<i16> {
        Owned::from_iter(0..20).into_shape_with_order((4, 5)).unwrap()
    }

    #[test]
    fn every_layout_round_trips() {
        let array = numbers();
        for (name, part) in [
            ("whole", array.view()),
            ("transposed", array.t()),
            ("reversed", array.slice(s![..;-1, 1..;2])),
            ("empty", array.slice(s![0..0, ..])),
        ] {
            for ours in [NdArray::try_from(&part), NdArray::try_from(part.to_owned())] {
                let ours = ours.unwrap();
                assert_eq!(
                    ours.shape(),
                    part.shape().iter().map(|&n| n as u64).collect::<Vec<_>>(),
                    "{name}"
                );
                assert_eq!(ours.to_ndarray::<i16>().unwrap(), part.into_dyn(), "{name}");
            }
        }
        let single = NdArray::try_from(&arr0(2.5)).unwrap();
        assert_eq!(
            (single.shape(), single.to_ndarray::<f32>().unwrap()),
            ([].as_slice(), arr0(2.5).into_dyn())
        );
    }

    #[test]
    fn owned_arrays_are_moved() {
        let array = numbers();
        let address = array.as_ptr();
        let ours = NdArray::try_from(array).unwrap();
        assert_eq!(ours.view::<i16>().unwrap().as_slice().unwrap().as_ptr(), address);
        let sliced = numbers().slice_move(s![1..3, ..]);
        assert_eq!(NdArray::try_from(sliced).unwrap().read::<i16>().unwrap(), (5..15).collect::<Vec<_>>());
        let shared = numbers().into_shared();
        assert_eq!(NdArray::try_from(shared).unwrap().shape(), [4, 5]);
    }

    #[test]
    fn elements_are_borrowed_with_their_strides() {
        let ours = NdArray::try_from(numbers()).unwrap();
        let whole = ours.view::<i16>().unwrap();
        let lent = whole.as_ndarray().unwrap();
        assert_eq!(
            (lent.as_ptr(), &lent),
            (whole.as_slice().unwrap().as_ptr(), &numbers().view().into_dyn())
        );
        let parts = [
            (vec![Slice::ALL, Slice::from(1..).step(2)], numbers().slice(s![.., 1..;2]).to_owned()),
            (vec![Slice::from(..).step(-1)], numbers().slice(s![..;-1, ..]).to_owned()),
            (
                vec![Slice::from(..).step(-2), Slice::from(..).step(-1)],
                numbers().slice(s![..;-2, ..;-1]).to_owned(),
            ),
            (vec![Slice::from(2..2)], numbers().slice(s![2..2, ..]).to_owned()),
        ];
        for (slices, expected) in parts {
            let part = Array::<i16, 2>::new(ours.slice(&slices).unwrap()).unwrap();
            let view = part.values().unwrap();
            let lent: ArrayView2<'_, i16> = view.as_ndarray().unwrap();
            assert_eq!(lent, expected, "{slices:?}");
            let place = whole.as_slice().unwrap().as_ptr_range();
            assert!(lent.is_empty() || place.contains(&lent.as_ptr()), "{slices:?} was copied");
            assert_eq!(view.to_ndarray().unwrap(), expected);
        }
        let other = if ByteOrder::NATIVE == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big };
        let swapped = ours.clone().with_byteorder(other).unwrap();
        let view = swapped.view::<i16>().unwrap();
        assert!(view.as_ndarray().is_none());
        assert_eq!(view.to_ndarray().unwrap(), numbers().into_dyn());
    }

    #[test]
    fn only_aligned_elements_are_borrowed() {
        let bytes = bytes::Bytes::from(vec![0_u8; 5]);
        let lent = |at: usize| {
            let part = bytes.slice(at..at + 4);
            let array = NdArray::from_bytes(Datatype::Int16, ByteOrder::NATIVE, &[2], part).unwrap();
            array.view::<i16>().unwrap().as_ndarray().is_some()
        };
        assert_ne!(lent(0), lent(1));
    }

    #[test]
    fn the_number_of_axes_of_the_type_is_kept() {
        let image = Array::<i16, 2>::try_from(numbers()).unwrap();
        let pixels: Array2<i16> = image.to_ndarray().unwrap();
        assert_eq!(pixels, numbers());
        let safe = Array::<Safely<f32>, 2>::try_from(&numbers()).unwrap();
        assert_eq!(safe.to_ndarray().unwrap(), numbers().mapv(f32::from));
        let any = Array::<i16>::try_from(numbers()).unwrap();
        assert_eq!(any.to_ndarray().unwrap(), numbers().into_dyn());
        let error = Array::<i16, 3>::try_from(numbers()).unwrap_err();
        assert!(error.message().contains("with 2 axes, expected one of int16 with 3 axes"), "{error}");
        assert!(Array::<f32, 2>::try_from(numbers()).is_err());
        assert_eq!(image.to_ndarray().unwrap().row(1).sum(), 5 + 6 + 7 + 8 + 9);
    }

    #[test]
    fn lossy_conversion_is_one_call() {
        let halves = [f16::from_f32(0.1), f16::from_f32(2.5)];
        let array = NdArray::new(&[1, 2], &halves).unwrap();
        assert_eq!(array.to_ndarray_lossy::<f32>().unwrap(), array![[halves[0].to_f32(), 2.5]].into_dyn());
        assert_eq!(array.to_ndarray_lossy::<u8>().unwrap(), array![[0_u8, 2]].into_dyn());
        assert!(array.to_ndarray::<u8>().is_err());
    }
}

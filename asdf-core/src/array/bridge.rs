//! Arrays of the crate `ndarray` (feature `ndarray`).

use ::ndarray::{ArrayBase, ArrayD, ArrayViewD, Data, Dimension, IxDyn};

use super::datatype::to_usize;
use super::{Element, NdArray, View};
use crate::error::{Error, Result};

impl<T: Element> View<T> {
    /// The elements as an array of the crate `ndarray`, borrowed from where they are: only when they
    /// are packed, in this machine's byte order and aligned in memory, as for
    /// [`as_slice`](Self::as_slice). Needs the feature `ndarray`.
    #[must_use]
    pub fn as_ndarray(&self) -> Option<ArrayViewD<'_, T>> {
        ArrayViewD::from_shape(IxDyn(self.shape()), self.as_slice()?).ok()
    }

    /// The elements as an array of the crate `ndarray`, copied in C order. Needs the feature
    /// `ndarray`.
    ///
    /// # Errors
    /// [`Limit`](crate::ErrorKind::Limit) when the shape is more than `ndarray` can hold.
    pub fn to_ndarray(&self) -> Result<ArrayD<T>> {
        of_vec(self.shape(), self.to_vec())
    }
}

impl NdArray {
    /// The elements as an array of the crate `ndarray`, copied and converted as by
    /// [`read`](Self::read). Needs the feature `ndarray`.
    ///
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let array = NdArray::new(&[2, 2], &[1_u8, 2, 3, 4])?;
    /// let matrix = array.to_ndarray::<f64>()?;
    /// assert_eq!(matrix.sum(), 10.0);
    /// let transposed = NdArray::try_from(&matrix.t())?;
    /// assert_eq!(transposed.read::<u8>()?, [1, 3, 2, 4]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read); [`Limit`](crate::ErrorKind::Limit) when the shape is more than `ndarray` can hold.
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>> {
        let shape = self.shape().iter().map(|&n| to_usize(n)).collect::<Result<Vec<_>>>()?;
        of_vec(&shape, self.read()?)
    }
}

fn of_vec<T>(shape: &[usize], values: Vec<T>) -> Result<ArrayD<T>> {
    ArrayD::from_shape_vec(IxDyn(shape), values).map_err(|error| {
        Error::limit(format!("an array of shape {shape:?} is more than `ndarray` can hold"))
            .with_source(error)
    })
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> TryFrom<&ArrayBase<S, D>> for NdArray {
    type Error = Error;

    /// The elements of an array of whatever layout, copied in C order, to be written as a block. Needs
    /// the feature `ndarray`.
    fn try_from(array: &ArrayBase<S, D>) -> Result<Self> {
        let shape: Vec<u64> = array.shape().iter().map(|&n| n as u64).collect();
        match array.as_slice() {
            Some(elements) => Self::new(&shape, elements),
            None => Self::new(&shape, &array.iter().copied().collect::<Vec<_>>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use ::ndarray::{Array, Array2, arr0, s};

    use crate::NdArray;
    use crate::array::{ByteOrder, Slice};

    #[test]
    fn there_and_back_in_every_layout() {
        let array: Array2<i16> = Array::from_iter(0..20).into_shape_with_order((4, 5)).unwrap();
        for (name, part) in [
            ("whole", array.view()),
            ("transposed", array.t()),
            ("reversed", array.slice(s![..;-1, 1..;2])),
            ("empty", array.slice(s![0..0, ..])),
        ] {
            let ours = NdArray::try_from(&part).unwrap();
            assert_eq!(ours.shape(), part.shape().iter().map(|&n| n as u64).collect::<Vec<_>>(), "{name}");
            assert_eq!(ours.to_ndarray::<i16>().unwrap(), part.into_dyn(), "{name}");
        }
        let single = NdArray::try_from(&arr0(2.5)).unwrap();
        assert_eq!(
            (single.shape(), single.to_ndarray::<f32>().unwrap()),
            ([].as_slice(), arr0(2.5).into_dyn())
        );
    }

    #[test]
    fn packed_native_elements_are_lent() {
        let array = NdArray::new(&[2, 3], &[1_u64, 2, 3, 4, 5, 6]).unwrap();
        let view = array.view::<u64>().unwrap();
        // A vector of bytes may lie anywhere; what lies right is lent, and is the same.
        if let Some(lent) = view.as_ndarray() {
            assert_eq!(lent.as_ptr(), view.as_slice().unwrap().as_ptr());
            assert_eq!(lent, view.to_ndarray().unwrap());
        }
        let bytes = array.view::<u64>().unwrap();
        assert_eq!(bytes.as_ndarray().is_some(), bytes.as_slice().is_some());
        let other = if ByteOrder::NATIVE == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big };
        let swapped = array.clone().with_byteorder(other).unwrap();
        let view = swapped.view::<u64>().unwrap();
        assert!(view.as_ndarray().is_none());
        assert_eq!(view.to_ndarray().unwrap(), array.to_ndarray::<u64>().unwrap());
        let part = array.slice(&[Slice::ALL, Slice::from(::std::ops::RangeFrom { start: 1 })]).unwrap();
        assert_eq!(part.to_ndarray::<u8>().unwrap().sum(), 16);
        assert_eq!(
            NdArray::new(&[2], &[1_u8, 2]).unwrap().view::<u8>().unwrap().as_ndarray().unwrap().sum(),
            3
        );
    }
}

//! The axes of an array that are drawn.

use asdf_core::array::Slice;
use asdf_core::{Error, NdArray, Result};

/// Returns the last two axes of an array, at index 0 of the axes before them, and the number of those.
///
/// An array with one or two axes stays as it is.
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) for a single value, and the errors of [`NdArray::slice`].
///
/// # Examples
/// ```
/// let cube = asdf_core::NdArray::new(&[2, 1, 3], &[1, 2, 3, 4, 5, 6])?;
/// let (image, left_out) = asdf_picture::last_axes(cube)?;
/// assert_eq!((image.shape(), left_out), ([1, 3].as_slice(), 1));
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn last_axes(array: NdArray) -> Result<(NdArray, usize)> {
    match array.shape().len() {
        0 => Err(Error::usage("found a single value, expected an image or a line")),
        1 | 2 => Ok((array, 0)),
        axes => Ok((array.slice(&vec![Slice::Index(0); axes - 2])?, axes - 2)),
    }
}

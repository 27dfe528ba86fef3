//! The elements of an array as Rust numbers.

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;

use super::layout::{Layout, Offsets};
use super::{ByteOrder, Element, NdArray, copy, debug, swap};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The number of axes of an [`Array`](super::Array) with any number of axes.
pub const ANY_AXES: usize = usize::MAX;

/// The elements of an array, borrowed from its bytes.
///
/// A view holds only the bytes between the first and the last element, and copies them only on request.
///
/// Elements are loaded one by one, with any byte order, strides and alignment, which costs next to nothing.
/// [`as_slice`](Self::as_slice) borrows them all as a Rust slice if they are packed, in this machine's byte
/// order and aligned in memory, as in files that this crate wrote. The mask is not applied: see
/// [`NdArray::mask`](super::NdArray::mask).
///
/// `N` is the number of axes, if the type of the array fixes it: see [`Array`](super::Array).
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
///
/// let image = NdArray::new(&[2, 3], &[1_u16, 2, 3, 4, 5, 6])?;
/// let pixels = image.view::<u16>()?;
/// assert_eq!(pixels.get(&[1, 2]), Some(6));
/// assert_eq!(pixels.iter().map(u64::from).sum::<u64>(), 21);
/// assert_eq!(pixels.as_slice(), Some([1, 2, 3, 4, 5, 6].as_slice()));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Clone)]
pub struct View<T, const N: usize = ANY_AXES> {
    bytes: Bytes,
    layout: Layout,
    order: ByteOrder,
    /// The number of threads that copy the elements.
    threads: Threads,
    element: PhantomData<T>,
}

impl NdArray {
    /// Returns a view of the elements as Rust numbers of exactly this datatype.
    ///
    /// Nothing is copied if the source can lend its bytes: memory, a memory map, a decoded block. Otherwise
    /// the bytes are read here, once.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    ///
    /// let spectrum = NdArray::new(&[3], &[1.5_f32, 2.5, 4.0])?;
    /// let view = spectrum.view::<f32>()?;
    /// assert_eq!(view.get(&[2]), Some(4.0));
    /// assert_eq!(view.iter().sum::<f32>(), 8.0);
    /// assert!(spectrum.view::<f64>().is_err()); // `read` converts
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the datatype is another ([`read`](Self::read) converts),
    /// or the array reaches outside its block. Also if the block cannot be read or decoded.
    #[doc(alias = "memmap")]
    pub fn view<T: Element>(&self) -> Result<View<T>> {
        if self.datatype != T::DATATYPE {
            return Err(Error::mismatch(format!(
                "found an array of {}, expected one of {} (`{}`)",
                self.datatype,
                T::DATATYPE,
                std::any::type_name::<T>()
            ))
            .with_hint(
                "use `read` to convert numbers; `asdf_core::array::Element` lists the Rust type of each datatype",
            ));
        }
        let (bytes, layout) = self.load()?;
        Ok(View::new(bytes, layout, self.byteorder, self.threads()))
    }
}

impl<T: Element> View<T> {
    pub(super) fn new(bytes: Bytes, layout: Layout, order: ByteOrder, threads: Threads) -> Self {
        Self { bytes, layout, order, threads, element: PhantomData }
    }

    /// Fixes the number of axes, which the caller has checked.
    pub(super) fn with_axes<const N: usize>(self) -> View<T, N> {
        let Self { bytes, layout, order, threads, element } = self;
        View { bytes, layout, order, threads, element }
    }
}

impl<T: Element, const N: usize> View<T, N> {
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the shape in C order; it is empty for a single value.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// Returns the distance in bytes from one element to the next along each axis.
    ///
    /// A stride is negative or zero if the file says so. It differs from the file's if only the elements were
    /// read, not the bytes between them.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.layout.strides
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.count
    }

    /// Returns whether the view has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.count == 0
    }

    /// Returns the element at an index, one number for each axis; `None` outside the shape.
    #[must_use]
    pub fn get(&self, index: &[usize]) -> Option<T> {
        self.layout.offset_of(index).map(|at| self.load(at))
    }

    fn load(&self, at: usize) -> T {
        T::load(self.bytes.get(at..).unwrap_or_default(), self.order)
    }

    /// Returns an iterator over the elements in C order.
    ///
    /// If they are packed, this is as fast as over a slice, above all with `for_each`, `fold`, `sum` and
    /// similar methods.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, T> {
        let walk = if self.layout.is_packed() {
            Walk::Packed(self.packed_bytes())
        } else {
            Walk::Strided(&self.bytes, Box::new(self.layout.offsets()))
        };
        Iter { walk, order: self.order, element: PhantomData }
    }

    /// Returns the elements in C order as a slice, without a copy.
    ///
    /// `None` unless they are packed, in this machine's byte order and aligned in memory.
    #[must_use]
    pub fn as_slice(&self) -> Option<&[T]> {
        let native = self.order == ByteOrder::NATIVE || T::SIZE == 1;
        if !native || !self.layout.is_packed() {
            return None;
        }
        T::cast(self.packed_bytes())
    }

    /// Borrows the bytes from the lowest element to the highest as elements, with whatever is between them.
    /// Works for arrays with strides too.
    #[cfg(feature = "ndarray")]
    pub(super) fn lent(&self) -> Option<&[T]> {
        let is_native = self.order == ByteOrder::NATIVE || T::WIDTH == 1;
        let whole = self.layout.strides.iter().all(|stride| stride.unsigned_abs() % T::SIZE == 0);
        if is_native && whole { T::cast(self.bytes.get(self.layout.extent())?) } else { None }
    }

    fn packed_bytes(&self) -> &[u8] {
        let start = self.layout.offset;
        self.bytes.get(start..start + self.layout.count * T::SIZE).unwrap_or_default()
    }

    /// Copies the elements in C order into a vector, converted to this machine's byte order.
    #[must_use]
    #[doc(alias = "tolist")]
    pub fn to_vec(&self) -> Vec<T> {
        let mut values = Vec::with_capacity(self.len());
        self.append_to(&mut values);
        values
    }

    /// Appends the elements in C order.
    pub(super) fn append_to(&self, values: &mut Vec<T>) {
        if let Some(slice) = self.as_slice() {
            values.extend_from_slice(slice);
        } else if self.layout.is_packed() {
            self.append_mapped(values, |value| value);
        } else {
            let start = values.len();
            values.resize(start + self.len(), T::lossy(super::cast::Wide::Small(0)));
            copy::elements(
                &self.bytes,
                &self.layout,
                self.order,
                values.get_mut(start..).unwrap_or_default(),
            );
        }
    }

    /// Appends the result of a function for each element, in C order. Handles many elements at once if they
    /// are packed.
    pub(super) fn append_mapped<U>(&self, values: &mut Vec<U>, mut f: impl FnMut(T) -> U) {
        if !self.layout.is_packed() {
            return self.iter().for_each(|value| values.push(f(value)));
        }
        // An iterator of the standard library, whose length `extend` trusts.
        let chunks = self.packed_bytes().chunks_exact(T::SIZE);
        match self.order {
            ByteOrder::Little => values.extend(chunks.map(|bytes| f(T::load(bytes, ByteOrder::Little)))),
            ByteOrder::Big => values.extend(chunks.map(|bytes| f(T::load(bytes, ByteOrder::Big)))),
        }
    }

    /// Copies the elements in C order into a slice of the same length.
    ///
    /// They are converted to this machine's byte order. Reusing memory in this way is much faster than
    /// allocating it.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the slice has another length.
    pub fn copy_to(&self, out: &mut [T]) -> Result<()> {
        if out.len() != self.len() {
            return Err(Error::mismatch(format!(
                "found a slice of {} elements, expected {}",
                out.len(),
                self.len()
            )));
        }
        self.fill(out)
    }

    /// Copies the elements in C order into a slice of the same length.
    fn fill(&self, out: &mut [T]) -> Result<()> {
        // Packed elements are copied as bytes, aligned or not.
        let Some(out) = T::bytes_mut(out).filter(|_| self.layout.is_packed()) else {
            copy::elements(&self.bytes, &self.layout, self.order, out);
            return Ok(());
        };
        self.threads.fill(out, |at, share| {
            let bytes = self.packed_bytes().get(at..at + share.len()).unwrap_or_default();
            match self.order {
                ByteOrder::NATIVE => share.copy_from_slice(bytes),
                _ => swap::copy(bytes, share, T::WIDTH),
            }
            Ok(())
        })
    }

    /// Writes the result of a function for each element into a slice of the same length, in C order.
    pub(super) fn map_to<U>(&self, out: &mut [U], mut f: impl FnMut(T) -> U) {
        let mut slots = out.iter_mut();
        self.iter().for_each(|value| {
            if let Some(slot) = slots.next() {
                *slot = f(value);
            }
        });
    }
}

impl<T: Element, const N: usize> fmt::Debug for View<T, N> {
    /// Writes one line: datatype, shape, byte order if it is not this machine's, and strides if the
    /// elements are not packed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("View(")?;
        debug::elements(&T::DATATYPE, self.shape(), self.order, f)?;
        if !self.layout.is_packed() {
            write!(f, ", strides {:?}", self.strides())?;
        }
        f.write_str(")")
    }
}

impl<'a, T: Element, const N: usize> IntoIterator for &'a View<T, N> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// The elements of a [`View`] in C order.
#[derive(Clone)]
pub struct Iter<'a, T> {
    walk: Walk<'a>,
    order: ByteOrder,
    element: PhantomData<T>,
}

#[derive(Clone)]
enum Walk<'a> {
    /// One element after the other.
    Packed(&'a [u8]),
    /// Elements at these offsets in these bytes.
    Strided(&'a [u8], Box<Offsets>),
}

impl<T: Element> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match &mut self.walk {
            Walk::Packed(rest) => {
                let (bytes, after) = rest.split_at_checked(T::SIZE)?;
                *rest = after;
                Some(T::load(bytes, self.order))
            }
            Walk::Strided(bytes, offsets) => {
                offsets.next().map(|at| T::load(bytes.get(at..).unwrap_or_default(), self.order))
            }
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        match &mut self.walk {
            Walk::Packed(rest) => {
                *rest = n.checked_mul(T::SIZE).and_then(|skipped| rest.get(skipped..)).unwrap_or_default();
                self.next()
            }
            Walk::Strided(bytes, offsets) => {
                offsets.nth(n).map(|at| T::load(bytes.get(at..).unwrap_or_default(), self.order))
            }
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, mut f: F) -> B {
        let order = self.order;
        match (self.walk, order) {
            // Size and byte order are constants in each loop.
            (Walk::Packed(rest), ByteOrder::Little) => {
                rest.chunks_exact(T::SIZE).fold(init, |all, bytes| f(all, T::load(bytes, ByteOrder::Little)))
            }
            (Walk::Packed(rest), ByteOrder::Big) => {
                rest.chunks_exact(T::SIZE).fold(init, |all, bytes| f(all, T::load(bytes, ByteOrder::Big)))
            }
            (Walk::Strided(bytes, offsets), _) => {
                offsets.fold(init, |all, at| f(all, T::load(bytes.get(at..).unwrap_or_default(), order)))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.walk {
            Walk::Packed(rest) => (rest.len() / T::SIZE, Some(rest.len() / T::SIZE)),
            Walk::Strided(_, offsets) => offsets.size_hint(),
        }
    }
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<T: Element> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Iter({}, {} left)", T::DATATYPE, self.len())
    }
}

//! An array's elements as Rust numbers.

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;

use super::layout::{Layout, Offsets};
use super::{ByteOrder, Element, NdArray, copy, debug, swap};
use crate::error::{Error, Result};
use crate::threads::Threads;

/// The number of axes of an [`Array`](super::Array) that may have any.
pub const ANY_AXES: usize = usize::MAX;

/// The elements of an array, borrowed from its bytes: nothing is copied until it is asked for, and
/// only the bytes between the first and the last element are held.
///
/// Elements are loaded one by one, whatever their byte order, strides and alignment, which costs next to
/// nothing. [`as_slice`](Self::as_slice) lends them as they are where that is possible: if they are packed,
/// in this machine's byte order and aligned in memory, as in files that this crate wrote. The mask is not
/// applied: see [`NdArray::mask`](super::NdArray::mask).
///
/// `N` is the number of axes, if the type of the array says it: see [`Array`](super::Array).
///
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
    /// On how many threads the elements are copied.
    threads: Threads,
    element: PhantomData<T>,
}

impl NdArray {
    /// The elements as Rust numbers of exactly this datatype, without a copy where the source lends
    /// its bytes (memory, a map, a block that was decoded); else the bytes are read once, here.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the datatype is another ([`read`](Self::read) converts), or
    /// the array reaches outside its block; also when the block cannot be read or decoded.
    pub fn view<T: Element>(&self) -> Result<View<T>> {
        if self.datatype != T::DATATYPE {
            return Err(Error::mismatch(format!(
                "the array holds {}, and {} reads {}",
                self.datatype,
                std::any::type_name::<T>(),
                T::DATATYPE
            ))
            .with_hint(
                "`read` converts numbers; the table of `asdf_core::array::Element` lists the Rust type of each datatype",
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

    /// The same, for an array that has been found to have `N` axes.
    pub(super) fn with_axes<const N: usize>(self) -> View<T, N> {
        let Self { bytes, layout, order, threads, element } = self;
        View { bytes, layout, order, threads, element }
    }
}

impl<T: Element, const N: usize> View<T, N> {
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The shape in C order; empty for a single value.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// The distance between neighbours along each axis, in bytes; negative or zero where a file
    /// says so, and another than in the file where only the elements were read and not what is
    /// between them.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.layout.strides
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.count
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.count == 0
    }

    /// The element at an index, one number for each axis; `None` outside the shape.
    #[must_use]
    pub fn get(&self, index: &[usize]) -> Option<T> {
        self.layout.offset_of(index).map(|at| self.load(at))
    }

    fn load(&self, at: usize) -> T {
        T::load(self.bytes.get(at..).unwrap_or_default(), self.order)
    }

    /// The elements in C order. Where they are packed, this is as fast as over a slice, most of all
    /// through `for_each`, `fold`, `sum` and their like.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, T> {
        let walk = if self.layout.is_packed() {
            Walk::Packed(self.packed_bytes())
        } else {
            Walk::Strided(&self.bytes, Box::new(self.layout.offsets()))
        };
        Iter { walk, order: self.order, element: PhantomData }
    }

    /// The elements in C order where they are, without a copy: only when they are packed, in this
    /// machine's byte order and aligned in memory.
    #[must_use]
    pub fn as_slice(&self) -> Option<&[T]> {
        let native = self.order == ByteOrder::NATIVE || T::SIZE == 1;
        if !native || !self.layout.is_packed() {
            return None;
        }
        T::cast(self.packed_bytes())
    }

    /// The elements from the one that lies lowest in memory to the highest, with what is between them,
    /// where they can be lent: for arrays that have strides too.
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

    /// The elements in C order, copied and converted to this machine's byte order.
    #[must_use]
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

    /// Appends what a function makes of each element, in C order: many elements at once where they
    /// are packed.
    pub(super) fn append_mapped<U>(&self, values: &mut Vec<U>, mut f: impl FnMut(T) -> U) {
        if !self.layout.is_packed() {
            return self.iter().for_each(|value| values.push(f(value)));
        }
        // A chain of std's own iterators, whose length it trusts.
        let chunks = self.packed_bytes().chunks_exact(T::SIZE);
        match self.order {
            ByteOrder::Little => values.extend(chunks.map(|bytes| f(T::load(bytes, ByteOrder::Little)))),
            ByteOrder::Big => values.extend(chunks.map(|bytes| f(T::load(bytes, ByteOrder::Big)))),
        }
    }

    /// Copies the elements in C order into a slice of as many, converted to this machine's byte
    /// order: for memory that is used again, which is much faster than fresh memory.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the slice has another length.
    pub fn copy_to(&self, out: &mut [T]) -> Result<()> {
        if out.len() != self.len() {
            return Err(Error::mismatch(format!(
                "there is room for {} elements, but the array has {}",
                out.len(),
                self.len()
            )));
        }
        self.fill(out)
    }

    /// Copies the elements in C order into a slice of as many.
    fn fill(&self, out: &mut [T]) -> Result<()> {
        // What is packed is copied as bytes, aligned or not.
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

    /// Writes what a function makes of each element into a slice of as many, in C order.
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
    /// One after the other.
    Packed(&'a [u8]),
    /// By their offsets in these bytes.
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
            // Size and order are constants in each loop.
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

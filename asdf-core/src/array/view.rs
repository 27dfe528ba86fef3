//! An array's elements as Rust numbers.

use std::marker::PhantomData;

use bytes::Bytes;

use super::layout::{Layout, Offsets};
use super::{ByteOrder, Element};

/// The elements of an array, borrowed from its bytes: nothing is copied until it is asked for, and
/// only the bytes between the first and the last element are held.
///
/// Bytes are rarely aligned to their elements in a file, and may be in the other byte order, so
/// elements are loaded one by one; [`as_slice`](Self::as_slice) lends them as they are where that is
/// possible. The mask is not applied: see [`NdArray::mask`](super::NdArray::mask).
#[derive(Debug, Clone)]
pub struct View<T> {
    bytes: Bytes,
    layout: Layout,
    order: ByteOrder,
    element: PhantomData<T>,
}

impl<T: Element> View<T> {
    pub(super) fn new(bytes: Bytes, layout: Layout, order: ByteOrder) -> Self {
        Self { bytes, layout, order, element: PhantomData }
    }

    /// The shape in C order; empty for a single value.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// The distance between neighbours along each axis, in bytes; negative or zero where a file
    /// says so.
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

    /// The elements in C order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + '_ {
        let offsets: Offsets<'_> = self.layout.offsets();
        offsets.map(|at| self.load(at))
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

    fn packed_bytes(&self) -> &[u8] {
        let start = self.layout.offset;
        self.bytes.get(start..start + self.layout.count * T::SIZE).unwrap_or_default()
    }

    /// The elements in C order, copied and converted to this machine's byte order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        if let Some(slice) = self.as_slice() {
            return slice.to_vec();
        }
        if self.layout.is_packed() {
            let order = self.order;
            return self.packed_bytes().chunks_exact(T::SIZE).map(|bytes| T::load(bytes, order)).collect();
        }
        self.iter().collect()
    }
}

//! The layout of the elements of an array in its bytes.

use std::ops::Range;

use super::datatype::to_usize;
use crate::error::{Error, Result};

/// Shape, strides and offset of an array, checked against each other and the block, so that every element is
/// inside. Strides and offset are in bytes; the shape is in C order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) shape: Vec<usize>,
    pub(super) strides: Vec<isize>,
    /// The offset of the first element.
    pub(super) offset: usize,
    pub(super) item: usize,
    pub(super) count: usize,
}

impl Layout {
    /// Checks a layout against the number of available bytes. Nothing is read.
    pub(super) fn new(
        shape: &[u64],
        strides: Option<&[i64]>,
        offset: u64,
        item: u64,
        bytes: u64,
    ) -> Result<Self> {
        let count = Self::check(shape, strides, offset, item, bytes)?;
        let strides = match strides {
            Some(strides) => strides.to_vec(),
            None => packed(shape, item).ok_or_else(|| too_large(shape))?,
        };
        Ok(Self {
            shape: shape.iter().map(|&n| to_usize(n)).collect::<Result<_>>()?,
            strides: strides
                .iter()
                .map(|&stride| isize::try_from(stride).map_err(|_| too_large(shape)))
                .collect::<Result<_>>()?,
            offset: to_usize(offset)?,
            item: to_usize(item)?,
            count: to_usize(count)?,
        })
    }

    /// Makes only the checks of [`new`](Self::new). Returns the number of elements.
    pub(super) fn check(
        shape: &[u64],
        strides: Option<&[i64]>,
        offset: u64,
        item: u64,
        bytes: u64,
    ) -> Result<u64> {
        // Checked even if one axis is 0: the product of a shape must never overflow.
        let whole = shape.iter().try_fold(item.max(1), |size, &n| size.checked_mul(n.max(1)));
        // The strides of packed elements must fit 63 bits.
        let fits = |size: &u64| strides.is_some() || i64::try_from(*size).is_ok();
        whole.filter(fits).ok_or_else(|| too_large(shape))?;
        let count: u64 = shape.iter().product();
        if let Some(strides) = strides.filter(|strides| strides.len() != shape.len()) {
            return Err(Error::mismatch(format!(
                "found {} strides, expected {} as in the shape",
                strides.len(),
                shape.len()
            ))
            .under("strides"));
        }
        if count == 0 {
            return Ok(0);
        }
        let (mut low, mut high) = (i128::from(offset), i128::from(offset));
        match strides {
            None => high += i128::from(count) * i128::from(item),
            Some(strides) => {
                high += i128::from(item);
                for (&n, &stride) in shape.iter().zip(strides) {
                    let reach = i128::from(stride) * (i128::from(n) - 1);
                    *(if reach < 0 { &mut low } else { &mut high }) += reach;
                }
            }
        }
        if low < 0 || high > i128::from(bytes) {
            return Err(Error::mismatch(format!(
                "the array needs the bytes {low} to {high} of its data, which has {bytes} bytes"
            ))
            .with_hint("check shape, strides, offset and datatype: they determine the size of the data"));
        }
        Ok(count)
    }

    /// Returns the range of bytes that holds the elements, from the lowest to the highest.
    pub(super) fn extent(&self) -> Range<usize> {
        // Without elements, the offset can be anything.
        if self.count == 0 {
            return 0..0;
        }
        let (mut low, mut high) = (self.offset, self.offset.saturating_add(self.item));
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = stride.unsigned_abs().saturating_mul(n.saturating_sub(1));
            if stride < 0 {
                low = low.saturating_sub(reach);
            } else {
                high = high.saturating_add(reach);
            }
        }
        low..high
    }

    /// Returns the same layout for bytes that begin at `start`.
    pub(super) fn rebased(mut self, start: usize) -> Self {
        self.offset = self.offset.saturating_sub(start);
        self
    }

    /// Returns whether the elements follow each other in C order without gaps.
    pub(super) fn is_packed(&self) -> bool {
        let mut expected = self.item;
        for (&n, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if n != 1 && (stride < 0 || stride.unsigned_abs() != expected) {
                return self.count <= 1;
            }
            expected = expected.saturating_mul(n);
        }
        true
    }

    /// Returns the axes as (length, stride), without those of length 1, and with adjacent axes merged if
    /// there is no gap between them. The elements in C order are the same.
    pub(super) fn axes(&self) -> Vec<(usize, isize)> {
        let mut axes: Vec<(usize, isize)> = Vec::with_capacity(self.shape.len());
        for (&n, &stride) in self.shape.iter().zip(&self.strides).filter(|&(&n, _)| n != 1) {
            let run = isize::try_from(n).ok().and_then(|n| stride.checked_mul(n));
            match axes.last_mut() {
                Some((outer, above)) if Some(*above) == run => {
                    (*outer, *above) = (outer.saturating_mul(n), stride);
                }
                _ => axes.push((n, stride)),
            }
        }
        axes
    }

    /// Returns the offset of each element in C order.
    pub(super) fn offsets(&self) -> Offsets {
        self.clone().into_offsets()
    }

    /// Returns the offset of each element in C order.
    pub(super) fn into_offsets(self) -> Offsets {
        Offsets { index: vec![0; self.shape.len()], at: self.offset, left: self.count, layout: self }
    }

    /// Returns the offset of the element at an index, if the index is inside the shape.
    pub(super) fn offset_of(&self, index: &[usize]) -> Option<usize> {
        if index.len() != self.shape.len() {
            return None;
        }
        let mut at = self.offset;
        for ((&i, &n), &stride) in index.iter().zip(&self.shape).zip(&self.strides) {
            if i >= n {
                return None;
            }
            at = at.wrapping_add_signed(stride.wrapping_mul(isize::try_from(i).ok()?));
        }
        Some(at)
    }
}

/// Converts a number of bytes to a stride.
pub(super) fn signed(size: usize) -> Result<isize> {
    isize::try_from(size).map_err(|_| Error::limit("the array does not fit in memory"))
}

/// Returns the index of an element from its position in C order.
pub(super) fn index_of(shape: impl DoubleEndedIterator<Item = u64>, mut place: u64) -> Vec<u64> {
    let axes = shape.rev().map(|n| {
        let at = place % n.max(1);
        place /= n.max(1);
        at
    });
    let mut index: Vec<u64> = axes.collect();
    index.reverse();
    index
}

/// Returns the strides of packed elements in C order.
pub(super) fn packed(shape: &[u64], item: u64) -> Option<Vec<i64>> {
    let mut strides = vec![0; shape.len()];
    let mut stride = i64::try_from(item).ok()?;
    for (slot, &n) in strides.iter_mut().zip(shape).rev() {
        *slot = stride;
        stride = stride.checked_mul(i64::try_from(n.max(1)).ok()?)?;
    }
    Some(strides)
}

fn too_large(shape: &[u64]) -> Error {
    Error::limit(format!("an array of shape {shape:?} does not fit in memory"))
}

/// An iterator over the offsets of elements in C order. Every offset lies inside the checked extent.
#[derive(Debug, Clone)]
pub(super) struct Offsets {
    layout: Layout,
    index: Vec<usize>,
    at: usize,
    left: usize,
}

impl Iterator for Offsets {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let at = self.at;
        if self.left > 0 {
            let axes = self.layout.shape.iter().zip(&self.layout.strides);
            for (slot, (&n, &stride)) in self.index.iter_mut().zip(axes).rev() {
                *slot += 1;
                self.at = self.at.wrapping_add_signed(stride);
                if *slot < n {
                    break;
                }
                // Carry: return to the beginning of this axis.
                let back = stride.wrapping_mul(isize::try_from(n).unwrap_or(0));
                self.at = self.at.wrapping_add_signed(back.wrapping_neg());
                *slot = 0;
            }
        }
        Some(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Offsets {}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the numbers are small")]
mod tests {
    use proptest::collection::vec;
    use proptest::option::weighted;
    use proptest::prelude::*;

    use super::*;

    /// Returns the offsets of all elements in C order, from the definition of strides.
    fn offsets(axes: impl IntoIterator<Item = (usize, isize)>, offset: isize) -> Vec<isize> {
        axes.into_iter().fold(vec![offset], |offsets, (n, stride)| {
            let row = |at: isize| (0..n).scan(at, move |at, _| Some(std::mem::replace(at, *at + stride)));
            offsets.into_iter().flat_map(row).collect()
        })
    }

    proptest! {
        #[test]
        fn a_layout_has_the_elements_of_its_strides(
            axes in vec((0_u64..5, weighted(0.3, -9_i64..10)), 0..4),
            offset in 0_u64..40,
            item in 0_u64..5,
            bytes in 0_u64..100,
        ) {
            let shape: Vec<u64> = axes.iter().map(|&(n, _)| n).collect();
            let packed = packed(&shape, item).unwrap();
            let strides: Vec<i64> =
                axes.iter().zip(&packed).map(|(&(_, stride), &packed)| stride.unwrap_or(packed)).collect();
            if strides == packed {
                let implied = Layout::new(&shape, None, offset, item, bytes).ok();
                prop_assert_eq!(implied, Layout::new(&shape, Some(&strides), offset, item, bytes).ok());
            }
            let axes = shape.iter().zip(&strides).map(|(&n, &stride)| (n as usize, stride as isize));
            let expected = offsets(axes, offset as isize);
            let inside = |at: &isize| (0..=bytes as isize - item as isize).contains(at);
            let layout = Layout::new(&shape, Some(&strides), offset, item, bytes);
            prop_assert_eq!(layout.is_ok(), expected.iter().all(inside));
            let Ok(layout) = layout else { return Ok(()) };

            let found: Vec<isize> = layout.offsets().map(|at| at as isize).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!((layout.count, layout.offsets().len()), (expected.len(), expected.len()));
            let end = expected.iter().max().map_or(0, |&last| last as usize + item as usize);
            let start = expected.iter().min().map_or(0, |&first| first as usize);
            prop_assert_eq!(layout.extent(), start..end);
            let gapless = |(i, &at): (usize, &isize)| at == offset as isize + (i * item as usize) as isize;
            prop_assert_eq!(layout.is_packed(), expected.iter().enumerate().all(gapless));

            let merged = layout.axes();
            prop_assert_eq!(&offsets(merged.iter().copied(), offset as isize), &expected);
            prop_assert!(merged.iter().all(|&(n, _)| n != 1));
            let apart = |pair: &[(usize, isize)]| pair[0].1 != pair[1].1 * pair[1].0 as isize;
            prop_assert!(merged.windows(2).all(apart), "{:?}", merged);

            for (place, &at) in expected.iter().enumerate() {
                let mut index: Vec<usize> =
                    index_of(shape.iter().copied(), place as u64).iter().map(|&i| i as usize).collect();
                prop_assert_eq!(layout.offset_of(&index), Some(at as usize));
                for axis in 0..index.len() {
                    let inside = std::mem::replace(&mut index[axis], shape[axis] as usize);
                    prop_assert_eq!(layout.offset_of(&index), None);
                    index[axis] = inside;
                }
            }
            let rebased: Vec<isize> = layout.rebased(start).offsets().map(|at| (at + start) as isize).collect();
            prop_assert!(expected.is_empty() || rebased == expected);
        }
    }

    #[test]
    fn offsets_are_in_c_order_with_any_strides() {
        let layout = Layout::new(&[2, 3], Some(&[-12, 4]), 12, 4, 24).unwrap();
        assert_eq!(layout.offsets().collect::<Vec<_>>(), [12, 16, 20, 0, 4, 8]);
        assert_eq!((layout.extent(), layout.is_packed()), (0..24, false));
        assert_eq!(
            (layout.offset_of(&[1, 2]), layout.offset_of(&[2, 0]), layout.offset_of(&[0])),
            (Some(8), None, None)
        );
        let broadcast = Layout::new(&[3, 2], Some(&[0, 8]), 0, 8, 16).unwrap();
        assert_eq!(broadcast.offsets().collect::<Vec<_>>(), [0, 8, 0, 8, 0, 8]);
        let scalar = Layout::new(&[], None, 8, 8, 16).unwrap();
        assert_eq!((scalar.offsets().collect::<Vec<_>>(), scalar.is_packed()), (vec![8], true));
        // Elements of no bytes, such as empty strings.
        let blank = Layout::new(&[3], None, 0, 0, 0).unwrap();
        assert_eq!((blank.offsets().collect::<Vec<_>>(), blank.is_packed()), (vec![0, 0, 0], true));
        let empty = Layout::new(&[4, 0], None, 0, 8, 0).unwrap();
        assert_eq!((empty.offsets().count(), empty.extent()), (0, 0..0));
    }

    #[test]
    fn nothing_reaches_outside_the_block() {
        for (shape, strides, offset) in [
            (vec![4_u64], None, 1_u64),
            (vec![5], None, 0),
            (vec![2], Some(vec![-4]), 0),
            (vec![2], Some(vec![i64::MAX]), 0),
            (vec![2], Some(vec![i64::MIN]), u64::MAX),
            (vec![2, 2], Some(vec![i64::MAX, i64::MAX]), 0),
            (vec![u64::MAX], None, 0),
            (vec![u64::MAX, 2, 0], None, 0),
            (vec![1], Some(vec![1, 1]), 0),
            (vec![1], None, u64::MAX),
        ] {
            assert!(Layout::new(&shape, strides.as_deref(), offset, 4, 16).is_err(), "{shape:?} {strides:?}");
        }
        let empty = |length| Layout::new(&[length, 0], Some(&[1, 1]), 0, 1, 0).map(|layout| layout.count);
        assert_eq!(empty(usize::MAX as u64).unwrap(), 0);
        // A machine of 32 bits cannot represent this length. It must not become another one.
        assert_eq!(empty(u64::MAX).is_ok(), cfg!(target_pointer_width = "64"));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn sizes_up_to_63_bits_have_packed_strides() {
        let most = i64::MAX as u64;
        let new =
            |shape: &[u64], item| Layout::new(shape, None, 0, item, u64::MAX).map(|layout| layout.strides);
        assert_eq!(new(&[most, 1], 1).unwrap(), [1, 1]);
        assert_eq!(new(&[7, most / 7], 1).unwrap(), [(most / 7) as isize, 1]);
        assert!(new(&[most + 1], 1).is_err());
        assert!(new(&[most / 2 + 1], 2).is_err());
        // An overflow is refused, also for an array without elements.
        assert!(new(&[0, most, 2], 1).is_err());
        assert!(new(&[most], 0).is_ok());
        // The data of a broadcast array are small, however many elements it has.
        let broadcast = Layout::new(&[most + 1], Some(&[0]), 0, 1, 1).unwrap();
        assert_eq!((broadcast.count as u64, broadcast.extent()), (most + 1, 0..1));
    }

    #[test]
    fn a_layout_outside_its_data_names_the_bytes() {
        for (strides, offset, words) in
            [(None, 1, "the bytes 1 to 9 "), (Some([-4]), 2, "the bytes -2 to 6 ")]
        {
            let error = Layout::new(&[2], strides.as_ref().map(|s| &s[..]), offset, 4, 8).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}

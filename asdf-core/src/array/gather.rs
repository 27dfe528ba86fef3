//! Reading elements that are far apart in a block, without the bytes between them.

use std::ops::Range;

use bytes::Bytes;

use super::layout::{self, Layout};
use crate::error::{Error, Result};
use crate::tree::Block;

/// Gaps smaller than this number of bytes are read too: the system reads that far ahead anyway.
const GAP: usize = 1 << 12;

/// The maximum number of bytes in one read of which only some are needed.
const WINDOW: usize = 1 << 20;

/// The maximum number of bytes of all windows that are read together, and their maximum number.
const TOGETHER: usize = 8 << 20;
const MOST: usize = 1 << 12;

/// The maximum span of an array that is read at once.
const SMALL: usize = 1 << 16;

/// An axis without its direction: length and distance in bytes.
type Axis = (usize, usize);

/// Returns whether the elements are much less than the bytes from the first to the last.
pub(super) fn pays(layout: &Layout) -> bool {
    let extent = layout.extent().len();
    extent > SMALL && needed(&axes(layout), layout.item) <= extent / 2
}

/// Returns the axes in the order of memory, without those of stride 0, which repeat the same bytes.
fn axes(layout: &Layout) -> Vec<Axis> {
    let axes = layout.shape.iter().zip(&layout.strides).map(|(&n, &stride)| (n, stride.unsigned_abs()));
    let mut axes: Vec<Axis> = axes.filter(|&(n, stride)| n > 1 && stride > 0).collect();
    axes.sort_by_key(|&(_, stride)| std::cmp::Reverse(stride));
    axes
}

fn needed(axes: &[Axis], item: usize) -> usize {
    axes.iter().fold(item, |size, &(n, _)| size.saturating_mul(n))
}

/// Returns the number of bytes from the first element to the last.
fn span(axes: &[Axis], item: usize) -> usize {
    axes.iter().fold(item, |size, &(n, stride)| size.saturating_add((n - 1).saturating_mul(stride)))
}

/// Reads only the elements and the small gaps between them. Returns their bytes in the order of the block,
/// and their layout in these bytes.
pub(super) fn read(layout: &Layout, block: &dyn Block) -> Result<(Bytes, Layout)> {
    let axes = axes(layout);
    let size = needed(&axes, layout.item);
    let mut out = Vec::new();
    out.try_reserve_exact(size).map_err(|_| Error::no_memory(format_args!("an array of {size} bytes")))?;
    let mut reader = Reader { block, item: layout.item, out, windows: Vec::new(), size: 0 };
    walk(&axes, layout.item, layout.extent().start, &mut |axes, at| reader.window(axes, at))?;
    reader.flush()?;

    // The new stride of each axis is the size of all axes with smaller strides.
    let mut gathered = layout.clone();
    gathered.offset = 0;
    let mut sorted: Vec<usize> = (0..layout.shape.len()).collect();
    let stride_of = |axis: &usize| layout.strides.get(*axis).map_or(0, |stride| stride.unsigned_abs());
    sorted.sort_by_key(|axis| std::cmp::Reverse(stride_of(axis)));
    let mut stride = layout.item;
    for axis in sorted.into_iter().rev() {
        let (Some(slot), Some(&n)) = (gathered.strides.get_mut(axis), layout.shape.get(axis)) else {
            continue;
        };
        if *slot == 0 || n <= 1 {
            *slot = 0;
            continue;
        }
        if *slot < 0 {
            gathered.offset += stride * (n - 1);
        }
        *slot = slot.signum() * layout::signed(stride)?;
        stride = stride.saturating_mul(n);
    }
    Ok((reader.out.into(), gathered))
}

/// Returns the ranges of the block that [`read`] reads first: at most those that it reads together.
pub(super) fn ranges(layout: &Layout) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    // An error ends the walk: the list is long enough.
    let _ = walk(&axes(layout), layout.item, layout.extent().start, &mut |axes, at| {
        ranges.push(at as u64..(at + span(axes, layout.item)) as u64);
        if ranges.len() < MOST { Ok(()) } else { Err(()) }
    });
    ranges
}

/// Splits the elements of some axes into windows, which are read as a whole. Ends at the first error of `window`.
fn walk<E>(
    axes: &[Axis],
    item: usize,
    at: usize,
    window: &mut impl FnMut(&[Axis], usize) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let all = span(axes, item);
    let Some((&(n, stride), rest)) = axes.split_first() else { return window(axes, at) };
    let inner = span(rest, item);
    let is_dense = (0..axes.len()).all(|axis| {
        let (outer, below) = axes.split_at(axis + 1);
        let stride = outer.last().map_or(0, |&(_, stride)| stride);
        stride.saturating_sub(span(below, item)) < GAP
    });
    if is_dense && all <= WINDOW {
        return window(axes, at);
    }
    let group = if is_dense && inner <= WINDOW { (WINDOW / stride).max(1) } else { 1 };
    for first in (0..n).step_by(group) {
        let at = at + first * stride;
        match group {
            1 => walk(rest, item, at, window)?,
            _ => {
                let mut part = vec![(group.min(n - first), stride)];
                part.extend(rest);
                window(&part, at)?;
            }
        }
    }
    Ok(())
}

struct Reader<'a> {
    block: &'a dyn Block,
    item: usize,
    out: Vec<u8>,
    /// The windows that are read next, all at once: their axes and offsets in the block.
    windows: Vec<(Vec<Axis>, usize)>,
    /// The number of bytes of these windows.
    size: usize,
}

impl Reader<'_> {
    /// Reads the whole span of some axes, with the windows that follow, and keeps only the elements.
    fn window(&mut self, axes: &[Axis], at: usize) -> Result<()> {
        let size = span(axes, self.item);
        if self.size.saturating_add(size) > TOGETHER || self.windows.len() == MOST {
            self.flush()?;
        }
        self.size = self.size.saturating_add(size);
        self.windows.push((axes.to_vec(), at));
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let windows = std::mem::take(&mut self.windows);
        self.size = 0;
        let range = |(axes, at): &(Vec<Axis>, usize)| *at as u64..(at + span(axes, self.item)) as u64;
        let found = self.block.read_many(&windows.iter().map(range).collect::<Vec<_>>())?;
        for ((axes, _), bytes) in windows.iter().zip(found) {
            self.keep(axes, &bytes);
        }
        Ok(())
    }

    fn keep(&mut self, axes: &[Axis], bytes: &[u8]) {
        match axes.split_first() {
            None => self.out.extend_from_slice(bytes.get(..self.item).unwrap_or_default()),
            // The last axis, without gaps.
            Some((&(n, stride), [])) if stride == self.item => {
                self.out.extend_from_slice(bytes.get(..n * stride).unwrap_or_default());
            }
            Some((&(n, stride), rest)) => {
                for index in 0..n {
                    self.keep(rest, bytes.get(index * stride..).unwrap_or_default());
                }
            }
        }
    }
}

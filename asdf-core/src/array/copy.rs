//! Copying elements out of bytes, in C order.

use super::ByteOrder;
use super::element::Element;
use super::layout::Layout;

/// Appends the elements in C order, with their stored bytes.
pub(super) fn packed(bytes: &[u8], layout: &Layout, out: &mut Vec<u8>) {
    if layout.is_packed() {
        let end = layout.offset + layout.count * layout.item;
        out.extend_from_slice(bytes.get(layout.offset..end).unwrap_or_default());
        return;
    }
    let item = layout.item;
    match item {
        1 => sized::<1>(bytes, layout, out),
        2 => sized::<2>(bytes, layout, out),
        4 => sized::<4>(bytes, layout, out),
        8 => sized::<8>(bytes, layout, out),
        16 => sized::<16>(bytes, layout, out),
        _ => for_each_run(layout, |start, n, stride| {
            for at in steps(start, n, stride) {
                out.extend_from_slice(bytes.get(at..at + item).unwrap_or_default());
            }
        }),
    }
}

fn sized<const N: usize>(bytes: &[u8], layout: &Layout, out: &mut Vec<u8>) {
    for_each_run(layout, |start, n, stride| {
        if stride.unsigned_abs() == N && stride > 0 {
            out.extend_from_slice(bytes.get(start..start + n * N).unwrap_or_default());
            return;
        }
        for at in steps(start, n, stride) {
            out.extend_from_slice(&chunk::<N>(bytes, at));
        }
    });
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

/// Copies the elements in C order into a slice of the same length.
pub(super) fn elements<T: Element>(bytes: &[u8], layout: &Layout, order: ByteOrder, out: &mut [T]) {
    // The byte order is chosen outside of the loops.
    match order {
        ByteOrder::Little => in_order(bytes, layout, out, |bytes| T::load(bytes, ByteOrder::Little)),
        ByteOrder::Big => in_order(bytes, layout, out, |bytes| T::load(bytes, ByteOrder::Big)),
    }
}

fn in_order<T: Element>(bytes: &[u8], layout: &Layout, out: &mut [T], load: impl Fn(&[u8]) -> T) {
    let run = |out: &mut [T], start: usize, stride: isize| {
        if stride.unsigned_abs() == T::SIZE && stride > 0 {
            let run = bytes.get(start..start + out.len() * T::SIZE).unwrap_or_default();
            for (slot, bytes) in out.iter_mut().zip(run.chunks_exact(T::SIZE)) {
                *slot = load(bytes);
            }
        } else if let Some((step, run)) = forwards(bytes, start, out.len(), stride, T::SIZE) {
            for (slot, bytes) in out.iter_mut().zip(run.chunks(step)) {
                *slot = load(bytes.get(..T::SIZE).unwrap_or_default());
            }
        } else {
            for (slot, at) in out.iter_mut().zip(steps(start, usize::MAX, stride)) {
                *slot = load(bytes.get(at..at + T::SIZE).unwrap_or_default());
            }
        }
    };
    if let Some(plane) = Plane::of(layout) {
        return plane.tiles(layout, out, |out, start, stride| run(out, start, stride));
    }
    let mut done = 0;
    for_each_run(layout, |start, n, stride| {
        run(out.get_mut(done..done + n).unwrap_or_default(), start, stride);
        done += n;
    });
}

/// Returns the bytes from the first element of a run to its last, if the run goes forwards.
fn forwards(bytes: &[u8], start: usize, n: usize, stride: isize, item: usize) -> Option<(usize, &[u8])> {
    let step = usize::try_from(stride).ok().filter(|&step| step >= item && n > 0)?;
    Some((step, bytes.get(start..start + (n - 1) * step + item)?))
}

/// Returns the offsets of a run. The step beyond its last element is not used.
fn steps(start: usize, n: usize, stride: isize) -> impl Iterator<Item = usize> {
    let mut at = start;
    (0..n).map(move |_| {
        let this = at;
        at = at.wrapping_add_signed(stride);
        this
    })
}

/// Calls `run` with the offset of the first element, the number of elements and the stride, for each run of
/// elements along the innermost axis, in C order.
pub(super) fn for_each_run(layout: &Layout, mut run: impl FnMut(usize, usize, isize)) {
    if layout.count == 0 {
        return;
    }
    let mut axes = layout.axes();
    let (n, stride) = axes.pop().unwrap_or((1, 0));
    let outer: usize = axes.iter().map(|&(n, _)| n).product();
    let mut index = vec![0_usize; axes.len()];
    let mut at = layout.offset;
    for _ in 0..outer {
        run(at, n, stride);
        for (slot, &(n, stride)) in index.iter_mut().zip(&axes).rev() {
            *slot += 1;
            at = at.wrapping_add_signed(stride);
            if *slot < n {
                break;
            }
            let back = stride.wrapping_mul(isize::try_from(n).unwrap_or(0));
            at = at.wrapping_add_signed(back.wrapping_neg());
            *slot = 0;
        }
    }
}

/// A transposed array. Its last axis has the larger stride of two, so a walk along that axis touches a new
/// cache line with every element.
struct Plane {
    rows: (usize, isize),
    columns: (usize, isize),
}

impl Plane {
    /// The number of rows and columns that stay in the cache at a time.
    const TILE: usize = 32;

    fn of(layout: &Layout) -> Option<Self> {
        let axes = layout.axes();
        let &[rows, columns] = axes.as_slice() else { return None };
        let is_transposed = columns.1.unsigned_abs() > rows.1.unsigned_abs().saturating_mul(4);
        (is_transposed && rows.0 > 8 && columns.0 > 8).then_some(Self { rows, columns })
    }

    fn tiles<T>(&self, layout: &Layout, out: &mut [T], run: impl Fn(&mut [T], usize, isize)) {
        let ((rows, down), (columns, right)) = (self.rows, self.columns);
        let at = |row: usize, column: usize| {
            let step = |n: usize, stride: isize| stride.wrapping_mul(isize::try_from(n).unwrap_or(0));
            layout.offset.wrapping_add_signed(step(row, down)).wrapping_add_signed(step(column, right))
        };
        for top in (0..rows).step_by(Self::TILE) {
            for left in (0..columns).step_by(Self::TILE) {
                let width = Self::TILE.min(columns - left);
                for row in top..rows.min(top + Self::TILE) {
                    let begin = row * columns + left;
                    if let Some(out) = out.get_mut(begin..begin + width) {
                        run(out, at(row, left), right);
                    }
                }
            }
        }
    }
}

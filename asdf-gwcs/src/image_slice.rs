//! The pixels of an image that a slice selects.

use asdf_core::array::Slice;
use asdf_core::{Error, Result};

use crate::graticule::Graticule;
use crate::wcs::{Compass, Wcs};

/// The pixels of an image that a slice selects, to draw world coordinates over them.
///
/// # Examples
/// ```
/// use asdf_core::array::Slice;
/// use asdf_gwcs::ImageSlice;
///
/// // Every second column of the rows from 3 on.
/// let shown = ImageSlice::new(&[10, 20], &Slice::parse("3:, ::2")?, [7, 10]).unwrap();
/// assert_eq!(shown.element([4.0, 3.0]), [2.0, 0.0]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ImageSlice {
    x: Pixels,
    y: Pixels,
    /// The number of rows and columns.
    part: [u64; 2],
}

/// The pixels of one axis: element `i` is the pixel `start + i * step`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pixels {
    /// The number of the axis in the whole array; `None` for a new axis.
    axis: Option<usize>,
    start: f64,
    step: f64,
}

impl Pixels {
    /// Returns the edges of the selected pixels, the lower one first.
    fn edges(&self, count: u64) -> [f64; 2] {
        let (first, last) = (self.start - 0.5 * self.step, self.pixel(number(count) - 0.5));
        [first.min(last), first.max(last)]
    }

    fn pixel(&self, element: f64) -> f64 {
        self.start + element * self.step
    }

    fn element(&self, pixel: f64) -> f64 {
        (pixel - self.start) / self.step
    }
}

impl ImageSlice {
    /// Finds the pixels of a slice of an array, with the meaning of numpy.
    ///
    /// `part` is the number of rows and columns of the slice. Returns `None` if its last two axes are not those of the array.
    #[must_use]
    pub fn new(shape: &[u64], slices: &[Slice], part: [u64; 2]) -> Option<Self> {
        let [y, x] = last_two(shape, slices)?;
        Some(Self { x, y, part })
    }

    /// Returns the element, column first, of a pixel of the whole image.
    #[must_use]
    pub fn element(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.x.element(x), self.y.element(y)]
    }

    /// Returns the lines of constant longitude and latitude, in pixels of the whole image.
    ///
    /// # Errors
    /// Like [`Wcs::graticule`]. [`Mismatch`](asdf_core::error::Kind::Mismatch) if no pixel has a position on the sky.
    pub fn graticule(&self, wcs: &Wcs) -> Result<Graticule> {
        let [height, width] = self.part;
        let graticule = wcs.graticule(self.x.edges(width), self.y.edges(height))?;
        if graticule.lines().is_empty() {
            let error = Error::mismatch("no pixel of the image has a position on the sky");
            return Err(error.at_path(wcs.path()));
        }
        Ok(graticule)
    }

    /// Returns the directions of north and east at the middle, in elements.
    ///
    /// # Errors
    /// Like [`Wcs::compass`].
    pub fn compass(&self, wcs: &Wcs) -> Result<Compass> {
        let [height, width] = self.part;
        let middle = [self.x.pixel(0.5 * (number(width) - 1.0)), self.y.pixel(0.5 * (number(height) - 1.0))];
        let mut compass = wcs.compass(middle)?;
        for [along, up] in [&mut compass.north, &mut compass.east] {
            (*along, *up) = (*along / self.x.step, *up / self.y.step);
        }
        Ok(compass)
    }
}

/// Returns the pixels of the last two axes, which are `y` and `x`; `None` if a slice removes one of them.
fn last_two(shape: &[u64], slices: &[Slice]) -> Option<[Pixels; 2]> {
    let all = pixels(shape, slices)?;
    let [.., y, x] = all.as_slice() else { return None };
    let count = shape.len();
    let are_last = y.axis == count.checked_sub(2) && x.axis == count.checked_sub(1);
    (are_last && y.axis.is_some()).then_some([*y, *x])
}

/// Returns the pixels of each axis that slices select, with the meaning of numpy.
fn pixels(shape: &[u64], slices: &[Slice]) -> Option<Vec<Pixels>> {
    let uses_axis = |slice: &&Slice| matches!(slice, Slice::Index(_) | Slice::Range { .. });
    let rest = shape.len().checked_sub(slices.iter().filter(uses_axis).count())?;
    let place = slices.iter().position(|slice| *slice == Slice::Ellipsis).unwrap_or(slices.len());
    let (before, after) = (slices.iter().take(place), slices.iter().skip(place + 1));
    let all = before.copied().chain(std::iter::repeat_n(Slice::ALL, rest)).chain(after.copied());
    let mut axis = 0;
    let mut found = Vec::new();
    for slice in all {
        let (start, step) = match slice {
            Slice::NewAxis => {
                found.push(Pixels { axis: None, start: 0.0, step: 1.0 });
                continue;
            }
            Slice::Range { start, step, .. } => (start, step),
            _ => (None, 0),
        };
        let count = i64::try_from(*shape.get(axis)?).unwrap_or(i64::MAX);
        if step != 0 {
            let (first, low, high) = if step > 0 { (0, 0, count) } else { (count - 1, -1, count - 1) };
            let start = start.map(|start| if start < 0 { start.saturating_add(count) } else { start });
            let start = start.unwrap_or(first).clamp(low, high);
            found.push(Pixels { axis: Some(axis), start: signed(start), step: signed(step) });
        }
        axis += 1;
    }
    Some(found)
}

#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
fn number(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
fn signed(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shape: &[u64], text: &str) -> Option<[(f64, f64); 2]> {
        let found = last_two(shape, &Slice::parse(text).unwrap())?;
        Some(found.map(|pixels| (pixels.start, pixels.step)))
    }

    #[test]
    fn slices_select_pixels() {
        let whole = Some([(0.0, 1.0), (0.0, 1.0)]);
        assert_eq!(of(&[10, 20], ""), whole);
        assert_eq!(of(&[10, 20], "3:, ::2"), Some([(3.0, 1.0), (0.0, 2.0)]));
        assert_eq!(of(&[10, 20], "::-1, -5:"), Some([(9.0, -1.0), (15.0, 1.0)]));
        assert_eq!(of(&[10, 20], "50:, 30::-3"), Some([(10.0, 1.0), (19.0, -3.0)]));
        assert_eq!(of(&[3, 10, 20], "1"), whole);
        assert_eq!(of(&[3, 10, 20], "..., 4:"), Some([(0.0, 1.0), (4.0, 1.0)]));
        assert_eq!(of(&[3, 10, 20], "new, 2, ..., 4:8"), Some([(0.0, 1.0), (4.0, 1.0)]));
        for other in [":, 3", "..., 3", "0, 0, 0", "..., new"] {
            assert_eq!(of(&[3, 10, 20], other), None, "{other}");
        }
        assert_eq!(of(&[10], "new"), None);
    }

    #[test]
    fn pixels_reach_to_their_edges() {
        let pixels = Pixels { axis: Some(0), start: 9.0, step: -2.0 };
        assert_eq!(pixels.edges(3), [4.0, 10.0]);
        assert_eq!((pixels.pixel(2.0), pixels.element(5.0)), (5.0, 2.0));
    }
}

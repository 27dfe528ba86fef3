//! Which world coordinates belong to the image.

use super::Wcs;

/// How a [`Backward`](super::Backward) transform decides whether a point belongs to the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bounding {
    /// A point belongs to the image if its pixel is in the bounding box. Else all its coordinates are NaN.
    ///
    /// Edges belong to the box. A pixel less than 1e-6 outside counts as inside, because rounding moves it.
    Exact,
    /// The rule of gwcs.
    ///
    /// A world coordinate outside the range of the four corners becomes NaN before the transform, and a pixel
    /// coordinate outside the box after it, each by itself. Edges of an image are not straight on the sky, so this also
    /// loses some pixels near them: about 1 % of a Roman image.
    Corners,
    /// Every point has a pixel, if the transform has one.
    None,
}

/// How far outside the box rounding can move a pixel.
const TOLERANCE: f64 = 1e-6;

/// The limits of the image for both rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    /// The interval of each pixel axis.
    intervals: Vec<Option<[f64; 2]>>,
    /// The ranges of the corners.
    ranges: Vec<Range>,
}

/// Tests one world coordinate.
#[derive(Debug, Clone, PartialEq)]
struct Range {
    axis: usize,
    /// The smallest and largest value, or the ends of the gap if the range goes through longitude 0.
    ends: [f64; 2],
    is_gap: bool,
}

impl Range {
    fn excludes(&self, value: f64) -> bool {
        let [low, high] = self.ends;
        match self.is_gap {
            true => low < value && value < high,
            false => value < low || value > high,
        }
    }
}

impl Limits {
    /// Computes the limits from the bounding box, if there is one.
    pub(super) fn of(wcs: &Wcs) -> Self {
        let Some(intervals) = wcs.bounding_box() else { return Self::default() };
        // Without a footprint gwcs has no inverse at all; the box still is a limit.
        let ranges = wcs.footprint().map(|corners| ranges(wcs, &corners)).unwrap_or_default();
        Self { intervals: intervals.to_vec(), ranges }
    }

    /// Returns whether the rule changes world coordinates before the transform.
    pub(super) fn limits_world(&self, bounding: Bounding) -> bool {
        bounding == Bounding::Corners && !self.ranges.is_empty()
    }

    /// Replaces world coordinates outside by NaN.
    pub(super) fn limit_world(&self, world: &mut [Vec<f64>]) {
        for range in &self.ranges {
            for value in world.get_mut(range.axis).into_iter().flatten() {
                if range.excludes(*value) {
                    *value = f64::NAN;
                }
            }
        }
    }

    /// Replaces pixel coordinates outside by NaN.
    pub(super) fn limit_pixels(&self, bounding: Bounding, pixels: &mut [&mut [f64]]) {
        match bounding {
            Bounding::None => {}
            Bounding::Corners => {
                for (column, interval) in pixels.iter_mut().zip(&self.intervals) {
                    let Some([low, high]) = *interval else { continue };
                    column.iter_mut().filter(|value| **value < low || **value > high).for_each(|value| *value = f64::NAN);
                }
            }
            Bounding::Exact => {
                let length = pixels.first().map_or(0, |column| column.len());
                for point in 0..length {
                    let outside = pixels.iter().zip(&self.intervals).any(|(column, interval)| {
                        match (column.get(point), interval) {
                            (Some(value), Some([low, high])) => *value < low - TOLERANCE || *value > high + TOLERANCE,
                            _ => false,
                        }
                    });
                    if outside {
                        pixels.iter_mut().filter_map(|column| column.get_mut(point)).for_each(|value| *value = f64::NAN);
                    }
                }
            }
        }
    }
}

/// Returns the ranges of gwcs: for every type of axis and every axis one.
///
/// If several axes have the type, the range is that of the axis, and else that of all axes together.
fn ranges(wcs: &Wcs, corners: &[Vec<f64>]) -> Vec<Range> {
    let axes = wcs.world_axes();
    let mut found: Vec<Range> = Vec::new();
    for (number, axis) in axes.iter().enumerate() {
        let axis_type = axis.axis_type();
        if axes.iter().take(number).any(|earlier| earlier.axis_type() == axis_type) {
            continue;
        }
        let is_shared = axes.iter().filter(|other| other.axis_type() == axis_type).count() > 1;
        for (tested, axis) in axes.iter().enumerate() {
            let values: Vec<f64> = match is_shared {
                true => corners.iter().filter_map(|corner| corner.get(tested).copied()).collect(),
                false => corners.iter().flatten().copied().collect(),
            };
            let is_longitude = [".ra", ".lon"].iter().any(|end| axis.physical_type().ends_with(end));
            let range = range(tested, &values, axis_type == "SPATIAL" && is_longitude);
            found.extend(range.filter(|range| !found.contains(range)));
        }
    }
    found
}

fn range(axis: usize, values: &[f64], is_longitude: bool) -> Option<Range> {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let greatest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let low = least(&mut values.iter().copied());
    let high = greatest(&mut values.iter().copied());
    if !(is_longitude && high - low > 180.0) {
        return Some(Range { axis, ends: [low, high], is_gap: false });
    }
    let middle = 0.5 * (low + high);
    let below = greatest(&mut values.iter().copied().filter(|value| *value <= middle));
    let above = least(&mut values.iter().copied().filter(|value| *value > middle));
    Some(Range { axis, ends: [below, above], is_gap: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_through_longitude_0_has_a_gap() {
        let range = range(0, &[359.5, 0.5, 0.4, 359.6], true).unwrap();
        assert_eq!((range.ends, range.is_gap), ([0.5, 359.5], true));
        assert!(range.excludes(10.0) && !range.excludes(0.2) && !range.excludes(0.5) && !range.excludes(f64::NAN));
        let plain = super::range(1, &[359.5, 0.5], false).unwrap();
        assert!(!plain.excludes(10.0) && plain.excludes(0.2));
        assert_eq!(super::range(0, &[1.0, f64::NAN], true), None);
    }

    #[test]
    fn the_rules_differ_in_what_becomes_nan() {
        let limits = Limits { intervals: vec![Some([0.0, 10.0]), None], ranges: Vec::new() };
        let nan_after = |bounding: Bounding| {
            let (mut x, mut y) = ([-1.0, 5.0, 10.000_000_1, 10.1], [1.0, 2.0, 3.0, 4.0]);
            limits.limit_pixels(bounding, &mut [&mut x, &mut y]);
            [x.map(f64::is_nan), y.map(f64::is_nan)]
        };
        assert_eq!(nan_after(Bounding::Exact), [[true, false, false, true], [true, false, false, true]]);
        assert_eq!(nan_after(Bounding::Corners), [[true, false, true, true], [false; 4]]);
        assert_eq!(nan_after(Bounding::None), [[false; 4]; 2]);
    }
}

//! gwcs's rule for world coordinates outside of an image.

/// Ranges of world coordinates, from the corners of the bounding box.
///
/// gwcs only inverts coordinates within the range of the four corners. The edges of an image on the sky are curved, so
/// the rule removes some points of the image itself, and keeps others that are outside.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corners {
    /// For each world axis the ranges that its values must be in.
    ranges: Vec<Vec<Range>>,
}

/// A range of one coordinate. Its ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Range {
    Between(f64, f64),
    /// The range of longitudes across 0: all but those between these two.
    Around(f64, f64),
}

/// A world axis, as the rule needs it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    /// The type, such as `SPATIAL`.
    pub(crate) kind: String,
    /// Whether the axis is a longitude or right ascension.
    pub(crate) is_longitude: bool,
}

impl Corners {
    /// Makes the ranges from the world coordinates of the corners: a column for each axis.
    pub(crate) fn new(axes: &[Axis], corners: &[Vec<f64>]) -> Self {
        let mut ranges = vec![Vec::new(); axes.len()];
        let mut kinds: Vec<&str> = axes.iter().map(|axis| axis.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let single = axes.iter().filter(|axis| axis.kind == kind).count() == 1;
            for (position, (axis, ranges)) in axes.iter().zip(&mut ranges).enumerate() {
                // An axis type that occurs once gives the range of all columns together, as in gwcs 1.0.
                let values: Vec<f64> = if single {
                    corners.concat()
                } else {
                    corners.get(position).cloned().unwrap_or_default()
                };
                ranges.extend(Range::of(&values, kind == "SPATIAL" && axis.is_longitude));
            }
        }
        Self { ranges }
    }

    /// Replaces the values of one axis that are out of its ranges by NaN.
    pub(crate) fn mask(&self, axis: usize, values: &mut [f64]) {
        for range in self.ranges.get(axis).into_iter().flatten() {
            for value in values.iter_mut().filter(|value| range.excludes(**value)) {
                *value = f64::NAN;
            }
        }
    }
}

impl Range {
    /// The range of some values; none if one of them is NaN.
    fn of(values: &[f64], wraps: bool) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if wraps && high - low > 180.0 {
            let middle = (low + high) / 2.0;
            let below =
                values.iter().copied().filter(|value| *value <= middle).fold(f64::NEG_INFINITY, f64::max);
            let above = values.iter().copied().filter(|value| *value > middle).fold(f64::INFINITY, f64::min);
            return Some(Self::Around(below, above));
        }
        Some(Self::Between(low, high))
    }

    fn excludes(self, value: f64) -> bool {
        match self {
            Self::Between(low, high) => value < low || value > high,
            Self::Around(below, above) => below < value && value < above,
        }
    }
}

//! Chooses limits as IRAF's `display` does: by a line through the sorted sample of an image.

#![allow(clippy::cast_precision_loss, reason = "positions in a sample of at most a thousand")]

/// The size of the sample, which is as evenly spaced as possible.
pub(crate) const SAMPLE: usize = 1000;
/// The contrast of IRAF's `display`. The slope of the line is divided by it.
const CONTRAST: f64 = 0.25;
/// Numbers further from the line than this, in standard deviations, are rejected.
const REJECT: f64 = 2.5;
const ROUNDS: usize = 5;
/// The minimum number of values that a line is fitted to.
const FEWEST: usize = 5;

/// Returns limits that show the background of an image, from a [sample](SAMPLE) of its finite numbers; `None` if the
/// sample is empty.
///
/// The sorted sample is nearly a straight line over the background and steep over stars. A line is fitted, and numbers
/// far from it are rejected together with those around them, until none is left. A line through the median with the
/// slope of the fit, divided by the contrast, gives the limits. They never exceed the range of the sample. For the
/// same sample they equal those of astropy's `ZScaleInterval`.
pub(crate) fn limits(mut sample: Vec<f64>) -> Option<(f64, f64)> {
    sample.sort_by(f64::total_cmp);
    let (least, most) = (*sample.first()?, *sample.last()?);
    let count = sample.len();
    let lower = sample.get((count - 1) / 2).copied()?;
    let upper = sample.get(count / 2).copied()?;
    let median = lower / 2.0 + upper / 2.0;
    let Some(slope) = slope(&sample) else { return Some((least, most)) };
    let slope = slope / CONTRAST;
    let middle = ((count - 1) / 2) as f64;
    let low = median - (middle - 1.0) * slope;
    let high = median + (count as f64 - middle) * slope;
    Some((low.max(least), high.min(most)))
}

/// Fits the line and returns its slope; `None` if too few numbers of the sample are close to a line.
fn slope(sample: &[f64]) -> Option<f64> {
    let count = sample.len();
    let enough = (count / 2).max(FEWEST);
    let mut rejected = vec![false; count];
    let (mut left, mut before) = (count, count + 1);
    let mut slope = 0.0;
    for _ in 0..ROUNDS {
        if left >= before || left < enough {
            break;
        }
        let line = Line::through(sample, &rejected);
        slope = line.slope;
        let apart: Vec<f64> = sample.iter().enumerate().map(|(at, value)| value - line.at(at)).collect();
        let kept =
            || apart.iter().zip(&rejected).filter(|(_, rejected)| !**rejected).map(|(apart, _)| *apart);
        let mean = kept().sum::<f64>() / left as f64;
        let deviation = (kept().map(|apart| (apart - mean).powi(2)).sum::<f64>() / left as f64).sqrt();
        for (rejected, apart) in rejected.iter_mut().zip(&apart) {
            *rejected |= apart.abs() > REJECT * deviation;
        }
        rejected = widened(&rejected, (count / 100).max(1));
        before = left;
        left = rejected.iter().filter(|rejected| !**rejected).count();
    }
    (left >= enough && slope.is_finite()).then_some(slope)
}

/// Rejects the elements within a window around each rejected one too.
fn widened(rejected: &[bool], window: usize) -> Vec<bool> {
    let (before, after) = (window / 2, window - window / 2 - 1);
    let mut out = vec![false; rejected.len()];
    for (at, _) in rejected.iter().enumerate().filter(|(_, rejected)| **rejected) {
        let near = at.saturating_sub(after)..(at + before + 1).min(out.len());
        out.get_mut(near).unwrap_or_default().fill(true);
    }
    out
}

/// A straight line over the positions in a sample.
struct Line {
    slope: f64,
    centre: f64,
    mean: f64,
}

impl Line {
    /// Fits a line to the values that are used, by least squares.
    fn through(sample: &[f64], rejected: &[bool]) -> Self {
        let points =
            || sample.iter().enumerate().zip(rejected).filter(|(_, is)| !**is).map(|(point, _)| point);
        let count = points().count().max(1) as f64;
        let centre = points().map(|(at, _)| at as f64).sum::<f64>() / count;
        let mean = points().map(|(_, value)| value / count).sum::<f64>();
        let (mut rise, mut run) = (0.0, 0.0);
        for (at, value) in points() {
            let from = at as f64 - centre;
            rise += from * (value - mean);
            run += from * from;
        }
        Self { slope: if run > 0.0 { rise / run } else { 0.0 }, centre, mean }
    }

    fn at(&self, place: usize) -> f64 {
        self.mean + self.slope * (place as f64 - self.centre)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of values, and the limits.
    const ASTROPY: [(u32, (f64, f64)); 8] = [
        (4, (100.0, 119.21663851303093)),
        (5, (100.0, 119.21663851303093)),
        (6, (100.0, 119.21663851303093)),
        (37, (100.0, 148.02846894164827)),
        (200, (100.0, 153.72735801318677)),
        (501, (100.0, 143.16952792617735)),
        (999, (100.0, 148.49693634137208)),
        (1000, (100.0, 148.5109383908219)),
    ];

    #[test]
    fn stars_do_not_move_the_limits() {
        let sky: Vec<f64> = (0..1000).map(|at| 100.0 + f64::from(at % 100) / 10.0).collect();
        let (low, high) = limits(sky.clone()).unwrap();
        assert!((low - 100.0).abs() < 0.5 && (high - 109.9).abs() < 0.5, "{low} {high}");
        let mut stars = sky;
        stars.iter_mut().step_by(50).for_each(|value| *value = 60_000.0);
        let (low, high) = limits(stars).unwrap();
        assert!((100.0..101.0).contains(&low) && high < 130.0, "{low} {high}");
    }

    /// The expected limits are from astropy 8.0.2: `ZScaleInterval().get_limits` of the same numbers.
    #[test]
    fn limits_are_those_of_astropy() {
        for (count, expected) in ASTROPY {
            let numbers = (0..count).map(|at| {
                let noise = f64::from(at * 7919 % 1009) / 1009.0;
                100.0 + 10.0 * noise + if at % 41 == 0 { 5000.0 * noise } else { noise.powi(8) * 40.0 }
            });
            let (low, high) = limits(numbers.collect()).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs();
            assert!(near(low, expected.0) && near(high, expected.1), "{count}: {low} {high}");
        }
    }

    #[test]
    fn few_or_equal_numbers_have_their_range() {
        assert_eq!(limits(Vec::new()), None);
        assert_eq!(limits(vec![3.0]), Some((3.0, 3.0)));
        assert_eq!(limits(vec![1.0, 5.0, 2.0]), Some((1.0, 5.0)));
        assert_eq!(limits(vec![7.0; 1000]), Some((7.0, 7.0)));
        let (low, high) = limits(vec![f64::MAX, -f64::MAX, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert!(low.is_finite() && high.is_finite() && low <= high);
    }
}

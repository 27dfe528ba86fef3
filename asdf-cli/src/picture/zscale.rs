//! The limits that IRAF's display chooses: a line through the sorted sample of an image.

#![allow(clippy::cast_precision_loss, reason = "places in a sample of at most a thousand")]

/// How many pixels are looked at.
const SAMPLE: usize = 1000;
/// How much steeper the picture is than the image: the contrast of IRAF's `display`.
const CONTRAST: f64 = 0.25;
/// How many deviations from the line are too many.
const REJECT: f64 = 2.5;
const ROUNDS: usize = 5;

/// The limits of an image whose background is to be seen, from its finite numbers. `None` without any.
///
/// The sample, sorted, is a line where the image is background, and steep where stars are. A straight line is
/// fitted, leaving out step by step what is far from it and the neighbours; its slope, divided by the contrast,
/// through the median gives the limits, which lie in the range of the sample.
pub(super) fn limits(numbers: &[f64]) -> Option<(f64, f64)> {
    let finite: Vec<f64> = numbers.iter().copied().filter(|number| number.is_finite()).collect();
    let stride = (finite.len() / SAMPLE).max(1);
    let mut sample: Vec<f64> = finite.iter().copied().step_by(stride).take(SAMPLE).collect();
    sample.sort_by(f64::total_cmp);
    let (least, most) = (*sample.first()?, *sample.last()?);
    let count = sample.len();
    let lower = sample.get((count - 1) / 2).copied()?;
    let upper = sample.get(count / 2).copied()?;
    let median = lower / 2.0 + upper / 2.0;
    let Some(slope) = slope(&sample) else { return Some((least, most)) };
    let slope = slope / CONTRAST;
    let middle = count.div_ceil(2).max(1);
    let low = median - (middle - 1) as f64 * slope;
    let high = median + (count - middle) as f64 * slope;
    Some((low.max(least), high.min(most)))
}

/// The slope of the line; `None` where too little of the sample lies on one.
fn slope(sample: &[f64]) -> Option<f64> {
    let count = sample.len();
    let enough = (count / 2).max(5);
    let grow = (count / 100).max(1);
    let mut used = vec![true; count];
    let mut left = count;
    let mut slope = 0.0;
    for _ in 0..ROUNDS {
        if left < enough {
            return None;
        }
        let line = Line::through(sample, &used);
        slope = line.slope;
        let apart = |(at, value): (usize, &f64)| value - line.at(at);
        let kept = |used: &[bool]| used.iter().filter(|used| **used).count();
        let squares: f64 = sample
            .iter()
            .enumerate()
            .zip(&used)
            .filter(|(_, used)| **used)
            .map(|(point, _)| apart(point).powi(2))
            .sum();
        let most = REJECT * (squares / left as f64).sqrt();
        let mut next = used.clone();
        for (at, _) in sample.iter().enumerate().filter(|point| apart(*point).abs() > most) {
            let around = at.saturating_sub(grow)..(at + grow + 1).min(count);
            next.get_mut(around).unwrap_or_default().fill(false);
        }
        for (next, used) in next.iter_mut().zip(&used) {
            *next &= used;
        }
        used = next;
        let now = kept(&used);
        if now == left {
            break;
        }
        left = now;
    }
    (left >= enough && slope.is_finite()).then_some(slope)
}

/// A straight line over the places of a sample.
struct Line {
    slope: f64,
    centre: f64,
    mean: f64,
}

impl Line {
    /// That with the least squares from the values that are used.
    fn through(sample: &[f64], used: &[bool]) -> Self {
        let points =
            || sample.iter().enumerate().zip(used).filter(|(_, used)| **used).map(|(point, _)| point);
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

    #[test]
    fn stars_do_not_move_the_limits() {
        let sky: Vec<f64> = (0..1000).map(|at| 100.0 + f64::from(at % 100) / 10.0).collect();
        let (low, high) = limits(&sky).unwrap();
        assert!((low - 100.0).abs() < 0.5 && (high - 109.9).abs() < 0.5, "{low} {high}");
        let mut stars = sky.clone();
        stars.iter_mut().step_by(50).for_each(|value| *value = 60_000.0);
        let (low, high) = limits(&stars).unwrap();
        assert!((100.0..101.0).contains(&low) && high < 130.0, "{low} {high}");
    }

    #[test]
    fn few_or_equal_numbers_have_their_range() {
        assert_eq!(limits(&[]), None);
        assert_eq!(limits(&[f64::NAN, f64::INFINITY]), None);
        assert_eq!(limits(&[3.0]), Some((3.0, 3.0)));
        assert_eq!(limits(&[1.0, 5.0, 2.0]), Some((1.0, 5.0)));
        assert_eq!(limits(&[7.0; 2000]), Some((7.0, 7.0)));
        let huge = [f64::MAX, -f64::MAX, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let (low, high) = limits(&huge).unwrap();
        assert!(low.is_finite() && high.is_finite() && low <= high);
    }
}

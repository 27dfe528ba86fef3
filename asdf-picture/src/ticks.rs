//! Chooses round numbers along an axis.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "exponents and counts of ticks, all of them small"
)]

use crate::label::number_label;

/// A number on an axis, and its label.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tick {
    /// The number.
    pub number: f64,
    /// The number as text, with enough digits to tell it from the next tick.
    pub label: String,
}

/// The distance between ticks: 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy)]
struct Step {
    digit: f64,
    exponent: i32,
}

/// Returns the multiples of a round step within a range: about `most`, and at least one if any exists.
pub(crate) fn ticks((low, high): (f64, f64), most: usize) -> Vec<Tick> {
    let most = most.max(1);
    // Divide first, because the difference of two finite numbers can overflow.
    let distance = high / most as f64 - low / most as f64;
    with(Step::at_least(distance), (low, high), most)
}

/// Returns round integers within a range, as for the indices of an array.
pub(crate) fn whole_ticks((low, high): (f64, f64), most: usize) -> Vec<Tick> {
    let most = most.max(1);
    let distance = (high / most as f64 - low / most as f64).max(1.0);
    with(Step::at_least(distance), (low, high), most)
}

fn with(step: Option<Step>, (low, high): (f64, f64), most: usize) -> Vec<Tick> {
    let Some(step) = step.filter(|_| low < high) else {
        return vec![Tick { number: low, label: number_label(low) }];
    };
    let (first, last) = ((low / step.size()).ceil(), (high / step.size()).floor());
    let mut ticks: Vec<Tick> = Vec::new();
    for at in 0..=most {
        let count = first + at as f64;
        if count > last {
            break;
        }
        let number = step.times(count);
        // Beyond 2^53 adjacent multiples can round to the same float.
        if ticks.last().is_none_or(|before| before.number < number) {
            ticks.push(Tick { number, label: step.label(number, low.abs().max(high.abs())) });
        }
    }
    ticks
}

impl Step {
    /// Returns the smallest step that is at least a distance; `None` if no float is such a step.
    fn at_least(distance: f64) -> Option<Self> {
        if !distance.is_normal() || distance < 0.0 {
            return None;
        }
        let exponent = distance.log10().floor() as i32;
        // The rounded logarithm can put the distance just outside its decade.
        let steps = (exponent - 1..=exponent + 1)
            .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| Self { digit, exponent }));
        steps
            .into_iter()
            .find(|step| step.size() >= distance * (1.0 - 1e-9))
            .filter(|step| step.size().is_normal())
    }

    fn size(self) -> f64 {
        self.times(1.0)
    }

    /// Returns a multiple of the step, rounded only once: 3 times 0.1 is 0.3.
    fn times(self, count: f64) -> f64 {
        match self.exponent {
            0.. => count * self.digit * 10_f64.powi(self.exponent),
            -300..0 => count * self.digit / 10_f64.powi(-self.exponent),
            _ => count * self.digit * 10_f64.powi(self.exponent),
        }
    }

    /// Formats a multiple with enough digits to tell it from the next one. `largest` decides for all ticks of an axis
    /// whether they have exponents.
    fn label(self, number: f64, largest: f64) -> String {
        if number == 0.0 {
            return "0".to_owned();
        }
        let largest = largest.log10().floor() as i32;
        if (-4..=7).contains(&largest) && self.exponent >= -6 {
            let decimals = (-self.exponent).max(0) as usize;
            return format!("{number:.decimals$}");
        }
        let own = number.abs().log10().floor() as i32;
        let digits = (own - self.exponent).clamp(0, 15) as usize;
        let text = format!("{number:.digits$e}");
        match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: (f64, f64), most: usize) -> String {
        ticks(range, most).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn steps_are_1_2_and_5() {
        for (range, most, expected) in [
            ((0.0, 10.0), 10, "0 1 2 3 4 5 6 7 8 9 10"),
            ((0.0, 10.0), 9, "0 2 4 6 8 10"),
            ((0.0, 10.0), 3, "0 5 10"),
            ((0.0, 1.0), 5, "0 0.2 0.4 0.6 0.8 1.0"),
            ((-1.0, 4.5), 6, "-1 0 1 2 3 4"),
            ((0.1, 0.35), 3, "0.1 0.2 0.3"),
            ((2_460_000.5, 2_460_001.5), 5, "2460000.6 2460000.8 2460001.0 2460001.2 2460001.4"),
            ((1e-20, 4e-20), 3, "1e-20 2e-20 3e-20 4e-20"),
            ((5.1e9, 5.1003e9), 3, "5.1e9 5.1001e9 5.1002e9 5.1003e9"),
            ((0.0, 4e12), 4, "0 1e12 2e12 3e12 4e12"),
            ((-f64::MAX, f64::MAX), 4, "-1e308 0 1e308"),
        ] {
            assert_eq!(labels(range, most), expected, "{range:?}");
        }
    }

    #[test]
    fn ticks_of_indices_are_whole() {
        let labels = |range, most| {
            whole_ticks(range, most).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels((-0.5, 2.5), 20), "0 1 2");
        assert_eq!(labels((0.0, 1023.0), 5), "0 500 1000");
        assert_eq!(labels((0.0, 0.0), 5), "0");
    }

    #[test]
    fn ranges_without_a_round_step_have_one_tick() {
        assert_eq!(labels((7.0, 7.0), 5), "7");
        assert_eq!(labels((0.0, 5e-324), 5), "0");
        // Steps below the precision of floats repeat numbers.
        let close = ticks((1e16, 1e16 + 4.0), 8);
        assert!(close.windows(2).all(|pair| pair[0].number < pair[1].number), "{close:?}");
    }
}

//! How numbers between the limits become brightness.

/// A curve from 0 to 1, steep at its beginning where faint things are to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Stretch {
    #[default]
    Linear,
    /// asinh(10 x) / asinh(10)
    Asinh,
    /// log(1000 x + 1) / log(1001)
    Log,
    /// The square root
    Sqrt,
}

impl Stretch {
    /// The brightness of a place between the limits, both from 0 to 1.
    pub(super) fn apply(self, x: f64) -> f64 {
        const SOFTENING: f64 = 0.1;
        const EXPONENT: f64 = 1000.0;
        let x = x.clamp(0.0, 1.0);
        match self {
            Self::Linear => x,
            Self::Asinh => (x / SOFTENING).asinh() / (1.0 / SOFTENING).asinh(),
            Self::Log => (EXPONENT * x).ln_1p() / EXPONENT.ln_1p(),
            Self::Sqrt => x.sqrt(),
        }
    }
}

/// Where a number lies between limits, from 0 to 1; NaN for NaN.
pub(super) fn place(number: f64, (low, high): (f64, f64)) -> f64 {
    if low < high {
        // Halves, since the distance of two finite numbers need not be finite.
        ((number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
    } else if number.is_nan() {
        number
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn curves_rise_from_0_to_1() {
        for stretch in Stretch::value_variants() {
            assert_eq!((stretch.apply(0.0), stretch.apply(-3.0)), (0.0, 0.0));
            assert!((stretch.apply(1.0) - 1.0).abs() < 1e-12 && (stretch.apply(9.0) - 1.0).abs() < 1e-12);
            let steps: Vec<f64> = (0..=20).map(|at| stretch.apply(f64::from(at) / 20.0)).collect();
            assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{stretch:?}");
        }
        assert!((Stretch::Asinh.apply(0.1) - 1.0_f64.asinh() / 10.0_f64.asinh()).abs() < 1e-12);
        assert_eq!(place(5.0, (0.0, 10.0)), 0.5);
        assert_eq!(place(5.0, (5.0, 5.0)), 0.5);
        assert!(place(f64::NAN, (5.0, 5.0)).is_nan() && place(f64::NAN, (1.0, 5.0)).is_nan());
        assert_eq!(place(f64::MAX, (-f64::MAX, f64::MAX)), 1.0);
    }
}

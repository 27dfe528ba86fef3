//! `Stretch`: from numbers between the limits to brightness.

use std::fmt;
use std::str::FromStr;

use asdf_core::{Error, Result};

use crate::colormap::named;

/// A curve from 0 to 1 that makes the faint parts of an image brighter.
///
/// Parses from its [name](Self::name).
///
/// # Examples
/// ```
/// use asdf_picture::Stretch;
///
/// let stretch: Stretch = "sqrt".parse()?;
/// assert_eq!(stretch, Stretch::Sqrt);
/// assert!((stretch.apply(0.25) - 0.5).abs() < 1e-12);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Stretch {
    /// Brightness is proportional to the number.
    #[default]
    #[doc(alias = "LinearStretch")]
    Linear,
    /// Brightness is asinh(10 x) / asinh(10).
    #[doc(alias = "AsinhStretch")]
    Asinh,
    /// Brightness is log(1000 x + 1) / log(1001).
    #[doc(alias = "LogStretch")]
    Log,
    /// Brightness is the square root of x.
    #[doc(alias = "SqrtStretch")]
    Sqrt,
}

impl Stretch {
    /// All stretches.
    pub const ALL: &[Self] = &[Self::Linear, Self::Asinh, Self::Log, Self::Sqrt];

    /// Returns the name in lower case, such as `asinh`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Asinh => "asinh",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
        }
    }

    /// Returns the brightness at a position between the limits. Both are from 0 to 1.
    #[must_use]
    pub fn apply(self, x: f64) -> f64 {
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

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Stretch {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named(Self::ALL, text, |stretch| stretch.name())
    }
}

/// Returns the position of a number between limits, from 0 to 1; NaN for NaN.
pub(crate) fn place(number: f64, (low, high): (f64, f64)) -> f64 {
    if low < high {
        // Use halves, because the difference of two finite numbers can overflow.
        ((number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
    } else if number.is_nan() {
        number
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_rise_from_0_to_1() {
        for stretch in Stretch::ALL {
            assert_eq!(stretch.to_string().parse::<Stretch>().unwrap(), *stretch);
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

//! The analytic functions of one input: lines, profiles and laws with a few parameters.

use std::f64::consts::{LN_2, LN_10, PI, TAU};
use std::sync::Arc;

use super::special::{faddeeva, gamma_median};
use super::ufunc::sin_cos;
use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// The formula of a profile. Comments name its parameters in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formula {
    /// amplitude, frequency, phase
    Sine,
    /// amplitude, frequency, phase
    Cosine,
    /// amplitude, frequency, phase
    Tangent,
    /// amplitude, frequency, phase
    ArcSine,
    /// amplitude, frequency, phase
    ArcCosine,
    /// amplitude, frequency, phase
    ArcTangent,
    /// amplitude, tau
    Exponential,
    /// amplitude, tau
    Logarithmic,
    /// z
    Redshift,
    /// amplitude, mean, stddev
    Gaussian,
    /// amplitude, x_0, fwhm
    Lorentz,
    /// amplitude, x_0, gamma, alpha
    Moffat,
    /// x_0, amplitude_L, fwhm_L, fwhm_G
    Voigt,
    /// amplitude, x_0, width
    Box,
    /// amplitude, x_0, width, slope
    Trapezoid,
    /// amplitude, x_0, sigma
    RickerWavelet,
    /// amplitude, r_eff, n
    Sersic,
    /// amplitude, r_core, r_tide
    King,
    /// amplitude, x_0, fwhm
    Drude,
    /// mass, r_plum
    Plummer,
    /// temperature in kelvins, scale
    BlackBody,
    /// amplitude, x_0, alpha
    PowerLaw,
    /// amplitude, x_break, alpha_1, alpha_2
    BrokenPowerLaw,
    /// amplitude, x_break, alpha_1, alpha_2, delta
    SmoothlyBrokenPowerLaw,
    /// amplitude, x_0, alpha, x_cutoff
    ExponentialCutoffPowerLaw,
    /// amplitude, x_0, alpha, beta
    LogParabola,
    /// phi_star, m_star, alpha
    Schechter,
}

/// The most parameters of a profile.
pub(crate) const MOST_PARAMETERS: usize = 5;

/// A formula with its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    formula: Formula,
    parameters: [f64; MOST_PARAMETERS],
    /// The factor of the exponent of a Sersic profile.
    sersic: f64,
}

impl Profile {
    /// Makes a profile. Parameters that the formula does not have are ignored.
    pub(crate) fn new(formula: Formula, parameters: &[f64]) -> Self {
        let mut all = [0.0; MOST_PARAMETERS];
        all.iter_mut().zip(parameters).for_each(|(slot, parameter)| *slot = *parameter);
        let sersic = match (formula, all) {
            (Formula::Sersic, [_, _, n, ..]) => gamma_median(2.0 * n),
            _ => f64::NAN,
        };
        Self { formula, parameters: all, sersic }
    }
}

impl Pointwise<1, 1> for Profile {
    fn at<N: Number>(&self, [x]: [N; 1]) -> [N; 1] {
        let [a, b, c, d, e] = self.parameters;
        let constant = N::constant;
        let result = match self.formula {
            Formula::Sine => sin_cos((x * b + c) * TAU).0 * a,
            Formula::Cosine => sin_cos((x * b + c) * TAU).1 * a,
            Formula::Tangent => {
                let (sine, cosine) = sin_cos((x * b + c) * TAU);
                sine / cosine * a
            }
            Formula::ArcSine => ((x / a).asin() / TAU - c) / b,
            Formula::ArcCosine => ((x / a).acos() / TAU - c) / b,
            Formula::ArcTangent => ((x / a).atan() / TAU - c) / b,
            Formula::Exponential => (x / b).exp() * a,
            Formula::Logarithmic => (x / b).ln() * a,
            Formula::Redshift => x * (1.0 + a),
            Formula::Gaussian => {
                let distance = x - b;
                (distance * distance * -0.5 / (c * c)).exp() * a
            }
            Formula::Lorentz => {
                let (distance, half) = (x - b, 0.5 * c);
                constant(a * half * half) / (distance * distance + half * half)
            }
            Formula::Moffat => {
                let distance = (x - b) / c;
                (distance * distance + 1.0).powf(-d) * a
            }
            Formula::Voigt => voigt(x, [a, b, c, d]),
            Formula::Box => {
                let value = x.value();
                constant(if value >= b - c / 2.0 && value <= b + c / 2.0 { a } else { 0.0 })
            }
            Formula::Trapezoid => trapezoid(x, [a, b, c, d]),
            Formula::RickerWavelet => {
                let distance = x - b;
                let square = distance * distance / (2.0 * c * c);
                (square * -2.0 + 1.0) * (-square).exp() * a
            }
            Formula::Sersic => (((x / b).powf(c.recip()) - 1.0) * -self.sersic).exp() * a,
            Formula::King => {
                let core = constant(1.0) / (x * x + b * b).sqrt() - (c * c + b * b).sqrt().recip();
                let result = core * core * (a * b * b);
                if x.value() >= c || x.value() < 0.0 { result * 0.0 } else { result }
            }
            Formula::Drude => {
                let width = (c / b) * (c / b);
                let distance = x / b - constant(b) / x;
                constant(a * width) / (distance * distance + width)
            }
            Formula::Plummer => {
                let distance = x / b;
                (distance * distance + 1.0).powf(-2.5) * (3.0 * a / (4.0 * PI * b * b * b))
            }
            Formula::BlackBody => black_body(x, a, b),
            Formula::PowerLaw => (x / b).powf(-c) * a,
            Formula::BrokenPowerLaw => (x / b).powf(if x.value() < b { -c } else { -d }) * a,
            Formula::SmoothlyBrokenPowerLaw => smoothly_broken(x / b, a, [c, d], e),
            Formula::ExponentialCutoffPowerLaw => (x / b).powf(-c) * (-x / d).exp() * a,
            Formula::LogParabola => {
                let ratio = x / b;
                ratio.pow(-(ratio.ln() * d) - c) * a
            }
            Formula::Schechter => {
                let factor = ((x - b) * (-0.4 * LN_10)).exp();
                factor.powf(c + 1.0) * (-factor).exp() * (0.4 * LN_10 * a)
            }
        };
        [result]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        let [a, b, c, ..] = self.parameters;
        let (formula, parameters) = match self.formula {
            Formula::Sine => (Formula::ArcSine, [a, b, c]),
            Formula::Cosine => (Formula::ArcCosine, [a, b, c]),
            Formula::Tangent => (Formula::ArcTangent, [a, b, c]),
            Formula::ArcSine => (Formula::Sine, [a, b, c]),
            Formula::ArcCosine => (Formula::Cosine, [a, b, c]),
            Formula::ArcTangent => (Formula::Tangent, [a, b, c]),
            Formula::Exponential => (Formula::Logarithmic, [b, a, 0.0]),
            Formula::Logarithmic => (Formula::Exponential, [b, a, 0.0]),
            Formula::Redshift => (Formula::Redshift, [1.0 / (1.0 + a) - 1.0, 0.0, 0.0]),
            _ => return None,
        };
        Some(Each::shared(Self::new(formula, &parameters)))
    }

    fn describe(&self) -> String {
        format!("{:?}", self.formula).to_lowercase()
    }
}

/// A Voigt profile; the parameters are those of [`Formula::Voigt`].
fn voigt<N: Number>(x: N, [center, amplitude, lorentz, gauss]: [f64; 4]) -> N {
    let scale = LN_2.sqrt() / gauss;
    let z = [2.0 * (x.value() - center) * scale, lorentz * scale];
    let [real, imaginary] = faddeeva(z);
    let factor = (LN_2 * PI).sqrt() / gauss * lorentz * amplitude;
    // w'(z) = -2 z w(z) + 2 i / sqrt(pi)
    let slope = -2.0 * (z[0] * real - z[1] * imaginary);
    x.chain(real * factor, slope * 2.0 * scale * factor)
}

/// A trapezoid; the parameters are those of [`Formula::Trapezoid`].
fn trapezoid<N: Number>(x: N, [amplitude, center, width, slope]: [f64; 4]) -> N {
    let (second, third) = (center - width / 2.0, center + width / 2.0);
    let (first, fourth) = (second - amplitude / slope, third + amplitude / slope);
    let value = x.value();
    if value >= first && value < second {
        (x - first) * slope
    } else if value >= second && value < third {
        N::constant(amplitude)
    } else if value >= third && value < fourth {
        (-x + fourth) * slope
    } else {
        N::constant(0.0)
    }
}

/// The brightness of a black body at a frequency in hertz, in erg / (cm2 Hz s sr).
fn black_body<N: Number>(frequency: N, temperature: f64, scale: f64) -> N {
    const PLANCK: f64 = 6.626_070_15e-34;
    const BOLTZMANN: f64 = 1.380_649e-23;
    const LIGHT: f64 = 299_792_458.0;
    // From W / (m2 Hz sr).
    const UNITS: f64 = 1e3;
    let ratio = frequency * PLANCK / (BOLTZMANN * temperature);
    let below = ratio.chain(ratio.value().exp_m1(), ratio.value().exp());
    frequency * frequency * frequency * (2.0 * PLANCK / (LIGHT * LIGHT) * UNITS * scale) / below
}

/// Two power laws with a smooth transition, at a multiple of the position of the break.
fn smoothly_broken<N: Number>(x: N, amplitude: f64, [first, second]: [f64; 2], delta: f64) -> N {
    /// Above this logarithm one of the two laws is so small that it does not count, and the other can overflow.
    const ALONE: f64 = 30.0;
    let logarithm = x.ln() / delta;
    let change = (first - second) * delta;
    if logarithm.value() > ALONE {
        x.powf(-second) * (amplitude / 2.0_f64.powf(change))
    } else if logarithm.value() < -ALONE {
        x.powf(-first) * (amplitude / 2.0_f64.powf(change))
    } else if logarithm.value().abs() <= ALONE {
        let middle = (logarithm.exp() + 1.0) / 2.0;
        x.powf(-first) * middle.powf(change) * amplitude
    } else {
        // As in astropy, which leaves points without a logarithm at 0.
        N::constant(0.0)
    }
}

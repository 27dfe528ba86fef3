//! Gratings, refraction and glasses.

use std::sync::Arc;

use crate::function::{Function, Pointwise};
use crate::number::Number;

/// The wavelength from the sines of the angles at a grating.
#[derive(Debug, Clone)]
pub(crate) struct GratingWavelength {
    pub(crate) groove_density: f64,
    pub(crate) order: f64,
}

impl Pointwise<2, 1> for GratingWavelength {
    fn at<N: Number>(&self, [entering, leaving]: [N; 2]) -> [N; 1] {
        [(entering + leaving) / (self.groove_density * self.order)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("grating to wavelength, {} grooves, order {}", self.groove_density, self.order)
    }
}

/// The direction cosines of the light that leaves a grating.
#[derive(Debug, Clone)]
pub(crate) struct GratingAngles {
    pub(crate) groove_density: f64,
    pub(crate) order: f64,
}

impl Pointwise<3, 3> for GratingAngles {
    fn at<N: Number>(&self, [wavelength, alpha, beta]: [N; 3]) -> [N; 3] {
        let alpha = wavelength * (-self.groove_density * self.order) + alpha;
        let beta = -beta;
        [alpha, beta, third_cosine(alpha, beta)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("grating to angles, {} grooves, order {}", self.groove_density, self.order)
    }
}

/// Refraction at a surface, from the index of refraction and direction cosines.
#[derive(Debug, Clone)]
pub(crate) struct Snell;

impl Pointwise<4, 3> for Snell {
    fn at<N: Number>(&self, [index, alpha, beta, _]: [N; 4]) -> [N; 3] {
        let (alpha, beta) = (alpha / index, beta / index);
        [alpha, beta, third_cosine(alpha, beta)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        "snell".to_owned()
    }
}

/// The third of three direction cosines; NaN if the two others are too large.
fn third_cosine<N: Number>(alpha: N, beta: N) -> N {
    (-(alpha * alpha) - beta * beta + 1.0).sqrt()
}

/// The refractive index of a glass, from the wavelength in micrometres.
#[derive(Debug, Clone)]
pub(crate) struct Glass {
    pub(crate) strengths: [f64; 3],
    /// The resonances, in square micrometres.
    pub(crate) resonances: [f64; 3],
}

impl Glass {
    fn index<N: Number>(&self, wavelength: N) -> N {
        let square = wavelength * wavelength;
        let [first, second, third] =
            std::array::from_fn(|term| match (self.strengths.get(term), self.resonances.get(term)) {
                (Some(&strength), Some(&resonance)) => square * strength / (square - resonance),
                _ => N::constant(f64::NAN),
            });
        (first + 1.0 + second + third).sqrt()
    }
}

impl Pointwise<1, 1> for Glass {
    fn at<N: Number>(&self, [wavelength]: [N; 1]) -> [N; 1] {
        [self.index(wavelength)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        "sellmeier glass".to_owned()
    }
}

/// The refractive index of a glass at another temperature and pressure than those of its coefficients.
#[derive(Debug, Clone)]
pub(crate) struct ZemaxGlass {
    pub(crate) glass: Glass,
    /// The coefficients of the change with temperature at long wavelengths.
    pub(crate) change: [f64; 3],
    /// The two coefficients of the dispersion of that change, and its resonance in micrometres.
    pub(crate) dispersion: [f64; 3],
    /// Temperatures in kelvins, pressures in atmospheres.
    pub(crate) temperature: f64,
    pub(crate) reference_temperature: f64,
    pub(crate) pressure: f64,
    pub(crate) reference_pressure: f64,
}

impl ZemaxGlass {
    /// The index of air, from `refractivity`, which is that of air at 15 °C and one atmosphere.
    fn air<N: Number>(refractivity: N, celsius: f64, pressure: f64) -> N {
        refractivity * pressure / (1.0 + (celsius - 15.0) * 3.4785e-3) + 1.0
    }
}

impl Pointwise<1, 1> for ZemaxGlass {
    fn at<N: Number>(&self, [wavelength]: [N; 1]) -> [N; 1] {
        const ZERO_CELSIUS: f64 = 273.15;
        let (celsius, reference) =
            (self.temperature - ZERO_CELSIUS, self.reference_temperature - ZERO_CELSIUS);
        let delta = celsius - reference;
        let square = wavelength * wavelength;
        let one = N::constant(1.0);
        let standard = one
            + (square * 2_949_810.0 / (square * 146.0 - 1.0)
                + 6432.8
                + square * 5540.0 / (square * 41.0 - 1.0))
                * 1e-8;
        let refractivity = standard - 1.0;
        let air = Self::air(refractivity, celsius, self.pressure);
        let reference_air = Self::air(refractivity, reference, self.reference_pressure);
        let relative_wavelength = wavelength * air / reference_air;
        let relative = self.glass.index(relative_wavelength);
        let absolute = relative * reference_air;
        let ([d0, d1, d2], [e0, e1, resonance]) = (self.change, self.dispersion);
        let slow = d0 * delta + d1 * delta * delta + d2 * delta * delta * delta;
        let fast = N::constant(e0 * delta + e1 * delta * delta)
            / (relative_wavelength * relative_wavelength - resonance * resonance);
        let change = (relative * relative - 1.0) * 0.5 / relative * (fast + slow);
        [(absolute + change) / air]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("sellmeier zemax at {} K, {} atm", self.temperature, self.pressure)
    }
}

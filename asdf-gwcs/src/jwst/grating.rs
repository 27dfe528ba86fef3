//! The gratings of NIRSpec, which reflect light.

use std::sync::Arc;

use super::direction::third_cosine;
use crate::function::{Function, Pointwise};
use crate::number::Number;

/// The direction cosines of the light that leaves a grating, from the wavelength and those of the light that enters.
#[derive(Debug, Clone)]
pub(crate) struct GratingAngles {
    pub(crate) groove_density: f64,
    pub(crate) order: f64,
}

impl Pointwise<4, 3> for GratingAngles {
    fn at<N: Number>(&self, [wavelength, alpha, beta, _]: [N; 4]) -> [N; 3] {
        let alpha = -alpha - wavelength * (self.groove_density * self.order);
        let beta = -beta;
        [alpha, beta, third_cosine(alpha, beta)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("reflection grating to angles, {} grooves, order {}", self.groove_density, self.order)
    }
}

/// The wavelength from the direction cosines of the light that enters and leaves a grating.
#[derive(Debug, Clone)]
pub(crate) struct GratingWavelength {
    pub(crate) groove_density: f64,
    pub(crate) order: f64,
}

impl Pointwise<3, 1> for GratingWavelength {
    fn at<N: Number>(&self, [entering, _, leaving]: [N; 3]) -> [N; 1] {
        [-(entering + leaving) / (self.groove_density * self.order)]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("reflection grating to wavelength, {} grooves, order {}", self.groove_density, self.order)
    }
}

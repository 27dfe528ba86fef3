//! The prism of NIRSpec.

use std::sync::Arc;

use super::rotation::Rotation;
use crate::function::{Function, Pointwise};
use crate::leaf::optics::{Glass, Snell, ZemaxGlass};
use crate::number::Number;

/// The refractive index of the prism's glass, from the wavelength in micrometres.
#[derive(Debug, Clone)]
pub(crate) enum Index {
    /// The index at the reference temperature.
    Reference(Glass),
    /// The index at a temperature that differs much from the reference.
    Corrected(ZemaxGlass),
}

/// The way of light through the prism: it enters, is reflected by the back, and leaves by the front.
///
/// The inputs are the wavelength in metres and direction cosines.
#[derive(Debug, Clone)]
pub(crate) struct Prism {
    pub(crate) index: Index,
    /// From the frame of the front surface to that of the back surface.
    pub(crate) to_back: Rotation,
    /// From the frame of the back surface to that of the front surface.
    pub(crate) to_front: Rotation,
}

impl Pointwise<4, 3> for Prism {
    fn at<N: Number>(&self, [wavelength, x, y, z]: [N; 4]) -> [N; 3] {
        let micrometres = [wavelength * 1e6];
        let [index] = match &self.index {
            Index::Reference(glass) => glass.at(micrometres),
            Index::Corrected(glass) => glass.at(micrometres),
        };
        let inside = Snell.at([index, x, y, z]);
        let [x, y, z] = self.to_back.at(inside);
        let [x, y, z] = self.to_front.at([-x, -y, z]);
        Snell.at([N::constant(1.0) / index, x, y, z])
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        let index = match &self.index {
            Index::Reference(_) => "at the reference temperature".to_owned(),
            Index::Corrected(glass) => format!("at {} K", glass.temperature),
        };
        format!("prism {index}")
    }
}

/// The refractive index of a prism from the direction cosines of the light that enters and leaves it.
#[derive(Debug, Clone)]
pub(crate) struct PrismIndex {
    /// The sine and cosine of the prism's angle.
    pub(crate) sine: f64,
    pub(crate) cosine: f64,
}

impl Pointwise<3, 1> for PrismIndex {
    fn at<N: Number>(&self, [alpha, beta, leaving]: [N; 3]) -> [N; 1] {
        let turned = leaving + alpha * (1.0 - 2.0 * self.sine * self.sine);
        let part = turned / (2.0 * self.sine * self.cosine);
        [(part * part + alpha * alpha + beta * beta).sqrt()]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("index of a prism of sine {}", self.sine)
    }
}

//! What a search needs to know.

use multiversion::multiversion;

use crate::program::{Program, Residual, Tangent};

/// A transform to invert.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) forward: Program,
    pub(super) residuals: Vec<Residual>,
    /// An approximation of the inverse.
    pub(super) start: Option<Program>,
    /// Where the search starts if there is no approximation, or if it is NaN.
    pub(super) centre: Vec<f64>,
}

impl Problem {
    /// Computes the tangent planes at the world coordinates: for each direction one list.
    pub(super) fn tangents(&self, world: &[&[f64]], tangents: &mut Vec<Vec<Tangent>>) {
        tangents.resize_with(self.residuals.len(), Vec::new);
        for (residual, list) in self.residuals.iter().zip(tangents) {
            list.clear();
            if let Residual::Direction { world: first, .. } = *residual {
                if let Some([longitude, latitude, ..]) = world.get(first..) {
                    list.resize(longitude.len(), Tangent::default());
                    tangents_at(longitude, latitude, list);
                }
            }
        }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn tangents_at(longitude: &[f64], latitude: &[f64], tangents: &mut [Tangent]) {
    for ((longitude, latitude), tangent) in longitude.iter().zip(latitude).zip(tangents) {
        *tangent = Tangent::at(*longitude, *latitude);
    }
}

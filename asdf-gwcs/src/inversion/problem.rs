//! What a search needs to know.

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
    /// The tangent planes at the world coordinates: for each direction one list.
    pub(super) fn tangents<'n>(
        &'n self,
        world: &'n [&'n [f64]],
        length: usize,
    ) -> impl Iterator<Item = Vec<Tangent>> + 'n {
        let value = |column: usize, index: usize| {
            world.get(column).and_then(|column| column.get(index)).copied().unwrap_or(f64::NAN)
        };
        self.residuals.iter().filter_map(move |residual| match *residual {
            Residual::Direction { world, .. } => Some(
                (0..length).map(|index| Tangent::at(value(world, index), value(world + 1, index))).collect(),
            ),
            Residual::Value { .. } => None,
        })
    }
}

//! Projections as functions of blocks of points.

use std::sync::Arc;

use crate::function::{Dual2, Function};
use crate::number::Number;
use crate::projection::Projection;

/// A projection in one of its two directions.
#[derive(Debug, Clone)]
pub(crate) struct Projected {
    pub(crate) projection: Arc<Projection>,
    /// Whether points of the plane become points of the sphere.
    pub(crate) to_sphere: bool,
}

impl Projected {
    fn run<N: Number>(&self, inputs: &[&[N]], outputs: &mut [&mut [N]]) {
        let ([first, second], [one, two]) = (inputs, outputs) else { return };
        if self.to_sphere {
            self.projection.block_to_sphere(first, second, one, two);
        } else {
            self.projection.block_to_plane(first, second, one, two);
        }
    }
}

impl Function for Projected {
    fn inputs(&self) -> usize {
        2
    }

    fn outputs(&self) -> usize {
        2
    }

    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        self.run(inputs, outputs);
    }

    fn duals(&self, inputs: &[&[Dual2]], outputs: &mut [&mut [Dual2]]) {
        self.run(inputs, outputs);
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        Some(Arc::new(Self { projection: Arc::clone(&self.projection), to_sphere: !self.to_sphere }))
    }

    fn describe(&self) -> String {
        let direction = if self.to_sphere { "to sphere" } else { "to plane" };
        let parameters =
            self.projection.parameters().into_iter().map(|(name, value)| format!(" {name} {value}"));
        format!("{}{} {direction}", self.projection.name(), parameters.collect::<String>())
    }
}

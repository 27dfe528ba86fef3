//! From world coordinates to pixels.

use std::sync::Arc;

use asdf_core::{Error, Result};

use super::Wcs;
use super::bounding::{Bounding, Limits};
use crate::transform::Transform;

/// Which transform leads from world coordinates back to pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inverse {
    /// The inverses that the file stores, or else formulas, or else a numerical inverse.
    ///
    /// Stored inverses are approximations, usually fitted polynomials. This is what gwcs does, and it includes the
    /// rule of gwcs at the edges, [`Bounding::Corners`].
    Stored,
    /// The inverse of the forward transform: formulas, or a numerical inverse to 1e-9 pixel.
    ///
    /// At the edges [`Bounding::Exact`] applies.
    Exact,
}

/// A transform from world coordinates to pixels: see [`Wcs::inverse`].
///
/// # Examples
/// ```no_run
/// use asdf_core::File;
/// use asdf_gwcs::{Bounding, Inverse, Wcs};
///
/// let file = File::open("cal.asdf")?;
/// let wcs = Wcs::open(&file, "/roman/meta/wcs")?;
/// let inverse = wcs.inverse(Inverse::Exact)?.bounding(Bounding::None);
/// let pixels = inverse.columns(&[&[269.8, 269.9], &[66.0, 66.1]])?;
/// assert_eq!(pixels.len(), 2);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Backward {
    solver: Arc<Solver>,
    limits: Arc<Limits>,
    bounding: Bounding,
}

#[derive(Debug)]
enum Solver {
    Formula(Transform),
}

/// The most points that are computed at once: their limited world coordinates are a copy.
const POINTS: usize = 1 << 18;

impl Backward {
    /// Sets the rule at the edges of the image.
    #[must_use]
    pub fn bounding(&self, bounding: Bounding) -> Self {
        Self { bounding, ..self.clone() }
    }

    /// Returns the number of world axes.
    #[must_use]
    pub fn inputs(&self) -> usize {
        match &*self.solver {
            Solver::Formula(transform) => transform.inputs(),
        }
    }

    /// Returns the number of pixel axes.
    #[must_use]
    pub fn outputs(&self) -> usize {
        match &*self.solver {
            Solver::Formula(transform) => transform.outputs(),
        }
    }

    /// Returns the pixel of one point.
    ///
    /// # Errors
    /// If the number of coordinates is not that of the world axes.
    pub fn values(&self, world: &[f64]) -> Result<Vec<f64>> {
        let columns: Vec<&[f64]> = world.iter().map(std::slice::from_ref).collect();
        Ok(self.columns(&columns)?.into_iter().flatten().collect())
    }

    /// Returns the pixels of many points: a slice for each world axis, a vector for each pixel axis.
    ///
    /// # Errors
    /// Like [`values`](Self::values), and if the slices differ in length.
    pub fn columns(&self, world: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
        let length = world.first().map_or(0, |column| column.len());
        let mut pixels = vec![vec![f64::NAN; length]; self.outputs()];
        let mut slices: Vec<&mut [f64]> = pixels.iter_mut().map(Vec::as_mut_slice).collect();
        self.columns_into(world, &mut slices)?;
        Ok(pixels)
    }

    /// Writes the pixels of many points into slices.
    ///
    /// # Errors
    /// Like [`columns`](Self::columns), and if the number of slices is not that of the pixel axes.
    pub fn columns_into(&self, world: &[&[f64]], pixels: &mut [&mut [f64]]) -> Result<()> {
        let length = world.first().map_or(0, |column| column.len());
        let lengths = world.iter().map(|column| column.len()).chain(pixels.iter().map(|column| column.len()));
        if let Some(other) = lengths.into_iter().find(|other| *other != length) {
            return Err(Error::usage(format!("expected {length} numbers in each column, found {other}")));
        }
        // Also finds a wrong number of columns, before an empty one.
        self.solve(&world.iter().map(|_| [].as_slice()).collect::<Vec<_>>(), &mut empty(pixels.len()))?;
        let mut start = 0;
        while start < length {
            let end = (start + POINTS).min(length);
            let mut part: Vec<&mut [f64]> =
                pixels.iter_mut().map(|column| column.get_mut(start..end).unwrap_or_default()).collect();
            let points: Vec<&[f64]> = world.iter().map(|column| column.get(start..end).unwrap_or_default()).collect();
            match self.limits.limits_world(self.bounding) {
                true => {
                    let mut limited: Vec<Vec<f64>> = points.iter().map(|column| column.to_vec()).collect();
                    self.limits.limit_world(&mut limited);
                    self.solve(&limited.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut part)?;
                }
                false => self.solve(&points, &mut part)?,
            }
            self.limits.limit_pixels(self.bounding, &mut part);
            start = end;
        }
        Ok(())
    }

    fn solve(&self, world: &[&[f64]], pixels: &mut [&mut [f64]]) -> Result<()> {
        match &*self.solver {
            Solver::Formula(transform) => transform.columns_into(world, pixels),
        }
    }
}

fn empty<'a>(count: usize) -> Vec<&'a mut [f64]> {
    (0..count).map(|_| [].as_mut_slice()).collect()
}

impl Wcs {
    /// Compiles the transform from world coordinates to pixels.
    pub(super) fn compile_backward(&self, inverse: Inverse) -> Result<Backward> {
        let last = self.steps.len().saturating_sub(1);
        let bounding = match inverse {
            Inverse::Stored => Bounding::Corners,
            Inverse::Exact => Bounding::Exact,
        };
        let chain = self.inverse_chain(last, 0)?;
        let solver = match chain {
            Some(chain) => Solver::Formula(chain.compile(None, self)?),
            None => return Err(self.no_inverse(last, 0)),
        };
        Ok(Backward { solver: Arc::new(solver), limits: Arc::new(Limits::of(self)), bounding })
    }
}

//! From world coordinates to pixels.

use std::sync::Arc;

use asdf_core::Result;

use super::Wcs;
use super::chain::Chain;
use crate::bounds::{Bounds, Compound};
use crate::inversion::{Axis, Corners, Newton};
use crate::model::Model;
use crate::program::Program;
use crate::transform::{ResultBounds, Transform};

/// Which transform leads from world coordinates back to pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inverse {
    /// The inverses that the file stores, or else formulas, or else a numerical inverse. This is what gwcs does.
    ///
    /// Stored inverses are approximations, usually fitted polynomials. At the edges [`Bounding::Corners`] applies, the
    /// rule of gwcs.
    Stored,
    /// The inverse of the forward transform: formulas, or a numerical inverse to 1e-9 pixel.
    ///
    /// At the edges [`Bounding::Exact`] applies.
    Exact,
}

/// How an inverse decides whether a point belongs to the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bounding {
    /// A point belongs to the image if its pixel is in the bounding box. Else all its coordinates are NaN.
    ///
    /// Edges belong to the box. A pixel less than 1e-6 outside counts as inside, because rounding moves it.
    Exact,
    /// The rule of gwcs.
    ///
    /// A world coordinate outside the range of the four corners becomes NaN before the transform, and a pixel
    /// coordinate outside the box after it, each by itself. Edges of an image are not straight on the sky, so this also
    /// loses some pixels near them: about 1 % of a Roman image.
    Corners,
    /// Every point has a pixel, if the transform has one.
    None,
}

/// How far outside the box rounding can move a pixel.
const TOLERANCE: f64 = 1e-6;

impl Wcs {
    /// Returns the transform from world coordinates to pixels, with the rule at the edges that belongs to the choice. It
    /// is compiled once for each choice.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward), and if there is no inverse: neither stored nor by formula, and the numbers of
    /// pixel and world axes do not allow a numerical one.
    pub fn inverse(&self, inverse: Inverse) -> Result<&Transform> {
        let (kept, bounding) = match inverse {
            Inverse::Stored => (&self.stored, Bounding::Corners),
            Inverse::Exact => (&self.exact, Bounding::Exact),
        };
        if let Some(known) = kept.get() {
            return Ok(known);
        }
        let compiled = self.inverse_with(inverse, bounding)?;
        Ok(kept.get_or_init(|| compiled))
    }

    /// Compiles the transform from world coordinates to pixels with another rule at the edges.
    ///
    /// # Errors
    /// Like [`inverse`](Self::inverse).
    ///
    /// # Examples
    /// ```no_run
    /// use asdf_core::File;
    /// use asdf_gwcs::{Bounding, Inverse, Wcs};
    ///
    /// let file = File::open("cal.asdf")?;
    /// let wcs = Wcs::open(&file, "/roman/meta/wcs")?;
    /// let everywhere = wcs.inverse_with(Inverse::Exact, Bounding::None)?;
    /// let pixels = everywhere.columns(&[&[269.8, 269.9], &[66.0, 66.1]])?;
    /// assert_eq!(pixels.len(), 2);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn inverse_with(&self, inverse: Inverse, bounding: Bounding) -> Result<Transform> {
        let last = self.steps.len().saturating_sub(1);
        let whole = self.whole()?;
        let is_approximate = whole.models.iter().any(|model| model.has_stored_inverse());
        let transform = match self.inverse_chain(last, 0)? {
            Some(chain) if inverse == Inverse::Stored || !is_approximate => {
                chain.compile(self.bounds_of_inverse(), self)?
            }
            chain => self.numerical_inverse(&whole, chain.as_ref())?,
        };
        let bounds = match bounding {
            Bounding::None => None,
            Bounding::Exact => {
                self.bounds().map(|bounds| ResultBounds { bounds: widened(bounds), whole_points: true })
            }
            Bounding::Corners => {
                self.bounds().map(|bounds| ResultBounds { bounds: bounds.clone(), whole_points: false })
            }
        };
        let corners = match bounding {
            Bounding::Corners => self.corners(),
            Bounding::Exact | Bounding::None => None,
        };
        Ok(transform.with_corners(corners).with_result_bounds(bounds))
    }

    /// Returns the pixel of one point. For many points use the columns of [`inverse`](Self::inverse).
    ///
    /// # Errors
    /// Like [`inverse`](Self::inverse), and if the number of coordinates is not that of the world axes.
    pub fn world_to_pixel(&self, world: &[f64], inverse: Inverse) -> Result<Vec<f64>> {
        self.inverse(inverse)?.values(world)
    }

    /// Prepares Newton's method for all steps. It starts at the approximation, if there is one.
    fn numerical_inverse(&self, whole: &Chain<'_>, approximation: Option<&Chain<'_>>) -> Result<Transform> {
        let (inputs, outputs) = whole.units();
        let last = self.steps.len().saturating_sub(1);
        let size =
            |model: Option<&Arc<Model>>, count: fn(&Model) -> usize| model.map_or(0, |model| count(model));
        let pixels = size(whole.models.first(), |model| model.kind.inputs());
        let world = size(whole.models.last(), |model| model.kind.outputs());
        if pixels != world {
            let error = self.no_inverse(last, 0);
            let message = format!("{pixels} pixel axes and {world} world axes have no numerical inverse");
            let error = error.with_message(message);
            return Err(match approximation {
                Some(_) => error.with_hint("use the inverse that the file stores"),
                None => error,
            });
        }
        // An inverse of the file can have other numbers of inputs and outputs.
        let start = approximation
            .and_then(|chain| chain.program(None).ok())
            .filter(|program| (program.inputs(), program.outputs()) == (world, pixels));
        let centre = match self.limits() {
            Ok(intervals) => intervals.iter().map(|[low, high]| 0.5 * (low + high)).collect(),
            Err(_) => vec![0.0; pixels],
        };
        let forward = Program::compile_residuals(&whole.models, &inputs, &outputs)?;
        let newton = Newton::new(forward, start, centre).map_err(|error| error.at_path(&self.path))?;
        Ok(Transform::from_newton(newton, self.threads))
    }

    /// Returns the box of the inverse that the file gives. As in gwcs, it only counts if there is one step.
    fn bounds_of_inverse(&self) -> Option<&Bounds> {
        let mut transforms = self.steps.iter().filter_map(|step| step.transform.as_ref());
        match (transforms.next(), transforms.next()) {
            (Some(only), None) => only.model.inverse.as_ref()?.bounds.as_ref(),
            _ => None,
        }
    }

    /// Returns the ranges of the corners, if there is a box.
    fn corners(&self) -> Option<Corners> {
        self.bounding_box()?;
        let corners = self.footprint().ok()?;
        let axes: Vec<Axis> = self
            .world_axes()
            .iter()
            .map(|axis| Axis {
                kind: axis.axis_type().to_owned(),
                is_longitude: [".ra", ".lon"].iter().any(|end| axis.physical_type().ends_with(end)),
            })
            .collect();
        let column = |axis: usize| corners.iter().filter_map(|corner| corner.get(axis).copied()).collect();
        let columns: Vec<Vec<f64>> = (0..axes.len()).map(column).collect();
        Some(Corners::new(&axes, &columns))
    }
}

/// Returns a box that is larger by the tolerance.
fn widened(bounds: &Bounds) -> Bounds {
    let widen = |intervals: &[Option<[f64; 2]>]| -> Vec<Option<[f64; 2]>> {
        let wide = |[low, high]: [f64; 2]| [low - TOLERANCE, high + TOLERANCE];
        intervals.iter().map(|interval| interval.map(wide)).collect()
    };
    match bounds {
        Bounds::Box(intervals) => Bounds::Box(widen(intervals)),
        Bounds::Compound(Compound { selectors, cases }) => Bounds::Compound(Compound {
            selectors: selectors.clone(),
            cases: cases.iter().map(|(values, intervals)| (values.clone(), widen(intervals))).collect(),
        }),
    }
}

//! Joining steps, and the units of their frames.

use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_units::Unit;

use super::Wcs;
use crate::bounds::Bounds;
use crate::frame::Frame;
use crate::model::{Kind, Model};
use crate::program::Program;
use crate::transform::Transform;

/// Transforms that follow each other, with the frames at both ends.
pub(super) struct Chain<'a> {
    pub(super) models: Vec<Arc<Model>>,
    pub(super) from: &'a Frame,
    pub(super) to: &'a Frame,
}

impl Chain<'_> {
    /// Compiles the transforms. Numbers have the units of the frames.
    pub(super) fn compile(&self, bounds: Option<&Bounds>, wcs: &Wcs) -> Result<Transform> {
        Ok(Transform::from_program(self.program(bounds)?, wcs.threads))
    }

    /// Compiles the transforms to a program.
    pub(super) fn program(&self, bounds: Option<&Bounds>) -> Result<Program> {
        let (inputs, outputs) = self.units();
        Program::compile(&self.models, &inputs, &outputs, bounds)
    }

    /// Returns the units of the coordinates before and after the transforms.
    ///
    /// As in gwcs, the units of frames only count if a parameter is a quantity, or if there are no parameters.
    pub(super) fn units(&self) -> (Vec<Option<Unit>>, Vec<Option<Unit>>) {
        let units = |frame: &Frame| frame.axes().iter().map(|axis| Some(axis.unit().clone())).collect();
        match uses_quantities(&self.models) {
            true => (units(self.from), units(self.to)),
            false => (Vec::new(), Vec::new()),
        }
    }
}

fn uses_quantities(models: &[Arc<Model>]) -> bool {
    models.iter().any(|model| model.has_quantities()) || models.iter().all(|model| !has_parameters(model))
}

fn has_parameters(model: &Model) -> bool {
    match &model.kind {
        Kind::Identity(_)
        | Kind::Remap { .. }
        | Kind::SphericalToCartesian { .. }
        | Kind::CartesianToSpherical { .. } => false,
        kind => {
            let parts = kind.parts();
            parts.is_empty() || parts.into_iter().any(|part| has_parameters(part))
        }
    }
}

impl Wcs {
    /// Returns the compiled transform between two frames, forward or backward. Frames are found by name.
    ///
    /// A backward transform uses the inverses that the file stores, or else formulas. The bounding box applies if the
    /// transform starts at the frame of the pixels. The units are those of the frames.
    ///
    /// # Errors
    /// If there is no frame with such a name or several, or if both are the same; if a transform between the frames has
    /// no formula or, backward, no inverse.
    pub fn transform(&self, from: &str, to: &str) -> Result<Transform> {
        let (start, end) = (self.position(from)?, self.position(to)?);
        if start == end {
            return Err(Error::usage(format!("found the frame '{from}' twice, expected two frames"))
                .at_path(&self.path));
        }
        match start < end {
            true => {
                let bounds = self.bounds().filter(|_| start == 0);
                self.chain(start, end)?.compile(bounds, self)
            }
            false => {
                let chain = self.inverse_chain(start, end)?;
                chain.ok_or_else(|| self.no_inverse(start, end))?.compile(None, self)
            }
        }
    }

    /// Returns the bounding box: that of the first transform.
    pub(super) fn bounds(&self) -> Option<&Bounds> {
        self.steps.first()?.transform.as_ref()?.model.bounds.as_ref()
    }

    /// Compiles the transform from pixels to world coordinates.
    pub(super) fn compile_forward(&self, bounded: bool) -> Result<Transform> {
        self.whole()?.compile(self.bounds().filter(|_| bounded), self)
    }

    /// Returns all steps.
    pub(super) fn whole(&self) -> Result<Chain<'_>> {
        self.chain(0, self.steps.len().saturating_sub(1))
    }

    /// Returns the transforms from a step to a later one.
    fn chain(&self, start: usize, end: usize) -> Result<Chain<'_>> {
        let (Some(from), Some(to)) = (self.steps.get(start), self.steps.get(end)) else {
            return Err(self.empty());
        };
        let steps = self.steps.iter().enumerate().take(end).skip(start);
        let models = steps.map(|(number, step)| match &step.transform {
            Some(transform) => Ok(Arc::clone(&transform.model)),
            None => {
                let message = format!("the step from the frame '{}' has no transform", step.frame.name());
                Err(Error::mismatch(message).at_path(&format!("{}/steps/{number}", self.path)))
            }
        });
        Ok(Chain { models: models.collect::<Result<_>>()?, from: &from.frame, to: &to.frame })
    }

    /// Returns the inverses of the transforms from a step to an earlier one, if each has one.
    pub(super) fn inverse_chain(&self, start: usize, end: usize) -> Result<Option<Chain<'_>>> {
        let forward = self.chain(end, start)?;
        let mut models = Vec::with_capacity(forward.models.len());
        for model in forward.models.iter().rev() {
            match model.inverse() {
                Some(inverse) => models.push(inverse),
                None => return Ok(None),
            }
        }
        Ok(Some(Chain { models, from: forward.to, to: forward.from }))
    }

    pub(super) fn no_inverse(&self, start: usize, end: usize) -> Error {
        let name =
            |position: usize| self.steps.get(position).map(|step| step.frame.name()).unwrap_or_default();
        let message = format!("no transform from '{}' back to '{}'", name(start), name(end));
        Error::unsupported(format!("{message}: a transform between them has no inverse")).at_path(&self.path)
    }

    fn position(&self, name: &str) -> Result<usize> {
        let mut found = self.steps.iter().enumerate().filter(|(_, step)| step.frame.name() == name);
        let names = || self.steps.iter().map(|step| step.frame.name()).collect::<Vec<_>>().join(", ");
        match (found.next(), found.next()) {
            (Some((position, _)), None) => Ok(position),
            (None, _) => {
                let message = format!("no frame '{name}'; the frames are {}", names());
                Err(Error::usage(message).at_path(&self.path))
            }
            (Some(_), Some(_)) => {
                let message = format!("several frames are named '{name}'; the frames are {}", names());
                Err(Error::mismatch(message).at_path(&self.path))
            }
        }
    }
}

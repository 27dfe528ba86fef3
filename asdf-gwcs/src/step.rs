//! Steps: a frame, and the transform to the next one.

use std::sync::Arc;

use crate::frame::Frame;
use crate::model::{Kind, Model};

/// One step of a [`Wcs`](crate::Wcs): a frame, and the transform from it to the frame of the next step.
#[derive(Debug, Clone)]
pub struct Step {
    pub(crate) frame: Frame,
    pub(crate) transform: Option<StepTransform>,
}

/// The transform of a step.
#[derive(Debug, Clone)]
pub(crate) struct StepTransform {
    pub(crate) model: Arc<Model>,
    pub(crate) tag: String,
    pub(crate) name: String,
}

impl Step {
    /// Returns the frame before the transform.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns whether the step has a transform. The last step has none.
    #[must_use]
    pub fn has_transform(&self) -> bool {
        self.transform.is_some()
    }

    /// Returns the path of the transform in the tree, as a JSON Pointer.
    #[must_use]
    pub fn transform_path(&self) -> Option<&str> {
        self.transform.as_ref().map(|transform| transform.model.path.as_str())
    }

    /// Returns the tag of the transform.
    #[must_use]
    pub fn transform_tag(&self) -> Option<&str> {
        self.transform.as_ref().map(|transform| transform.tag.as_str())
    }

    /// Returns the name of the transform, if the file gives it one.
    #[must_use]
    pub fn transform_name(&self) -> Option<&str> {
        self.transform.as_ref().map(|transform| transform.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Returns the numbers of inputs and outputs of the transform.
    ///
    /// These can be wrong for a transform without a formula, if its node does not list them.
    #[must_use]
    pub fn arity(&self) -> Option<(usize, usize)> {
        let model = &self.transform.as_ref()?.model;
        Some((model.kind.inputs(), model.kind.outputs()))
    }

    /// Returns the paths and tags of the transforms in this step that have no formula.
    ///
    /// [`Wcs::transform`](crate::Wcs::transform) fails for frames with such a step between them.
    #[must_use]
    pub fn unknown_transforms(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open: Vec<&Arc<Model>> = self.transform.iter().map(|transform| &transform.model).collect();
        while let Some(model) = open.pop() {
            // An anchor makes several transforms share a part.
            if !seen.insert(Arc::as_ptr(model)) {
                continue;
            }
            if let Kind::Unknown { tag, .. } = &model.kind {
                found.push((model.path.as_str(), tag.as_str()));
            }
            open.extend(model.kind.parts().into_iter().rev());
        }
        found
    }
}

//! Steps of world coordinate systems.

use asdf_gwcs::Step;
use pyo3::prelude::*;

use crate::frame::PyFrame;

/// A step of a world coordinate system: a frame, and the transform to the next frame.
///
/// Attributes
/// ----------
/// frame : Frame
///     The frame before the transform.
/// path, tag, name : str or None
///     The path, the tag and the name of the transform. The last step has none.
/// n_inputs, n_outputs : int or None
///     The numbers of coordinates before and after the transform.
/// unsupported : list of (str, str)
///     The paths and tags of transforms in it that cannot be evaluated.
#[pyclass(frozen, get_all, name = "Step", module = "asdfast")]
pub(crate) struct PyStep {
    frame: Py<PyFrame>,
    path: Option<String>,
    tag: Option<String>,
    name: Option<String>,
    n_inputs: Option<usize>,
    n_outputs: Option<usize>,
    unsupported: Vec<(String, String)>,
}

impl PyStep {
    pub(crate) fn new(py: Python<'_>, step: &Step) -> PyResult<Self> {
        let (n_inputs, n_outputs) = step.arity().unzip();
        let text = |text: Option<&str>| text.map(str::to_owned);
        let unknown = step.unknown_transforms().into_iter();
        Ok(Self {
            frame: Py::new(py, PyFrame::new(step.frame()))?,
            path: text(step.transform_path()),
            tag: text(step.transform_tag()),
            name: text(step.transform_name()),
            n_inputs,
            n_outputs,
            unsupported: unknown.map(|(path, tag)| (path.to_owned(), tag.to_owned())).collect(),
        })
    }
}

#[pymethods]
impl PyStep {
    fn __repr__(&self) -> String {
        let transform = match (&self.tag, self.n_inputs, self.n_outputs) {
            (Some(tag), Some(inputs), Some(outputs)) => {
                let short = tag.rsplit(['/', ':']).next().unwrap_or(tag);
                format!("{short}: {inputs} to {outputs}")
            }
            _ => "the end".to_owned(),
        };
        format!("<asdfast.Step from {:?}, {transform}>", self.frame.get().name())
    }
}

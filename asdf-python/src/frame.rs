//! `Frame`: a coordinate frame.

use asdf_gwcs::{Axis, Frame};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A coordinate frame of a world coordinate system.
///
/// Attributes
/// ----------
/// name : str
///     The name in the file, such as ``"detector"``.
/// kind : str
///     ``"celestial"``, ``"spectral"``, ``"temporal"``, ``"composite"`` and so on.
/// reference : str or None
///     The reference frame of the sky, such as ``"icrs"``.
/// axis_names, axis_units, axis_physical_types : tuple of str
///     The axes in the order of the coordinates. The units are as astropy writes them in files, such as ``"deg"``.
#[pyclass(frozen, name = "Frame", module = "asdfast")]
pub(crate) struct PyFrame(Frame);

impl PyFrame {
    pub(crate) fn new(frame: &Frame) -> Self {
        Self(frame.clone())
    }
}

/// Makes a tuple of a text of each axis.
pub(crate) fn texts<'py>(
    py: Python<'py>,
    axes: &[Axis],
    text: impl Fn(&Axis) -> String,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, axes.iter().map(text))
}

#[pymethods]
impl PyFrame {
    #[getter]
    pub(crate) fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn kind(&self) -> String {
        self.0.kind().to_string()
    }

    #[getter]
    fn reference(&self) -> Option<&str> {
        Some(self.0.sky_reference().or(self.0.reference())?.name())
    }

    #[getter]
    fn axis_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.0.axes(), |axis| axis.name().to_owned())
    }

    #[getter]
    fn axis_units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.0.axes(), |axis| axis.unit().to_string())
    }

    #[getter]
    fn axis_physical_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.0.axes(), |axis| axis.physical_type().to_owned())
    }

    fn __repr__(&self) -> String {
        let reference = self.reference().map(|name| format!(", {name}")).unwrap_or_default();
        let axes = self.0.axes().iter().map(|axis| format!("{} [{}]", axis.name(), axis.unit()));
        let axes = axes.collect::<Vec<_>>().join(", ");
        format!("<asdfast.Frame {:?}, {}{reference}: {axes}>", self.name(), self.kind())
    }
}

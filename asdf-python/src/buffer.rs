//! The buffer protocol of arrays.

use asdf_core::Datatype;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use crate::array::Array;

#[pymethods]
impl Array {
    /// Reads all elements, without the mask, into memory that ``memoryview`` and others use; Python 3.12 and later.
    ///
    /// Each call gives new memory, as ``array[...]`` does: changes of it do not reach the file.
    fn __buffer__<'py>(&self, py: Python<'py>, flags: i32) -> PyResult<Bound<'py, PyMemoryView>> {
        // Python checks the flags against what it gets.
        let _ = flags;
        // numpy would find the names of fields, but not their order of bytes in all cases, and takes `__array__` instead.
        if matches!(self.array.datatype(), Datatype::Struct(_)) {
            return Err(PyBufferError::new_err(
                "a structured array has no buffer\n  hint: use one of its fields, or numpy.asarray(array)",
            ));
        }
        PyMemoryView::from(&self.read(py, self.array.clone(), false)?)
    }

    /// Does nothing: the memory is freed with the last view of it.
    ///
    /// Without this method, numpy would think that the array itself owns the memory, and use it after it was freed.
    fn __release_buffer__(&self, view: &Bound<'_, PyMemoryView>) {
        let _ = view;
    }
}

/// Makes the methods known to Python, which looks for them in classes of C only when they are assigned.
pub(crate) fn install(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Array>();
    class.setattr("__buffer__", class.getattr("__buffer__")?)?;
    class.setattr("__release_buffer__", class.getattr("__release_buffer__")?)
}

//! `File`: an open file.

use pyo3::prelude::*;

use crate::error::Failure;
use crate::mapping::Mapping;
use crate::shared::Shared;
use crate::value::Found;

/// An open file: the mapping at the top of its tree, and a context manager.
///
/// The file is closed when neither it nor one of its nodes is in use.
#[pyclass(frozen, extends = Mapping, weakref, name = "File", module = "asdfast")]
pub(crate) struct PyFile {
    pub(crate) shared: Shared,
}

impl PyFile {
    /// Returns the file of a view.
    pub(crate) fn of<'py>(py: Python<'py>, shared: &Shared) -> PyResult<Bound<'py, PyAny>> {
        let id = shared.root();
        shared.view(py, id, || {
            let file = PyClassInitializer::from(Mapping::new(shared.clone(), id));
            Ok(Bound::new(py, file.add_subclass(Self { shared: shared.clone() }))?.into_any())
        })
    }

    /// Returns the file that the views share.
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[pymethods]
impl PyFile {
    /// The mapping at the top of the tree, which is the file itself.
    #[getter]
    fn tree(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Returns the node at a path, a JSON Pointer such as ``/roman/meta``, which is what errors name.
    fn at<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.shared.read().at(path).map_err(Failure::from).and_then(Found::of);
        found?.into_object(py, &self.shared)
    }

    /// Does nothing: the file is closed when neither it nor one of its nodes is in use.
    fn close(&self) {
        let _ = self;
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {
        self.close();
    }

    /// Return the file as an ``asdf.AsdfFile``, with the objects of its converters.
    ///
    /// The converters of installed packages make the objects: of astropy, gwcs, roman_datamodels and others. Arrays are
    /// read by asdfast when they are used. The result has the changes that were made in memory. It is not connected to
    /// the file on disk: ``write_to`` works, and ``update`` does not.
    ///
    /// Parameters
    /// ----------
    /// lazy_tree : bool, optional
    ///     Whether nodes are converted when they are used. The default is ``asdf.get_config().lazy_tree``.
    /// extensions : optional
    ///     More extensions of asdf, as for ``asdf.open``.
    /// ignore_unrecognized_tag : bool, optional
    ///     Whether tags without a converter give no warning.
    ///
    /// Returns
    /// -------
    /// asdf.AsdfFile
    ///
    /// Examples
    /// --------
    /// >>> import asdf, asdfast, numpy as np
    /// >>> asdf.AsdfFile({"data": np.arange(3)}).write_to("numbers.asdf")
    /// >>> with asdfast.open("numbers.asdf") as file:
    /// ...     other = file.to_asdf()
    /// >>> print(type(other).__name__, other["data"].sum())
    /// AsdfFile 3
    #[pyo3(signature = (*, lazy_tree=None, extensions=None, ignore_unrecognized_tag=false))]
    fn to_asdf<'py>(
        this: &Bound<'py, Self>,
        lazy_tree: Option<bool>,
        extensions: Option<Bound<'py, PyAny>>,
        ignore_unrecognized_tag: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let function = this.py().import("asdfast._handover")?.getattr("to_asdf")?;
        function.call1((this, lazy_tree, extensions, ignore_unrecognized_tag))
    }

    /// Convert a node by the converters of asdf, and leave the rest of the file alone.
    ///
    /// Arrays become arrays of numpy, with their elements in memory.
    ///
    /// Parameters
    /// ----------
    /// node : Mapping, Sequence, Array, list, dict or scalar
    ///     A node of this or another file. What is not a node is returned, with the nodes in it converted.
    /// extensions : optional
    ///     More extensions of asdf, as for ``asdf.open``.
    ///
    /// Returns
    /// -------
    /// object
    ///     For example a ``gwcs.WCS``, an ``astropy.time.Time`` or a dict.
    ///
    /// Examples
    /// --------
    /// >>> import asdf, asdfast
    /// >>> asdf.AsdfFile({"number": 2 + 1j, "list": [1, 2]}).write_to("numbers.asdf")
    /// >>> with asdfast.open("numbers.asdf") as file:
    /// ...     file.convert(file["list"])
    /// [1, 2]
    #[pyo3(signature = (node, *, extensions=None))]
    fn convert<'py>(
        this: &Bound<'py, Self>,
        node: Bound<'py, PyAny>,
        extensions: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let function = this.py().import("asdfast._handover")?.getattr("convert")?;
        function.call1((this, node, extensions))
    }
}

//! `File`: an open file.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::error::Failure;
use crate::mapping::Mapping;
use crate::schema_info::schema_info;
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
        let file = self.shared.read();
        let found = self.shared.away(|| file.at(path).map_err(Failure::from).and_then(Found::of));
        found?.into_object(py, &self.shared)
    }

    /// Print the tree as an outline.
    ///
    /// Parameters
    /// ----------
    /// max_rows : int, optional
    ///     The number of lines. If there are more, the nodes that are deepest in the tree are left out. None means all.
    /// max_cols : int, optional
    ///     The number of characters of a line. None means all.
    /// show_values : bool
    ///     Whether to show values. The elements of arrays are never read.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast, numpy
    /// >>> asdfast.File({"meta": {"target": "M31"}, "data": numpy.zeros((2, 3))}).info()
    /// root (File)
    /// ├─meta (Mapping)
    /// │ └─target (str): M31
    /// └─data (Array): shape=(2, 3), dtype=float64
    #[pyo3(signature = (max_rows=Some(24), max_cols=Some(120), show_values=true))]
    #[pyo3(text_signature = "($self, max_rows=24, max_cols=120, show_values=True)")]
    fn info(
        this: &Bound<'_, Self>,
        max_rows: Option<usize>,
        max_cols: Option<usize>,
        show_values: bool,
    ) -> PyResult<()> {
        let outline = this.py().import("asdfast._info")?.getattr("outline")?;
        let text = outline.call1((this, max_rows, max_cols, show_values))?;
        this.py().import("builtins")?.getattr("print")?.call1((text,)).map(drop)
    }

    /// Find nodes by key, type and value.
    ///
    /// Parameters
    /// ----------
    /// key : str or object, optional
    ///     The key or index of the nodes. A text is a regular expression, which must be found in the key.
    /// type_ : str or type, optional
    ///     The class of the nodes. A text is a regular expression, which must be found in its name, or in the tag.
    /// value : str or object, optional
    ///     The value of the nodes. A text is a regular expression, which must be found in a scalar.
    /// filter_ : callable, optional
    ///     A function of the node, or of the node and its key, that returns whether to keep it.
    ///
    /// Returns
    /// -------
    /// SearchResult
    ///     With `paths` and `nodes`.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast
    /// >>> file = asdfast.File({"meta": {"target": "M31", "exposure": 1.5}})
    /// >>> file.search("exp").node
    /// 1.5
    /// >>> file.search(value="^M[0-9]+$").paths
    /// ['/meta/target']
    #[pyo3(signature = (*arguments, **options))]
    #[pyo3(text_signature = "($self, key=..., type_=..., value=..., filter_=None)")]
    fn search<'py>(
        this: &Bound<'py, Self>,
        arguments: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all: Vec<_> = [this.as_any().clone()].into_iter().chain(arguments.iter()).collect();
        let all = PyTuple::new(this.py(), all)?;
        this.py().import("asdfast._search")?.getattr("search")?.call(all, options)
    }

    /// Look up what schemas say about the nodes of the file.
    ///
    /// Parameters
    /// ----------
    /// key : str
    ///     A keyword of schemas, such as title, description, unit, or archive_catalog.
    /// path : str, optional
    ///     The path of a node, a JSON Pointer. Only this node and those below are looked up.
    /// package : str or sequence of str
    ///     The installed packages whose schemas count, besides those of the standard. "*" means all.
    /// schemas : sequence, optional
    ///     More schemas, as for `validate`.
    ///
    /// Returns
    /// -------
    /// dict
    ///     The nodes with the keyword, nested as in the file below the path. The innermost dicts have the keyword as key.
    ///
    /// Examples
    /// --------
    /// >>> import asdfast
    /// >>> schema = "{id: 'asdf://x.org/lens', properties: {focus: {title: Focal length}}}"
    /// >>> manifest = "{tags: [{tag_uri: 'asdf://x.org/lens-1.0.0', schema_uri: 'asdf://x.org/lens'}]}"
    /// >>> file = asdfast.File({"lens": {"focus": 50}})
    /// >>> file["lens"].tag = "asdf://x.org/lens-1.0.0"
    /// >>> file.schema_info("title", "/lens", schemas={"asdf://x.org/lens": schema, "asdf://x.org/all": manifest})
    /// {'focus': {'title': 'Focal length'}}
    #[pyo3(signature = (key="description", path=None, *, package=None, schemas=None))]
    #[pyo3(text_signature = "($self, key='description', path=None, *, package='*', schemas=())")]
    fn schema_info<'py>(
        &self,
        py: Python<'py>,
        key: &str,
        path: Option<&str>,
        package: Option<Bound<'py, PyAny>>,
        schemas: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        options.set_item("package", package.unwrap_or_else(|| PyString::new(py, "*").into_any()))?;
        if let Some(schemas) = schemas {
            options.set_item("schemas", schemas)?;
        }
        schema_info(py, &self.shared, key, path, &options)
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

//! `Validator`: validates files with the same schemas.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::judge::Judge;
use super::many;
use super::options::Options;
use super::source::Source;
use crate::interrupt::{Stop, stoppable};

/// Validates files with the same schemas.
///
/// A schema is compiled when its tag is first found, and kept. Threads can share a validator.
///
/// Parameters
/// ----------
/// **options
///     The keyword arguments of `validate`.
///
/// Examples
/// --------
/// >>> import asdfast, pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> for name, filter in [("a.asdf", "F106"), ("b.asdf", "5")]:
/// ...     text = f"#ASDF 1.0.0\n%YAML 1.1\n--- {{filter: {filter}}}\n...\n"
/// ...     _ = (folder / name).write_text(text)
/// >>> schema = folder / "tree.yaml"
/// >>> _ = schema.write_text("properties: {filter: {type: string}}")
/// >>> validator = asdfast.Validator(schema=schema)
/// >>> paths = sorted(folder.glob("*.asdf"))
/// >>> [report.is_valid for report in validator.validate_many(paths)]
/// [True, False]
#[pyclass(frozen, weakref, module = "asdfast")]
pub(crate) struct Validator {
    judge: Judge,
    /// The keyword arguments, for `pickle`.
    options: Py<PyDict>,
}

impl Validator {
    /// Validates what a source is, and makes the report.
    pub(super) fn report<'py>(&self, py: Python<'py>, source: Source) -> PyResult<Bound<'py, PyAny>> {
        let outcome = if source.is_small() {
            py.detach(|| self.judge.judge(&source, &Stop::default()))
        } else {
            let judge = self.judge.clone();
            stoppable(py, move |stop| judge.judge(&source, stop))?
        };
        outcome.checked()?.into_report(py)
    }
}

#[pymethods]
impl Validator {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, schemas=(), package=None, schema=None, blocks=True, strict=False, max_errors=1000, timeout=None, replace_built_in=False, limits=None, storage_options=None)"
    )]
    pub(super) fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let read = Options::new(options)?;
        let judge = Judge::new(read.validator(py)?, &read);
        let options = options.cloned().unwrap_or_else(|| PyDict::new(py)).unbind();
        Ok(Self { judge, options })
    }

    /// Validates a file.
    ///
    /// Parameters
    /// ----------
    /// source : str, os.PathLike, bytes-like object, binary file object, File or dict
    ///     The path or URL of a file, or its bytes. The tree of an open file is validated as it is now. A dict is the tree of a
    ///     file.
    ///
    /// Returns
    /// -------
    /// Report
    ///     All findings.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be opened.
    #[pyo3(signature = (source, /))]
    pub(super) fn validate<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.report(py, Source::of(source)?)
    }

    /// Validates many files on several threads.
    ///
    /// Ctrl-C stops it. A file that cannot be opened does not: its report is not valid, and has the exception in `error`.
    ///
    /// Parameters
    /// ----------
    /// paths : iterable
    ///     The paths or URLs of the files, or other sources that `validate` takes.
    /// threads : int, optional
    ///     The maximum number of files that are validated at once. The default is the number of processors, or 32 if there
    ///     are URLs.
    /// progress : callable, optional
    ///     Is called with the number of validated files and the number of all files, after each file.
    ///
    /// Returns
    /// -------
    /// list of Report
    ///     The reports in the order of the paths.
    #[pyo3(signature = (paths, *, threads=None, progress=None))]
    fn validate_many<'py>(
        &self,
        py: Python<'py>,
        paths: &Bound<'py, PyAny>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let is_path = paths.is_instance_of::<PyString>() || paths.hasattr("__fspath__")?;
        if is_path || paths.hasattr("read")? || PyBuffer::<u8>::get(paths).is_ok() {
            return Err(PyTypeError::new_err("found one file, expected several; use `validate` for one"));
        }
        let sources: Vec<Source> =
            paths.try_iter()?.map(|source| Source::of(&source?)).collect::<PyResult<_>>()?;
        many::validate(py, self.judge.clone(), sources, threads, progress)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyTuple>, Bound<'py, PyDict>) {
        (PyTuple::empty(py), self.options.bind(py).clone())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options = self.options.bind(py).iter();
        let options = options
            .map(|(name, value)| Ok(format!("{name}={}", value.repr()?)))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(format!("asdfast.Validator({})", options.join(", ")))
    }
}

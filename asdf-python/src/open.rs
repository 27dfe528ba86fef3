//! Opens files.

use std::path::PathBuf;
use std::sync::Arc;

use asdf_core::file::UpdateOptions;
use asdf_core::source::{Bytes, FileSource, Source};
use asdf_core::{File, OpenOptions, Result};
use asdf_fits::AsdfInFits;
use asdf_remote::Remote;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyIsADirectoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use url::Url;

use crate::copies;
use crate::ending::Ending;
use crate::error::Failure;
use crate::file::PyFile;
use crate::interrupt::interruptible;
use crate::limits::limits;
use crate::mode::Mode;
use crate::python_file::PythonFile;
use crate::remote::remote;
use crate::shared::{Origin, Shared};
use crate::validate::check_opened;

/// Opens a file.
///
/// Only the text of the tree is read. Elements of arrays are read when they are used. The file stays open as long as any
/// of its nodes is in use, also after ``with``.
///
/// Parameters
/// ----------
/// source : str, os.PathLike, bytes-like object or binary file object
///     The path of a local file. The URL of a file in an object store or on a web server (s3, gs, az, http, https).
///     The bytes of a file, or a file object with ``seek``, such as one of fsspec. ASDF in FITS is read too.
/// mode : {"r", "rw"}
///     With "rw", ``update`` writes changes back to the file, which must be a local one. With "r", the tree can be changed in
///     memory and written to another file.
/// lazy : bool
///     If False, the whole file is read into memory now, so that it can be changed or removed. Arrays in other files
///     cannot be read then.
/// mmap : bool
///     Whether to map a local file into memory, so that arrays are used without a copy. If another program shortens a
///     mapped file, this process ends with SIGBUS when it reads the part that is gone. Without it, this is an error.
/// validate : bool or Validator
///     Whether to validate the tree, and with what. Raises ValidationError if it is invalid.
/// limits : dict, optional
///     Limits on what a hostile file can make this process use: tree_size, decoded_size, stream_size (bytes), tree_depth,
///     tree_nodes, decoded_total, repeated_elements, blocks.
/// storage_options : dict, optional
///     For URLs: anon, endpoint_url, profile, timeout (seconds), most_bytes, cache_size (bytes), allow_url, key, secret,
///     token, region, account_name, account_key, sas_token, and variables of the environment such as AWS_REGION.
///
/// Returns
/// -------
/// File
///     The mapping at the top of the tree, and a context manager.
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read, as FileNotFoundError if it does not exist.
/// AsdfError
///     If it is not an ASDF file, or a limit was reached. All have the attributes file, path, line, column, offset and code.
///
/// Examples
/// --------
/// >>> import asdfast
/// >>> asdfast.File({"target": "M31"}).write("example.asdf")
/// >>> with asdfast.open("example.asdf") as file:
/// ...     file["target"]
/// 'M31'
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
#[pyo3(signature = (source, *, mode="r", lazy=true, mmap=false, validate=None, limits=None, storage_options=None))]
#[pyo3(
    text_signature = "(source, *, mode='r', lazy=True, mmap=False, validate=False, limits=None, storage_options=None)"
)]
pub(crate) fn open<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    mode: &str,
    lazy: bool,
    mmap: bool,
    validate: Option<&Bound<'py, PyAny>>,
    limits: Option<&Bound<'py, PyDict>>,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let shared = opened(py, source, mode, lazy, mmap, limits, storage_options)?;
    if let Some(how) = validate {
        check_opened(py, &shared, how)?;
    }
    PyFile::of(py, &shared)
}

/// Opens a file as [`open`] does, with its defaults.
pub(crate) fn open_default(source: &Bound<'_, PyAny>) -> PyResult<Shared> {
    opened(source.py(), source, "r", true, false, None, None)
}

fn opened<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    mode: &str,
    lazy: bool,
    mmap: bool,
    limits: Option<&Bound<'py, PyDict>>,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Shared> {
    let given = copies::options(py, mode, lazy, mmap, limits, storage_options)?;
    let opened = Some((source.clone().unbind(), given.unbind()));
    let options = OpenOptions::new().container(AsdfInFits::format()).mmap(mmap).limits(self::limits(limits)?);
    let source = Place::of(source, storage_options)?;
    if mmap && !matches!(source, Place::Path(_)) {
        return Err(PyValueError::new_err("only local files can be mapped: leave out mmap=True"));
    }
    let mode = Mode::new(mode)?;
    if mode == Mode::ReadWrite {
        source.check_writable(lazy)?;
    }
    let slow = !source.is_local();
    let ending = Ending::default();
    let options = if slow {
        options.stop_when({
            let ending = ending.clone();
            move || ending.is_wanted()
        })
    } else {
        options
    };
    let folder = source.folder();
    let file = if source.is_local() && lazy {
        py.detach(|| source.open(&options, lazy))
    } else {
        interruptible(py, move || source.open(&options, lazy))?
    };
    let file = match (file, folder) {
        (Err(error), Some(folder)) => return Err(PyIsADirectoryError::new_err((folder, error.to_string()))),
        (file, _) => file.map_err(Failure::from)?,
    };
    Ok(Shared::new(file, Origin { mode, slow, ending, lends: mmap, opened }))
}

/// Where the bytes of a file are.
#[derive(Clone)]
pub(crate) enum Place {
    Path(PathBuf),
    Url(Remote, String),
    Memory(Bytes),
    PythonFile(Arc<PythonFile>),
}

impl Place {
    pub(crate) fn of(
        source: &Bound<'_, PyAny>,
        storage_options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if let Ok(path) = source.extract::<PathBuf>() {
            let Some(text) = path.to_str().filter(|text| asdf_remote::is_url(text)) else {
                return Ok(Self::Path(path));
            };
            let url = Url::parse(text).ok().filter(|url| url.scheme() == "file");
            return Ok(match url.and_then(|url| url.to_file_path().ok()) {
                Some(path) => Self::Path(path),
                None => Self::Url(remote(storage_options)?, text.to_owned()),
            });
        }
        if let Ok(bytes) = source.cast::<PyBytes>() {
            // The memory of the object is borrowed.
            return Ok(Self::Memory(Bytes::from_owner(PyBackedBytes::from(bytes.clone()))));
        }
        if source.hasattr("read")? && source.hasattr("seek")? {
            return Ok(Self::PythonFile(Arc::new(PythonFile::new(source)?)));
        }
        match PyBuffer::<u8>::get(source) {
            Ok(buffer) => Ok(Self::Memory(buffer.to_vec(source.py())?.into())),
            Err(_) => Err(PyTypeError::new_err(format!(
                "cannot open an object of type {}: give a path, a URL, bytes, or a binary file object with read and seek",
                source.get_type().name()?
            ))),
        }
    }

    /// `EISDIR`, if the source is a folder. It has the same number on all systems.
    fn folder(&self) -> Option<i32> {
        let Self::Path(path) = self else { return None };
        path.is_dir().then_some(21)
    }

    /// Refuses files that cannot be updated now, instead of after all changes.
    fn check_writable(&self, lazy: bool) -> PyResult<()> {
        match self {
            Self::Path(path) if lazy => {
                Ok(UpdateOptions::new().check_writable(path).map_err(Failure::from)?)
            }
            _ => Err(PyValueError::new_err(
                "only local files can be opened with mode=\"rw\", and not with lazy=False: write the changed file with `write`",
            )),
        }
    }

    fn is_local(&self) -> bool {
        matches!(self, Self::Path(_) | Self::Memory(_))
    }

    /// Opens the file; without `lazy`, its bytes are all read now.
    pub(crate) fn open(self, options: &OpenOptions, lazy: bool) -> Result<File> {
        if !lazy {
            return options.open_bytes(self.read_all()?);
        }
        match self {
            Self::Path(path) => options.open(path),
            Self::Url(remote, url) => remote.open_with(options, &url),
            Self::Memory(bytes) => options.open_bytes(bytes),
            Self::PythonFile(file) => options.open_from(file),
        }
    }

    fn read_all(self) -> Result<Bytes> {
        let source: Arc<dyn Source> = match self {
            Self::Path(path) => Arc::new(FileSource::open(path)?),
            Self::Url(remote, url) => remote.store().open(url.as_ref())?,
            Self::Memory(bytes) => return Ok(bytes),
            Self::PythonFile(file) => file,
        };
        source.read(0..source.len())
    }
}

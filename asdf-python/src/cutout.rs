//! `cutout`: parts of images.

use std::path::{Path, PathBuf};

use asdf_core::{Error, File, WriteOptions};
use asdf_gwcs::{Centre, Cutout, Wcs};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::angle::{degrees, size as size_of};
use crate::array::Array;
use crate::copy::copy_of;
use crate::error::Failure;
use crate::file::PyFile;
use crate::shared::{Origin, Shared};
use crate::source::{located, shared};
use crate::wcs::{PyWcs, open};

/// Cut a part out of an image, by its position on the sky.
///
/// All arrays whose last two axes have the shape of the image are cut, such as data, errors and flags. Their elements are
/// read when they are used, and only the rows that are needed. A cutout that reaches over the edge of the image is smaller.
///
/// Parameters
/// ----------
/// file : File, str or os.PathLike
///     An open file, or a path or URL.
/// ra, dec : float, str or astropy.units.Quantity
///     The centre, in the reference frame of the file: degrees, or texts such as ``"17:59:20"`` and ``"+66d01m48s"``.
///     With colons, right ascensions are in hours.
/// pixel : (float, float)
///     The centre as a pixel, ``x`` first, instead of `ra` and `dec`.
/// size : float, str, astropy.units.Quantity, or a pair of these
///     The size, or width and height. Numbers are pixels. Texts have a unit: arcsec, arcmin, deg, mas or pix.
/// path : str, optional
///     The path of the world coordinate system in the tree. Only needed if the file has several.
/// image : str, optional
///     The path of the array that is the image. By default, it is the one with the shape in the world coordinate system, or
///     the nearest one in the tree.
///
/// Returns
/// -------
/// Cutout
///
/// Raises
/// ------
/// UsageError
///     If the cutout is outside of the image.
/// UnsupportedError
///     If a transform cannot be evaluated.
///
/// Examples
/// --------
/// >>> star = asdfast.cutout("image.asdf", ra=269.83, dec=66.03, size="30arcsec")  # doctest: +SKIP
/// >>> np.asarray(star.data)  # doctest: +SKIP
/// >>> star.write("star.asdf")  # doctest: +SKIP
#[pyfunction]
#[pyo3(signature = (file, *, ra=None, dec=None, pixel=None, size, path=None, image=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python have names")]
pub(crate) fn cutout(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    ra: Option<&Bound<'_, PyAny>>,
    dec: Option<&Bound<'_, PyAny>>,
    pixel: Option<(f64, f64)>,
    size: &Bound<'_, PyAny>,
    path: Option<&str>,
    image: Option<&str>,
) -> PyResult<PyCutout> {
    let centre = match (pixel, ra, dec) {
        (Some((x, y)), None, None) => Centre::Pixel([x, y]),
        (None, Some(ra), Some(dec)) => Centre::Sky([degrees(ra, true)?, degrees(dec, false)?]),
        _ => {
            let error = Error::usage("expected either ra and dec, or pixel");
            return Err(Failure::from(error).into());
        }
    };
    let size = size_of(size)?;
    let shared = shared(file)?;
    let made = py.detach(|| {
        let wcs = open(&shared, path)?;
        let cutout = Cutout::new(&shared.read(), &wcs, image, centre, size)?;
        Ok((wcs, cutout))
    });
    let (wcs, cutout) = made.map_err(|error| Failure::from(located(&shared, error)))?;
    let image = image.map(|word| shared.read().tree().resolve_path(word).as_str().to_owned());
    Ok(PyCutout { cutout, wcs, image, shared })
}

/// A part of an image, with its world coordinates.
///
/// Make one with `asdfast.cutout`.
///
/// Attributes
/// ----------
/// data : Array
///     The part of the image: of the array that was named, or the one whose path ends with ``data``, or the first one.
/// arrays : dict of str to Array
///     The parts of all arrays with the shape of the image, by their paths.
/// wcs : Wcs
///     The world coordinates of the part, whose first pixel is (0, 0).
/// x, y : slice
///     The columns and rows of the image that are cut.
/// shape : (int, int)
///     The number of rows and of columns.
/// is_clipped : bool
///     Whether the cutout reaches over the edge of the image.
#[pyclass(frozen, name = "Cutout", module = "asdfast")]
pub(crate) struct PyCutout {
    cutout: Cutout,
    wcs: Wcs,
    /// The path of the image, if it was named.
    image: Option<String>,
    shared: Shared,
}

impl PyCutout {
    fn part(&self, py: Python<'_>, path: &str) -> PyResult<Option<Py<Array>>> {
        let Some((_, array)) = self.cutout.images().find(|(own, _)| *own == path) else { return Ok(None) };
        let part = array.slice(&self.cutout.slices()).map_err(|error| Failure::from(error.at_path(path)))?;
        Py::new(py, Array::part(part, self.shared.clone())).map(Some)
    }

    /// Makes a file with the parts of the arrays.
    fn cut(&self, only_cut: bool) -> Result<File, Error> {
        let mut copy = copy_of(&self.shared.read())?;
        self.cutout.apply(&mut copy, &self.wcs)?;
        if only_cut {
            self.cutout.remove_others(&mut copy)?;
        }
        Ok(copy)
    }

    fn write_to(&self, output: &Path, only_cut: bool, overwrite: bool) -> Result<(), Error> {
        if !overwrite && exists(output) {
            let error = Error::usage("the file already exists").at_file(output);
            return Err(error.with_hint("choose another name, or pass overwrite=True"));
        }
        let file = self.cut(only_cut).map_err(|error| located(&self.shared, error))?;
        WriteOptions::new().write(&file, output)
    }
}

#[pymethods]
impl PyCutout {
    #[getter]
    fn data(&self, py: Python<'_>) -> PyResult<Option<Py<Array>>> {
        let named = || self.image.as_deref();
        let is_data = |path: &&str| path.rsplit('/').next() == Some("data");
        let paths = || self.cutout.images().map(|(path, _)| path);
        let path = named().or_else(|| paths().find(is_data)).or_else(|| paths().next());
        path.map_or(Ok(None), |path| self.part(py, path))
    }

    #[getter]
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for (path, _) in self.cutout.images() {
            arrays.set_item(path, self.part(py, path)?)?;
        }
        Ok(arrays)
    }

    #[getter]
    fn wcs(&self, py: Python<'_>) -> PyResult<PyWcs> {
        let opened = py.detach(|| {
            let mut copy = copy_of(&self.shared.read())?;
            self.cutout.apply_to_systems(&mut copy, &self.wcs)?;
            Wcs::open(&copy, self.wcs.path())
        });
        Ok(PyWcs::new(opened.map_err(|error| Failure::from(located(&self.shared, error)))?))
    }

    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PySlice>> {
        slice(py, self.cutout.x())
    }

    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PySlice>> {
        slice(py, self.cutout.y())
    }

    #[getter]
    fn shape(&self) -> (u64, u64) {
        (self.cutout.height(), self.cutout.width())
    }

    #[getter]
    fn is_clipped(&self) -> bool {
        self.cutout.is_clipped()
    }

    /// Make a file in memory with the whole tree, the parts of the arrays, and their world coordinates.
    ///
    /// Parameters
    /// ----------
    /// only_cut : bool
    ///     Leave out arrays of other shapes.
    ///
    /// Returns
    /// -------
    /// File
    #[pyo3(signature = (*, only_cut=false))]
    fn to_file<'py>(&self, py: Python<'py>, only_cut: bool) -> PyResult<Bound<'py, PyAny>> {
        let file = py.detach(|| self.cut(only_cut));
        let file = file.map_err(|error| Failure::from(located(&self.shared, error)))?;
        let origin = Origin {
            slow: self.shared.origin().slow,
            ending: self.shared.origin().ending.clone(),
            ..Origin::default()
        };
        PyFile::of(py, &Shared::new(file, origin))
    }

    /// Write the whole tree, with the parts of the arrays and their world coordinates.
    ///
    /// Parameters
    /// ----------
    /// output : str or os.PathLike
    ///     The path of the new file. After an error it does not exist, or is the old file.
    /// only_cut : bool
    ///     Leave out arrays of other shapes.
    /// overwrite : bool
    ///     Replace a file that exists.
    #[pyo3(signature = (output, *, only_cut=false, overwrite=false))]
    fn write(this: &Bound<'_, Self>, output: PathBuf, only_cut: bool, overwrite: bool) -> PyResult<()> {
        let (py, this) = (this.py(), this.clone().unbind());
        let shared = this.get().shared.clone();
        let work = move || this.get().write_to(&output, only_cut, overwrite);
        let written =
            if shared.origin().slow { shared.origin().ending.run(py, work)? } else { py.detach(work) };
        Ok(written.map_err(Failure::from)?)
    }

    fn __repr__(&self) -> String {
        let (x, y, (height, width)) = (self.cutout.x(), self.cutout.y(), self.shape());
        let paths: Vec<&str> = self.cutout.images().map(|(path, _)| path).collect();
        let (x, y, paths) = (x.start, y.start, paths.join(", "));
        format!("<asdfast.Cutout of {width} x {height} pixels from pixel {x}, {y} of {paths}>")
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn slice(py: Python<'_>, range: std::ops::Range<i64>) -> PyResult<Bound<'_, PySlice>> {
    let (start, end) = (isize::try_from(range.start)?, isize::try_from(range.end)?);
    Ok(PySlice::new(py, start, end, 1))
}

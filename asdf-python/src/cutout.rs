//! `cutout`: parts of images.

use std::io::Write;

use asdf_core::{Error, File, WriteOptions};
use asdf_gwcs::{Centre, Cutout, Wcs};
use asdf_tables::Format;
use asdf_tables::wcs::{CutoutUnits, WcsCards};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::angle::{degrees, size as size_of};
use crate::array::Array;
use crate::copy::copy_of;
use crate::error::Failure;
use crate::file::PyFile;
use crate::interrupt::Stop;
use crate::shared::{Origin, Shared};
use crate::source::{located, shared};
use crate::target::{Target, write_object};
use crate::warning::warn;
use crate::wcs::{PyWcs, open};

/// Cut a part out of an image, by its position on the sky.
///
/// All arrays whose last two axes have the shape of the image are cut, such as data, errors and flags. Their elements are
/// read when they are used, and only the rows that are needed. A cutout that reaches over the edge of the image is smaller.
///
/// Parameters
/// ----------
/// file : File, str, os.PathLike, bytes-like object or binary file object
///     An open file, or what `open` takes: a path, a URL, the bytes of a file, or a file object.
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
/// >>> import asdfast
/// >>> star = asdfast.cutout("image.asdf", ra="0h00m00.24s", dec="+86d", size="5.4arcsec")
/// >>> star.data.shape
/// (50, 50)
/// >>> star.write("star.asdf")
/// >>> star.write("star.fits")
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
}

impl PyCutout {
    /// Finds the units of a FITS file, and what to warn about.
    fn units(&self, cards: Option<WcsCards>) -> Result<(CutoutUnits, Vec<Error>), Error> {
        let mut copy = copy_of(&self.shared.read())?;
        let units = CutoutUnits::new(&self.cutout, &copy)?;
        let Some(cards) = cards else { return Ok((units, Vec::new())) };
        self.cutout.apply_to_systems(&mut copy, &self.wcs)?;
        let part = Wcs::open(&copy, self.wcs.path())?;
        let mut warnings = Vec::new();
        Ok((units.wcs(&part, cards, |warning| warnings.push(warning)), warnings))
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

    /// Write the cutout as ASDF or FITS.
    ///
    /// An ASDF file gets the whole tree, with the parts of the arrays and their world coordinates. A FITS file gets a unit for
    /// each array that is cut, with world coordinates as SIP keywords, and the scalars of ``meta`` in the primary unit.
    ///
    /// Parameters
    /// ----------
    /// output : str, os.PathLike or file object
    ///     The path of the new file, or a binary file that is open for writing. After an error, the path has the old file or
    ///     none.
    /// format : {"asdf", "fits"}, optional
    ///     The default is FITS if the path ends with .fits, .fit or .fts, and ASDF otherwise.
    /// only_cut : bool
    ///     Leave out arrays of other shapes. FITS files never have them.
    /// overwrite : bool
    ///     Replace a file that exists.
    /// wcs : bool
    ///     Whether FITS files have world coordinates.
    /// wcs_error : float
    ///     Fit the world coordinates of FITS files to this number of pixels. If they cannot be fitted, a warning says why.
    #[pyo3(signature = (output, *, format=None, only_cut=false, overwrite=false, wcs=true, wcs_error=0.01))]
    fn write(
        this: &Bound<'_, Self>,
        output: &Bound<'_, PyAny>,
        format: Option<&str>,
        only_cut: bool,
        overwrite: bool,
        wcs: bool,
        wcs_error: f64,
    ) -> PyResult<()> {
        let target = Target::of(output)?;
        let is_fits = match format {
            Some("asdf") => false,
            Some("fits") => true,
            Some(other) => {
                let message = format!("found format='{other}', expected 'asdf' or 'fits'");
                return Err(Failure::from(Error::usage(message)).into());
            }
            None => target.path().and_then(Format::from_path) == Some(Format::Fits),
        };
        if wcs_error.is_nan() || wcs_error <= 0.0 || wcs_error.is_infinite() {
            let message = format!("found wcs_error={wcs_error}, expected a positive number of pixels");
            return Err(Failure::from(Error::usage(message)).into());
        }
        target.check(overwrite).map_err(Failure::from)?;
        let py = this.py();
        let (own, shared) = (this.clone().unbind(), this.get().shared.clone());
        let ending = &this.get().shared.origin().ending;
        let failed = |error: Error| Failure::from(located(&this.get().shared, error));
        if is_fits {
            let cards = wcs.then(|| WcsCards::new().max_error(wcs_error));
            let (units, warnings) = ending.run(py, move |_| own.get().units(cards))?.map_err(failed)?;
            for warning in warnings {
                warn(py, &located(&shared, warning))?;
            }
            let write = move |out: &mut dyn Write| units.write(out).map_err(|error| located(&shared, error));
            return match target {
                Target::Path(_) => ending.run(py, move |_| target.write_detached(write))?,
                Target::Object(_) => target.write(py, write),
            };
        }
        let file = ending.run(py, move |_| own.get().cut(only_cut))?.map_err(failed)?;
        match target {
            Target::Path(path) => {
                let work = move |stop: &Stop| {
                    let stop = stop.clone();
                    WriteOptions::new().stop_when(move || stop.is_set()).write(&file, path)
                };
                Ok(ending.run(py, work)?.map_err(Failure::from)?)
            }
            Target::Object(object) => {
                py.detach(|| write_object(&object, |out| WriteOptions::new().write_to(&file, out)))
            }
        }
    }

    fn __repr__(&self) -> String {
        let (x, y, (height, width)) = (self.cutout.x(), self.cutout.y(), self.shape());
        let paths: Vec<&str> = self.cutout.images().map(|(path, _)| path).collect();
        let (x, y, paths) = (x.start, y.start, paths.join(", "));
        format!("<asdfast.Cutout of {width} x {height} pixels from pixel {x}, {y} of {paths}>")
    }
}

fn slice(py: Python<'_>, range: std::ops::Range<i64>) -> PyResult<Bound<'_, PySlice>> {
    let (start, end) = (isize::try_from(range.start)?, isize::try_from(range.end)?);
    Ok(PySlice::new(py, start, end, 1))
}

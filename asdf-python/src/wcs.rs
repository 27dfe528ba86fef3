//! `wcs`: world coordinate systems.

use asdf_core::{Error, Threads};
use asdf_gwcs::{Inverse, Transform, Wcs};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::columns::{evaluate, pairs};
use crate::error::Failure;
use crate::frame::{PyFrame, texts};
use crate::shared::Shared;
use crate::source::{located, name, shared};
use crate::step::PyStep;

/// Open a world coordinate system of a file.
///
/// Evaluates the gwcs of Roman, JWST and DKIST files, without astropy or gwcs. Arrays of the file that belong to the
/// transforms are read; images are not.
///
/// Parameters
/// ----------
/// file : File, str, os.PathLike, bytes-like object or binary file object
///     An open file, or what `open` takes.
/// path : str, optional
///     The path of the world coordinate system in the tree. Only needed if the file has several.
/// threads : int, optional
///     The number of threads for many points. The default is all.
///
/// Returns
/// -------
/// Wcs
///
/// Raises
/// ------
/// MissingError
///     If the file has no world coordinate system, or none at the path.
/// UsageError
///     If the file has several and no path is given.
///
/// Examples
/// --------
/// >>> import asdfast
/// >>> wcs = asdfast.wcs("image.asdf")
/// >>> ra, dec = wcs.pixel_to_world(200.25, 140.5)
/// >>> print(f"{ra:.6f} {dec:.6f}")
/// 0.001000 86.000000
/// >>> x, y = wcs.world_to_pixel("0:00:00.24", "+86:00:00")
/// >>> print(f"{x:.3f} {y:.3f}")
/// 200.250 140.500
#[pyfunction]
#[pyo3(signature = (file, path=None, *, threads=None))]
pub(crate) fn wcs(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    path: Option<&str>,
    threads: Option<usize>,
) -> PyResult<PyWcs> {
    let shared = shared(file)?;
    let opened = py.detach(|| open(&shared, path)).map_err(Failure::from)?;
    let threads = threads.map(Threads::new).unwrap_or_default();
    Ok(PyWcs { wcs: opened.threads(threads), file: name(&shared) })
}

/// Opens the world coordinate system at a path, or the only one.
pub(crate) fn open(shared: &Shared, path: Option<&str>) -> Result<Wcs, Error> {
    let opened = {
        let file = shared.read();
        match path {
            Some(path) => Wcs::open(&file, file.tree().resolve_path(path).as_str()),
            None => Wcs::only(&file),
        }
    };
    opened.map_err(|error| located(shared, error))
}

/// A world coordinate system: transforms from the pixels of an array to coordinates on the sky, wavelengths or times.
///
/// ``x`` is the first pixel axis, and counts along the last axis of the array. The centre of the first pixel is 0. World
/// coordinates are in the order and units of `world_axis_names` and `world_axis_units`. Points without a result, such as
/// those outside the bounding box, are NaN.
///
/// Make one with `asdfast.wcs`.
///
/// Attributes
/// ----------
/// path, name : str
///     The path in the tree, and the name that the file gives; often empty.
/// frames : tuple of Frame
///     The frames of the steps, from pixels to world coordinates.
/// steps : tuple of Step
///     The frames with the transforms between them.
/// reference : str or None
///     The reference frame of the sky, such as ``"icrs"``.
/// pixel_n_dim, world_n_dim : int
///     The number of pixel and world axes.
/// pixel_axis_names, pixel_axis_units, world_axis_names, world_axis_units, world_axis_physical_types : tuple of str
///     The axes in the order of the coordinates.
/// pixel_shape : tuple of int or None
///     The number of pixels along each axis, ``x`` first.
/// bounding_box : tuple of ((float, float) or None), or None
///     The interval of each pixel axis that has coordinates, ``x`` first.
/// unsupported : list of (str, str)
///     The paths and tags of transforms that cannot be evaluated. Using one of them raises an `UnsupportedError`.
///
/// Examples
/// --------
/// >>> wcs = asdfast.wcs("image.asdf")  # doctest: +SKIP
/// >>> wcs.pixel_to_world([0, 1, 2], 0)  # doctest: +SKIP
#[pyclass(frozen, weakref, name = "Wcs", module = "asdfast")]
pub(crate) struct PyWcs {
    wcs: Wcs,
    /// The path or URL of the file, to open it in another process.
    file: Option<String>,
}

impl PyWcs {
    pub(crate) fn new(wcs: Wcs) -> Self {
        Self { wcs, file: None }
    }

    /// Returns the transform from world coordinates to pixels.
    fn inverse(&self, py: Python<'_>, way: &str) -> PyResult<&Transform> {
        let inverse = match way {
            "exact" => Inverse::Exact,
            "stored" => Inverse::Stored,
            _ => {
                let message = format!("found inverse='{way}', expected 'exact' or 'stored'");
                return Err(Failure::from(Error::usage(message)).into());
            }
        };
        Ok(py.detach(|| self.wcs.inverse(inverse)).map_err(Failure::from)?)
    }
}

#[pymethods]
impl PyWcs {
    #[getter]
    fn path(&self) -> &str {
        self.wcs.path()
    }

    #[getter]
    fn name(&self) -> &str {
        self.wcs.name()
    }

    #[getter]
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.wcs.steps().map(|step| PyFrame::new(step.frame())))
    }

    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let steps = self.wcs.steps().map(|step| PyStep::new(py, step)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, steps)
    }

    #[getter]
    fn reference(&self) -> Option<&str> {
        let world = self.wcs.world_frame().ok()?;
        Some(world.sky_reference().or(world.reference())?.name())
    }

    #[getter]
    fn pixel_n_dim(&self) -> PyResult<usize> {
        Ok(self.wcs.forward().map_err(Failure::from)?.inputs())
    }

    #[getter]
    fn world_n_dim(&self) -> PyResult<usize> {
        Ok(self.wcs.forward().map_err(Failure::from)?.outputs())
    }

    #[getter]
    fn pixel_axis_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.wcs.pixel_axes(), |axis| axis.name().to_owned())
    }

    #[getter]
    fn pixel_axis_units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.wcs.pixel_axes(), |axis| axis.unit().to_string())
    }

    #[getter]
    fn world_axis_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.wcs.world_axes(), |axis| axis.name().to_owned())
    }

    #[getter]
    fn world_axis_units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.wcs.world_axes(), |axis| axis.unit().to_string())
    }

    #[getter]
    fn world_axis_physical_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.wcs.world_axes(), |axis| axis.physical_type().to_owned())
    }

    #[getter]
    fn pixel_shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.wcs.pixel_shape().map(|shape| PyTuple::new(py, shape)).transpose()
    }

    #[getter]
    fn bounding_box<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let intervals = self.wcs.bounding_box();
        let pairs = |intervals: &[Option<[f64; 2]>]| {
            PyTuple::new(py, intervals.iter().map(|interval| interval.map(|[low, high]| (low, high))))
        };
        intervals.map(pairs).transpose()
    }

    #[getter]
    fn unsupported(&self) -> Vec<(String, String)> {
        let unknown = self.wcs.steps().flat_map(|step| step.unknown_transforms());
        unknown.map(|(path, tag)| (path.to_owned(), tag.to_owned())).collect()
    }

    /// Convert pixels to world coordinates.
    ///
    /// Parameters
    /// ----------
    /// *pixel : float or array_like
    ///     The coordinates, ``x`` first: one for each pixel axis. Arrays are broadcast. Quantities are converted.
    ///
    /// Returns
    /// -------
    /// tuple of float or numpy.ndarray
    ///     One for each world axis, in float64. A single axis is not in a tuple.
    ///
    /// Raises
    /// ------
    /// UnsupportedError
    ///     If a transform cannot be evaluated. The error has its path and names its tag.
    ///
    /// Examples
    /// --------
    /// >>> ra, dec = wcs.pixel_to_world(2043.5, 2043.5)  # doctest: +SKIP
    #[pyo3(signature = (*pixel))]
    fn pixel_to_world<'py>(
        &self,
        py: Python<'py>,
        pixel: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let transform = py.detach(|| self.wcs.forward()).map_err(Failure::from)?;
        evaluate(py, transform, self.wcs.pixel_axes(), pixel)
    }

    /// Convert world coordinates to pixels.
    ///
    /// Parameters
    /// ----------
    /// *world : float or array_like
    ///     One for each world axis, such as right ascension and declination in degrees. Arrays are broadcast. Quantities
    ///     are converted, and texts such as ``"17:59:20"`` or ``"+66d01m48s"``. With colons, right ascensions are in hours.
    /// inverse : {"exact", "stored"}
    ///     ``"exact"`` inverts the transform to 1e-9 pixel, and is NaN outside the bounding box. ``"stored"`` is the
    ///     inverse in the file, with the edges of gwcs.
    ///
    /// Returns
    /// -------
    /// tuple of float or numpy.ndarray
    ///     One for each pixel axis, ``x`` first. A single axis is not in a tuple.
    ///
    /// Examples
    /// --------
    /// >>> x, y = wcs.world_to_pixel(269.83, 66.03)  # doctest: +SKIP
    #[pyo3(signature = (*world, inverse="exact"))]
    fn world_to_pixel<'py>(
        &self,
        py: Python<'py>,
        world: &Bound<'py, PyTuple>,
        inverse: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let transform = self.inverse(py, inverse)?;
        evaluate(py, transform, self.wcs.world_axes(), world)
    }

    /// Convert coordinates of one frame to those of another.
    ///
    /// Parameters
    /// ----------
    /// from_frame, to_frame : str
    ///     The names of two frames.
    /// *point : float or array_like
    ///     One for each axis of the first frame.
    ///
    /// Returns
    /// -------
    /// tuple of float or numpy.ndarray
    ///     One for each axis of the second frame. A single axis is not in a tuple.
    #[pyo3(signature = (from_frame, to_frame, *point))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        from_frame: &str,
        to_frame: &str,
        point: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let transform = py.detach(|| self.wcs.transform(from_frame, to_frame)).map_err(Failure::from)?;
        let frame = self.wcs.steps().map(|step| step.frame()).find(|frame| frame.name() == from_frame);
        evaluate(py, &transform, frame.map(|frame| frame.axes()).unwrap_or_default(), point)
    }

    /// Return the corners of the bounding box on the sky.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     Longitude and latitude in degrees, of shape (4, 2), clockwise from the bottom left.
    fn footprint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let outline = py.detach(|| self.wcs.footprint_outline()).map_err(Failure::from)?;
        pairs(py, outline.vertices())
    }

    /// Return the size of a pixel on the sky along each pixel axis, in arcseconds.
    ///
    /// Returns
    /// -------
    /// tuple of float
    fn pixel_scale<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, py.detach(|| self.wcs.pixel_scale()).map_err(Failure::from)?)
    }

    /// Return whether a position on the sky is in the image.
    ///
    /// Parameters
    /// ----------
    /// lon, lat : float
    ///     Longitude and latitude in degrees.
    ///
    /// Returns
    /// -------
    /// bool
    fn contains(&self, py: Python<'_>, lon: f64, lat: f64) -> PyResult<bool> {
        Ok(py.detach(|| self.wcs.contains(lon, lat)).map_err(Failure::from)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let Some(file) = self.file.clone() else {
            return Err(PyTypeError::new_err("cannot pickle a Wcs that does not come from a path or URL"));
        };
        Ok((py.import("asdfast")?.getattr("wcs")?, (file, self.wcs.path().to_owned())))
    }

    fn __repr__(&self) -> String {
        let frames: Vec<&str> = self.wcs.steps().map(|step| step.frame().name()).collect();
        format!("<asdfast.Wcs {:?}: {}>", self.wcs.path(), frames.join(" > "))
    }
}

//! `footprint`: outlines of images on the sky.

use asdf_core::{Error, Threads};
use asdf_gwcs::Outline;
use pyo3::prelude::*;

use crate::columns::pairs;
use crate::error::Failure;
use crate::source::{located, shared};
use crate::wcs::open;

/// Compute the outline of an image on the sky.
///
/// Parameters
/// ----------
/// file : File, str or os.PathLike
///     An open file, or a path or URL.
/// path : str, optional
///     The path of the world coordinate system in the tree. Only needed if the file has several.
/// points_per_edge : int
///     The number of points along each edge of the image. With 1 these are the corners.
///
/// Returns
/// -------
/// Footprint
///
/// Raises
/// ------
/// MissingError
///     If the file has no world coordinate system.
/// UnsupportedError
///     If a transform cannot be evaluated.
///
/// Examples
/// --------
/// >>> asdfast.footprint("image.asdf").stcs  # doctest: +SKIP
/// 'POLYGON ICRS 10 -1 10 1 8 1 8 -1'
#[pyfunction]
#[pyo3(signature = (file, path=None, *, points_per_edge=1))]
pub(crate) fn footprint(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    path: Option<&str>,
    points_per_edge: usize,
) -> PyResult<Footprint> {
    if points_per_edge == 0 {
        let error = Error::usage("found points_per_edge=0, expected at least 1");
        return Err(Failure::from(error).into());
    }
    let shared = shared(file)?;
    let found = py.detach(|| {
        let wcs = open(&shared, path)?.threads(Threads::ONE);
        let outline = match points_per_edge {
            1 => wcs.footprint_outline(),
            count => wcs.outline(count),
        };
        Ok(Footprint { outline: outline?, path: wcs.path().to_owned() })
    });
    Ok(found.map_err(|error| Failure::from(located(&shared, error)))?)
}

/// The outline of an image: a polygon on the sky, clockwise from the bottom left of the image.
///
/// Make one with `asdfast.footprint`.
///
/// Attributes
/// ----------
/// vertices : numpy.ndarray
///     Longitude and latitude of each vertex in degrees. Corners have the shape (4, 2).
/// frame : str
///     The reference frame, such as ``"icrs"``; empty if the file does not name it.
/// path : str
///     The path of the world coordinate system.
/// stcs, ds9, geojson : str
///     The polygon in STC-S, as a region of DS9, and as a GeoJSON geometry.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct Footprint {
    outline: Outline,
    path: String,
}

#[pymethods]
impl Footprint {
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pairs(py, self.outline.vertices())
    }

    #[getter]
    fn frame(&self) -> &str {
        self.outline.frame()
    }

    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    #[getter]
    fn stcs(&self) -> String {
        self.outline.to_stcs()
    }

    #[getter]
    fn ds9(&self) -> String {
        self.outline.to_ds9()
    }

    #[getter]
    fn geojson(&self) -> String {
        self.outline.to_geojson()
    }

    fn __repr__(&self) -> String {
        format!("<asdfast.Footprint {}>", self.stcs())
    }
}

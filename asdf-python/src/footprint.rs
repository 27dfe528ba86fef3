//! `footprint`: outlines of images on the sky.

use std::ops::ControlFlow;

use asdf_core::{Error, File, Result};
use asdf_gwcs::{Outline, Wcs};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::pairs;
use crate::error::Failure;
use crate::files::{Item, Opener, threads};
use crate::interrupt::stoppable;
use crate::remote::remote;
use crate::source::{located, name, shared};
use crate::wcs::open;

/// Compute the outline of an image on the sky.
///
/// Parameters
/// ----------
/// file : File, str, os.PathLike, bytes-like object or binary file object
///     An open file, or what `open` takes.
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
/// >>> import asdfast
/// >>> outline = asdfast.footprint("image.asdf")
/// >>> outline.frame, outline.vertices.shape, f"{outline.pixel_scale:.3f} arcsec"
/// ('icrs', (4, 2), '0.108 arcsec')
#[pyfunction]
#[pyo3(signature = (file, path=None, *, points_per_edge=1))]
pub(crate) fn footprint(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    path: Option<&str>,
    points_per_edge: usize,
) -> PyResult<Footprint> {
    check(points_per_edge)?;
    let shared = shared(file)?;
    let found = py.detach(|| {
        let wcs = open(&shared, path)?;
        Footprint::of(&shared.read(), &wcs, points_per_edge, name(&shared))
    });
    Ok(found.map_err(|error| Failure::from(located(&shared, error)))?)
}

/// The outlines of a file, and what is wrong.
type Found = (Vec<Footprint>, Vec<Error>);

/// Compute the outlines of all images of files; see `asdfast.footprints`.
///
/// Also returns why files or world coordinate systems have no outline.
#[pyfunction]
pub(crate) fn _footprints(
    py: Python<'_>,
    files: Vec<Bound<'_, PyAny>>,
    path: Option<String>,
    points_per_edge: usize,
    most_threads: Option<usize>,
    storage_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Vec<Footprint>, Vec<String>)> {
    check(points_per_edge)?;
    let opener = Opener::new(remote(storage_options)?);
    let items = files.iter().map(Item::of).collect::<PyResult<Vec<Item>>>()?;
    let found = stoppable(py, move |stop| {
        let items = opener.listed(items)?;
        let (mut all, mut problems) = (Vec::new(), Vec::new());
        threads(most_threads, &items).in_order(
            items.iter(),
            |item| match item {
                Item::Open(shared) => of_file(&shared.read(), path.as_deref(), points_per_edge, name(shared)),
                Item::Named(place, _) => {
                    let name = place.to_string_lossy().into_owned();
                    match opener.open(place) {
                        Ok(file) => of_file(&file, path.as_deref(), points_per_edge, Some(name)),
                        Err(error) => (Vec::new(), vec![error]),
                    }
                }
            },
            |(found, errors): Found| {
                all.extend(found);
                problems.extend(errors.iter().map(ToString::to_string));
                Ok::<_, Error>(match stop.is_set() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        )?;
        Ok((all, problems))
    })?;
    Ok(found.map_err(|error: Error| Failure::from(error))?)
}

fn check(points_per_edge: usize) -> PyResult<()> {
    match points_per_edge {
        1..=10_000 => Ok(()),
        _ => {
            let message = format!("found points_per_edge={points_per_edge}, expected 1 to 10000");
            Err(Failure::from(Error::usage(message)).into())
        }
    }
}

/// Computes the outlines of the systems of a file, or of the one at a path.
fn of_file(file: &File, path: Option<&str>, points_per_edge: usize, name: Option<String>) -> Found {
    let paths = match path {
        Some(word) => vec![file.tree().resolve_path(word).as_str().to_owned()],
        None => Wcs::find(file),
    };
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    if paths.is_empty() {
        errors.push(Error::missing("the file has no world coordinate system (tag `gwcs/wcs`)"));
    }
    for path in paths {
        let one =
            Wcs::open(file, &path).and_then(|wcs| Footprint::of(file, &wcs, points_per_edge, name.clone()));
        match one {
            Ok(one) => found.push(one),
            Err(error) => errors.push(error),
        }
    }
    let named = |error: Error| match &name {
        Some(name) if error.file().is_none() => error.at_file(name),
        _ => error,
    };
    (found, errors.into_iter().map(named).collect())
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
/// file : str or None
///     The path or URL of the file.
/// path : str
///     The path of the world coordinate system.
/// pixel_scale : float
///     The size of a pixel in arcseconds.
/// s_region : str or None
///     The outline that the metadata of the image state.
/// difference : float or None
///     How far the corners are from those of `s_region`, in pixels.
/// stcs, ds9, geojson : str
///     The polygon in STC-S, as a region of DS9, and as a GeoJSON geometry.
#[pyclass(frozen, module = "asdfast")]
pub(crate) struct Footprint {
    outline: Outline,
    file: Option<String>,
    path: String,
    pixel_scale: f64,
    s_region: Option<String>,
    difference: Option<f64>,
}

impl Footprint {
    fn of(file: &File, wcs: &Wcs, points_per_edge: usize, name: Option<String>) -> Result<Self> {
        let outline = match points_per_edge {
            1 => wcs.footprint_outline(),
            count => wcs.outline(count),
        };
        let s_region = wcs.s_region(file);
        let difference = s_region.as_deref().map(|region| wcs.distance_from(region)).transpose()?.flatten();
        Ok(Self {
            outline: outline?,
            file: name,
            path: wcs.path().to_owned(),
            pixel_scale: wcs.mean_pixel_scale()?,
            s_region,
            difference,
        })
    }
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
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    #[getter]
    fn pixel_scale(&self) -> f64 {
        self.pixel_scale
    }

    #[getter]
    fn s_region(&self) -> Option<&str> {
        self.s_region.as_deref()
    }

    #[getter]
    fn difference(&self) -> Option<f64> {
        self.difference
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

//! World coordinate systems: steps from pixels to the sky.

mod both;
mod chain;
mod compass;
mod find;
mod graticule;
mod grid;
mod inverse;
mod mesh;
mod pixel_map;
mod plane;
mod position;
mod read;
mod region;
mod scale;
mod sip;
mod sky;
mod slice;

use std::sync::OnceLock;

use asdf_core::{Error, Result, Threads};

use crate::frame::{Axis, Frame};
use crate::step::Step;
use crate::transform::Transform;

pub use compass::Compass;
pub use grid::{Grid, GridBlock};
pub use inverse::{Bounding, Inverse};
pub use pixel_map::{PixelMap, PixelMapBlock};

/// A world coordinate system: transforms from the pixels of an array to coordinates on the sky, wavelengths or times.
///
/// # Order of axes
///
/// Coordinates are in the order of gwcs and FITS: `x` is the first pixel axis, and `x` counts along the *last* axis of
/// the array. The centre of the first pixel is 0. World coordinates are in the order and the units of
/// [`world_axes`](Self::world_axes).
///
/// # One point, many points
///
/// | points | pixel to world | world to pixel |
/// |---|---|---|
/// | one | [`pixel_to_world`](Self::pixel_to_world) | [`world_to_pixel`](Self::world_to_pixel) |
/// | a slice for each axis | [`pixel_to_world_columns`](Self::pixel_to_world_columns) | [`columns`](Transform::columns) of [`inverse`](Self::inverse) |
/// | into the caller's memory | [`pixel_to_world_into`](Self::pixel_to_world_into) | [`columns_into`](Transform::columns_into) of [`inverse`](Self::inverse) |
/// | arrays of `ndarray` (feature `ndarray`) | `pixel_to_world_arrays` | `arrays` of [`inverse`](Self::inverse) |
/// | all pixels of a rectangle | [`grid`](Self::grid) | |
///
/// Points without a result are NaN: those outside the bounding box, or outside the domain of a transform.
///
/// # Examples
///
/// ```no_run
/// use asdf_core::File;
/// use asdf_gwcs::{Inverse, Wcs};
///
/// let file = File::open("r0000101001001001001_0001_wfi01_f158_cal.asdf")?;
/// let wcs = Wcs::open(&file, "/roman/meta/wcs")?;
/// let sky = wcs.pixel_to_world(&[2043.5, 2043.5])?;
/// let pixel = wcs.world_to_pixel(&sky, Inverse::Exact)?;
/// println!("RA {} Dec {} is pixel {pixel:?}", sky[0], sky[1]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias("WCS", "gwcs"))]
#[derive(Debug)]
pub struct Wcs {
    path: String,
    name: String,
    steps: Vec<Step>,
    pixel_shape: Option<Vec<u64>>,
    threads: Threads,
    forward: OnceLock<Transform>,
    /// The forward transform without the bounding box.
    unbounded: OnceLock<Transform>,
    stored: OnceLock<Transform>,
    exact: OnceLock<Transform>,
}

impl Wcs {
    /// Sets the number of threads for many points. The default is [`Threads::ALL`].
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self.forward = OnceLock::new();
        self.unbounded = OnceLock::new();
        self.stored = OnceLock::new();
        self.exact = OnceLock::new();
        self
    }

    /// Returns the path of the node in the tree.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the name that the file gives; often empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the steps, the first of which has the frame of the pixels.
    #[doc(alias = "pipeline")]
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &Step> {
        self.steps.iter()
    }

    /// Returns the number of pixels along each axis, `x` first, if the file has it.
    #[must_use]
    pub fn pixel_shape(&self) -> Option<&[u64]> {
        self.pixel_shape.as_deref()
    }

    /// Returns the frame of the pixels.
    ///
    /// # Errors
    /// Never fails for a `Wcs` that was opened, which has at least two steps.
    pub fn pixel_frame(&self) -> Result<&Frame> {
        self.steps.first().map(Step::frame).ok_or_else(|| self.empty())
    }

    /// Returns the frame of the world coordinates.
    ///
    /// # Errors
    /// Never fails for a `Wcs` that was opened, which has at least two steps.
    pub fn world_frame(&self) -> Result<&Frame> {
        self.steps.last().map(Step::frame).ok_or_else(|| self.empty())
    }

    /// Returns the axes of the world coordinates: their names and units. Empty if the file only names the frame.
    #[must_use]
    pub fn world_axes(&self) -> &[Axis] {
        self.steps.last().map(|step| step.frame.axes()).unwrap_or_default()
    }

    /// Returns the axes of the pixels. Empty if the file only names the frame.
    #[must_use]
    pub fn pixel_axes(&self) -> &[Axis] {
        self.steps.first().map(|step| step.frame.axes()).unwrap_or_default()
    }

    fn empty(&self) -> Error {
        Error::mismatch("the wcs has no steps").at_path(&self.path)
    }

    /// Returns the interval of each pixel axis that has coordinates, with both ends; `None` for an axis without limits.
    ///
    /// Only the box of the first transform counts, as in gwcs. Returns `None` if there is no box, or if it depends on
    /// the values of other inputs.
    #[must_use]
    pub fn bounding_box(&self) -> Option<&[Option<[f64; 2]>]> {
        self.bounds()?.intervals()
    }

    /// Returns the compiled transform from pixels to world coordinates, with the bounding box. It is compiled once.
    ///
    /// # Errors
    /// If a transform has no formula, or if transforms or units do not fit. The error has the path.
    pub fn forward(&self) -> Result<&Transform> {
        if let Some(known) = self.forward.get() {
            return Ok(known);
        }
        let compiled = self.compile_forward(true)?;
        Ok(self.forward.get_or_init(|| compiled))
    }

    /// Returns the world coordinates of one point.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward), and if the number of coordinates is not that of the pixel axes.
    pub fn pixel_to_world(&self, pixel: &[f64]) -> Result<Vec<f64>> {
        self.forward()?.values(pixel)
    }

    /// Returns the world coordinates of many points: a slice for each pixel axis, a vector for each world axis.
    ///
    /// # Errors
    /// Like [`pixel_to_world`](Self::pixel_to_world), and if the slices differ in length.
    pub fn pixel_to_world_columns(&self, pixels: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
        self.forward()?.columns(pixels)
    }

    /// Writes the world coordinates of many points into slices. Allocates no memory for them.
    ///
    /// # Errors
    /// Like [`pixel_to_world_columns`](Self::pixel_to_world_columns).
    pub fn pixel_to_world_into(&self, pixels: &[&[f64]], world: &mut [&mut [f64]]) -> Result<()> {
        self.forward()?.columns_into(pixels, world)
    }
}

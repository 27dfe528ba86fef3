//! Parts of images, with their world coordinates.

mod images;
mod region;
mod remove;
mod size;

use std::ops::Range;

use asdf_core::array::Slice;
use asdf_core::{File, NdArray, Result};

use crate::wcs::Wcs;
use images::{Array, Found};
use region::Region;
use remove::remove;

pub use region::Centre;
pub use size::{Length, Size};

/// A part of an image: the pixels around a position on the sky, and the arrays that have them.
///
/// All arrays whose last two axes have the shape of the image are cut, such as data, errors and flags, and cubes. Finding
/// them reads no elements. A cutout that reaches over the edge of the image is smaller.
///
/// # Examples
/// ```no_run
/// use asdf_core::File;
/// use asdf_gwcs::{Centre, Cutout, Wcs};
///
/// let mut file = File::open("cal.asdf")?;
/// let wcs = Wcs::only(&file)?;
/// let cutout = Cutout::new(&file, &wcs, None, Centre::Sky([269.83, 66.03]), "30arcsec".parse()?)?;
/// for (path, array) in cutout.images() {
///     println!("{path}: {:?}", array.slice(&cutout.slices())?.shape());
/// }
/// cutout.apply(&mut file, &wcs)?;
/// file.write("star.asdf")?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Cutout {
    region: Region,
    /// The height and width of the image.
    shape: [u64; 2],
    found: Found,
}

impl Cutout {
    /// Finds the pixels of a cutout, and the arrays that have them.
    ///
    /// The image has the shape of the array at `image`. By default, it is that of `pixel_shape` in the wcs, or of the array
    /// nearest to the wcs in the tree.
    ///
    /// # Errors
    /// If no array is the image, if the position has no pixel, or if the cutout is outside of the image.
    pub fn new(file: &File, wcs: &Wcs, image: Option<&str>, centre: Centre, size: Size) -> Result<Self> {
        let found = Found::of(file)?;
        let image = image.map(|word| file.tree().resolve_path(word));
        let shape = found.image_of(wcs, image.as_ref().map(|path| path.as_str()))?;
        let region = Region::of(wcs, centre, size, shape)?;
        Ok(Self { region, shape, found })
    }

    /// Returns the columns of the image that are cut.
    #[must_use]
    pub fn x(&self) -> Range<i64> {
        self.region.x.clone()
    }

    /// Returns the rows of the image that are cut.
    #[must_use]
    pub fn y(&self) -> Range<i64> {
        self.region.y.clone()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> u64 {
        self.region.x.end.abs_diff(self.region.x.start)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> u64 {
        self.region.y.end.abs_diff(self.region.y.start)
    }

    /// Returns whether a part of the cutout would be outside of the image.
    #[must_use]
    pub fn is_clipped(&self) -> bool {
        self.region.is_clipped
    }

    /// Returns the slices of an array whose last two axes are the image.
    #[must_use]
    pub fn slices(&self) -> [Slice; 3] {
        self.region.slices()
    }

    /// Returns the paths of the arrays that are cut, and the whole arrays.
    pub fn images(&self) -> impl Iterator<Item = (&str, &NdArray)> {
        let images = self.found.arrays.iter().filter(|array| self.is_image(array));
        images.map(|array| (array.path(), &array.array))
    }

    /// Replaces the arrays of a file by their parts, and its world coordinates by those of the cutout.
    ///
    /// The elements of the parts are read. Everything else is unchanged, such as arrays of other shapes.
    ///
    /// # Errors
    /// If the parts cannot be read, or a wcs has no part; see [`Wcs::slice`].
    pub fn apply(&self, file: &mut File, wcs: &Wcs) -> Result<()> {
        for Array { paths, array } in self.found.arrays.iter().filter(|array| self.is_image(array)) {
            let path = paths.first().map_or("", String::as_str);
            let part = array.slice(&self.slices()).and_then(|part| part.packed());
            file.set(path, &part.map_err(|error| error.at_path(path))?)?;
            let node = file.at(path)?.id();
            for alias in paths.iter().skip(1) {
                file.tree_mut().edit(alias).set(node)?;
            }
        }
        self.apply_to_systems(file, wcs)
    }

    /// Replaces the world coordinates of a file by those of the cutout, also those of other images of the same shape.
    ///
    /// # Errors
    /// See [`Wcs::slice`].
    pub fn apply_to_systems(&self, file: &mut File, wcs: &Wcs) -> Result<()> {
        let ranges = [self.x(), self.y()];
        let [height, width] = self.shape;
        for paths in &self.found.systems {
            let path = paths.first().map_or("", String::as_str);
            let is_own = paths.iter().any(|path| path == wcs.path());
            let is_alike =
                |other: &Wcs| other.pixel_shape().is_some_and(|shape| shape.starts_with(&[width, height]));
            let other = if is_own { None } else { Wcs::open(file, path).ok().filter(is_alike) };
            let Some(system) = is_own.then_some(wcs).or(other.as_ref()) else { continue };
            let node = system.slice(file.at(path)?, &ranges)?;
            file.set(path, &node)?;
            let node = file.at(path)?.id();
            for alias in paths.iter().skip(1) {
                file.tree_mut().edit(alias).set(node)?;
            }
        }
        Ok(())
    }

    /// Removes the arrays of other shapes from a file, with the quantities and tables that they belong to.
    ///
    /// An item of a list becomes null, so that the others keep their numbers.
    ///
    /// # Errors
    /// If the file is not the one of the cutout, so that a path does not exist.
    pub fn remove_others(&self, file: &mut File) -> Result<()> {
        let others = self.found.arrays.iter().filter(|array| !self.is_image(array));
        others.flat_map(|array| &array.paths).try_for_each(|path| remove(file, path))
    }

    fn is_image(&self, array: &Array) -> bool {
        array.image_shape() == Some(self.shape)
    }
}

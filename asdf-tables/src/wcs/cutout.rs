//! Cutouts as FITS files.

use std::io::Write;

use asdf_core::{Error, File, Result};
use asdf_fits::cards_of;
use asdf_gwcs::{Cutout, Wcs};

use super::WcsCards;
use crate::{Dataset, WriteOptions};

/// A part of an image as the units of a FITS file.
///
/// Each array that is cut is a unit with the last step of its path as name, and with world coordinates as cards. The
/// primary unit has the scalars of `meta` beside the first array.
///
/// # Examples
/// ```no_run
/// use asdf_gwcs::{Centre, Cutout, Wcs};
/// use asdf_tables::wcs::{CutoutUnits, WcsCards};
///
/// let mut file = asdf_core::File::open("cal.asdf")?;
/// let wcs = Wcs::only(&file)?;
/// let cutout = Cutout::new(&file, &wcs, None, Centre::Sky([269.83, 66.03]), "30arcsec".parse()?)?;
/// let units = CutoutUnits::new(&cutout, &file)?;
/// cutout.apply_to_systems(&mut file, &wcs)?;
/// let part = Wcs::open(&file, wcs.path())?;
/// let units = units.wcs(&part, WcsCards::new(), |warning| eprintln!("{warning}"));
/// asdf_core::file::replace("star.fits", |out| units.write(out))?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CutoutUnits {
    units: Vec<(String, Dataset)>,
    options: WriteOptions,
    width: u64,
    height: u64,
}

impl CutoutUnits {
    /// Finds the units of a cutout. The elements of the arrays are read when they are written.
    ///
    /// # Errors
    /// If `file` is not the one of the cutout, or an array cannot be sliced.
    pub fn new(cutout: &Cutout, file: &File) -> Result<Self> {
        let mut units: Vec<(String, Dataset)> = Vec::new();
        let mut above = None;
        for (path, _) in cutout.images() {
            let path = quantity(file, path);
            let dataset =
                Dataset::from_node(file.at(path)?).and_then(|dataset| dataset.slice(&cutout.slices()));
            let dataset = dataset.map_err(|error| error.at_path(path))?;
            let (mapping, last) = path.rsplit_once('/').unwrap_or_default();
            above.get_or_insert_with(|| mapping.to_owned());
            let last = last.replace("~1", "/").replace("~0", "~");
            let is_taken = units.iter().any(|(name, _)| name.eq_ignore_ascii_case(&last));
            let name = if is_taken { path.trim_start_matches('/').replace('/', "_") } else { last };
            units.push((name, dataset));
        }
        let meta = above.and_then(|above| file.at(&format!("{above}/meta")).ok());
        let options = WriteOptions::default().cards(meta.map(cards_of).unwrap_or_default());
        Ok(Self { units, options, width: cutout.width(), height: cutout.height() })
    }

    /// Sets the world coordinates of the units: those of the part, whose first pixel is (0, 0).
    ///
    /// Calls `warn` as [`WcsCards::cards`] does.
    #[must_use]
    pub fn wcs(mut self, part: &Wcs, cards: WcsCards, warn: impl FnMut(Error)) -> Self {
        let cards = cards.cards(part, [self.width, self.height], [0.0, 0.0], warn);
        self.options = self.options.image_cards([self.height, self.width], cards);
        self
    }

    /// Writes the FITS file.
    ///
    /// # Errors
    /// If an array cannot be read, or FITS does not support it, or `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        self.options.write_units(&self.units, out)
    }
}

/// Returns the path of the quantity that an array belongs to, or else the path of the array.
fn quantity<'p>(file: &File, path: &'p str) -> &'p str {
    let (parent, key) = path.rsplit_once('/').unwrap_or_default();
    let node = file.at(parent).ok().filter(|_| key == "value");
    let is_quantity = node.is_some_and(|node| node.own_tag().is_some_and(|tag| tag.contains("/quantity-")));
    if is_quantity { parent } else { path }
}

#[cfg(test)]
mod tests {
    use asdf_core::NdArray;
    use asdf_fits::Data;
    use asdf_gwcs::Centre;

    use super::*;

    #[test]
    fn units_have_names_cards_and_the_part() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../asdf-gwcs/tests/files/distorted.asdf");
        let mut file = File::open(path).unwrap();
        let side = 4088_u64;
        let array = NdArray::new(&[side, side], &vec![7_u8; 4088 * 4088]).unwrap();
        file.set("/roman/data", &array).unwrap();
        file.set("/roman/other", &array).unwrap();
        file.set("/roman/meta/name", &"a star").unwrap();
        let wcs = Wcs::only(&file).unwrap();
        let centre = Centre::Pixel([1000.0, 2000.0]);
        let cutout = Cutout::new(&file, &wcs, None, centre, "30,20".parse().unwrap()).unwrap();
        let units = CutoutUnits::new(&cutout, &file).unwrap();
        cutout.apply_to_systems(&mut file, &wcs).unwrap();
        let part = Wcs::open(&file, wcs.path()).unwrap();
        let mut warnings = Vec::new();
        let units = units.wcs(&part, WcsCards::new(), |warning| warnings.push(warning));
        let mut bytes = Vec::new();
        units.write(&mut bytes).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let fits = asdf_fits::Fits::from_bytes(bytes).unwrap();
        let text = |index: usize, name: &str| {
            fits.hdus[index].card(name).and_then(|card| card.as_str().map(str::to_owned))
        };
        assert_eq!(text(0, "NAME").as_deref(), Some("a star"));
        for (index, name) in [(1, "DATA"), (2, "OTHER")] {
            assert_eq!(text(index, "EXTNAME").as_deref(), Some(name));
            // The distortion of a small part is below the largest error.
            assert_eq!(text(index, "CTYPE1").as_deref(), Some("RA---TAN"));
            let Some(Data::Image(image)) = &fits.hdus[index].data else { panic!("no image") };
            assert_eq!(image.shape(), [20, 30]);
        }
    }
}

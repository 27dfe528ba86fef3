//! `Fits`: the header/data units of a file.

use crate::hdu::Hdu;

/// The contents of a FITS file: its header/data units.
///
/// In a tree, the list of units has the tag of asdf-astropy, `tag:astropy.org:astropy/fits/fits-1.2.0`. Lists
/// with the tags of the standard, `tag:stsci.edu:asdf/fits/fits-1.*`, can be read as well.
///
/// The data holds the values that astropy shows: `BSCALE`, `BZERO`, `BLANK`, `TSCALn` and `TZEROn` are applied.
/// Their cards stay in the header, as in the files of asdf-astropy. Some units, such as compressed images, cannot
/// be rebuilt from their header and data. They also keep their bytes (`stored` in the tree). These bytes are
/// written unless the header or the data was changed.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_fits::{Card, Data, Fits, Hdu};
///
/// let image = NdArray::new(&[2, 2], &[1_i16, 2, 3, 4])?;
/// let science = Hdu::new(vec![Card::new("EXTNAME", "SCI", "")]).with_data(Data::Image(image));
/// let fits = Fits::new(vec![Hdu::new(vec![Card::new("OBJECT", "M31", "")]), science]);
///
/// let read = Fits::from_bytes(fits.to_bytes()?)?;
/// let object = read.primary().and_then(|hdu| hdu.value("OBJECT"));
/// assert_eq!(object.and_then(|value| value.as_str()), Some("M31"));
/// let image = read.hdu("sci").and_then(|hdu| hdu.image()).unwrap();
/// assert_eq!(image.read::<i16>()?, [1, 2, 3, 4]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "HDUList")]
#[derive(Debug, Clone, Default)]
pub struct Fits {
    /// The units, the primary one first.
    pub hdus: Vec<Hdu>,
}

impl Fits {
    /// Creates the contents of a file from its units.
    #[must_use]
    pub fn new(hdus: Vec<Hdu>) -> Self {
        Self { hdus }
    }

    /// Returns the first unit.
    #[must_use]
    pub fn primary(&self) -> Option<&Hdu> {
        self.hdus.first()
    }

    /// Returns the first unit with this name, in upper or lower case.
    ///
    /// `PRIMARY` is the first unit, unless another unit has that name.
    #[must_use]
    pub fn hdu(&self, name: &str) -> Option<&Hdu> {
        let named = self.hdus.iter().find(|hdu| hdu.name().is_some_and(|own| own.eq_ignore_ascii_case(name)));
        named.or_else(|| self.primary().filter(|_| name.eq_ignore_ascii_case("PRIMARY")))
    }
}

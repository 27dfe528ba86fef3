//! `Fits`: the units of a file.

use std::io::Write;
use std::path::Path;

use asdf_core::{Bytes, Error, Result};

use crate::hdu::Hdu;
use crate::read::ReadOptions;
use crate::write::WriteOptions;

/// The contents of a FITS file: its header/data units.
///
/// In the tree they have the tag of asdf-astropy, `tag:astropy.org:astropy/fits/fits-1.2.0`. The tags of the
/// standard, `tag:stsci.edu:asdf/fits/fits-1.*`, are read as well.
///
/// Data holds the values that astropy has: `BSCALE`, `BZERO`, `BLANK`, `TSCALn` and `TZEROn` are applied, and
/// their cards stay in the header, which is how asdf-astropy stores them. A unit that cannot be made from header
/// and data again, such as a compressed image, also keeps its bytes (`stored` in the tree). They are used for
/// writing as long as header and data say the same.
#[derive(Debug, Clone, Default)]
pub struct Fits {
    /// The units, the primary one first.
    pub hdus: Vec<Hdu>,
}

/// Opens a FITS file, which is read whole.
///
/// # Errors
/// If the file cannot be read, and as [`Fits::from_bytes`].
pub fn open(path: impl AsRef<Path>) -> Result<Fits> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::io("reading", error));
    bytes.and_then(Fits::from_bytes).map_err(|error| error.at_file(path))
}

impl Fits {
    /// Creates the contents of a file.
    #[must_use]
    pub fn new(hdus: Vec<Hdu>) -> Self {
        Self { hdus }
    }

    /// Reads a FITS file that is in memory. [`ReadOptions`] can also read files of which a part is damaged.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::ErrorKind::Malformed) if the bytes are not a FITS file or end early;
    /// [`Unsupported`](asdf_core::ErrorKind::Unsupported) for random groups and unknown extensions.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        let reading = ReadOptions::new().read(bytes)?;
        match reading.problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(reading.fits),
        }
    }

    /// Returns the first unit.
    #[must_use]
    pub fn primary(&self) -> Option<&Hdu> {
        self.hdus.first()
    }

    /// Returns the first unit with this name, in any case. `PRIMARY` is the first unit, unless another has
    /// that name.
    #[must_use]
    pub fn hdu(&self, name: &str) -> Option<&Hdu> {
        let named = self.hdus.iter().find(|hdu| hdu.name().is_some_and(|own| own.eq_ignore_ascii_case(name)));
        named.or_else(|| self.primary().filter(|_| name.eq_ignore_ascii_case("PRIMARY")))
    }

    /// Returns the bytes of a FITS file of these units.
    ///
    /// Cards that describe the data, such as `NAXISn` and `TFORMn`, are made from the data. All others are
    /// written as they are.
    ///
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_fits::{Card, Data, Fits, Hdu};
    ///
    /// let image = NdArray::new(&[2, 3], &[1_u16, 2, 3, 4, 5, 60_000])?;
    /// let hdu = Hdu::new(vec![Card::new("OBJECT", "M31", "target")]).with_data(Data::Image(image));
    /// let bytes = Fits::new(vec![hdu]).to_bytes()?;
    /// assert_eq!(bytes.len(), 2 * 2880);
    ///
    /// let fits = Fits::from_bytes(bytes)?;
    /// let primary = fits.primary().unwrap();
    /// assert_eq!(primary.value("OBJECT").and_then(|value| value.as_str()), Some("M31"));
    /// assert_eq!(primary.value("BZERO").and_then(|value| value.as_i64()), Some(32_768));
    /// assert_eq!(primary.image().unwrap().read::<u16>()?, [1, 2, 3, 4, 5, 60_000]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::ErrorKind::Unsupported) for data that FITS does not have;
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) for cards that FITS cannot hold; also if arrays cannot be
    /// read. The path leads to the unit.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes a FITS file of these units, some rows at a time.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), and if the bytes cannot be written. A part of them may have been
    /// written then.
    pub fn write_to(&self, out: &mut dyn Write) -> Result<()> {
        WriteOptions::new().write(self, out)
    }
}

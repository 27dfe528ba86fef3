//! FITS files, to and from `Fits`: images and binary tables (FITS Standard 4.0).

mod card;
mod read;
mod scale;
mod write;

use std::io::Write;
use std::path::Path;

use asdf_core::{Bytes, Error, Result};

use crate::fits::Fits;

/// Headers and data are stored in pieces of so many bytes.
const PIECE: usize = 2880;
/// The bytes of a card.
const CARD: usize = 80;

impl Fits {
    /// The contents of a FITS file that is in memory. Images and the columns of tables are views of the
    /// bytes, in big byte order, as they are stored: `BSCALE`, `BZERO`, `TSCALn` and `TZEROn` are not
    /// applied, and their cards are there. Columns of booleans are copied.
    ///
    /// Not read: ASCII tables, random groups, and columns of bits or of arrays of variable length.
    /// Texts of `COMMENT` and `HISTORY` that are longer than the schema's 60 characters become two cards, an
    /// undefined value with a comment an empty text, and a complex one its text.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::ErrorKind::Malformed) when the bytes are no FITS file or end early, with the
    /// byte offset; [`Unsupported`](asdf_core::ErrorKind::Unsupported) for what is not read;
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) for a text that is longer than the schema allows.
    pub fn of_fits_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        read::file(&bytes.into())
    }

    /// The contents of a FITS file, which is read whole.
    ///
    /// # Errors
    /// As [`of_fits_bytes`](Self::of_fits_bytes), and when the file cannot be read.
    pub fn open_fits(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| Error::io("reading", error));
        bytes.and_then(Self::of_fits_bytes).map_err(|error| error.at_file(path))
    }

    /// The bytes of a FITS file of these units.
    ///
    /// The cards that describe the data (`SIMPLE` or `XTENSION`, `BITPIX`, `NAXISn`, `PCOUNT`, `GCOUNT`,
    /// `TFIELDS`, `TFORMn`, `TDIMn`, `TTYPEn`, `TUNITn`) come first and are made from the data; all others
    /// follow as they are. Unsigned integers, and 8-bit signed ones, are stored as FITS does, with
    /// `BZERO` or `TZEROn`, which the header may not have with another value.
    ///
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_schemas::fits::{Card, Fits, Hdu, HduData};
    ///
    /// let mut hdu = Hdu::new(vec![Card::of("OBJECT", "M31", "what it shows")?]);
    /// let image = NdArray::new(&[2, 3], &[1_i16, 2, 3, 4, 5, 6])?;
    /// hdu.data = Some(HduData::NdArray(image).into());
    /// let bytes = Fits::new(vec![hdu]).to_fits_bytes()?;
    /// assert_eq!(bytes.len(), 2 * 2880);
    ///
    /// let fits = Fits::of_fits_bytes(bytes)?;
    /// let primary = fits.primary().unwrap();
    /// assert_eq!(primary.value("OBJECT").and_then(|value| value.as_str()), Some("M31"));
    /// assert_eq!(primary.image().unwrap().read::<i16>()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](asdf_core::ErrorKind::Unsupported) for data that FITS does not have;
    /// [`Mismatch`](asdf_core::ErrorKind::Mismatch) for cards that do not fit FITS; also when arrays cannot be
    /// read. The path leads to the unit.
    pub fn to_fits_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_fits_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the bytes of a FITS file as [`to_fits_bytes`](Self::to_fits_bytes) makes them, some rows of an
    /// image or a table at a time: memory does not grow with the data.
    ///
    /// # Errors
    /// As [`to_fits_bytes`](Self::to_fits_bytes), and when the bytes cannot be written; part of them may be
    /// written then.
    pub fn write_fits_to(&self, out: &mut dyn Write) -> Result<()> {
        write::file(self, out)
    }

    /// Writes a FITS file. One that is there is replaced, when the new one is complete in memory.
    ///
    /// # Errors
    /// As [`to_fits_bytes`](Self::to_fits_bytes), and when the file cannot be written.
    pub fn write_fits(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let written = self
            .to_fits_bytes()
            .and_then(|bytes| std::fs::write(path, bytes).map_err(|error| Error::io("writing", error)));
        written.map_err(|error| error.at_file(path))
    }
}

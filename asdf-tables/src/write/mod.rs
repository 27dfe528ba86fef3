//! Writes arrays and tables in other formats.

#[cfg(feature = "arrow")]
mod arrow;
mod cells;
mod csv;
mod ecsv;
mod fits;
#[cfg(feature = "hdf5")]
mod hdf5;
mod json;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod raw;
mod votable;

use std::borrow::Cow;
use std::io::Write;

use asdf_core::array::{ReadBudget, Value};
use asdf_core::{Datatype, Error, Result};
use asdf_fits::Card;
use serde_json::Value as Json;

#[cfg(any(not(feature = "arrow"), not(feature = "hdf5"), not(feature = "parquet")))]
use crate::advice::Advice;
use crate::output::output;
use crate::{Columns, Dataset, Fill, Format};

pub use csv::safe_cell;

/// Options for writing arrays and tables in other formats.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_tables::{Column, Columns, Dataset, Format, WriteOptions};
///
/// let columns = Columns::new(vec![Column::new("id", NdArray::new(&[2], &[7, 8])?)])?;
/// let table = Dataset::Table { columns, records: None };
/// let mut lines = Vec::new();
/// WriteOptions::new().write(&table, Format::JsonLines, &mut lines)?;
/// assert_eq!(lines, b"{\"id\":7}\n{\"id\":8}\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "savetxt")]
#[doc(alias = "to_csv")]
#[derive(Debug, Clone)]
pub struct WriteOptions {
    name: String,
    fill: Option<Fill>,
    metadata: Option<Json>,
    cards: Vec<Card>,
    image_cards: Option<([u64; 2], Vec<Card>)>,
    checksums: bool,
    safe_cells: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl WriteOptions {
    /// Creates the default options: the name `data`, no fill value, no metadata, no new checksums
    /// and unchanged cells.
    #[must_use]
    pub fn new() -> Self {
        Self {
            name: "data".to_owned(),
            fill: None,
            metadata: None,
            cards: Vec::new(),
            image_cards: None,
            checksums: false,
            safe_cells: false,
        }
    }

    /// Sets whether texts in CSV that begin like a formula get a leading `'`, as [`safe_cell`] does (default: no).
    ///
    /// Use it for files that people open in a spreadsheet. Texts then differ from those in the array.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Ascii;
    /// use asdf_tables::{Dataset, Format, WriteOptions};
    ///
    /// let array = NdArray::from_records(&[Ascii::<4>::new("=A1")?, Ascii::new("-1")?])?;
    /// let dataset = Dataset::Array { array, unit: None, metadata: Default::default() };
    /// let mut csv = Vec::new();
    /// WriteOptions::new().safe_cells(true).write(&dataset, Format::Csv, &mut csv)?;
    /// assert_eq!(csv, b"'=A1\n-1\n");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn safe_cells(mut self, safe_cells: bool) -> Self {
        self.safe_cells = safe_cells;
        self
    }

    /// Sets the name of the table, dataset or only column (default: `data`).
    ///
    /// ECSV, VOTable, HDF5, Parquet and Arrow use it.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the number that is written for missing elements in npy, raw, FITS and HDF5.
    ///
    /// Without it, missing floats become NaN and other missing numbers are an error.
    #[doc(alias = "fill_value")]
    #[must_use]
    pub fn fill(mut self, fill: Option<Fill>) -> Self {
        self.fill = fill;
        self
    }

    /// Sets the metadata of a table, which must be a JSON object. ECSV and HDF5 use it.
    #[must_use]
    pub fn metadata(mut self, metadata: Option<Json>) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets cards for the header of the primary unit of a FITS file.
    #[must_use]
    pub fn cards(mut self, cards: Vec<Card>) -> Self {
        self.cards = cards;
        self
    }

    /// Sets cards for the images of a FITS file whose last two axes have this shape, such as world coordinates.
    #[must_use]
    pub fn image_cards(mut self, shape: [u64; 2], cards: Vec<Card>) -> Self {
        self.image_cards = Some((shape, cards));
        self
    }

    /// Sets whether `DATASUM` and `CHECKSUM` are computed for every unit of a FITS file (default: false).
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> Self {
        self.checksums = checksums;
        self
    }

    /// Writes an array, a table or a FITS file in a format.
    ///
    /// Each row and element is read once, in order. The output is written in many small pieces, so `out` should be
    /// buffered.
    ///
    /// # Errors
    /// - [`Unsupported`](asdf_core::error::Kind::Unsupported) if the format does not support the data, or this build does
    ///   not write the format.
    /// - [`Usage`](asdf_core::error::Kind::Usage) if the data has the wrong shape for the format, such as an array with
    ///   three axes for CSV.
    /// - [`Limit`](asdf_core::error::Kind::Limit) if the columns [repeat](ReadBudget) too many elements.
    /// - Also if the data cannot be read or `out` fails. Some bytes can have been written before an error.
    pub fn write(&self, dataset: &Dataset, format: Format, out: &mut dyn Write) -> Result<()> {
        let mut budget = ReadBudget::new();
        match dataset {
            Dataset::Array { array, .. } => budget.take(array)?,
            Dataset::Table { columns, .. } => {
                for column in columns.as_slice() {
                    budget.take(&column.array).map_err(|error| error.under(&column.name))?;
                }
            }
            Dataset::Fits(_) => {}
        }
        match (dataset, format) {
            (dataset, Format::Fits) => self.fits(dataset, out),
            (Dataset::Fits(_), _) => Err(Error::usage("a FITS file can only be written as FITS")),
            (Dataset::Array { array, .. } | Dataset::Table { records: Some(array), .. }, Format::Npy) => {
                npy::array(array, self.fill, out)
            }
            (Dataset::Table { columns, .. }, Format::Npy) => npy::table(columns, self.fill, out),
            (Dataset::Array { array, .. } | Dataset::Table { records: Some(array), .. }, Format::Raw) => {
                raw::elements(array, self.fill, out)
            }
            (Dataset::Table { columns, .. }, Format::Raw) => raw::rows(columns, self.fill, out),
            (Dataset::Array { array, .. }, Format::Csv) => csv::array(array, self.safe_cells, out),
            (Dataset::Table { columns, .. }, Format::Csv) => csv::table(columns, self.safe_cells, out),
            (Dataset::Array { array, .. }, Format::Json | Format::JsonLines) => {
                json::array(array, format == Format::JsonLines, out)
            }
            (Dataset::Table { columns, .. }, Format::Json | Format::JsonLines) => {
                json::table(columns, format == Format::JsonLines, out)
            }
            (dataset, Format::Ecsv) => {
                let metadata = self.metadata.as_ref().filter(|_| matches!(dataset, Dataset::Table { .. }));
                let columns = self.table(dataset)?;
                ecsv::table(&columns, metadata, out)
            }
            (Dataset::Array { array, unit, .. }, Format::VoTable) => {
                let columns = Columns::from_array(&self.name, array, unit.as_deref())?;
                votable::table(&self.name, &columns, out)
            }
            (Dataset::Table { columns, .. }, Format::VoTable) => votable::table(&self.name, columns, out),
            (dataset, Format::Hdf5) => self.hdf5(dataset, out),
            (dataset, Format::Parquet) => self.parquet(dataset, out),
            (dataset, Format::Arrow) => self.arrow(dataset, out),
        }
    }

    /// Returns the columns of a table, or an array as a table with one column.
    fn table<'d>(&self, dataset: &'d Dataset) -> Result<Cow<'d, Columns>> {
        match dataset {
            Dataset::Table { columns, .. } => Ok(Cow::Borrowed(columns)),
            Dataset::Array { array, unit, metadata } => {
                let columns = Columns::from_array(&self.name, array, unit.as_deref())?;
                let columns = columns.into_vec().into_iter().map(|mut column| {
                    column.metadata.clone_from(metadata);
                    column
                });
                Columns::new(columns.collect()).map(Cow::Owned)
            }
            Dataset::Fits(_) => Err(Error::usage("a FITS file is not a table")),
        }
    }

    #[cfg(feature = "hdf5")]
    fn hdf5(&self, dataset: &Dataset, out: &mut dyn Write) -> Result<()> {
        match dataset {
            Dataset::Array { array, unit, metadata } => {
                hdf5::array(&self.name, array, unit.as_deref(), metadata, self.fill, out)
            }
            Dataset::Table { records: Some(array), .. } => {
                hdf5::array(&self.name, array, None, &Default::default(), self.fill, out)
            }
            dataset => {
                let columns = self.table(dataset)?;
                hdf5::table(&self.name, &columns, self.metadata.as_ref(), self.fill, out)
            }
        }
    }

    #[cfg(not(feature = "hdf5"))]
    fn hdf5(&self, _: &Dataset, _: &mut dyn Write) -> Result<()> {
        Err(Error::unsupported("this build does not write HDF5").with_hint(Advice::Hdf5))
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, dataset: &Dataset, out: &mut dyn Write) -> Result<()> {
        let columns = self.table(dataset)?;
        parquet::table(&columns, out)
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(&self, _: &Dataset, _: &mut dyn Write) -> Result<()> {
        Err(Error::unsupported("this build does not write Parquet").with_hint(Advice::Parquet))
    }

    #[cfg(feature = "arrow")]
    fn arrow(&self, dataset: &Dataset, out: &mut dyn Write) -> Result<()> {
        let columns = self.table(dataset)?;
        arrow::table(&columns, out)
    }

    #[cfg(not(feature = "arrow"))]
    fn arrow(&self, _: &Dataset, _: &mut dyn Write) -> Result<()> {
        Err(Error::unsupported("this build does not write Arrow").with_hint(Advice::Arrow))
    }
}

/// Formats an element as text: floats with as few digits as their datatype needs, missing elements as nothing.
fn plain(value: &Value, datatype: &Datatype) -> String {
    value.to_text(datatype, "")
}

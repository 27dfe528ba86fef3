//! Reads arrays and tables from other formats.

#[cfg(feature = "arrow")]
mod arrow;
mod caught;
mod csv;
mod ecsv;
mod fits;
mod inferred;
mod json;
mod literal;
mod npy;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "votable")]
mod votable;

pub use caught::catches_panic;
#[cfg(feature = "parquet")]
pub(crate) use caught::caught;
pub use npy::numpy_datatype;
#[cfg(feature = "parquet")]
pub(crate) use pages::check as check_pages;

use asdf_core::source::Bytes;
use asdf_core::tree::{NodeId, Tree};
use asdf_core::yaml::ParseOptions;
use asdf_core::{Error, NdArray, Node, Result, ToNode};
use asdf_fits::{Data, Fits, Selector};
use asdf_schemas::table::Table;

use crate::Format;
#[cfg(not(all(feature = "arrow", feature = "parquet", feature = "votable")))]
use crate::advice::Advice;

/// Options for reading files of other formats.
///
/// # Examples
/// ```
/// use asdf_tables::{Contents, Format, ReadOptions};
///
/// let options = ReadOptions::new().delimiter(b';').header(false);
/// let reading = options.read(&b"1;true\n2;false\n"[..], Format::Csv)?;
/// let Contents::Table { table, .. } = reading.contents else { panic!("CSV is a table") };
/// assert_eq!(table.names(), ["column1", "column2"]);
/// assert_eq!(table.read::<bool>("column2")?, [true, false]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "read_csv")]
#[doc(alias = "loadtxt")]
#[doc(alias = "genfromtxt")]
#[derive(Debug, Clone)]
pub struct ReadOptions {
    delimiter: u8,
    header: bool,
    arrays: bool,
    units: Vec<Selector>,
    limits: ParseOptions,
}

/// The contents of a file that was read, and the problems with its data.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The value, which can be set in a tree.
    pub contents: Contents,
    /// The errors of the data of a FITS file that could not be read. The rest of the file is in `contents`.
    pub problems: Vec<Error>,
}

/// The value of a file. As a node it is the value that `asdf import` writes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Contents {
    /// An array.
    Array(NdArray),
    /// A table of the standard.
    Table {
        /// The columns.
        table: Table,
        /// The metadata, a mapping. The node of the table has it under the key `meta`.
        meta: Option<Node>,
    },
    /// A FITS file with all its cards.
    Fits(Fits),
    /// The arrays and tables of a FITS file by name, in the order of the file. The node is a mapping.
    Units(Vec<(String, Data)>),
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ReadOptions {
    /// Creates the default options: CSV with commas and a header, and FITS files as a whole.
    #[must_use]
    pub fn new() -> Self {
        let limits = ParseOptions::default();
        Self { delimiter: b',', header: true, arrays: false, units: Vec::new(), limits }
    }

    /// Sets the ASCII character between the values of CSV (default: `,`).
    #[doc(alias = "sep")]
    #[must_use]
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.delimiter = delimiter;
        self
    }

    /// Sets whether the first row of CSV holds the names of the columns (default: true).
    ///
    /// If not, the names are `column1`, `column2` and so on.
    #[must_use]
    pub fn header(mut self, header: bool) -> Self {
        self.header = header;
        self
    }

    /// Sets whether a FITS file is read as [`Contents::Units`], a mapping of its arrays and tables.
    ///
    /// Missing integers are masked then. By default it is read as [`Contents::Fits`], with the values that astropy shows.
    #[must_use]
    pub fn fits_arrays(mut self, arrays: bool) -> Self {
        self.arrays = arrays;
        self
    }

    /// Selects the header/data units of a FITS file to read (default: all).
    #[must_use]
    pub fn fits_units(mut self, units: Vec<Selector>) -> Self {
        self.units = units;
        self
    }

    /// Sets the limits for parsing the header of ECSV, which is YAML.
    #[must_use]
    pub fn header_limits(mut self, limits: ParseOptions) -> Self {
        self.limits = limits;
        self
    }

    /// Reads a file from memory.
    ///
    /// Elements of npy and FITS files that need no conversion are shared with `bytes`. Those of other formats are copied.
    ///
    /// # Errors
    /// - [`Malformed`](asdf_core::error::Kind::Malformed) if the file does not have the format, with the line for text
    ///   formats, or if its table has no columns.
    /// - [`Unsupported`](asdf_core::error::Kind::Unsupported) if ASDF does not support the values, or this build does not
    ///   read the format.
    /// - [`Limit`](asdf_core::error::Kind::Limit) if the table would take far more memory than the file.
    pub fn read(&self, bytes: impl Into<Bytes>, format: Format) -> Result<Reading> {
        let bytes = bytes.into();
        let table = |table| Contents::Table { table, meta: None };
        let contents = match format {
            Format::Npy => Contents::Array(npy::array(&bytes)?),
            Format::Csv => table(csv::table(&bytes, self.delimiter, self.header)?),
            Format::Ecsv => {
                let (table, meta) = ecsv::table(&bytes, self.limits)?;
                Contents::Table { table, meta }
            }
            Format::Json | Format::JsonLines => match json::rows(&bytes, format == Format::JsonLines)? {
                json::Rows::Table(own) => table(own),
                json::Rows::Array(array) => Contents::Array(*array),
            },
            Format::VoTable => table(votable(&bytes)?),
            Format::Fits => return self.fits(bytes),
            Format::Parquet => table(parquet(bytes)?),
            Format::Arrow => table(arrow(bytes)?),
            Format::Raw | Format::Hdf5 => {
                return Err(Error::unsupported(format!("reading {format} files is not supported")));
            }
        };
        if matches!(&contents, Contents::Table { table, .. } if table.names().is_empty()) {
            return Err(Error::malformed("the file has no columns"));
        }
        Ok(Reading { contents, problems: Vec::new() })
    }

    fn fits(&self, bytes: Bytes) -> Result<Reading> {
        let mut reading = fits::read(bytes, self.arrays, self.units.clone())?;
        let contents = match self.arrays {
            true => Contents::Units(fits::arrays(&mut reading)?),
            false => Contents::Fits(fits::whole(&reading)),
        };
        Ok(Reading { contents, problems: reading.problems })
    }
}

#[cfg(feature = "votable")]
fn votable(bytes: &[u8]) -> Result<Table> {
    votable::table(bytes)
}

#[cfg(not(feature = "votable"))]
fn votable(_: &[u8]) -> Result<Table> {
    Err(Error::unsupported("this build does not read VOTables").with_hint(Advice::VoTable))
}

#[cfg(feature = "parquet")]
fn parquet(bytes: Bytes) -> Result<Table> {
    caught::caught("Parquet", || parquet::table(bytes))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Bytes) -> Result<Table> {
    Err(Error::unsupported("this build does not read Parquet").with_hint(Advice::Parquet))
}

#[cfg(feature = "arrow")]
fn arrow(bytes: Bytes) -> Result<Table> {
    caught::caught("Arrow", || arrow::table(bytes))
}

#[cfg(not(feature = "arrow"))]
fn arrow(_: Bytes) -> Result<Table> {
    Err(Error::unsupported("this build does not read Arrow").with_hint(Advice::Arrow))
}

impl ToNode for Contents {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Array(array) => array.to_node(tree),
            Self::Table { table, meta } => {
                let node = table.to_node(tree)?;
                if let Some(meta) = meta {
                    let meta = meta.to_node(tree)?;
                    tree.insert(node, "meta", meta);
                }
                Ok(node)
            }
            Self::Fits(fits) => fits.to_node(tree),
            Self::Units(units) => {
                let mapping = tree.add_mapping([]);
                for (name, data) in units {
                    let value = fits::add(data, tree)?;
                    tree.insert(mapping, name.as_str(), value);
                }
                Ok(mapping)
            }
        }
    }
}

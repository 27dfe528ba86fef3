//! Reading arrays and tables.

#[cfg(feature = "arrow")]
mod arrow;
mod csv;
mod ecsv;
mod fits;
mod inferred;
mod json;
mod literal;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "votable")]
mod votable;

use asdf_core::source::Bytes;
use asdf_core::tree::{NodeId, Tree};
use asdf_core::yaml::ParseOptions;
use asdf_core::{Error, NdArray, Node, Result, ToNode};
use asdf_fits::{Data, Fits, Selector};
use asdf_schemas::table::Table;

use crate::Format;
#[cfg(not(all(feature = "arrow", feature = "parquet", feature = "votable")))]
use crate::advice::Advice;

/// How to read files of other formats.
///
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
#[derive(Debug, Clone)]
pub struct ReadOptions {
    delimiter: u8,
    header: bool,
    arrays: bool,
    units: Vec<Selector>,
    limits: ParseOptions,
}

/// What was read from a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The value, to be set in a tree.
    pub contents: Contents,
    /// Why some data of a FITS file could not be read. The rest of the file is in `contents`.
    pub problems: Vec<Error>,
}

/// The value of a file. As a node it is what `asdf import` writes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Contents {
    /// An array.
    Array(NdArray),
    /// A table of the standard.
    Table {
        /// The columns.
        table: Table,
        /// The metadata, a mapping; as a node the table has it as `meta`.
        meta: Option<Node>,
    },
    /// A FITS file with all its cards.
    Fits(Fits),
    /// The arrays and tables of a FITS file by name, in the order of the file: a mapping as a node.
    Units(Vec<(String, Data)>),
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ReadOptions {
    /// Creates the default options: a comma and a header in CSV, FITS files whole.
    #[must_use]
    pub fn new() -> Self {
        let limits = ParseOptions::default();
        Self { delimiter: b',', header: true, arrays: false, units: Vec::new(), limits }
    }

    /// Sets the character of ASCII between the values of CSV.
    #[must_use]
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.delimiter = delimiter;
        self
    }

    /// Sets whether the first row of CSV has the names of the columns. Without it they are `column1` and so on.
    #[must_use]
    pub fn header(mut self, header: bool) -> Self {
        self.header = header;
        self
    }

    /// Sets whether a FITS file becomes a mapping of its arrays and tables, [`Contents::Units`], in which missing
    /// integers are masked. By default it is [`Contents::Fits`], with the values that astropy has.
    #[must_use]
    pub fn fits_arrays(mut self, arrays: bool) -> Self {
        self.arrays = arrays;
        self
    }

    /// Selects the units of a FITS file to read. By default all are read.
    #[must_use]
    pub fn fits_units(mut self, units: Vec<Selector>) -> Self {
        self.units = units;
        self
    }

    /// Sets the limits of the header of ECSV, which is YAML.
    #[must_use]
    pub fn header_limits(mut self, limits: ParseOptions) -> Self {
        self.limits = limits;
        self
    }

    /// Reads a file that is in memory. Elements of npy and of FITS are shared with `bytes` where they need no change;
    /// those of other formats are copied.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the file does not have the format, with the line where there is
    /// one; [`Unsupported`](asdf_core::error::Kind::Unsupported) if ASDF has no such values, or this build does not read
    /// the format; [`Limit`](asdf_core::error::Kind::Limit) if the table would take far more memory than the file.
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
                return Err(Error::unsupported(format!("files of the format {format} are not read")));
            }
        };
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
    parquet::table(bytes)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Bytes) -> Result<Table> {
    Err(Error::unsupported("this build does not read Parquet").with_hint(Advice::Parquet))
}

#[cfg(feature = "arrow")]
fn arrow(bytes: Bytes) -> Result<Table> {
    arrow::table(bytes)
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
